import { sql } from 'kysely'
import type { ActivityActor } from '../../ledger/activity/entry.ts'
import { appendIdentityPeople } from '../../ledger/activity/identity-record.ts'
import type { Clock } from '../../platform/kit/clock.ts'
import type { Database } from '../../platform/tables.ts'
import type { MemberKey } from './member.ts'

/** Returns whether a person is a break-glass owner of an organization. */
export async function isBreakGlass(
  db: Database,
  { organizationId, userId }: MemberKey,
): Promise<boolean> {
  const row = await db
    .selectFrom('break_glass')
    .select('user_id')
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row !== undefined
}

/** Suspends or restores a member, in one statement that has no effect and no entry if nothing changes. Returns whether it did. */
export async function updateSuspension(
  db: Database,
  { organizationId, userId }: MemberKey,
  action: 'suspended' | 'restored',
  actor: ActivityActor,
): Promise<boolean> {
  const isSuspended = action === 'suspended'
  const { rows } = await sql`
    with changed as (
      update organization_member
      set suspended_at = case when ${isSuspended}::boolean then clock_timestamp() end
      where organization_id = ${organizationId}
        and user_id = ${userId}
        and (suspended_at is null) = ${isSuspended}::boolean
      returning user_id
    ),
    entry as (
      ${appendIdentityPeople({ organizationId, ...actor }, { kind: 'directory', action }, 'changed')}
    )
    select user_id
    from changed
  `.execute(db)
  return rows.length > 0
}

/** Raises the versions of the groups of a member who leaves, and locks them before the member. */
export async function touchGroups(
  db: Database,
  { organizationId, userId }: MemberKey,
): Promise<void> {
  await sql`
    with affected as (
      select id
      from directory_group
      where organization_id = ${organizationId}
        and id in (
          select group_id
          from directory_group_member
          where organization_id = ${organizationId}
            and user_id = ${userId}
        )
      order by id
      for no key update
    )
    update directory_group
    set version = version + 1, updated_at = clock_timestamp()
    from affected
    where directory_group.organization_id = ${organizationId}
      and directory_group.id = affected.id
  `.execute(db)
}

/** Lists members of all organizations who have been suspended for a number of days, the longest first. */
export async function listLongSuspended(
  db: Database,
  clock: Clock,
  { days, limit }: { days: number; limit: number },
): Promise<MemberKey[]> {
  const { rows } = await sql<MemberKey>`
    select organization_id as "organizationId", user_id as "userId"
    from organization_member
    where suspended_at < ${clock.now} - make_interval(days => ${days})
    order by suspended_at, organization_id, user_id
    limit ${limit}
  `.execute(db)
  return rows
}

/** Locks a member who is still suspended for a number of days. Returns whether there is one. */
export async function lockLongSuspended(
  db: Database,
  clock: Clock,
  { organizationId, userId }: MemberKey,
  days: number,
): Promise<boolean> {
  const { rows } = await sql`
    select user_id
    from organization_member
    where organization_id = ${organizationId}
      and user_id = ${userId}
      and suspended_at < ${clock.now} - make_interval(days => ${days})
    for update
  `.execute(db)
  return rows.length > 0
}
