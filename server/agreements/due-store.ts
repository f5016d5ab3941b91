import { sql } from 'kysely'
import type { Clock } from '../platform/kit/clock.ts'
import type { Database } from '../platform/tables.ts'
import type { Agreement, AgreementAt, AgreementKey } from './agreement.ts'
import { AGREEMENT_COLUMNS } from './store.ts'

/**
 * Lists agreements that time has changed. Organizations take turns: the first agreement of each comes before the second
 * one of any. Of an organization, those due first are first. Active ones, which may end, come before upcoming ones, so
 * that access that is renewed is revoked before it is granted again.
 */
export async function listDueAgreements(
  db: Database,
  clock: Clock,
  limit: number,
): Promise<AgreementKey[]> {
  const { rows } = await sql<AgreementKey>`
    select organization_id as "organizationId", external_id as id
    from access_agreement
    where next_due_at <= (select ${clock.now})
    order by row_number() over (partition by organization_id order by next_due_at, state),
      next_due_at
    limit ${limit}
  `.execute(db)
  return rows
}

/**
 * Locks those of the given agreements that are still due, in their order. Skip locked: two processes never advance one
 * agreement, and neither waits for the other.
 */
export async function lockDueAgreements(
  db: Database,
  clock: Clock,
  keys: readonly AgreementKey[],
): Promise<AgreementAt[]> {
  const { rows } = await sql<Agreement & { now: string }>`
    select ${AGREEMENT_COLUMNS}, ${clock.now} as now
    from unnest(
      ${keys.map(({ organizationId }) => organizationId)}::uuid[],
      ${keys.map(({ id }) => id)}::text[]
    ) with ordinality as given (organization_id, external_id, ordinal)
    cross join lateral (
      select *
      from access_agreement
      where organization_id = given.organization_id
        and external_id = given.external_id
        and next_due_at <= (select ${clock.now})
      limit 1
      for update skip locked
    ) as agreement
    order by given.ordinal
  `.execute(db)
  return rows.map(({ now, ...agreement }) => ({ agreement, now }))
}
