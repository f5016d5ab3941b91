import { nameFilter } from '../filter.ts'
import { omitEmpty, toUnreadable } from '../asset-parts.ts'
import { Batcher } from '../batcher.ts'
import type { Batch, Scope, SourceAsset, Statistic } from '../connector.ts'
import type { PostgresSetup } from './configuration.ts'
import type { PostgresConnection } from './connection.ts'
import type { CopyRow } from './copy-text.ts'
import { isRowError } from './failure.ts'
import { getFlatKind, toFlatAsset, type FlatDatabase } from './flat-asset.ts'
import type { FlatContainerRow, FlatDialect, FlatTable } from './flat-dialect.ts'
import { TableCollector } from './flat-table.ts'
import type { PostgresConnections } from './home.ts'
import { DatabaseScopes } from './database-scopes.ts'
import type { DatabaseTypes } from './named-types.ts'

/** The rows and bytes of a table by its oid. */
type StatisticRow = [string, string | null, string | null]

const ROLL_BACK = 'rollback'
const NO_TYPES: DatabaseTypes = { serverId: undefined, scalars: new Map(), arrays: new Map() }

/**
 * Reads the scopes of one database of a product with flat statements: containers, then tables and
 * views, then external schemas one by one. Errors: SourceFailure.
 */
export async function* readFlatDatabase(
  connecting: PostgresSetup,
  scopes: readonly Scope[],
  connections: PostgresConnections,
  dialect: FlatDialect,
): AsyncGenerator<Batch> {
  const database = scopes[0]?.reading
  if (database === undefined) return
  const connection = await connections.lend(database)
  const reading = new FlatReading(connecting, connection, scopes, dialect)
  try {
    yield* reading.read()
  } catch (error) {
    throw connection.failure(error)
  } finally {
    // If the consumer stopped early, the statement is still running.
    await (reading.isDone ? connections.giveBack(connection) : connection.close())
  }
}

/** The reading of one database. */
class FlatReading {
  isDone = false
  readonly #connecting: PostgresSetup
  readonly #connection: PostgresConnection
  readonly #scopes: DatabaseScopes
  readonly #dialect: FlatDialect
  readonly #isWanted: (table: string) => boolean
  readonly #batcher = new Batcher()
  #statistics: ReadonlyMap<string, Statistic> = new Map()

  constructor(
    connecting: PostgresSetup,
    connection: PostgresConnection,
    scopes: readonly Scope[],
    dialect: FlatDialect,
  ) {
    this.#connecting = connecting
    this.#connection = connection
    this.#scopes = new DatabaseScopes(connecting, scopes, dialect)
    this.#dialect = dialect
    this.#isWanted = nameFilter(connecting.setup.filters, 'table')
  }

