import { sql } from 'kysely'
import type { Clock } from '../platform/kit/clock.ts'
import type { Database } from '../platform/tables.ts'
import type { Agreement, AgreementAt } from './agreement.ts'
import { AGREEMENT_COLUMNS } from './store.ts'

const IS_OPEN = sql`agreement.state in ('requested', 'upcoming', 'active')`

/** A person in an organization. */
export interface PersonKey {
  organizationId: string
  userId: string
}

/** Locks the agreements of a person that can still become or stay active, and waits for changes of them under way. */
export async function lockAgreementsOfPerson(
  db: Database,
  clock: Clock,
  { organizationId, userId }: PersonKey,
  limit: number,
): Promise<AgreementAt[]> {
  const { rows } = await sql<Agreement & { now: string }>`
    select ${AGREEMENT_COLUMNS}, ${clock.now} as now
    from access_agreement as agreement
    where agreement.organization_id = ${organizationId}
      and agreement.consumer_user = ${userId}::uuid
      and ${IS_OPEN}
    order by agreement.external_id
    limit ${limit}
    for update
  `.execute(db)
  return rows.map(({ now, ...agreement }) => ({ agreement, now }))
}

/**
 * Locks open agreements of people who are not members of the organization, of all organizations. Skip locked: two
 * processes never end one agreement, and neither waits for the other.
 */
export async function lockAgreementsOfFormerMembers(
  db: Database,
  clock: Clock,
  limit: number,
): Promise<AgreementAt[]> {
  const { rows } = await sql<Agreement & { now: string }>`
    select ${AGREEMENT_COLUMNS}, ${clock.now} as now
    from access_agreement as agreement
    where agreement.consumer_user is not null
      and ${IS_OPEN}
      and not exists (
        select
        from organization_member as member
        where member.organization_id = agreement.organization_id
          and member.user_id = agreement.consumer_user
      )
    order by agreement.organization_id, agreement.external_id
    limit ${limit}
    for update of agreement skip locked
  `.execute(db)
  return rows.map(({ now, ...agreement }) => ({ agreement, now }))
}
