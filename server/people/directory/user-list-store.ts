import { sql, type RawBuilder } from 'kysely'
import type { Database } from '../../platform/tables.ts'
import { toEmailKey } from '../users/user.ts'
import type { Comparison } from './filter.ts'
import { USER_COLUMNS, USER_TABLES } from './user-store.ts'
import { toNameKey, type UserRow } from './user.ts'

/** The attributes of people that filters can compare. */
export const USER_FILTERS = [
  'id',
  'userName',
  'externalId',
  'displayName',
  'active',
  'emails',
  'emails.value',
  'emails.type',
  'emails.primary',
]

/** Counts the members that all comparisons select. */
export async function countUsers(
  db: Database,
  organizationId: string,
  comparisons: readonly Comparison[],
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count
    from ${USER_TABLES}
    where member.organization_id = ${organizationId}
      and ${toConditions(organizationId, comparisons)}
  `.execute(db)
  return rows[0]?.count ?? 0
}

/** Lists the members that all comparisons select, in the order in which they joined. */
export async function listUsers(
  db: Database,
  organizationId: string,
  comparisons: readonly Comparison[],
  { startIndex, count }: { startIndex: number; count: number },
): Promise<UserRow[]> {
  const { rows } = await sql<UserRow>`
    select ${USER_COLUMNS}
    from ${USER_TABLES}
    where member.organization_id = ${organizationId}
      and ${toConditions(organizationId, comparisons)}
    order by member.created_at, member.user_id
    offset ${startIndex - 1}
    limit ${count}
  `.execute(db)
  return rows
}

function toConditions(
  organizationId: string,
  comparisons: readonly Comparison[],
): RawBuilder<unknown> {
  const conditions = comparisons.map((one) => toCondition(one, organizationId))
  return sql.join([sql`true`, ...conditions], sql` and `)
}

const NEVER = sql`false`

// Each comparison selects the ids of people by an index, because a condition on two tables would read all members.
function toCondition(
  { attribute, value }: Comparison,
  organizationId: string,
): RawBuilder<unknown> {
  if (attribute === 'active' || attribute === 'emails.primary') return toTruth(attribute, value)
  const text = String(value)
  switch (attribute) {
    case 'id':
      // Compared as text, because the id of a filter can be any text.
      return sql`member.user_id::text = ${text.toLowerCase()}`
    case 'username':
      return isAmong(sql`
          select user_id
          from directory_user
          where organization_id = ${organizationId}
            and user_name_key = ${toNameKey(text)}
          union all
          select id
          from user_account
          where email_key = ${toEmailKey(text)}
            and not exists (
              select
              from directory_user
              where directory_user.organization_id = ${organizationId}
                and directory_user.user_id = user_account.id
            )`)
    case 'externalid':
      return isAmong(sql`
          select user_id
          from directory_user
          where organization_id = ${organizationId}
            and external_id = ${text}`)
    case 'displayname':
      return sql`lower(account.name) = lower(${text})`
    case 'emails.type':
      return text.toLowerCase() === 'work' ? sql`true` : NEVER
    default:
      return isAmong(sql`select id from user_account where email_key = ${toEmailKey(text)}`)
  }
}

function isAmong(ids: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`member.user_id in (${ids})`
}

function toTruth(attribute: string, value: string | boolean): RawBuilder<unknown> {
  const word = String(value).toLowerCase()
  if (word !== 'true' && word !== 'false') return NEVER
  if (attribute !== 'active') return word === 'true' ? sql`true` : NEVER
  return word === 'true' ? sql`member.suspended_at is null` : sql`member.suspended_at is not null`
}
