import { sql, type RawBuilder } from 'kysely'
import { sortedProblems } from '../../formats/text/problem.ts'
import { clip } from '../../formats/text/value.ts'
import { invalidDocument, type StoredText } from '../requests/http/document.ts'
import { findAnnouncements } from '../ledger/history/service.ts'
import { KINDS } from '../platform/kinds.ts'
import { newOwnerAccess } from './access.ts'
import type { DocumentRow, RegisteredDocument } from './document.ts'
import type { DocumentType } from './document-type.ts'
import type { Consequences, DocumentPut, Guard, PutContext, Resource } from './resource.ts'
import type { ResourceChange } from './resource.ts'
import * as store from './store.ts'
import { deprecationWarnings, refuseEndedFormat } from './sunset.ts'
import { hasTagPolicy } from './tag-service.ts'
import type { Assessment, DocumentDraft } from './task.ts'

interface Types<PlanData> {
  state: store.DocumentState
  draft: DocumentDraft<PlanData>
  put: DocumentPut
}

/** Creates the resource of a type of document. */
export function newDocumentResource<PlanData>(
  type: DocumentType<PlanData>,
): Resource<Types<PlanData>> {
  const { kind, tasks, findUse, listUses, listReaders, getRealitySubject } = type
  return {
    kind,
    nodesMax: type.nodesMax,
    access: newOwnerAccess(kind, type),
    load: ({ db, clock }, { organizationId, id }, put) =>
      store.findState(
        db,
        clock,
        kind,
        { organizationId, id },
        put && Buffer.byteLength(put.body.text),
      ),
    async findStored({ db }, { organizationId, id }, state) {
      if (state.document !== null) return toRegistered(state)
      // If the document has a JSON form, its text was not read with the state.
      const found = await store.findDocument(db, kind, organizationId, id)
      return found?.digest === state.digest ? found : undefined
    },
    isSameText,
    assertWritable(work, { now }, { format }) {
      if (format !== undefined) refuseEndedFormat(format, now, work)
    },
    read: (context) => assess(type, context),
    getConsequences: (change) => getConsequences(type, change),
    toRow: (change) => toRow(type, change),
    getChangeEvents: ({ events }) => events,
    async listDeletionEvents({ offload }, { organizationId, id }, state) {
      const input = { ...toText(state), id }
      return await offload.run(organizationId, tasks.listDeletionEvents, input, [input])
    },
    ...(type.decisions && { requireDecisions: (change) => requireDecisions(type, change) }),
    ...(type.findIdConflict && { checkReferences: (change) => rejectIdConflict(type, change) }),
    getGuard: (change) => getGuard(type, change),
    ...(type.followOwner && { getFollowingWrite: (change) => followOwner(type, change) }),
    ...(getRealitySubject && {
      getRealitySubject: ({ db }, key, { version }, draft) =>
        getRealitySubject(db, { ...key, isNew: version === null, row: draft?.row }),
    }),
    ...(findUse && { findUse }),
    ...(listUses && { listUses }),
    ...(listReaders && {
      listReaders: (work, key, { documentJson, document }) =>
        listReaders(work, key, documentJson ?? document ?? ''),
    }),
  }
}

// A text that was accepted before is not parsed, unless a strict or a dry run needs the details.
function isSameText(state: store.DocumentState, put: DocumentPut): boolean {
  const { body, strict, dryRun, owner = state.owner } = put
  if (state.version === null || strict || dryRun || owner !== state.owner) return false
  return state.document === body.text && state.mediaType === body.mediaType
}

async function assess<PlanData>(
  { kind, tasks, hasParts }: DocumentType<PlanData>,
  { work, caller, put, state }: PutContext<Types<PlanData>>,
): Promise<Assessment<PlanData>> {
  const { id, body, strict, dryRun, failOn } = put
  const before = state.version === null ? undefined : toText(state)
  const withChanges = dryRun || failOn?.includes('breaking') === true
  const name = { organizationId: caller.organizationId, kind, externalId: id }
  const announcements =
    withChanges && state.version !== null && hasParts
      ? await findAnnouncements(work.db, name, state.version)
      : undefined
  const input = {
    id,
    text: body.text,
    mediaType: body.mediaType,
    strict,
    hasTagPolicy: hasTagPolicy(caller, kind),
    dryRun,
    before,
    withChanges,
    announcements,
    digest: state.digest,
    owner: { requested: put.owner, current: state.owner, callerTeam: caller.team },
  }
  const texts = [{ document: body.text, mediaType: body.mediaType }, ...(before ? [before] : [])]
  return await work.offload.run(caller.organizationId, tasks.assess, input, texts)
}

