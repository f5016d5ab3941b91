import { sql } from 'kysely'
import type { Database } from '../../platform/tables.ts'

// The first halves of the keys of advisory locks, the same in all processes. A transaction takes them in this order, so that no
// two transactions wait for each other.
const LOCKS = { reality: 7214, tests: 7_276_230, access: 7221, trust: 7220 } as const

/**
 * Takes turns with all other transactions of an organization that change promises, choices, addresses or assets, until the end
 * of the transaction. Who changes promises, choices or addresses takes it exclusively, before the first write. Who changes assets
 * shares it after the last write: then each of two simultaneous transactions, one of each kind, is seen by the later one,
 * and none waits for the other while it holds what the other needs.
 */
export async function lockReality(
  db: Database,
  organizationId: string,
  mode: 'exclusive' | 'shared' = 'exclusive',
): Promise<void> {
  const lock = mode === 'exclusive' ? sql`pg_advisory_xact_lock` : sql`pg_advisory_xact_lock_shared`
  await sql`select ${lock}(${LOCKS.reality}, hashtext(${organizationId}))`.execute(db)
}

/**
 * Takes turns with all other transactions that settle the tests of contracts, or the access to their tables, until the end of
 * the transaction, so that the last one sees what all of them wrote.
 */
export async function lockContracts(
  db: Database,
  purpose: 'tests' | 'access',
  organizationId: string,
  contractIds: readonly string[],
): Promise<void> {
  await sql`
    select pg_advisory_xact_lock(${LOCKS[purpose]}, hashtext(${organizationId} || id))
    from unnest(${[...contractIds].toSorted()}::text[]) with ordinality as contract (id, ordinal)
    order by ordinal
  `.execute(db)
}

/**
 * Takes turns with all other transactions that store signals of an organization, until the end of the transaction. A later
 * statement reads what the others wrote, so that the signals of a data product follow from all of its contracts.
 */
export async function lockTrust(db: Database, organizationId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(${LOCKS.trust}, hashtext(${organizationId}))`.execute(db)
}
