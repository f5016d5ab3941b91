import { sql } from 'kysely'
import type { Database } from '../../platform/tables.ts'

// The first half of the key of an advisory lock, the same in all processes.
const REALITY_LOCK = 7214

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
  await sql`select ${lock}(${REALITY_LOCK}, hashtext(${organizationId}))`.execute(db)
}
