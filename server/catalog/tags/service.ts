import { findSlashIdProblem } from '../../../formats/name/document-id.ts'
import { RECORD_KINDS } from '../../../formats/record/kinds.ts'
import { clip } from '../../../formats/text/value.ts'
import type { Caller } from '../../requests/access/caller.ts'
import { getAssetTags } from '../assets/read-service.ts'
import type { DocumentPut, WriteServices } from '../../documents/resource.ts'
import { newDocumentResource } from '../../documents/service.ts'
import { withOptimisticRetry } from '../../documents/write-service.ts'
import { ApiError, notFound } from '../../platform/errors.ts'
import type { Body } from '../../requests/http/body.ts'
import { invalidRequest } from '../../requests/http/document.ts'
import { requirePermission } from '../../requests/http/missing-permission.ts'
import { newRecordType } from '../records/service.ts'
import type { Database } from '../../platform/tables.ts'
import * as store from './store.ts'
import { renameTagDocument } from './task.ts'

/**
 * Tags are records that the organization has agreed on. They are assigned to assets, beside the tags that documents
 * name themselves.
 */

/** The maximum number of tags that are assigned to one asset. */
export const ASSIGNED_TAGS_MAX = 100

// The page of a tag lists at most this many assets.
const TAGGED_ASSETS_MAX = 100

const TAG_TYPE = newRecordType(RECORD_KINDS.tag)
const RESOURCE = newDocumentResource(TAG_TYPE)

/** Lists the ids of the tags that are assigned to an asset, sorted. Errors: not_found. */
export async function listAssignedTags(
  db: Database,
  organizationId: string,
  assetId: string,
): Promise<string[]> {
  return (await getAssetTags(db, organizationId, assetId)).assignedTags
}

/** Assigns a tag to an asset. Errors: not_found, permission_missing, validation_failed, limit_reached. */
export async function assignTag(
  { db, clock }: Pick<WriteServices, 'db' | 'clock'>,
  caller: Caller,
  { assetId, tagId, requestId }: { assetId: string; tagId: string; requestId: string },
): Promise<void> {
  const { organizationId, principal } = caller
  const { assignedTags } = await requireTaggable(db, caller, assetId)
  if (assignedTags.length >= ASSIGNED_TAGS_MAX && !assignedTags.includes(tagId)) {
    throw new ApiError(
      'limit_reached',
      `An asset has at most ${ASSIGNED_TAGS_MAX} assigned tags. Remove one first.`,
    )
  }
  const assignment = { organizationId, assetId, tagId, principal, requestId }
  const { isTagKnown, isAssetKnown } = await store.assignTag(db, clock, assignment)
  if (!isAssetKnown) throw notFound()
  if (!isTagKnown) throw unknownTag(tagId)
}

/** Removes a tag from an asset. Errors: not_found, permission_missing, validation_failed. */
export async function removeTag(
  { db, clock }: Pick<WriteServices, 'db' | 'clock'>,
  caller: Caller,
  { assetId, tagId, requestId }: { assetId: string; tagId: string; requestId: string },
): Promise<void> {
  const { organizationId, principal } = caller
  await requireTaggable(db, caller, assetId)
  const isKnown = await store.removeTag(db, clock, {
    organizationId,
    assetId,
    tagId,
    principal,
    requestId,
  })
  if (!isKnown) throw unknownTag(tagId)
}

async function requireTaggable(
  db: Database,
  caller: Caller,
  assetId: string,
): Promise<{ assignedTags: string[] }> {
  const asset = await getAssetTags(db, caller.organizationId, assetId)
  requirePermission(caller, 'ASSET_EDIT', asset.owner)
  return asset
}

function unknownTag(id: string): ApiError {
  const message = `Unknown tag "${clip(id)}". Create it with PUT /api/tags/{id} first.`
  return invalidRequest([{ field: 'tagId', message }])
}

/** Lists the assets to which a tag is assigned; at most 100, with their total. */
export async function listTaggedAssets(
  db: Database,
  organizationId: string,
  tagId: string,
): Promise<{ total: number; assets: store.TaggedAsset[] }> {
  return await store.listTaggedAssets(db, organizationId, tagId, TAGGED_ASSETS_MAX)
}

/** A request to rename a tag. */
interface TagRenaming {
  from: string
  to: string
  requestId: string
}

/**
 * Renames a tag: its document gets the new id, and everything to which it is assigned carries the new one. Errors:
 * not_found, permission_missing, validation_failed, invalid_state.
 */
export async function renameTag(
  work: WriteServices,
  caller: Caller,
  renaming: TagRenaming,
): Promise<void> {
  const problem = findSlashIdProblem(renaming.to)
  if (problem !== undefined) {
    throw invalidRequest([{ field: 'to', message: `The id ${problem}.` }])
  }
  await withOptimisticRetry(work, caller, { kind: 'tag' }, renaming.from, () =>
    attemptRename(work, caller, renaming),
  )
}

async function attemptRename(
  work: WriteServices,
  caller: Caller,
  renaming: TagRenaming,
): Promise<true | undefined> {
  const { from, to, requestId } = renaming
  const { organizationId, principal } = caller
  const state = await RESOURCE.load(work, { organizationId, id: from })
  const { version } = state
  if (version === null) throw notFound()
  requirePermission(caller, 'MANAGED_TAG_EDIT', state.owner)
  if (from === to) return true
  const conflict = await findConflict(work, organizationId, from, to)
  if (conflict !== undefined) {
    throw new ApiError('invalid_state', `A tag "${clip(conflict)}" exists. Choose another id.`)
  }
  const body = await readRenamed(work, renaming, organizationId, state)
  if (body === undefined) return undefined
  const put: DocumentPut = { ...PLAIN_PUT, id: to, body, requestId }
  const context = { work, caller, put, state: { ...state, ...NOTHING } }
  const draft = await RESOURCE.read(context)
  if (!draft.ok) throw invalidRequest(draft.problems)
  const row = await RESOURCE.toRow({ ...context, draft, ownerTeamId: state.ownerTeamId })
  const metadata = { organizationId, principal, requestId }
  const rename = { metadata, from, version, row }
  return (await store.renameTag(work.db, work.clock, rename)) ? true : undefined
}

const PLAIN_PUT = {
  conditions: { ifMatch: undefined, ifNoneMatch: undefined },
  strict: false,
  dryRun: false,
}

// The new id has no document yet.
const NOTHING = { version: null, digest: null, document: null, documentJson: null } as const

async function findConflict(
  work: WriteServices,
  organizationId: string,
  from: string,
  to: string,
): Promise<string | undefined> {
  const existing = await RESOURCE.load(work, { organizationId, id: to })
  if (existing.version !== null) return to
  const similar = await TAG_TYPE.findIdConflict?.(work, { organizationId, id: to })
  return similar === from ? undefined : similar
}

type TagState = Awaited<ReturnType<typeof RESOURCE.load>>

async function readRenamed(
  work: WriteServices,
  { from, to }: TagRenaming,
  organizationId: string,
  state: TagState,
): Promise<Body | undefined> {
  const stored = await RESOURCE.findStored(work, { organizationId, id: from }, state)
  if (stored === undefined) return undefined
  const { document, mediaType } = stored
  const input = { document, mediaType, id: to }
  return await work.offload.run(organizationId, renameTagDocument, input, [input])
}
