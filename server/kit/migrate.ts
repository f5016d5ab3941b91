import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from 'pg'
import type { ClientConfig } from 'pg'

/** The store's schema and this program do not fit; the message is one line for the operator. */
export class SchemaMismatch extends Error {
  override readonly name = 'SchemaMismatch'
}

interface Migration {
  name: string
  text: string
  checksum: string
}

const SERVER_VERSION_MIN = 150_000
// Any constant will do, as long as every process uses the same one.
const ADVISORY_LOCK = 7_276_221

/**
 * Upgrades a database to the schema of this program: applies the SQL files of a directory that are missing,
 * by name, each in its own transaction. Concurrent processes take turns. Returns the applied names. Errors:
 * SchemaMismatch if an applied file was edited, if the database is newer than the program, or if its server
 * is too old.
 */
export async function migrate(connection: ClientConfig, directory: string): Promise<string[]> {
  const client = new Client({ ...connection, connectionTimeoutMillis: 10_000 })
  // The interrupted statement reports the lost connection; without a listener the process would end.
  client.on('error', () => undefined)
  await client.connect()
  try {
    await refuseOldServer(client)
    const migrations = migrationsOf(directory)
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

function migrationsOf(directory: string): Migration[] {
  return readdirSync(directory)
    .filter((name) => name.endsWith('.sql'))
    .toSorted()
    .map((name) => {
      const text = readFileSync(join(directory, name), 'utf8')
      return { name, text, checksum: createHash('sha256').update(text).digest('hex') }
    })
}

async function refuseOldServer(client: Client): Promise<void> {
  const { rows } = await client.query<{ version: string }>(
    "select current_setting('server_version_num') as version",
  )
  if (Number(rows[0]?.version) < SERVER_VERSION_MIN) {
    throw new SchemaMismatch(`PostgreSQL 15 or newer is needed, this server is ${rows[0]?.version}`)
  }
}

// A transaction-level lock, because behind a pooler the next transaction may be in another session. Another
// process may apply the next file between two transactions, so each checks again.
async function applyNext(
  client: Client,
  migrations: readonly Migration[],
): Promise<string | undefined> {
  await client.query('begin')
  try {
    await client.query('select pg_advisory_xact_lock($1)', [ADVISORY_LOCK])
    const next = await findNext(client, migrations)
    if (next !== undefined) await apply(client, next)
    await client.query('commit')
    return next?.name
  } catch (error) {
    // A connection that is lost has rolled back already.
    await client.query('rollback').catch(() => undefined)
    throw error
  }
}

/** Finds the first migration that is not applied. Errors: SchemaMismatch. */
async function findNext(
  client: Client,
  migrations: readonly Migration[],
): Promise<Migration | undefined> {
  await client.query(`create table if not exists schema_migration (
    name text primary key,
    checksum text not null,
    applied_at timestamptz not null default now()
  )`)
  const { rows } = await client.query<{ name: string; checksum: string }>(
    'select name, checksum from schema_migration order by name',
  )
  const known = new Map(migrations.map((migration) => [migration.name, migration]))
  for (const { name, checksum } of rows) {
    const migration = known.get(name)
    if (migration === undefined) {
      throw new SchemaMismatch(
        `the store's schema is newer than this program: it has ${name}; start a newer version`,
      )
    }
    if (migration.checksum !== checksum) {
      throw new SchemaMismatch(
        `the migration ${name} was edited after it was applied; restore its original text`,
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
    throw new Error(`the migration ${name} failed and was rolled back`, { cause: error })
  }
}
