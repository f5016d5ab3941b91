import type { Caller } from '../requests/access/caller.ts'
import { notFound } from '../platform/errors.ts'
import { newDocumentEvent } from '../ledger/events/event.ts'
import { findOwnAnnouncement } from '../ledger/history/service.ts'
import { checkPreconditions } from '../requests/http/conditional.ts'
import type { Database } from '../platform/tables.ts'
import { hasDependents } from './dependent-record.ts'
import type {
  DocumentPlan,
  DocumentRemoval,
  Resource,
  ResourceState,
  ResourceTypes,
  WriteServices,
} from './resource.ts'
import { createDeletionError, listReaderUses } from './resource-use.ts'
import * as store from './store.ts'
import { planDrift } from './drift-service.ts'
import { findSignalsSubject, settleAfter } from './settle-service.ts'
import { emptyPlan, toMetadata, withOptimisticRetry } from './write-service.ts'

/**
 * Deletes a document. Errors: not_found, permission_missing, precondition_failed, invalid_state, in_use.
 */
export async function deleteDocument<T extends ResourceTypes>(
  work: WriteServices,
  caller: Caller,
  resource: Resource<T>,
  removal: DocumentRemoval,
): Promise<void> {
  const key = { organizationId: caller.organizationId, id: removal.id }
  await withOptimisticRetry(work, caller, resource, removal.id, async (work) => {
    const state = await resource.load(work, key)
    if (resource.acceptAbsence !== undefined && isAbsent(state)) {
      resource.acceptAbsence(caller)
      checkPreconditions(removal.conditions, undefined)
      return true
    }
    const version = await requireDeletable(work, caller, resource, removal, state)
    const metadata = toMetadata(caller, removal)
    await resource.deleteDependents?.(work, metadata, state)
    const write = async (work: WriteServices): Promise<boolean> =>
      await remove(work, caller, resource, removal, { state, version })
    const subject =
      (await resource.getRealitySubject?.(work, key, state)) ?? findSignalsSubject(resource)
    const isDone =
      subject === undefined
        ? await write(work)
        : (await settleAfter(work, metadata, subject, write)).done
    return isDone ? true : undefined
  })
}

// Returns false if another writer was first.
async function remove<T extends ResourceTypes>(
  work: WriteServices,
  caller: Caller,
  resource: Resource<T>,
  { id, ...removal }: DocumentRemoval,
  { state, version }: { state: T['state']; version: number },
): Promise<boolean> {
  const { kind, condition } = resource
  const key = { organizationId: caller.organizationId, id }
  const metadata = toMetadata(caller, removal)
  const events =
    (await resource.listDeletionEvents?.(work, key, state)) ?? newDocumentEvent(kind, 'Deleted')
  const deletion = { kind, metadata, externalId: id, version, events, condition }
  return (
    (await resource.deleteOtherwise?.(work, metadata, state)) ??
    (await deleteLocked(work, deletion))
  )
}

// What ends with the document must be complete when the statement begins that records it.
async function deleteLocked(
  { db, clock }: WriteServices,
  deletion: store.DocumentDeletion,
): Promise<boolean> {
  const { kind, metadata, externalId: id, version } = deletion
  if (!hasDependents(kind)) return await store.deleteDocument(db, clock, deletion)
  const key = { organizationId: metadata.organizationId, id }
  const remove = async (db: Database): Promise<boolean> => {
    if (!(await store.lockVersion(db, kind, key, version, 'deletion'))) return false
    return await store.deleteDocument(db, clock, deletion)
  }
  return db.isTransaction ? await remove(db) : await db.transaction().execute(remove)
}

/**
 * Returns what deleting a document would do; nothing is written. It is breaking if a data product
 * reads the document. Errors: as those of `deleteDocument`, and document_too_costly, overloaded.
 */
export async function planDeletion<T extends ResourceTypes>(
  work: WriteServices,
  caller: Caller,
  resource: Resource<T>,
  removal: DocumentRemoval,
): Promise<DocumentPlan> {
  const key = { organizationId: caller.organizationId, id: removal.id }
  const state = await resource.load(work, key)
  const version = requireRemoval(caller, resource, removal, state)
  const uses = await resource.findUse?.(work, caller, removal.id)
  const affected = (await resource.listReaders?.(work, key, state)) ?? []
  if (uses !== undefined) throw createDeletionError(resource.kind, uses, listReaderUses(affected))
  const subject = await resource.getRealitySubject?.(work, key, state)
  const drift =
    subject &&
    (await planDrift(work, toMetadata(caller, removal), subject, async (work) => {
      return await remove(work, caller, resource, removal, { state, version })
    }))
  return {
    ...emptyPlan('deleted'),
    ...(drift?.plan && { drift: drift.plan }),
    level: affected.length > 0 ? 'breaking' : 'none',
    affected,
    announced: await findOwnAnnouncement(work.db, resource.kind, key, version),
    usedBy: await resource.listUses?.(work, key),
  }
}

async function requireDeletable<T extends ResourceTypes>(
  work: WriteServices,
  caller: Caller,
  resource: Resource<T>,
  removal: DocumentRemoval,
  state: T['state'],
): Promise<number> {
  const version = requireRemoval(caller, resource, removal, state)
  const uses = await resource.findUse?.(work, caller, removal.id)
  if (uses === undefined) return version
  throw createDeletionError(resource.kind, uses)
}

function requireRemoval<T extends ResourceTypes>(
  caller: Caller,
  { access }: Resource<T>,
  { id, conditions }: DocumentRemoval,
  state: T['state'],
): number {
  const { version, digest } = state
  if (version === null) throw notFound()
  access.requireDelete(caller, id, state)
  checkPreconditions(conditions, digest ?? undefined)
  return version
}

const isAbsent = ({ version, isGone = version === null }: ResourceState): boolean => isGone
