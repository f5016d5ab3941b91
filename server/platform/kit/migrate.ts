import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from 'pg'
import type { ClientConfig } from 'pg'
import {
  LOCK_PATIENCE,
  repeatWhileLocked,
  type LockPatience,
  type LockWait,
} from './migration-turns.ts'
import { listMigrations } from './schema-version.ts'
import { checkClient } from './session.ts'
import { IS_READ_ONLY } from './store-health.ts'
import { findFirstWriter, listBlocking, parseWritableBy } from './writable-by.ts'
import type { AppliedMigration } from './writable-by.ts'

/** An error of a database schema that does not match this program. Its message is one line for the operator. */
export class SchemaMismatch extends Error {
  override readonly name = 'SchemaMismatch'
}

interface Migration extends AppliedMigration {
  text: string
  checksum: string
}

/** The options of a migration. */
interface MigrateOptions {
  /** The version of this program; undefined = it accepts no schema that is newer than the directory. */
  version?: string | undefined
  patience?: LockPatience
  /** Called when a migration waits for a lock. */
  onWait?: (wait: LockWait & { migration: string }) => void
}

/** The migrations of a database. */
export interface Migrated {
  /** The migrations that were applied now, in their order. */
  applied: AppliedMigration[]
  /** The migrations of a newer version, after which this one may write. */
  newer: AppliedMigration[]
  /** The number of migrations that had been applied before. */
  formerCount: number
}

const SERVER_VERSION_MIN = 150_000
// An arbitrary constant that all processes share.
const ADVISORY_LOCK = 7_276_221

/**
 * Migrates the schema of a database: applies the pending SQL files of a directory, ordered by name, each in a
 * separate transaction, which is repeated while it cannot lock a table. Concurrent processes take turns. On a server
 * that accepts no writes, it only checks that nothing is pending.
 *
 * Errors: SchemaMismatch if an applied file was edited, if the schema is newer than the program and does not let its
 * version write, if the PostgreSQL server is too old, or if files are pending and the server accepts no writes;
 * MigrationBlocked.
 */
export async function migrate(
  connection: ClientConfig,
  directory: string,
  options: MigrateOptions = {},
): Promise<Migrated> {
  const client = new Client({ ...connection, connectionTimeoutMillis: 10_000 })
  // A lost connection fails the statement that it interrupts; without a listener the process would end.
  client.on('error', () => undefined)
  await client.connect()
  try {
    await assertServerVersion(client)
    const migrations = readMigrations(directory)
    const run = { client, migrations, ...options }
    if (await isReadOnly(client)) return await assertComplete(run)
    const applied: AppliedMigration[] = []
    for (;;) {
      const { next, newer, formerCount } = await applyNext(run)
      if (next === undefined) {
        return { applied, newer, formerCount: formerCount - applied.length }
      }
      applied.push({ name: next.name, writableBy: next.writableBy })
    }
  } finally {
    await client.end()
  }
}

function readMigrations(directory: string): Migration[] {
  return listMigrations(directory).map((name) => {
    const text = readFileSync(join(directory, name), 'utf8')
    const checksum = createHash('sha256').update(text).digest('hex')
    return { name, text, checksum, writableBy: parseWritableBy(name, text) }
  })
}

async function assertServerVersion(client: Client): Promise<void> {
  const { rows } = await client.query<{ version: string }>(
    "select current_setting('server_version_num') as version",
  )
  if (Number(rows[0]?.version) < SERVER_VERSION_MIN) {
    throw new SchemaMismatch(
      `PostgreSQL 15 or newer is required, but this server is ${rows[0]?.version}`,
    )
  }
}

/** One call of `migrate`. */
interface Run extends MigrateOptions {
  client: Client
  migrations: readonly Migration[]
}

/** The comparison of a directory with a database. */
interface Pending extends Omit<Migrated, 'applied'> {
  /** The first migration that is not applied; undefined = all are. */
  next: Migration | undefined
}

async function applyNext(run: Run): Promise<Pending> {
  const { client, patience = LOCK_PATIENCE, onWait } = run
  let migration = ''
  return await repeatWhileLocked(
    client,
    patience,
    (wait) => onWait?.({ ...wait, migration }),
    () =>
      inTransaction(client, async () => {
        const pending = await findNext(run)
        migration = pending.next?.name ?? ''
        if (pending.next !== undefined) await apply(client, pending.next, patience)
        return pending
      }),
  )
}

