/**
 * The fixture of a release, `test/releases/<version>/`: the database as that version wrote it (`store.jsonl.gz`) and a
 * backup by that version (`backup.jsonl.gz`).
 *
 * The first line of the store names the version, and the migrations with which its schema is made again; the others
 * are the rows of all tables.
 */

import { createHash } from 'node:crypto'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { Client, type ClientConfig } from 'pg'
import { exportStore } from '../server/transfer/export.ts'
import { migrate } from '../server/platform/kit/migrate.ts'
import { MIGRATIONS, type Store } from '../server/store.ts'
import { fillReleaseStore, listTables } from './release-store.ts'

/** The folder of the fixtures. */
export const RELEASES = join(import.meta.dirname, 'releases')

/** The size of a fixture, compressed. */
export const FIXTURE_BYTES_MAX = 300_000

const STORE = 'store.jsonl.gz'
const BACKUP = 'backup.jsonl.gz'

/** The contents of a fixture. */
export interface Fixture {
  version: string
  /** The names of the migrations of its schema. */
  migrations: string[]
  /** An organization and a key of it, to read its documents. */
  organizationId: string
  key: string
  /** The SHA-256 of every stored document, by table. */
  documents: Record<string, string[]>
  /** The rows of each table. */
  rows: { table: string; row: unknown }[]
  /** The path of its backup. */
  backup: string
}

/** Fills an empty database and writes the fixture of a version. Returns its size in bytes. */
export async function writeFixture(store: Store, version: string): Promise<number> {
  const { world } = await fillReleaseStore(store)
  const folder = join(RELEASES, version)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const { bytes } = await exportStore(store.connection, join(folder, BACKUP), version)
  const client = await connect(store.connection)
  try {
    const { rows } = await client.query<{ name: string }>(
      'select name from schema_migration order by name',
    )
    const header = {
      version,
      migrations: rows.map(({ name }) => name),
      organizationId: world.organizationId,
      key: world.keys.O,
      documents: await hashDocuments(client),
    }
    const lines = [JSON.stringify(header)]
    for (const table of await listTables(store)) {
      for (const row of await readRows(client, table))
        lines.push(`{"table":"${table}","row":${row}}`)
    }
    const content = gzipSync(`${lines.join('\n')}\n`, { level: 9 })
    writeFileSync(join(folder, STORE), content)
    return bytes + content.length
  } finally {
    await client.end()
  }
}

/** Reads the fixture of a version. */
export function readFixture(version: string): Fixture {
  const folder = join(RELEASES, version)
  const text = gunzipSync(readFileSync(join(folder, STORE))).toString('utf8')
  const [header, ...rows] = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown)
  return {
    ...(header as Omit<Fixture, 'rows' | 'backup'>),
    rows: rows as Fixture['rows'],
    backup: join(folder, BACKUP),
  }
}

/** Makes the database of a fixture in an empty one: its schema by its migrations, and its rows. */
export async function restoreFixture(connection: ClientConfig, fixture: Fixture): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'portbook-release-'))
  for (const name of fixture.migrations) cpSync(join(MIGRATIONS, name), join(directory, name))
  await migrate(connection, directory)
  rmSync(directory, { recursive: true })
  const client = await connect(connection)
  try {
    await client.query('begin')
    // Rows are inserted in the order of their tables, and triggers have run when they were written.
    await client.query('set local session_replication_role = replica')
    const tables = [...new Set(fixture.rows.map(({ table }) => table))]
    await client.query(`truncate ${tables.join(', ')}`)
    for (const table of tables) {
      const rows = fixture.rows.filter((each) => each.table === table).map(({ row }) => row)
      await insertRows(client, table, rows)
    }
    await client.query('commit')
  } finally {
    await client.end()
  }
}

/** Hashes the documents of all tables that have any: columns with this name are the bytes that clients sent. */
export async function hashDocuments(client: Client): Promise<Record<string, string[]>> {
  const tables = await client.query<{ name: string }>(
    `select table_name as name from information_schema.columns
     where table_schema = 'public' and column_name = 'document' and data_type = 'text'
     order by table_name`,
  )
  const hashes: Record<string, string[]> = {}
  for (const { name } of tables.rows) {
    const { rows } = await client.query<{ document: string }>(
      `select document from ${name} where document is not null`,
    )
    const each = rows.map(({ document }) => createHash('sha256').update(document).digest('hex'))
    hashes[name] = [...new Set(each)].toSorted()
  }
  return hashes
}

async function connect(connection: ClientConfig): Promise<Client> {
  const client = new Client(connection)
  await client.connect()
  await client.query("set time zone 'UTC'")
  return client
}

async function listColumns(client: Client, table: string): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select attname as name from pg_attribute
     where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = ''
     order by attnum`,
    [table],
  )
  return rows.map(({ name }) => `"${name}"`)
}

async function readRows(client: Client, table: string): Promise<string[]> {
  const columns = (await listColumns(client, table)).join(', ')
  const { rows } = await client.query<{ row: string }>(
    `select row_to_json(stored)::text as row from (select ${columns} from ${table}) as stored order by 1`,
  )
  return rows.map(({ row }) => row)
}

async function insertRows(client: Client, table: string, rows: unknown[]): Promise<void> {
  const columns = (await listColumns(client, table)).join(', ')
  await client.query(
    `insert into ${table} (${columns}) overriding system value
     select ${columns} from json_populate_recordset(null::${table}, $1::json)`,
    [JSON.stringify(rows)],
  )
  // Identities go on after the last one.
  await client.query(
    `select setval(sequence, highest)
     from (
       select
         pg_get_serial_sequence('${table}', attname) as sequence,
         (xpath('/row/m/text()', query_to_xml(
           format('select max(%I) as m from ${table}', attname), false, true, ''
         )))[1]::text::bigint as highest
       from pg_attribute
       where attrelid = '${table}'::regclass and attidentity <> ''
     ) as identity
     where highest is not null`,
  )
}
