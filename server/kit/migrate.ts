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
 * Brings a store's schema up to this program's: applies the plain SQL files of a directory that are
 * not applied yet, in the order of their names, each in a transaction of its own. Processes that
 * start at once take turns. Returns the names applied. Errors: SchemaMismatch when an applied file
 * was edited, when the store is newer than the program, or when its server is too old.
 */
export async function migrate(connection: ClientConfig, directory: string): Promise<string[]> {
  const client = new Client({ ...connection, connectionTimeoutMillis: 10_000 })
  // The statement that a lost connection interrupts tells it; without a listener the process ends.
  client.on('error', () => undefined)
  await client.connect()
  try {
    await refuseOldServer(client)
    // A lock of the session, not of a transaction: it spans one transaction a file.
    await client.query('select pg_advisory_lock($1)', [ADVISORY_LOCK])
    try {
      return await applyPending(client, migrationsOf(directory))
    } finally {
      await client.query('select pg_advisory_unlock($1)', [ADVISORY_LOCK]).catch(() => undefined)
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

async function applyPending(client: Client, migrations: Migration[]): Promise<string[]> {
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
  const pending = migrations.filter((migration) => !applied.has(migration.name))
  for (const migration of pending) await apply(client, migration)
  return pending.map((migration) => migration.name)
}

async function apply(client: Client, { name, text, checksum }: Migration): Promise<void> {
  await client.query('begin')
  try {
    await client.query(text)
    await client.query('insert into schema_migration (name, checksum) values ($1, $2)', [
      name,
      checksum,
    ])
    await client.query('commit')
  } catch (error) {
    // A connection that is lost has rolled back already.
    await client.query('rollback').catch(() => undefined)
    throw new Error(`the migration ${name} failed and was rolled back`, { cause: error })
  }
}
