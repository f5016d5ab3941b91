import { groupAdjacent, toUnreadable } from '../asset-parts.ts'
import { Batcher } from '../batcher.ts'
import { pathFilter } from '../filter.ts'
import {
  SourceFailure,
  type Batch,
  type Scope,
  type ScopeOutcome,
  type SourceAsset,
} from '../connector.ts'
import { LEVELS, systemNames, type TdsSetup } from './configuration.ts'
import type { TdsConnection } from './connection.ts'
import { readContainers, type MssqlDatabase, type MssqlSchema } from './database.ts'
import {
  factsStatement,
  readFactRows,
  updatesStatement,
  type TableFact,
  type FactsRequest,
} from './facts.ts'
import { isUnsupported } from './failure.ts'
import { toContainer, toTable, type MssqlOrigin } from './tables.ts'

/** The rows of a table that are kept in memory. */
const ROWS_OF_TABLE_MAX = 200_000

/**
 * Reads the scopes of one database with three statements: containers, then tables, and finally the outcomes.
 * Errors: the driver's; SourceFailure.
 */
export async function* readDatabase(
  connection: TdsConnection,
  connecting: TdsSetup,
  scopes: readonly Scope[],
): AsyncGenerator<Batch> {
  const name = scopes[0]?.reading
  if (name === undefined) return
  const database = await readContainers(connection, name)
  const reading = new Reading(connection, connecting, database, scopes)
  yield { assets: reading.listContainers() }
  yield* reading.readTables()
  yield { assets: [], outcomes: scopes.map((scope) => reading.getOutcome(scope)) }
}

function isOfTable(row: TableFact, first: TableFact): boolean {
  return row.objectId === first.objectId
}

/** The state of reading a database. */
class Reading {
  readonly #connection: TdsConnection
  readonly #connecting: TdsSetup
  readonly #database: MssqlDatabase
  readonly #isOwnScope: boolean
  readonly #schemas: ReadonlyMap<string, MssqlSchema>
  readonly #origin: MssqlOrigin
  readonly #isWanted: (path: readonly string[]) => boolean
  /** The paths of completely visible tables in schemas that are not, by schema. */
  readonly #whole = new Map<string, (readonly string[])[]>()
  /** The times at which rows of tables were last changed, by their ids. */
  readonly #updates = new Map<number, string>()

  constructor(
    connection: TdsConnection,
    connecting: TdsSetup,
    database: MssqlDatabase,
    scopes: readonly Scope[],
  ) {
    const { configuration, setup } = connecting
    const names = new Set(scopes.flatMap(({ path }) => path.slice(1)))
    const schemas = database.schemas.filter(({ name }) => names.has(name))
    this.#connection = connection
    this.#connecting = connecting
    this.#database = database
    this.#isOwnScope = scopes.some(({ path }) => path.length === 1)
    this.#schemas = new Map(schemas.map((schema) => [schema.name, schema]))
    this.#isWanted = pathFilter({ filters: setup.filters, levels: LEVELS, systemNames })
    this.#origin = {
      host: configuration.host,
      port: configuration.port,
      database: database.context.database,
      serverName: connection.flavour.serverName,
      databaseId: database.id,
    }
  }

  listContainers(): SourceAsset[] {
    const own = this.#isOwnScope ? [toContainer(this.#origin, undefined, this.#database)] : []
    const schemas = [...this.#schemas.values()].map((schema) =>
      toContainer(this.#origin, schema, schema),
    )
    return [...own, ...schemas]
  }

  async *readTables(): AsyncGenerator<Batch> {
    const schemas = [...this.#schemas.values()]
    if (schemas.length === 0) return
    const request = {
      ...this.#database.context,
      schemaIds: schemas.map(({ id }) => id),
      includeViews: this.#connecting.configuration.includeViews,
      isPartial: schemas.some(({ isVisible }) => !isVisible),
    }
    await this.#readUpdates()
    let count = 0
    try {
      for await (const batch of this.#readTables({ ...request, isMinimal: false })) {
        count += batch.assets.length + (batch.unreadable?.length ?? 0)
        yield batch
      }
    } catch (error) {
      if (count > 0 || !isUnsupported(error)) throw error
      const { context } = this.#database
      const message = `${context.database} rejected the statement for all facts. Only tables, columns and types are read.`
      this.#connecting.setup.log('warn', message)
      yield* this.#readTables({ ...request, isMinimal: true })
    }
  }

  // Only some users may read them; facts do not depend on them.
  async #readUpdates(): Promise<void> {
    if (this.#connection.flavour.isFabric) return
    try {
      const { database } = this.#database.context
      const rows = await this.#connection.query(updatesStatement(database))
      for (const [id, time] of rows) this.#updates.set(Number(id), String(time))
    } catch (error) {
      if (!isUnsupported(error)) throw error
    }
  }

  async *#readTables(request: FactsRequest): AsyncGenerator<Batch> {
    const batcher = new Batcher()
    const pages = readFactRows(this.#connection.stream(factsStatement(request)))
    for await (const rows of groupAdjacent(pages, isOfTable, ROWS_OF_TABLE_MAX + 1)) {
      this.#add(rows, batcher)
      yield* batcher.takeFull()
    }
    yield batcher.takeLast()
  }

  #add(rows: readonly TableFact[], batcher: Batcher): void {
    const table = toTable(rows, this.#origin, this.#updates)
    if (table === undefined || !this.#isWanted(table.asset.path)) return
    const { path, columns = [] } = table.asset
    if (rows.length > ROWS_OF_TABLE_MAX) {
      return batcher.add(toUnreadable(table.asset, `It has more than ${ROWS_OF_TABLE_MAX} facts.`))
    }
    // Every table has columns. They are hidden, or were not in the same snapshot.
    if (columns.length === 0) {
      return batcher.add(toUnreadable(table.asset, 'The server does not show its columns.'))
    }
    const [, schema = ''] = path
    if (table.isWhole && this.#schemas.get(schema)?.isVisible === false) {
      const paths = this.#whole.get(schema) ?? []
      paths.push(path)
      this.#whole.set(schema, paths)
    }
    batcher.add(table.asset, rows.reduce(addLength, 0))
  }

  getOutcome({ path }: Scope): ScopeOutcome {
    const [database = '', name] = path
    if (name === undefined) return { path }
    const schema = this.#schemas.get(name)
    if (schema === undefined) {
      // It may have been renamed, so its absence proves nothing about its contents.
      const message = `The schema ${name} was dropped or renamed during the reading`
      return { path, failure: new SourceFailure('protocol', message) }
    }
    if (schema.isVisible) return { path }
    const message =
      `${this.#connecting.account} can see at most single tables of ${database}.${name}, so a table that is gone ` +
      'cannot be distinguished from a hidden one. Grant VIEW DEFINITION on the database'
    const whole = this.#whole.get(name) ?? []
    return { path, failure: new SourceFailure('permission', message), whole }
  }
}

function addLength(sum: number, { facts, body = '' }: TableFact): number {
  const characters = facts.reduce<number>((total, fact) => total + String(fact ?? '').length, 0)
  return sum + characters + body.length
}
