/** A store with at least one row in every table, as the fixture of a release contains it. */

import { sql } from 'kysely'
import type { Store } from '../server/store.ts'
import { fillStore, type FullStore } from './full-store.ts'

/**
 * Rows of tables that `fillStore` leaves empty, because they exist only for moments (a run, a delivery, a first start) or
 * belong to the demo or to a background process. Each statement finds what it refers to.
 */
const MORE_ROWS = [
  `insert into asset_source_version (organization_id, asset_id, source_version, digest, reading, read_at)
   select organization_id, external_id, '1', 'digest', 'whole', now() from asset limit 1`,
  `insert into delivery_attempt (organization_id, delivery_id, attempt, attempted_at, duration_ms, status, response)
   select organization_id, id, 1, now(), 12, 503, 'größe' from delivery limit 1`,
  `insert into demo_load default values`,
  `insert into demo_person (organization_id, user_id, position, email, role)
   select organization_id, user_id, 1, 'ada@velmora.example', 'Owner' from organization_member limit 1`,
  `insert into feed_follower (name, epoch, transaction_id) values ('released', 1, '1')`,
  `insert into feed_cursor (organization_id, follower, epoch, transaction_id, position)
   select id, 'released', 1, '1', 1 from organization limit 1`,
  `insert into job (name, process_id, created_at, started_at, succeeded_at, duration_ms)
   values ('released', gen_random_uuid(), now(), now(), now(), 12)`,
  `insert into process (id, version, schema_version, role, host, state, started_at, beat_at)
   values (gen_random_uuid(), '0.1.0', '0060_tested_parts.sql', 'both', 'portbook-1', 'running', now(), now())`,
  `insert into invitation (organization_id, id, email, email_key, role, token_hash, invited_by, created_at)
   select organization_id, gen_random_uuid(), 'Jo@velmora.example', 'jo@velmora.example', 'Member', sha256('invitation'),
     user_id, now() from organization_member limit 1`,
  `insert into password_guess (subject, guess_count, guessed_at) values (sha256('subject'), 2, now())`,
  `insert into password_reset (user_id, token_hash, created_at)
   select user_id, sha256('reset'), now() from organization_member limit 1`,
  `insert into password_reset_agreement (organization_id, user_id, agreed_by, created_at)
   select organization_id, user_id, user_id, now() from organization_member limit 1`,
  `insert into reality_build (rules) values (1)`,
  `insert into search_reader_pass (started_at, finished_at) values (now(), now())`,
  `insert into setup_link (token_hash) values (sha256('setup'))`,
  `insert into staged_asset (organization_id, run_id, fence, id, path, scope, kind, digest, name, type)
   select organization_id, id, 1, 'staged', 'd.sales.staged', 'd.sales', 'table', 'digest', 'staged', 'table'
   from ingestion_run limit 1`,
]

/** Fills an empty database with a row in every table. Errors: Error that names the empty tables. */
export async function fillReleaseStore(store: Store): Promise<FullStore> {
  const full = await fillStore(store)
  for (const statement of MORE_ROWS) await sql.raw(statement).execute(store.db)
  const empty = await listEmptyTables(store)
  if (empty.length === 0) return full
  throw new Error(
    `the fixture of a release needs a row in ${empty.join(', ')}: add it to test/full-store.ts or test/release-store.ts`,
  )
}

/** Lists the tables of a database by name. */
export async function listTables({ db }: Store): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select relname as name
    from pg_class
    where relkind in ('r', 'p')
      and not relispartition
      and relnamespace = 'public'::regnamespace
    order by relname
  `.execute(db)
  return rows.map(({ name }) => name)
}

async function listEmptyTables(store: Store): Promise<string[]> {
  const empty: string[] = []
  for (const name of await listTables(store)) {
    const { rows } = await sql`select from ${sql.table(name)} limit 1`.execute(store.db)
    if (rows.length === 0) empty.push(name)
  }
  return empty
}
