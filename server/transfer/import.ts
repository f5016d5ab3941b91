import { Client } from 'pg'
import type { ClientConfig } from 'pg'
import type { Header } from './file-format.ts'
import { readExport } from './read-file.ts'
import { isInvalidData } from '../platform/kit/store-errors.ts'
import { checkClient } from '../platform/kit/session.ts'
import { ADMIT_NAMES, NAMES_MIGRATION, SEPARATE_NAMES } from './former-names.ts'
import { INSERT_MONTHS } from '../reports/usage/usage.ts'
import { MOVED_TABLES } from './tables.ts'
import { TransferError } from './transfer-error.ts'

/** The options of an import. */
interface ImportOptions {
  connection: ClientConfig
  path: string
  /**
   * Throws if the current encryption key is not among the given IDs. It is called only if the file contains sealed
   * credentials.
   */
  assertEncryptionKey(keyIds: readonly string[]): void
}

/** The result of an import. */
export interface ImportResult {
  /** The number of rows of each table. */
  rows: Record<string, number>
  /** False if the file was written by an early version without checksums. */
  hasChecksum: boolean
}

const BATCH_ROWS = 200
const BATCH_BYTES = 4 * 1024 * 1024
// A file of a version without activity entries gets them as the database did, from its history and its runs.
const ACTIVITY_MIGRATION = '0031_activity_entries.sql'
// A file of a version without months of usage gets them from its days.
const MONTHS_MIGRATION = '0038_usage_months.sql'
const LINE_BREAK = Buffer.from('\n')

/**
 * Imports an export into an empty database in one transaction. IDs, versions, history, hashes of keys and sealed
 * credentials are kept; events keep their order and get new positions, before all later ones. The search index must be
 * built afterwards.
 *
 * Errors: TransferError if the database is not empty or the file cannot be used; those of `assertEncryptionKey`. On
 * an error, nothing is written.
 */
export async function importStore(options: ImportOptions): Promise<ImportResult> {
  const { connection, path } = options
  const client = new Client(connection)
  // A lost connection also rejects its statement.
  client.on('error', () => undefined)
  try {
    await client.connect()
    await client.query('begin')
    await checkClient(client, 'transaction')
    const importing = new Importing(client, options)
    const { header, footer } = await readExport(path, importing)
    await importing.flush()
    if (!header.migrations.includes(ACTIVITY_MIGRATION)) {
      await client.query('select enter_former_activity()')
    }
    if (!header.migrations.includes(NAMES_MIGRATION)) await client.query(SEPARATE_NAMES)
    if (!header.migrations.includes(MONTHS_MIGRATION)) await client.query(INSERT_MONTHS)
    await client.query('commit')
    // The next steps read all tables, for which the planner has no statistics yet.
    await client.query(`analyze ${MOVED_TABLES.map(({ name }) => name).join(', ')}`)
    return { rows: footer.rows, hasChecksum: header.format > 1 }
  } catch (error) {
    throw toImportError(error, path)
  } finally {
    // Ending the connection rolls back uncommitted changes.
    await client.end()
  }
}

// Constraints of the schema reject inconsistent rows.
function toImportError(error: unknown, path: string): unknown {
  return isInvalidData(error)
    ? new TransferError(`${path} was changed or damaged: ${error.message}.`, { cause: error })
    : error
}

/** Inserts rows in batches. */
class Importing {
  readonly #client: Client
  readonly #options: ImportOptions
  #header: Header | undefined
  #table = ''
  // The columns to insert, and the expressions for their values.
  #columns = ''
  #values = ''
  #rows: Buffer[] = []
  #bytes = 0

  constructor(client: Client, options: ImportOptions) {
    this.#client = client
    this.#options = options
  }

  async header(header: Header): Promise<void> {
    this.#header = header
    await this.#assertSchema(header)
    if (this.#hasCredentials(header) && header.encryptionKeys !== undefined) {
      this.#options.assertEncryptionKey(header.encryptionKeys)
    }
    await this.#assertEmptyStore()
    if (this.#hasCredentials(header)) await this.#client.query('delete from encryption_key')
    await this.#client.query('delete from search_build')
    if (!header.migrations.includes(NAMES_MIGRATION)) await this.#client.query(ADMIT_NAMES)
    await this.#client.query('set constraints team_parent deferred')
  }

  async row(table: string, row: Buffer): Promise<void> {
    if (table !== this.#table) await this.#begin(table)
    // Without credentials, the database keeps its current or future encryption key.
    if (table === 'encryption_key' && !this.#hasCredentials(this.#header)) return
    this.#rows.push(row, LINE_BREAK)
    this.#bytes += row.length
    if (this.#rows.length >= 2 * BATCH_ROWS || this.#bytes >= BATCH_BYTES) await this.flush()
  }

  async flush(): Promise<void> {
    if (this.#rows.length === 0) return
    // Identity columns count in the order of insertion. The rows are sent as one text with the original bytes:
    // elements of an array would have to be decoded and escaped.
    await this.#client.query(
      `insert into ${this.#table} (${this.#columns})
       select ${this.#values}
       from string_to_table($1::text, E'\\n') with ordinality as given (given_row, given_ordinal)
       cross join jsonb_populate_record(null::${this.#table}, given.given_row::jsonb)
       order by given.given_ordinal`,
      [Buffer.concat(this.#rows.slice(0, -1))],
    )
    this.#rows = []
    this.#bytes = 0
  }

  #hasCredentials(header: Header | undefined): boolean {
    return header?.sealedCredentials !== 0
  }

  async #assertSchema({ migrations }: Header): Promise<void> {
    const { rows } = await this.#client.query<{ name: string }>('select name from schema_migration')
    const present = new Set(rows.map(({ name }) => name))
    const missing = migrations.filter((name) => !present.has(name))
    if (missing.length === 0) return
    throw new TransferError(
      `${this.#options.path} was written by a newer Portbook, whose schema has ${missing.join(', ')}. Use that version to read it.`,
    )
  }

  // The lock prevents a concurrent setup from adding the first organization.
  async #assertEmptyStore(): Promise<void> {
    await this.#client.query('lock table organization in exclusive mode')
    const { rows } = await this.#client.query('select 1 from organization limit 1')
    if (rows.length === 0) return
    throw new TransferError(
      'The database is not empty. Use an empty database, or another PORTBOOK_DATA_DIR.',
    )
  }

  async #begin(table: string): Promise<void> {
    await this.flush()
    const moved = MOVED_TABLES.find(({ name }) => name === table)
    if (moved === undefined) {
      throw new TransferError(`${this.#options.path} contains an unknown table, ${table}.`)
    }
    const { rows } = await this.#client.query<{ name: string }>(
      `select attname as name
       from pg_attribute
       where attrelid = $1::regclass
         and attnum > 0
         and not attisdropped
         and attgenerated = ''
       order by attnum`,
      [table],
    )
    const columns = rows.map(({ name }) => name).filter((name) => !moved.generated.includes(name))
    // A column that is missing in an older file is derived from others, or gets its default.
    const given = this.#header?.columns?.[table] ?? columns
    this.#table = table
    const values = columns.flatMap((name): [name: string, value: string][] => {
      const value = given.includes(name) ? `"${name}"` : moved.derived?.[name]
      return value === undefined ? [] : [[`"${name}"`, value]]
    })
    this.#columns = values.map(([name]) => name).join(', ')
    this.#values = values.map(([, value]) => value).join(', ')
  }
}
