import { sql } from 'kysely'
import type { Clock } from '../kit/clock.ts'
import type { Database } from '../tables.ts'
import type { Agreement, AgreementAt } from './agreement.ts'
import { AGREEMENT_COLUMNS } from './store.ts'

/**
 * Locks the agreements of all organizations that time has changed, those due first. Active ones, which
 * may end, come before upcoming ones, so that access that is renewed is revoked before it is granted again. Skip locked: two processes never
 * advance one agreement, and neither waits for the other.
 */
export async function lockDueAgreements(
  db: Database,
  clock: Clock,
  limit: number,
): Promise<AgreementAt[]> {
  const { rows } = await sql<Agreement & { now: string }>`
    select ${AGREEMENT_COLUMNS}, ${clock.now} as now
    from access_agreement as agreement
    where next_due_at <= (select ${clock.now})
    order by next_due_at, state
    limit ${limit}
    for update skip locked
  `.execute(db)
  return rows.map(({ now, ...agreement }) => ({ agreement, now }))
}
