import { planForWholeTables } from '../platform/kit/planning.ts'
import type { Database } from '../platform/tables.ts'
import { moveToOwners, type MovedProducts } from './owner-change-store.ts'

const SIDES = ['provider', 'consumer'] as const

const MOVED_AT_ONCE = 1000

/**
 * Moves agreements that belong to a former owner of one of their data products to the owner. The statement that changes
 * the owner moves them; imports and earlier versions left others. `products` limits the search; undefined = all
 * organizations. Returns their number; one whose owners differ on both sides counts twice.
 */
export async function moveMisplacedAgreements(
  db: Database,
  products?: MovedProducts,
): Promise<number> {
  let total = 0
  for (const side of SIDES) {
    for (;;) {
      const count = await moveSome(db, side, products)
      total += count
      if (count < MOVED_AT_ONCE) break
    }
  }
  return total
}

async function moveSome(
  db: Database,
  side: (typeof SIDES)[number],
  products: MovedProducts | undefined,
): Promise<number> {
  if (products !== undefined) return await moveToOwners(db, side, products, MOVED_AT_ONCE)
  return await db.transaction().execute(async (transaction) => {
    await planForWholeTables(transaction)
    return await moveToOwners(transaction, side, undefined, MOVED_AT_ONCE)
  })
}
