import { open } from 'node:fs/promises'
import { Client, DatabaseError } from 'pg'
import type { ClientConfig } from 'pg'
import { z } from 'zod'
import { MOVED_TABLES, TransferRefused } from './tables.ts'

const headerLine = z.object({ portbook: z.string(), migrations: z.array(z.string()) })
const footerLine = z.object({ rows: z.record(z.string(), z.int()) })
const rowLine = z.object({ table: z.string(), row: z.record(z.string(), z.unknown()) })

const BATCH_ROWS = 200
const BATCH_BYTES = 4 * 1024 * 1024

/**
 * Reads an export into an empty store, in one transaction: all of it or nothing. Ids, versions,
 * history, keys' hashes and sealed credentials stay what they are; events keep their order and get
 * new places. What follows from the documents, the search index, is to be built after it. Returns the counts by table. Errors: TransferRefused when the store is not empty, or
 * the file is cut, changed, or of a newer schema.
 */
export async function importStore(
  connection: ClientConfig,
  path: string,
): Promise<Record<string, number>> {
  const file = await open(path, 'r')
  const client = new Client(connection)
  try {
    await client.connect()
    await client.query('begin')
    await refuseFilledStore(client)
    await client.query('set constraints team_parent deferred')
    const counts = await readRows(client, file.readLines())
    await client.query('commit')
    return counts
  } catch (error) {
    throw refusalOf(error)
  } finally {
    // Ending the connection rolls back whatever was not committed.
    await client.end()
    await file.close()
  }
}

// The store's own rules find what a changed file breaks: a row that is missing, a value of no type.
function refusalOf(error: unknown): unknown {
  const broken = error instanceof DatabaseError && /^2[23]/.test(error.code ?? '')
  return broken
    ? new TransferRefused(`the file does not fit together: ${error.message}`, { cause: error })
    : error
}

async function refuseFilledStore(client: Client): Promise<void> {
  const { rows } = await client.query('select 1 from organization limit 1')
  if (rows.length > 0) throw new TransferRefused('an import needs an empty store')
  await client.query('delete from encryption_key')
  await client.query('delete from search_build')
}

async function readRows(
  client: Client,
  lines: AsyncIterable<string>,
): Promise<Record<string, number>> {
  const counts = new Map(MOVED_TABLES.map(({ name }) => [name, 0]))
  const batch = new Batch(client)
  let headerSeen = false
  let footer: z.infer<typeof footerLine> | undefined
  for await (const line of lines) {
    if (!headerSeen) {
      await refuseNewerSchema(client, parsed(headerLine, line))
      headerSeen = true
    } else if (line.startsWith('{"rows"')) {
      footer = parsed(footerLine, line)
    } else {
      const { table } = parsed(rowLine, line)
      const count = counts.get(table)
      if (count === undefined) throw new TransferRefused(`the file has an unknown table ${table}`)
      counts.set(table, count + 1)
      await batch.add(table, line)
    }
  }
  await batch.flush()
  if (footer === undefined) throw new TransferRefused('the file is cut: its last line is missing')
  for (const [table, count] of counts) {
    if ((footer.rows[table] ?? 0) !== count) {
      throw new TransferRefused(`the file has ${count} rows of ${table}, not ${footer.rows[table]}`)
    }
  }
  return Object.fromEntries(counts)
}

async function refuseNewerSchema(
  client: Client,
  { migrations }: z.infer<typeof headerLine>,
): Promise<void> {
  const { rows } = await client.query<{ name: string }>('select name from schema_migration')
  const known = new Set(rows.map(({ name }) => name))
  const unknown = migrations.filter((name) => !known.has(name))
  if (unknown.length > 0) {
    throw new TransferRefused(`the file comes from a newer version: it has ${unknown.join(', ')}`)
  }
}

function parsed<T>(schema: z.ZodType<T>, line: string): T {
  try {
    return schema.parse(JSON.parse(line))
  } catch (error) {
    throw new TransferRefused('the file is not an export of Portbook, or it is cut', {
      cause: error,
    })
  }
}

/** Rows of one table on their way into the store. */
class Batch {
  readonly #client: Client
  #table = ''
  #lines: string[] = []
  #bytes = 0

  constructor(client: Client) {
    this.#client = client
  }

  async add(table: string, line: string): Promise<void> {
    if (table !== this.#table) await this.flush()
    this.#table = table
    this.#lines.push(line)
    this.#bytes += line.length
    if (this.#lines.length >= BATCH_ROWS || this.#bytes >= BATCH_BYTES) await this.flush()
  }

  async flush(): Promise<void> {
    if (this.#lines.length === 0) return
    const columns = await this.#columns()
    // Rows come in their order, and an identity column counts in the order of insertion.
    await this.#client.query(
      `insert into ${this.#table} (${columns})
       select ${columns}
       from unnest($1::text[]) with ordinality as line (text, ordinal)
       cross join jsonb_populate_record(null::${this.#table}, line.text::jsonb -> 'row')
       order by line.ordinal`,
      [this.#lines],
    )
    this.#lines = []
    this.#bytes = 0
  }

  async #columns(): Promise<string> {
    const { rows } = await this.#client.query<{ columns: string }>(
      `select string_agg(quote_ident(attname), ', ' order by attnum) as columns
       from pg_attribute
       where attrelid = $1::regclass
         and attnum > 0
         and not attisdropped
         and attgenerated = ''
         and not attname = any($2::text[])`,
      [this.#table, MOVED_TABLES.find(({ name }) => name === this.#table)?.generated ?? []],
    )
    return rows[0]?.columns ?? ''
  }
}
