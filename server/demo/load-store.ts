import { sql } from 'kysely'
import type { Database } from '../platform/tables.ts'
import { MOVED_TABLES, UNMOVED_TABLES } from '../transfer/tables.ts'

// An arbitrary constant that all processes share.
const LOAD_LOCK = 7_276_233

/** The tables that a store keeps when it is emptied: they belong to the database, not to its contents. */
const KEPT_TABLES = [
  'schema_migration',
  'feed_epoch',
  'encryption_key',
  'search_build',
  'demo_load',
]

/**
 * Reserves loading the demo until the end of the transaction. Returns false if another process loads it. The transaction
 * writes nothing, so it does not delay the event feed.
 */
export async function lockLoad(transaction: Database): Promise<boolean> {
  const { rows } = await sql<{ isLocked: boolean }>`
    select pg_try_advisory_xact_lock(${LOAD_LOCK}) as "isLocked"
  `.execute(transaction)
  return rows[0]?.isLocked === true
}

/** Returns whether a load of the demo has begun and not ended. */
export async function isLoadUnfinished(db: Database): Promise<boolean> {
  const { rows } = await sql`select from demo_load`.execute(db)
  return rows.length > 0
}

/** Records that a load begins; an earlier record stays. */
export async function insertLoad(db: Database): Promise<void> {
  await sql`insert into demo_load default values on conflict do nothing`.execute(db)
}

/** Records that the load has ended. */
export async function deleteLoad(db: Database): Promise<void> {
  await sql`delete from demo_load`.execute(db)
}

/** Deletes everything that an unfinished load has written, in one transaction. Tables of others are kept. */
export async function emptyStore(db: Database): Promise<void> {
  const names = [...MOVED_TABLES.map(({ name }) => name), ...Object.keys(UNMOVED_TABLES)]
  const emptied = names.filter((name) => !KEPT_TABLES.includes(name))
  await db.transaction().execute(async (transaction) => {
    // The entries of the activity only grow, except in a store that never served.
    await sql`alter table activity_entry disable trigger user`.execute(transaction)
    await sql`alter table activity_seal disable trigger user`.execute(transaction)
    await sql`truncate ${sql.join(emptied.map((name) => sql.table(name)))}`.execute(transaction)
    await sql`alter table activity_entry enable trigger user`.execute(transaction)
    await sql`alter table activity_seal enable trigger user`.execute(transaction)
  })
}
