import { sql, type RawBuilder } from 'kysely'
import { appendActivity, type EntryOrigin, type NewEntry } from '../../ledger/activity/record.ts'

/**
 * SQL fragment: the entry of each member in a result with user_id, in the statement that adds, changes or removes them.
 */
export function appendMembers(
  origin: EntryOrigin,
  { action, details }: Pick<NewEntry, 'action' | 'details'>,
  result: string,
): RawBuilder<unknown> {
  const entry = {
    kind: 'member',
    action,
    at: sql`clock_timestamp()`,
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
