import { sql, type RawBuilder } from 'kysely'
import { keepName, NO_NAME } from '../../ledger/activity/person-record.ts'
import { appendActivity, type EntryOrigin, type NewEntry } from '../../ledger/activity/record.ts'

/** A change of members; without an instant, it happens now. */
type MemberChange = Pick<NewEntry, 'action' | 'details'> & Partial<Pick<NewEntry, 'at'>>

/**
 * SQL fragment: the entry of each member in a result with user_id, in the statement that adds, changes or removes them.
 */
export function appendMembers(
  origin: EntryOrigin,
  { action, details, at = sql`clock_timestamp()` }: MemberChange,
  result: string,
): RawBuilder<unknown> {
  const entry = {
    kind: 'member',
    action,
    at,
    subject: sql`changed.user_id`,
    name: NO_NAME,
    person: sql`changed.user_id`,
    details,
  } as const
  return appendActivity(origin, entry, sql`from ${sql.table(result)} as changed`)
}

/** SQL fragment: keeps the names of new members for the activity. It reads a result with user_id. */
export function keepMemberNames(organizationId: string, result: string): RawBuilder<unknown> {
  const id = sql`user_account.id`
  return keepName(
    { kind: 'account', organizationId, id, name: sql`user_account.name`, person: id },
    sql`from ${sql.table(result)} as changed
    join user_account on user_account.id = changed.user_id`,
  )
}
