import { sql, type QueryExecutorProvider } from 'kysely'

/** Disables JIT compilation until the end of the transaction, also in a shared session. */
export async function disableCompilation(db: QueryExecutorProvider): Promise<void> {
  await sql`select set_config('jit', 'off', true)`.execute(db)
}

/**
 * Makes PostgreSQL plan for large sets until the end of the transaction. Its statistics do not include the rows
 * that were just written, so it would treat a table as empty and compare every pair of rows.
 *
 * A plan that still needs a nested loop then costs 10¹⁰, for which a server with JIT would compile the statement
 * for seconds, even for a few rows. Therefore JIT is also disabled.
 */
export async function planForSets(db: QueryExecutorProvider): Promise<void> {
  await sql`set local enable_nestloop = off`.execute(db)
  await disableCompilation(db)
}

/**
 * Makes PostgreSQL look up rows one by one in indexes until the end of the transaction: for a few rows of tables that
 * grow within seconds. Plans are kept, and those of a table that was small would read all of it later.
 */
export async function planForLookups(db: QueryExecutorProvider): Promise<void> {
  await sql`
    select set_config('enable_seqscan', 'off', true), set_config('enable_hashjoin', 'off', true),
      set_config('enable_mergejoin', 'off', true), set_config('jit', 'off', true)
  `.execute(db)
}

/** The memory of one sort or one hash table of `planForWholeTables`; what is more is written to files. */
const SET_MEMORY = '32MB'

/**
 * Makes PostgreSQL join whole tables only by hash tables until the end of the transaction, and plan cursors for all of
 * their rows: costs then grow in step with the rows, independent of the statistics. A store that was just filled has none,
 * and a merge of two tables by their first common column compares every pair of rows. Two statements that read the same
 * tables begin at the same row.
 */
export async function planForWholeTables(db: QueryExecutorProvider): Promise<void> {
  await planForSets(db)
  await sql`
    select set_config('enable_mergejoin', 'off', true), set_config('cursor_tuple_fraction', '1', true),
      set_config('work_mem', ${SET_MEMORY}, true), set_config('synchronize_seqscans', 'off', true)
  `.execute(db)
}
