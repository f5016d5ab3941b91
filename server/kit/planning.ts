import { sql, type QueryExecutorProvider } from 'kysely'

/** Disables JIT compilation until the end of the transaction, also in a shared session. */
export async function disableCompilation(db: QueryExecutorProvider): Promise<void> {
  await sql`select set_config('jit', 'off', true)`.execute(db)
}

/**
 * Makes PostgreSQL plan for whole sets until the end of the transaction. Its statistics are older than the
 * rows just written, so it would assume an empty table and compare every pair of rows.
 *
 * If a plan needs a nested loop anyway, its cost is 10¹⁰, and a server with JIT would compile it for seconds,
 * so JIT is disabled too.
 */
export async function planForSets(db: QueryExecutorProvider): Promise<void> {
  await sql`set local enable_nestloop = off`.execute(db)
  await disableCompilation(db)
}