// The lock belongs to the transaction, because behind a pooler the next transaction may run in another session.
// Another process may apply the next migration between two transactions, so each transaction checks again.
async function inTransaction<Result>(client: Client, work: () => Promise<Result>): Promise<Result> {
  await client.query('begin')
  try {
    await checkClient(client, 'transaction')
    await client.query('select pg_advisory_xact_lock($1)', [ADVISORY_LOCK])
    const result = await work()
    await client.query('commit')
    return result
  } catch (error) {
    // A lost connection has already rolled back.
    await client.query('rollback').catch(() => undefined)
    throw error
  }
}

async function isReadOnly(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ isReadOnly: boolean }>(IS_READ_ONLY)
  return rows[0]?.isReadOnly === true
}

async function assertComplete(run: Run): Promise<Migrated> {
  const { client, migrations } = run
  const { rows } = await client.query("select where to_regclass('schema_migration') is not null")
  const pending =
    rows.length === 0 ? { next: migrations[0], newer: [], formerCount: 0 } : await findPending(run)
  if (pending.next === undefined) return { ...pending, applied: [] }
  throw new SchemaMismatch(
    `the database accepts no writes, so that migration ${pending.next.name} cannot be applied; start again when it accepts writes`,
  )
}

/** Finds the first pending migration, and creates the table of migrations if necessary. Errors: SchemaMismatch. */
async function findNext(run: Run): Promise<Pending> {
  await run.client.query(`create table if not exists schema_migration (
    name text primary key,
    checksum text not null,
    applied_at timestamptz not null default now(),
    writable_by text
  )`)
  return await findPending(run)
}

/** Finds the first pending migration. Errors: SchemaMismatch. */
async function findPending({ client, migrations, version }: Run): Promise<Pending> {
  // As JSON, because the table of an older store does not have the column until a migration adds it.
  const { rows } = await client.query<{
    name: string
    checksum: string
    writableBy: string | null
  }>(
    `select name, checksum, to_jsonb(schema_migration) ->> 'writable_by' as "writableBy"
     from schema_migration
     order by name`,
  )
  const byName = new Map(migrations.map((migration) => [migration.name, migration]))
  const newer = rows.filter(({ name }) => !byName.has(name))
  const blocking = version === undefined ? newer : listBlocking(newer, version)
  if (blocking[0] !== undefined) {
    const first = findFirstWriter(newer)
    throw new SchemaMismatch(
      `the database schema is newer than this program: it has ${blocking[0].name}; start ${first === null ? 'a newer version' : `version ${first} or newer`}`,
    )
  }
  for (const { name, checksum } of rows) {
    const own = byName.get(name)
    if (own === undefined || own.checksum === checksum) continue
    throw new SchemaMismatch(
      `migration ${name} was edited after it was applied; restore its original text`,
    )
  }
  const applied = new Set(rows.map((row) => row.name))
  const next = migrations.find((migration) => !applied.has(migration.name))
  if (next !== undefined && newer[0] !== undefined) {
    throw new SchemaMismatch(
      `the database schema belongs to another version: it has ${newer[0].name}, and lacks ${next.name} of this program; start a version that has both`,
    )
  }
  return {
    next,
    newer: newer.map(({ name, writableBy }) => ({ name, writableBy })),
    formerCount: rows.length,
  }
}

async function apply(
  client: Client,
  { name, text, checksum, writableBy }: Migration,
  { lockTimeoutMs }: LockPatience,
): Promise<void> {
  try {
    // Waiting for the turn of another process, above, is not limited.
    await client.query(`set local lock_timeout = ${lockTimeoutMs}`)
    await client.query(text)
    // Stores that are older than the column have no migration with a version.
    await client.query(
      writableBy === null
        ? 'insert into schema_migration (name, checksum) values ($1, $2)'
        : 'insert into schema_migration (name, checksum, writable_by) values ($1, $2, $3)',
      writableBy === null ? [name, checksum] : [name, checksum, writableBy],
    )
  } catch (error) {
    throw new Error(`migration ${name} failed and was rolled back`, { cause: error })
  }
}
