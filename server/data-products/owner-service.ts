import type { Database } from '../tables.ts'
import * as store from './owner-store.ts'

/** Finds the external id of the team that owns a data product; undefined if the product does not exist. */
export async function findProductOwner(
  db: Database,
  organizationId: string,
  productId: string,
): Promise<string | undefined> {
  return await store.findProductOwner(db, organizationId, productId)
}
