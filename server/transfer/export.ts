import { open, type FileHandle } from 'node:fs/promises'
import { Client } from 'pg'
import type { ClientConfig } from 'pg'
import { MOVED_TABLES, type ExportFooter, type ExportHeader, type MovedTable } from './tables.ts'

const FETCH_ROWS = 500

/**
 * Writes everything that a store holds to a file of JSON lines, readable by its owner alone: one
 * line for each row, all of one moment, a header before and the counts after. Returns the counts by
 * table. Errors: those of the file system and of the store.
 */
export async function exportStore(
  connection: ClientConfig,
  path: string,
  version: string,
): Promise<Record<string, number>> {
  const file = await open(path, 'wx', 0o600)
  const client = new Client(connection)
  try {
    await client.connect()
    await client.query('begin isolation level repeatable read read only')
    await client.query("set local time zone 'UTC'")
    const header: ExportHeader = { portbook: version, migrations: await migrationsIn(client) }
    await writeLine(file, JSON.stringify(header))
    const rows: Record<string, number> = {}
    for (const table of MOVED_TABLES) rows[table.name] = await writeTable(client, file, table)
    const footer: ExportFooter = { rows }
    await writeLine(file, JSON.stringify(footer))
    await client.query('commit')
    await file.sync()
    return rows
  } finally {
    await client.end()
    await file.close()
  }
}

async function migrationsIn(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    'select name from schema_migration order by name',
  )
  return rows.map(({ name }) => name)
}

async function writeTable(
  client: Client,
  file: FileHandle,
  { name, order, generated }: MovedTable,
): Promise<number> {
  await client.query(
    `declare exported no scroll cursor for
     select (to_jsonb(moved) - $1::text[])::text as row from ${name} as moved order by ${order}`,
    [generated],
  )
  let count = 0
  for (;;) {
    const { rows } = await client.query<{ row: string }>(`fetch ${FETCH_ROWS} from exported`)
    if (rows.length === 0) break
    count += rows.length
    const table = JSON.stringify(name)
    await writeLine(file, rows.map(({ row }) => `{"table":${table},"row":${row}}`).join('\n'))
  }
  await client.query('close exported')
  return count
}

async function writeLine(file: FileHandle, text: string): Promise<void> {
  await file.writeFile(`${text}\n`)
}
