import type { Database } from '../../platform/tables.ts'
import { invalidRequest } from '../../requests/http/document.ts'
import type { SourceAddress } from './address.ts'
import * as store from './address-store.ts'

/** Replaces the addresses that the configuration of an integration has; those that people added stay. */
export async function replaceConfiguredAddresses(
  db: Database,
  integration: { organizationId: string; integrationId: string; principal: string },
  addresses: readonly string[],
): Promise<void> {
  await store.deleteConfiguredAddresses(db, integration, addresses)
  await store.insertAddresses(db, integration, addresses, 'configuration')
}

/** The maximum number of addresses of an integration. */
const ADDRESSES_MAX = 100

/** Lists the addresses of an integration. */
export async function listAddresses(
  db: Database,
  integration: { organizationId: string; integrationId: string },
): Promise<SourceAddress[]> {
  return await store.listAddresses(db, integration)
}

/**
 * Adds an address by hand, in the transaction of the caller. Returns false if the integration has it. Errors: validation_failed
 * for the 101st.
 */
export async function addAddress(
  db: Database,
  integration: { organizationId: string; integrationId: string; principal: string },
  address: string,
): Promise<boolean> {
  const addresses = await store.listAddresses(db, integration)
  if (addresses.some((one) => one.address === address)) return false
  if (addresses.length >= ADDRESSES_MAX) {
    const message = `An integration has at most ${ADDRESSES_MAX} addresses.`
    throw invalidRequest([{ field: 'address', message }])
  }
  return (await store.insertAddresses(db, integration, [address], 'hand')) > 0
}

/** Removes an address that a person added, in the transaction of the caller. Returns false if there is none. */
export async function removeAddress(
  db: Database,
  integration: { organizationId: string; integrationId: string; principal: string },
  address: string,
): Promise<boolean> {
  return await store.deleteAddress(db, integration, address)
}