async function getConsequences<PlanData>(
  type: DocumentType<PlanData>,
  { work, caller, put, state, draft }: ResourceChange<Types<PlanData>>,
): Promise<Consequences> {
  const { planData, format } = draft
  if (planData === undefined) throw new Error('a dry run without the data of its plan')
  const { organizationId } = caller
  const isUpdate = state.version !== null && !draft.isSame
  const change = { organizationId, id: put.id, planData, isUpdate }
  const { warnings, ...consequences } = await type.getConsequences(work, change)
  const all = [...deprecationWarnings(format, work), ...draft.warnings, ...warnings]
  return { ...consequences, warnings: sortedProblems(all) }
}

function requireDecisions<PlanData>(
  { decisions }: DocumentType<PlanData>,
  { caller, state, draft, ownerTeamId }: ResourceChange<Types<PlanData>>,
): void {
  const isOwnerKnown = draft.ownerId === null || ownerTeamId !== null
  decisions?.require(caller, { ...draft, formerOwnerId: state.owner, isOwnerKnown })
}

function toRow<PlanData>(
  { decisions, getRealitySubject }: DocumentType<PlanData>,
  { caller, put, draft, ownerTeamId }: ResourceChange<Types<PlanData>>,
): DocumentRow {
  const { format, digest, level, row, newDecidingParts } = draft
  if (row === undefined) throw new Error('a change without its columns')
  const { documentJson, facts, own, promises, entry } = row
  const { name, description, status, domain, tags } = facts
  const { mediaType } = put.body
  const shared = { name, description, status, domain, tags, format, media_type: mediaType }
  const owner = { owner_team_id: sql`${ownerTeamId}::uuid`, document_json: documentJson }
  // Lists filter former versions by the same fields as current ones. The contracts lead to the consumers of a product
  // that was deleted, or of a port that was removed.
  const ownFacts = Object.entries(own).filter(
    ([name, value]) => !Array.isArray(value) || name === 'output_contracts',
  )
  const decided =
    newDecidingParts.length === 0 ? {} : decisions?.buildFacts(caller, newDecidingParts)
  return {
    externalId: put.id,
    document: put.body.text,
    documentJson,
    mediaType,
    format,
    digest,
    level,
    columns: { ...shared, ...owner, ...own },
    versionColumn: getRealitySubject && 'reality_version',
    promises,
    facts: { ...facts, ...Object.fromEntries(ownFacts), ...decided },
    entry,
    ownerTeamId,
  }
}

async function rejectIdConflict<PlanData>(
  { findIdConflict, kind }: DocumentType<PlanData>,
  { work, caller, put, state }: ResourceChange<Types<PlanData>>,
): Promise<void> {
  if (state.version !== null) return
  const { organizationId } = caller
  const other = await findIdConflict?.(work, { organizationId, id: put.id })
  if (other === undefined) return
  const message = `The ${KINDS[kind].called} "${clip(other)}" exists, whose id differs only in its letter case; use that id.`
  throw invalidDocument([{ field: 'id', message }])
}

// What follows a new owner must see everything that began before, so that a change of the owner waits for it.
function getGuard<PlanData>(
  type: DocumentType<PlanData>,
  change: ResourceChange<Types<PlanData>>,
): Guard | undefined {
  const { caller, put, draft } = change
  const { organizationId } = caller
  const { removedParts: parts } = draft
  const { assertUnused } = type
  if (assertUnused !== undefined && parts.length > 0) {
    return (db) => assertUnused(db, { organizationId, id: put.id, parts })
  }
  return followOwner(type, change) && (async () => {})
}

function followOwner<PlanData>(
  type: DocumentType<PlanData>,
  { caller, put, state, draft }: ResourceChange<Types<PlanData>>,
): RawBuilder<unknown> | undefined {
  const { ownerId } = draft
  if (ownerId === null || ownerId === state.owner) return undefined
  return type.followOwner?.(caller.organizationId, put.id, ownerId)
}

// The JSON form of a YAML document parses many times faster.
function toText({ document, documentJson, mediaType }: store.DocumentState): StoredText {
  if (documentJson !== null) return { document: documentJson, mediaType: 'application/json' }
  if (document === null || mediaType === null) throw new Error('a row without a document')
  return { document, mediaType }
}

function toRegistered(state: store.DocumentState): RegisteredDocument {
  const { document, documentJson, mediaType, format, digest, owner: ownerId } = state
  if (document === null || mediaType === null || format === null || digest === null) {
    throw new Error('a row without a document')
  }
  return { document, documentJson, mediaType, format, digest, ownerId }
}
