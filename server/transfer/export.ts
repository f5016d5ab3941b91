import { createHash } from 'node:crypto'
import { stat } from 'node:fs/promises'
import { Client } from 'pg'
import type { ClientConfig } from 'pg'
import { checkClient } from '../platform/kit/session.ts'
import { readInBatches, type RunQuery } from './cursor.ts'
import { FORMAT, formatRow, LINE_BYTES_MAX, type Footer, type Header } from './file-format.ts'
import { checkExport } from './read-file.ts'
import { MOVED_TABLES, type MovedTable } from './tables.ts'
import { TransferError, toTransferError } from './transfer-error.ts'
import { writeNewFile } from './write-file.ts'
import { SEALED_TABLE_NAMES } from '../platform/sealed-secrets.ts'
import { newRecord } from '../../formats/name/table.ts'

/** The result of an export. */
export interface ExportResult {
  /** The number of rows of each table. */
  rows: Record<string, number>
  /** The size of the file. */
  bytes: number
  /** The ID of the encryption key that sealed its credentials; undefined = it has no credentials. */
  encryptionKey: string | undefined
}

const CHUNK_CHARACTERS = 256 * 1024

/**
 * Writes a consistent snapshot of a database to a new file, compressed if its name ends in `.gz`. Memory does not grow
 * with the database. The file is read back and checked before it gets its name.
 *
 * Errors: TransferError; those of the database.
 */
export async function exportStore(
  connection: ClientConfig,
  path: string,
  version: string,
): Promise<ExportResult> {
  await assertAbsent(path)
  const client = new Client(connection)
  // A lost connection also rejects its statement.
  client.on('error', () => undefined)
  const writing = new Writing()
  try {
    await client.connect()
    await client.query('begin isolation level repeatable read read only')
    await client.query("set local time zone 'UTC'")
    await checkClient(client, 'transaction')
    const run: RunQuery = async (statement) => (await client.query(statement)).rows
    const header = await readHeader(run, version)
    await writeNewFile(path, writing.write(run, header), async (draft) => {
      const { footer } = await checkExport(draft)
      if (footer.sha256 === writing.footer?.sha256) return
      throw new TransferError(`Cannot write ${path}: reading it back returned different contents.`)
    })
    await client.query('commit')
    const { encryptionKeys = [], sealedCredentials = 0 } = header
    return {
      rows: writing.footer?.rows ?? {},
      bytes: (await stat(path)).size,
      encryptionKey: sealedCredentials > 0 ? encryptionKeys[0] : undefined,
    }
  } catch (error) {
    throw toTransferError(error, 'write', path)
  } finally {
    await client.end()
  }
}

async function assertAbsent(path: string): Promise<void> {
  const existing = await stat(path).catch(() => undefined)
  if (existing === undefined) return
  throw new TransferError(`${path} already exists. Choose another name.`)
}

const MOVED_NAMES = new Set(MOVED_TABLES.map(({ name }) => name))
const MOVED_SECRETS = SEALED_TABLE_NAMES.filter((name) => MOVED_NAMES.has(name))

async function readHeader(run: RunQuery, portbook: string): Promise<Header> {
  const migrations = await run<{ name: string }>('select name from schema_migration order by name')
  const keys = await run<{ id: string }>('select id from encryption_key order by created_at')
  const [credentials] = await run<{ count: number }>(
    `select (
       ${MOVED_SECRETS.map((name) => `(select count(*) from ${name})`).join(' + ')}
     )::int as count`,
  )
  const columns = newRecord<string[]>()
  for (const table of MOVED_TABLES) {
    columns[table.name] = (await listColumns(run, table)).map(({ name }) => name)
  }
  return {
    portbook,
    format: FORMAT,
    migrations: migrations.map(({ name }) => name),
    columns,
    encryptionKeys: keys.map(({ id }) => id),
    sealedCredentials: credentials?.count ?? 0,
  }
}

/** A column of an exported table. */
interface Column {
  name: string
  type: string
}

async function listColumns(run: RunQuery, { name, generated }: MovedTable): Promise<Column[]> {
  const columns = await run<Column>(
    `select attname as name, format_type(atttypid, null) as type
     from pg_attribute
     where attrelid = '${name}'::regclass
       and attnum > 0
       and not attisdropped
       and attgenerated = ''
     order by attnum`,
  )
  return columns.filter((column) => !generated.includes(column.name))
}

/** Writes the lines of a file. */
class Writing {
  /** The last line, after it was written. */
  footer: Footer | undefined
  readonly #hash = createHash('sha256')

  async *write(run: RunQuery, header: Header): AsyncGenerator<Buffer> {
    yield this.#hashed(`${JSON.stringify(header)}\n`)
    const rows = newRecord<number>()
    for (const table of MOVED_TABLES) {
      rows[table.name] = 0
      for await (const batch of readRows(run, table)) {
        rows[table.name] = (rows[table.name] ?? 0) + batch.length
        for (const chunk of chunked(batch, table.name)) yield this.#hashed(chunk)
      }
    }
    this.footer = { rows, sha256: this.#hash.digest('hex') }
    yield Buffer.from(`${JSON.stringify(this.footer)}\n`)
  }

  #hashed(text: string): Buffer {
    const bytes = Buffer.from(text)
    this.#hash.update(bytes)
    return bytes
  }
}

async function* readRows(run: RunQuery, table: MovedTable): AsyncGenerator<{ row: string }[]> {
  const { name, order, generated } = table
  const columns = await listColumns(run, table)
  const texts = columns.filter(({ type }) => type === 'text' || type === 'jsonb')
  const left = generated.map((column) => ` - '${column}'`).join('')
  yield* readInBatches(run, {
    name: 'exported',
    select: `(to_jsonb(moved)${left})::text as row`,
    // Sorts the stored rows, in which long texts are only references, before they are converted to JSON.
    from: `(select * from ${name} order by ${order} offset 0) as moved`,
    order,
    bytes: ['500', ...texts.map(byteLength)].join(' + '),
  })
}

// Reads the length of a long text without reading the text.
function byteLength({ name, type }: Column): string {
  return type === 'text'
    ? `coalesce(octet_length("${name}"), 0)`
    : `coalesce(pg_column_size("${name}"), 0) * 4`
}

function* chunked(batch: readonly { row: string }[], table: string): Generator<string> {
  let chunk = ''
  for (const { row } of batch) {
    const line = formatRow(table, row)
    if (line.length > LINE_BYTES_MAX / 3 && Buffer.byteLength(line) > LINE_BYTES_MAX) {
      throw new TransferError(`A row of ${table} is larger than an export can contain.`)
    }
    chunk += line
    if (chunk.length < CHUNK_CHARACTERS) continue
    yield chunk
    chunk = ''
  }
  if (chunk !== '') yield chunk
}
