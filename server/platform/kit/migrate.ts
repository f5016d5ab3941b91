import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from 'pg'
import type { ClientConfig } from 'pg'
import { checkClient } from './session.ts'
import { IS_READ_ONLY } from './store-health.ts'

/** An error of a database schema that does not match this program. Its message is one line for the operator. */
export class SchemaMismatch extends Error {
  override readonly name = 'SchemaMismatch'
}

interface Migration {
  name: string
  text: string
  checksum: string
}

const SERVER_VERSION_MIN = 150_000
// An arbitrary constant that all processes share.
const ADVISORY_LOCK = 7_276_221

/**
 * Migrates the schema of a database: applies the pending SQL files of a directory, ordered by name, each in a
 * separate transaction. Concurrent processes take turns. Returns the names of the applied files. On a server that
 * accepts no writes, it only checks that nothing is pending.
 *
 * Errors: SchemaMismatch if an applied file was edited, if the schema is newer than the program, if the PostgreSQL
 * server is too old, or if files are pending and the server accepts no writes.
 */
export async function migrate(connection: ClientConfig, directory: string): Promise<string[]> {
  const client = new Client({ ...connection, connectionTimeoutMillis: 10_000 })
  // A lost connection fails the statement that it interrupts; without a listener the process would end.
  client.on('error', () => undefined)
  await client.connect()
  try {
    await assertServerVersion(client)
    const migrations = readMigrations(directory)
    if (await isReadOnly(client)) {
      await assertComplete(client, migrations)
      return []
    }
    const applied: string[] = []
    for (;;) {
      const name = await applyNext(client, migrations)
      if (name === undefined) return applied
      applied.push(name)
    }
  } finally {
    await client.end()
  }
}

function readMigrations(directory: string): Migration[] {
  return readdirSync(directory)
    .filter((name) => name.endsWith('.sql'))
    .toSorted()
    .map((name) => {
      const text = readFileSync(join(directory, name), 'utf8')
      return { name, text, checksum: createHash('sha256').update(text).digest('hex') }
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

// The lock belongs to the transaction, because behind a pooler the next transaction may run in another session.
// Another process may apply the next migration between two transactions, so each transaction checks again.
async function applyNext(
  client: Client,
  migrations: readonly Migration[],
): Promise<string | undefined> {
  await client.query('begin')
  try {
    await checkClient(client, 'transaction')
    await client.query('select pg_advisory_xact_lock($1)', [ADVISORY_LOCK])
    const next = await findNext(client, migrations)
    if (next !== undefined) await apply(client, next)
    await client.query('commit')
    return next?.name
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

async function assertComplete(client: Client, migrations: readonly Migration[]): Promise<void> {
  const { rows } = await client.query("select where to_regclass('schema_migration') is not null")
  const pending = rows.length === 0 ? migrations[0] : await findPending(client, migrations)
  if (pending !== undefined) {
    throw new SchemaMismatch(
      `the database accepts no writes, so that migration ${pending.name} cannot be applied; start again when it accepts writes`,
    )
  }
}

/** Finds the first pending migration, and creates the table of migrations if necessary. Errors: SchemaMismatch. */
async function findNext(
  client: Client,
  migrations: readonly Migration[],
): Promise<Migration | undefined> {
  await client.query(`create table if not exists schema_migration (
    name text primary key,
    checksum text not null,
    applied_at timestamptz not null default now()
  )`)
  return await findPending(client, migrations)
}

/** Finds the first pending migration. Errors: SchemaMismatch. */
async function findPending(
  client: Client,
  migrations: readonly Migration[],
): Promise<Migration | undefined> {
  const { rows } = await client.query<{ name: string; checksum: string }>(
    'select name, checksum from schema_migration order by name',
  )
  const byName = new Map(migrations.map((migration) => [migration.name, migration]))
  for (const { name, checksum } of rows) {
    const migration = byName.get(name)
    if (migration === undefined) {
      throw new SchemaMismatch(
        `the database schema is newer than this program: it has ${name}; start a newer version`,
      )
    }
    if (migration.checksum !== checksum) {
      throw new SchemaMismatch(
        `migration ${name} was edited after it was applied; restore its original text`,
      )
    }
  }
  const applied = new Set(rows.map((row) => row.name))
  return migrations.find((migration) => !applied.has(migration.name))
}

async function apply(client: Client, { name, text, checksum }: Migration): Promise<void> {
  try {
    await client.query(text)
    await client.query('insert into schema_migration (name, checksum) values ($1, $2)', [
      name,
      checksum,
    ])
  } catch (error) {
    throw new Error(`migration ${name} failed and was rolled back`, { cause: error })
  }
}
