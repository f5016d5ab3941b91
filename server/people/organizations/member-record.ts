import { sql, type RawBuilder } from 'kysely'
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
    subject: sql`user_account.id`,
    name: sql`user_account.name`,
    person: sql`user_account.id`,
    details,
  } as const
  return appendActivity(
    origin,
    entry,
    sql`from ${sql.table(result)} as changed
    join user_account on user_account.id = changed.user_id`,
  )
}
