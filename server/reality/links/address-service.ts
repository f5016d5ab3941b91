import type { Database } from '../../platform/tables.ts'
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
