import { isContainerType } from '../../../formats/asset/asset.ts'
import { clip } from '../../../formats/text/value.ts'
import { lockReality } from '../../ledger/promises/lock.ts'
import type { PromiseKey } from '../../ledger/promises/promise.ts'
import { ApiError, notFound } from '../../platform/errors.ts'
import type { Database } from '../../platform/tables.ts'
import type { Caller } from '../../requests/access/caller.ts'
import { invalidRequest } from '../../requests/http/document.ts'
import type { Services } from '../../requests/http/endpoint.ts'
import { requirePermission } from '../../requests/http/missing-permission.ts'
import * as store from './choice-store.ts'
import type { Link } from './link.ts'

type ChoiceServices = Pick<Services, 'db' | 'clock' | 'settleReality'>

/** The asset that a person chooses; null = none. */
interface Choice {
  assetId: string | null
  reason: string
}

/** Requires that the caller may change the contract of a promise. Errors: not_found, permission_missing. */
export async function requireLinkEdit(
  { db }: Pick<Services, 'db'>,
  caller: Caller,
  key: PromiseKey,
): Promise<void> {
  const contract = await store.findContract(db, caller.organizationId, key)
  if (contract === undefined) throw notFound()
  requirePermission(caller, 'DATACONTRACT_EDIT', contract.ownerId)
  if (!contract.hasPromise) throw notFound()
}

/**
 * Links a promise with an asset by hand, or excludes it, and settles what follows. Errors: not_found, permission_missing,
 * validation_failed for an unknown asset, asset_not_table.
 */
export async function chooseAsset(
  services: ChoiceServices,
  caller: Caller,
  key: PromiseKey,
  choice: Choice,
  requestId: string,
): Promise<Link> {
  const { assetId } = choice
  const { clock } = services
  return await changeLink(services, caller, key, requestId, async (db, metadata) => {
    if (assetId !== null) await requireTable(db, caller.organizationId, assetId)
    await store.upsertChoice(db, clock, metadata, key, choice)
  })
}

/** Ends the choice of a promise: its link is decided by rule again. Errors: not_found, permission_missing. */
export async function endChoice(
  services: ChoiceServices,
  caller: Caller,
  key: PromiseKey,
  requestId: string,
): Promise<Link> {
  return await changeLink(services, caller, key, requestId, async (db, metadata) => {
    await store.deleteChoice(db, services.clock, metadata, key)
  })
}

type Metadata = Record<'organizationId' | 'principal' | 'requestId', string>

async function changeLink(
  { db, clock, settleReality }: ChoiceServices,
  caller: Caller,
  key: PromiseKey,
  requestId: string,
  change: (db: Database, metadata: Metadata) => Promise<void>,
): Promise<Link> {
  const { organizationId, principal } = caller
  const metadata = { organizationId, principal, requestId }
  return await db.transaction().execute(async (db) => {
    await lockReality(db, organizationId)
    // Again, because the contract may have been deleted or moved to another team since.
    await requireLinkEdit({ db }, caller, key)
    await change(db, metadata)
    await settleReality(db, clock, { ...metadata, kind: 'choice', ...key })
    const link = await store.findLink(db, organizationId, key)
    // The choice of a model that the contract does not have now has no link.
    return (
      link ?? {
        state: 'not_applicable',
        assetId: null,
        origin: null,
        explanation: [],
        candidates: [],
      }
    )
  })
}

async function requireTable(db: Database, organizationId: string, id: string): Promise<void> {
  const type = await store.findAssetType(db, organizationId, id)
  if (type === undefined) {
    throw invalidRequest([{ field: 'assetId', message: `Unknown asset "${clip(id)}".` }])
  }
  if (!isContainerType(type)) return
  throw new ApiError(
    'asset_not_table',
    `The asset "${clip(id)}" contains others: choose one of its tables or views.`,
  )
}
