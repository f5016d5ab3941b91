import type { Database } from '../../platform/tables.ts'
import * as store from './owner-store.ts'

/** Finds the external id of the team that owns a data product; undefined if the product does not exist. */
export async function findProductOwner(
  db: Database,
  organizationId: string,
  productId: string,
): Promise<string | undefined> {
  return await store.findProductOwner(db, organizationId, productId)
}

/** Finds the external ids of the teams that own data products, by product. Products that do not exist are skipped. */
export async function findProductOwners(
  db: Database,
  organizationId: string,
  productIds: readonly string[],
): Promise<Map<string, string>> {
  return await store.findProductOwners(db, organizationId, productIds)
}
