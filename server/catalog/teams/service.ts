import { PAGE_ELEMENTS_MAX } from '../../requests/http/paging.ts'
import { randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import { NODES_MAX } from '../../../formats/text/json-scan.ts'
import { highestLevel, type Change } from '../../../formats/diff/level.ts'
import { getParentName, readTeam, TEAM_SHAPE } from '../../../formats/team/team.ts'
import { TEAM_FIELDS } from '../../../formats/team/team-fields.ts'
import { canonicalText } from '../../../formats/shape/canonical.ts'
import { getField, isObject, type Value } from '../../../formats/text/value.ts'
import { deleteKeysOfOwner } from '../../people/api-keys/service.ts'
import {
  computeDigest,
  type DocumentRow,
  type RegisteredDocument,
} from '../../documents/document.ts'
import { toChangeList } from '../../documents/resource.ts'
import type { ResourceReading, PutContext, Resource } from '../../documents/resource.ts'
import type { ResourceChange } from '../../documents/resource.ts'
import { hasTagPolicy } from '../../documents/tag-service.ts'
import { listTags } from '../../documents/tag-task.ts'
import { notFound, type ApiError } from '../../platform/errors.ts'
import { listAnswerAsOf } from '../../ledger/history/service.ts'
import { documentListAnswer } from '../../requests/http/document-list.ts'
import { invalidDocument, readStored, unknownTeam } from '../../requests/http/document.ts'
import type { Answer, ReadingServices } from '../../requests/http/endpoint.ts'
import type { Instant } from '../../platform/kit/clock.ts'
import { teamEntry } from '../../documents/search/entry.ts'
import type { Database } from '../../platform/tables.ts'
import { deleteWebhooksOfTeam } from '../../notices/webhooks/service.ts'
import { diffFields, type FieldDiffOptions } from '../../../formats/diff/document-fields.ts'
import * as store from './store.ts'
import { findTeamUses } from './use-service.ts'
import { TEAM_ACCESS, type TeamTypes } from './access-service.ts'

/** Teams as a resource. A team that owns resources or has subteams cannot be deleted; its keys and webhooks end with it. */
export const TEAMS: Resource<TeamTypes> = {
  kind: 'team',
  nodesMax: NODES_MAX,
  access: TEAM_ACCESS,
  lock: store.lockTeams,
  load: ({ db }, key, put) => store.findState(db, key, put && getParentName(put.source.value)),
  findStored: async (_, __, { document, digest }) => toRegistered(document ?? '', digest ?? ''),
  read: async (context) => read(context),
  checkReferences,
  toRow,
  findUse: async ({ db }, caller, id) => await findTeamUses(db, caller, id),
  async deleteDependents({ db, clock }, metadata, { id: teamId }) {
    if (teamId === null) return
    await deleteKeysOfOwner(db, metadata.organizationId, { teamId }, metadata)
    await deleteWebhooksOfTeam(db, clock, teamId, metadata)
  },
}

/** A team's document. Errors: not_found. */
export async function getTeam(
  db: Database,
  organizationId: string,
  id: string,
): Promise<RegisteredDocument> {
  const found = await store.findTeam(db, organizationId, id)
  if (found === undefined) throw notFound()
  return toRegistered(found.document, found.digest)
}

/** Returns a page of teams as JSON, now or as of an instant, optionally only those of one direct member. */
export async function listTeams(
  { db, offload }: ReadingServices,
  organizationId: string,
  filter: { p: number; email?: string | undefined; asOf?: Instant | undefined },
  request: { path: string; search: URLSearchParams },
): Promise<Answer> {
  const { p: page, email, asOf: instant } = filter
  if (instant !== undefined) {
    const filters = email === undefined ? [] : [store.hadMember(email)]
    const list = {
      organizationId,
      kind: 'team' as const,
      instant,
      filters,
      order: store.BY_CREATION,
      page,
      elementsMax: PAGE_ELEMENTS_MAX,
    }
    return await listAnswerAsOf({ db, offload }, list, request)
  }
  const references = await store.listReferences(db, organizationId, page, email)
  const load = (ids: readonly string[]): Promise<string[]> =>
    store.loadDocuments(db, organizationId, ids)
  return await documentListAnswer(references, load, { ...request, page })
}

function read({ caller, put, state }: PutContext<TeamTypes>): ResourceReading<TeamTypes['draft']> {
  const reading = readTeam(put.source, put)
  if (!reading.ok) return reading
  const { team, warnings } = reading
  const digest = computeDigest(team.canonical)
  const isSame = state.digest === digest || hasSameMeaning(state.document, team.document)
  const changes = isSame ? [] : listChanges(state.document, team.document)
  const names = { format: 'team', ownerId: null, ownerPath: undefined }
  const level = highestLevel(changes)
  return {
    ok: true,
    ...names,
    team,
    digest,
    isSame,
    level,
    changes: toChangeList(changes),
    warnings,
    restrictedTags: hasTagPolicy(caller, 'team') ? listTags(put.source.value) : [],
  }
}

// Changes of other fields are documentation.
const POWERS: ReadonlySet<string> = new Set(
  TEAM_FIELDS.filter(({ decidesPermissions }) => decidesPermissions).map(({ name }) => name),
)

const FIELD_DIFF: FieldDiffOptions = {
  shape: TEAM_SHAPE,
  called: 'team',
  decidesPermissions: (field) => POWERS.has(field),
}

function listChanges(before: string | null, after: string): Change[] {
  return before === null ? [] : diffFields(toValue(before), toValue(after), FIELD_DIFF)
}

// Whether two documents differ at most in an empty list of members.
function hasSameMeaning(before: string | null, after: string): boolean {
  if (before === null) return false
  const [one, other] = [before, after].map((text) => canonicalText(toValue(text), TEAM_SHAPE))
  return one === other
}

// Clients send an empty list of members for none.
function toValue(document: string): Value {
  const { value } = readStored({ document, mediaType: 'application/json' })
  const members = getField(value, 'members')
  if (!isObject(value) || !Array.isArray(members) || members.length > 0) return value
  return Object.fromEntries(Object.entries(value).filter(([name]) => name !== 'members'))
}

function checkReferences({
  put: { source },
  draft: { team },
  state,
}: ResourceChange<TeamTypes>): void {
  const fail = (message: string): ApiError =>
    invalidDocument([{ field: 'parent', message, ...source.locate(['parent']) }])
  if (team.parent === undefined) return
  if (state.newParentId === null) {
    throw unknownTeam(team.parent, { field: 'parent', ...source.locate(['parent']) })
  }
  if (state.makesCycle)
    throw fail(`"${team.parent}" is a subteam of this team and cannot be its parent.`)
}

function toRow({ draft, state }: ResourceChange<TeamTypes>): DocumentRow {
  const { team, digest, level } = draft
  // Addresses are lower-cased here, because the database follows its locale.
  const emails = team.members.map((member) => member.emailAddress.toLowerCase())
  return {
    ...toRegistered(team.document, digest),
    externalId: team.id,
    level,
    columns: {
      name: team.name,
      type: team.type,
      parent_id: sql`${state.newParentId}::uuid`,
      member_emails: emails,
      member_roles: team.members.map((member) => member.role),
    },
    initialColumns: { id: sql`${randomUUIDv7()}::uuid` },
    facts: { name: team.name, emails },
    entry: teamEntry(team),
    ownerTeamId: null,
  }
}

function toRegistered(document: string, digest: string): RegisteredDocument {
  return {
    document,
    documentJson: null,
    mediaType: 'application/json',
    format: 'team',
    digest,
    ownerId: null,
  }
}
