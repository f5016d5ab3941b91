import { sql } from 'kysely'
import type { Database } from '../tables.ts'

/** Turns compilation of statements (JIT) off until the end of the transaction, also in a shared session. */
export async function disableCompilation(db: Database): Promise<void> {
  await sql`select set_config('jit', 'off', true)`.execute(db)
}

/**
 * Makes PostgreSQL plan for whole sets until the end of the transaction. Its statistics are older than
 * what was just written: it would take a table for empty and compare every pair of rows.
 *
 * A plan that needs a nested loop nevertheless then costs 10¹⁰, for which a server with JIT compiles
 * the statement for seconds, however few rows it touches: JIT is off too.
 */
export async function planForSets(db: Database): Promise<void> {
  await sql`set local enable_nestloop = off`.execute(db)
  await disableCompilation(db)
}