  async *read(): AsyncGenerator<Batch> {
    const statement = this.#dialect.containers(this.#scopes.schemas)
    const rows = await this.#query<FlatContainerRow>('describe schemas', statement)
    const named = { name: this.#connection.database, types: NO_TYPES }
    const database = this.#scopes.addContainers(rows, named, this.#batcher)
    const schemas = new Set(this.#scopes.schemas)
    const readable = rows.flatMap(([name, , , , , external]) =>
      name !== null && schemas.has(name) ? [{ name, external }] : [],
    )
    const own = readable.filter(({ external }) => external === null).map(({ name }) => name)
    if (own.length > 0) {
      this.#statistics = await this.#readStatistics()
      yield* this.#readRelations(own, database)
    }
    for (const { name, external } of readable) {
      if (external !== null) yield* this.#readExternal(name, database)
    }
    this.isDone = true
    yield { ...this.#batcher.takeLast(), outcomes: this.#scopes.getOutcomes() }
  }

  /** Reads the statistics, which only some users may see. */
  async #readStatistics(): Promise<ReadonlyMap<string, Statistic>> {
    const { statistics } = this.#dialect
    if (statistics === undefined) return new Map()
    try {
      const rows = await this.#query<StatisticRow>('read statistics', statistics.statement)
      return new Map(rows.map(([oid, rowCount, bytes]) => [oid, toStatistic(rowCount, bytes)]))
    } catch (error) {
      if (!isRowError(error)) throw error
      await this.#connection.query('roll back', ROLL_BACK)
      this.#connecting.setup.log('warn', 'The user may not see row counts and sizes of tables.')
      return new Map()
    }
  }

  /** Reads tables and views; without generated texts if the server cannot generate them. */
  async *#readRelations(schemas: readonly string[], database: FlatDatabase): AsyncGenerator<Batch> {
    const views = this.#connecting.configuration.includeViews
    const statement = (texts: boolean): string => this.#dialect.relations({ schemas, views, texts })
    let hasRows = false
    try {
      for await (const rows of this.#tables('read tables', statement(true))) {
        hasRows = true
        for (const table of rows) this.#add(table, database, true)
        yield* this.#batcher.takeFull()
      }
      return
    } catch (error) {
      // The server sorts, so that an error comes before every row.
      if (hasRows || !isRowError(error)) throw error
      await this.#connection.query('roll back', ROLL_BACK)
      const message = `The server cannot describe the views of ${database.name}: they stay unchanged.`
      this.#connecting.setup.log('warn', message)
    }
    for await (const rows of this.#tables('read tables without texts', statement(false))) {
      for (const table of rows) this.#add(table, database, false)
      yield* this.#batcher.takeFull()
    }
  }

  /** Reads an external schema; if its catalog fails, only this schema does. */
  async *#readExternal(schema: string, database: FlatDatabase): AsyncGenerator<Batch> {
    const statement = this.#dialect.externalTables?.(schema)
    if (statement === undefined) return
    let isTouched = false
    try {
      for await (const tables of this.#tables('read external tables', statement)) {
        isTouched = true
        for (const table of tables) this.#add(table, database, true)
        yield* this.#batcher.takeFull()
      }
    } catch (error) {
      if (isTouched || !isRowError(error)) throw error
      await this.#connection.query('roll back', ROLL_BACK)
      this.#scopes.fail(schema, this.#connection.failure(error))
    }
  }

  #add(table: FlatTable, database: FlatDatabase, texts: boolean): void {
    const { name, schema, fields } = table
    if (!this.#isWanted(name) || this.#dialect.isInternal(name)) return
    const kind = getFlatKind(table, this.#dialect)
    const isView = kind === 'view' || kind === 'materialized_view'
    // External schemas list views too.
    if (isView && !this.#connecting.configuration.includeViews) return
    const message = isView ? findFault(table, texts) : findTableFault(table)
    if (message !== undefined) {
      const path = [database.name, schema, name]
      this.#batcher.add(toUnreadable({ path, scope: path.slice(0, 2), kind }, message))
      return
    }
    const statistic = this.#statistics.get(fields[1] ?? '')
    const asset = toFlatAsset(table, database, this.#dialect, statistic)
    this.#batcher.add(asset, countCharacters(asset))
  }

  async #query<Row extends unknown[]>(name: string, statement: string): Promise<Row[]> {
    return await this.#connection.query<Row>(name, this.#wrap(statement))
  }

  async *#tables(name: string, statement: string): AsyncGenerator<FlatTable[]> {
    const collector = new TableCollector()
    for await (const rows of this.#connection.rows(name, this.#wrap(statement))) {
      yield rows.flatMap((row: CopyRow) => collector.add(row) ?? [])
    }
    const last = collector.takeLast()
    if (last !== undefined) yield [last]
  }

  #wrap(statement: string): string {
    return [this.#dialect.begin(this.#connecting), statement, 'commit'].join(';')
  }
}

// Every table has columns. They are hidden, or were not in the same snapshot.
function findTableFault({ columns }: FlatTable): string | undefined {
  return columns.length > 0 ? undefined : 'The server does not show its columns.'
}

/** Returns the reason why a view cannot be read; undefined if there is none. */
function findFault({ columns, fields }: FlatTable, texts: boolean): string | undefined {
  if (!texts) return 'The server could not describe it.'
  if (columns.length > 0 || fields[0] === 'm') return undefined
  return 'The server cannot resolve its columns: a table that it reads may be gone.'
}

function toStatistic(rowCount: string | null, bytes: string | null): Statistic {
  return omitEmpty({ rowCount: rowCount && Number(rowCount), sizeBytes: bytes && Number(bytes) })
}

function countCharacters({ columns = [], description = '', viewDefinition = '' }: SourceAsset) {
  let characters = description.length + viewDefinition.length
  for (const { name, type, ...more } of columns) {
    characters += name.length + type.length + (more.description?.length ?? 0)
  }
  return characters
}
