import { sql, type QueryExecutorProvider } from 'kysely'

/** Turns compilation of statements (JIT) off until the end of the transaction, also in a shared session. */
export async function disableCompilation(db: QueryExecutorProvider): Promise<void> {
  await sql`select set_config('jit', 'off', true)`.execute(db)
}

/**
 * Makes PostgreSQL plan for whole sets until the end of the transaction. Its statistics are older than
 * what was just written: it would take a table for empty and compare every pair of rows.
 *
 * A plan that needs a nested loop nevertheless then costs 10¹⁰, for which a server with JIT compiles
 * the statement for seconds, however few rows it touches: JIT is off too.
 */
export async function planForSets(db: QueryExecutorProvider): Promise<void> {
  await sql`set local enable_nestloop = off`.execute(db)
  await disableCompilation(db)
}
