import type { Value } from '../../../formats/text/value.ts'
import type { Caller } from '../../requests/access/caller.ts'
import { notFound, ApiError, toViolations } from '../../platform/errors.ts'
import { checkPreconditions, type Conditions } from '../../requests/http/conditional.ts'
import { invalidRequest, unknownTeam, type StoredDocument } from '../../requests/http/document.ts'
import { requireManagedList } from '../../documents/tag-service.ts'
import { findOwner, withOptimisticRetry } from '../../documents/write-service.ts'
import type { Services } from '../../requests/http/endpoint.ts'
import { annotation, hasAnnotation, type Annotation } from './annotation.ts'
import * as annotations from './annotation-store.ts'
import { toStoredDocument, type StoredAsset } from './asset.ts'
import { ingestedEntry } from '../../documents/search/asset-entry.ts'
import { requirePermission, requireSomewhere } from '../../requests/http/missing-permission.ts'
import * as store from './store.ts'
import type { Database } from '../../platform/tables.ts'

/** A request to annotate an asset. */
interface AnnotationPut {
  id: string
  value: Value
  conditions: Conditions
  requestId: string
}

type Work = Pick<Services, 'db' | 'clock' | 'serialize' | 'settleReality'>

/**
 * Replaces the annotation of an ingested asset; returns the asset with it. Errors: not_found,
 * permission_missing, precondition_failed, document_invalid; the latter also for an asset that was
 * PUT, or is gone from its source.
 */
export async function annotateAsset(
  work: Work,
  caller: Caller,
  put: AnnotationPut,
): Promise<StoredDocument> {
  return await withOptimisticRetry(work, caller, { kind: 'asset' }, put.id, () =>
    attempt(work, caller, put),
  )
}

/** Finds an asset that the caller may change. Errors: not_found, permission_missing. */
export async function requireEditableAsset(
  db: Database,
  caller: Caller,
  id: string,
): Promise<store.AssetWithTags> {
  const existing = await store.findAsset(db, caller.organizationId, id)
  if (existing === undefined) throw notFound()
  requireSomewhere(caller, 'ASSET_EDIT')
  requirePermission(caller, 'ASSET_EDIT', existing.owner)
  return existing
}

async function attempt(
  { db, clock, settleReality }: Work,
  caller: Caller,
  put: AnnotationPut,
): Promise<StoredDocument | undefined> {
  const { organizationId, principal } = caller
  const existing = await requireEditableAsset(db, caller, put.id)
  const parsed = annotation.safeParse(put.value)
  const owner = parsed.data?.owner ?? null
  const ownerTeamId = await findOwner(db, organizationId, owner)
  const isUnknownTeam = owner !== null && ownerTeamId === null
  if (!isUnknownTeam) {
    const fallback = await annotations.findFallbackOwner(db, organizationId, put.id)
    requirePermission(caller, 'ASSET_EDIT', owner ?? fallback ?? null)
  }
  const merged = toStoredDocument(existing)
  checkPreconditions(put.conditions, merged.digest)
  assertAnnotatable(existing)
  if (!parsed.success) throw invalidRequest(toViolations(parsed.error.issues))
  if (isUnknownTeam) throw unknownOwner(owner)
  if (hasAnnotation(existing, parsed.data)) return merged
  await requireManagedList(db, caller, parsed.data.tags ?? [])
  const metadata = { organizationId, principal, requestId: put.requestId }
  const row = toAnnotationRow(existing, parsed.data, ownerTeamId)
  const written = await db.transaction().execute(async (db) => {
    const isDone = await annotations.upsertAnnotation(db, clock, metadata, row, existing.version)
    // Tags certify.
    if (isDone)
      await settleReality(db, clock, { organizationId, kind: 'signals', assets: [put.id] })
    return isDone
  })
  if (!written) return undefined
  const now = await store.findAsset(db, organizationId, put.id)
  return now && toStoredDocument(now)
}

function assertAnnotatable({ ingestion }: StoredAsset): void {
  if (ingestion === null) {
    throw new ApiError(
      'invalid_state',
      'Clients maintain this asset. Change its document with PUT /api/assets/{id}.',
    )
  }
  if (ingestion.isDeleted) {
    throw new ApiError(
      'invalid_state',
      'The asset was removed from its source. It can be changed again if it reappears there.',
    )
  }
}

function toAnnotationRow(
  { id, document, ingestion }: StoredAsset,
  { description, tags }: Annotation,
  ownerTeamId: string | null,
): annotations.AnnotationRow {
  const added = { description, tags: tags ?? null }
  return {
    ...added,
    externalId: id,
    ownerTeamId,
    entry: ingestedEntry(id, document, added),
    integration: ingestion?.integrationExternalId ?? '',
  }
}

function unknownOwner(owner: string): ApiError {
  return unknownTeam(owner, { field: 'owner' }, 'validation_failed')
}
