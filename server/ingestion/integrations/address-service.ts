import { lockReality } from '../../ledger/promises/lock.ts'
import type { Clock } from '../../platform/kit/clock.ts'
import type { SettleReality } from '../../platform/reality-change.ts'
import type { Database } from '../../platform/tables.ts'
import {
  addAddress,
  listAddresses,
  removeAddress,
  replaceConfiguredAddresses,
} from '../../reality/links/address-service.ts'
import { listConfiguredAddresses, type SourceAddress } from '../../reality/links/address.ts'
import type { Caller } from '../../requests/access/caller.ts'
import type { Services } from '../../requests/http/endpoint.ts'
import { findVisibleIntegration, lockIntegration, requireEditable } from './service.ts'
import * as store from './store.ts'

/** The integration whose addresses change, and the author. */
interface AddressChange {
  organizationId: string
  integrationId: string
  principal: string
  requestId: string
}

/**
 * Stores the addresses that a configuration has and brings links up to date, in the transaction of the change. Without a source
 * the integration is deleted.
 */
export async function settleAddresses(
  { clock, settleReality }: { clock: Clock; settleReality: SettleReality },
  db: Database,
  change: AddressChange,
  source?: { name: string; configuration: unknown },
): Promise<void> {
  const { organizationId, integrationId, principal, requestId } = change
  await lockReality(db, organizationId)
  if (source !== undefined) {
    const addresses = listConfiguredAddresses(source)
    await replaceConfiguredAddresses(db, { organizationId, integrationId, principal }, addresses)
  }
  const origin = { organizationId, principal, requestId }
  await settleReality(db, clock, { ...origin, kind: 'address', integrationId })
}

/** A change of one address by a person. */
interface AddressRequest {
  externalId: string
  address: string
  requestId: string
}

type AddressServices = Pick<Services, 'bulkDb' | 'clock' | 'settleReality'>

/** Lists the addresses of an integration that the caller may see. Errors: not_found. */
export async function listIntegrationAddresses(
  db: Database,
  caller: Caller,
  externalId: string,
): Promise<SourceAddress[]> {
  const { id: integrationId } = await findVisibleIntegration(db, caller, externalId)
  return await listAddresses(db, { organizationId: caller.organizationId, integrationId })
}

/**
 * Adds or removes an address under which contracts name the source of an integration; links follow at once. Errors: not_found,
 * permission_missing, request_invalid.
 */
export async function changeAddress(
  services: AddressServices,
  caller: Caller,
  { externalId, address, requestId }: AddressRequest,
  action: 'address-added' | 'address-removed',
): Promise<SourceAddress[]> {
  const { organizationId, principal } = caller
  const { bulkDb, clock } = services
  return await bulkDb.transaction().execute(async (db) => {
    const integration = await lockIntegration(db, organizationId, externalId, 'against changes')
    requireEditable(caller, integration)
    const change = { organizationId, integrationId: integration.id, principal, requestId }
    const write = action === 'address-added' ? addAddress : removeAddress
    await lockReality(db, organizationId)
    if (await write(db, change, address)) {
      await store.appendAddress(db, clock, { ...change, address, action })
      await settleAddresses(services, db, change)
    }
    return await listAddresses(db, change)
  })
}
