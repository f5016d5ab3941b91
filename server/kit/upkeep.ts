import { sql, type Kysely } from 'kysely'

/** Work that a PostgreSQL server does on its own and the embedded store has nobody for. */
export interface Upkeep {
  stop(): Promise<void>
}

const PERIOD_MS = 10_000

/**
 * Vacuums and analyzes, now and then, the tables that changed much: a plan that was made while a
 * table was empty would otherwise be kept for the life of the process, and dead rows for ever. What
 * "much" is follows the defaults of PostgreSQL's autovacuum.
 */
export function startUpkeep<Tables>(db: Kysely<Tables>, onError: (error: unknown) => void): Upkeep {
  let underway: Promise<unknown> = Promise.resolve()
  const timer = setInterval(() => {
    underway = underway.then(() => tidy(db)).catch(onError)
  }, PERIOD_MS)
  timer.unref()
  return {
    async stop() {
      clearInterval(timer)
      await underway
    },
  }
}

/** Vacuums and analyzes every table that changed much, one after the other. Returns their names. */
export async function tidy<Tables>(db: Kysely<Tables>): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select relname as name
    from pg_stat_user_tables
    where n_mod_since_analyze > 50 + 0.1 * n_live_tup
      or n_dead_tup > 50 + 0.2 * n_live_tup
    order by relname
  `.execute(db)
  // A table at a time, so that no request waits for all of them.
  for (const { name } of rows) await sql`vacuum (analyze) ${sql.id(name)}`.execute(db)
  return rows.map(({ name }) => name)
}
