import { randomBytes } from 'node:crypto'
import { groupAdjacent, toUnreadable } from '../asset-parts.ts'
import { Batcher } from '../batcher.ts'
import {
  SourceFailure,
  type Batch,
  type ScopeOutcome,
  type SourceAsset,
  type UnreadableAsset,
} from '../connector.ts'
import type { MysqlSetup } from './configuration.ts'
import type { MysqlConnection } from './connection.ts'
import { getErrorNumber, isDenial } from './failure.ts'
import {
  conditionsStatement,
  readFactRows,
  factsStatement,
  jsonStatement,
  quoteName,
  visibilityStatement,
  wholeTablesStatement,
} from './statements.ts'
import type { FactRow } from './statements.ts'
import { toDatabaseAsset, toTable, type Origin } from './tables.ts'

/** Limits of the incomplete tables that are held in memory during one reading. */
interface DoubtLimits {
  /** Further ones stay unchanged, without a question about their condition. */
  tablesMax: number
  charactersMax: number
}

const DOUBT_LIMITS: DoubtLimits = { tablesMax: 1000, charactersMax: 1_000_000 }

/** The information schema has a separate number for this error. */
const NO_SUCH_TABLE: readonly unknown[] = [1146, 1109]

/** Reads databases together: the tables of each, and finally its outcome. Errors: the driver's. */
export async function* readDatabases(
  connection: MysqlConnection,
  { configuration }: MysqlSetup,
  databases: readonly string[],
  isIncluded: (path: readonly string[]) => boolean,
  limits: DoubtLimits = DOUBT_LIMITS,
): AsyncGenerator<Batch> {
  const { host, port, includeViews } = configuration
  const { flavour } = connection
  const json = flavour.isMariadb && (await connection.query(jsonStatement(databases))).length > 0
  const statement = factsStatement(databases, flavour, { views: includeViews, json })
  const isWanted = (asset: SourceAsset): boolean =>
    isIncluded(asset.path) && (includeViews || asset.kind !== 'view')
  const reading = new Reading({ host, port, flavour }, databases, isWanted, limits)
  for await (const rows of groupAdjacent(readFactRows(connection.stream(statement)), isOfTable)) {
    reading.add(rows)
    yield* reading.batcher.takeFull()
  }
  yield reading.batcher.takeLast()
  for (const database of databases) {
    const { assets, unreadable } = await resolveDoubts(
      connection,
      database,
      reading.getDoubts(database),
    )
    const outcomes = [await getOutcome(connection, database, reading)]
    yield { assets, unreadable, outcomes }
  }
}

function isOfTable(row: FactRow, first: FactRow): boolean {
  return row.table === first.table && row.database === first.database
}

/** The assets that are not yet yielded, and the state needed for the outcomes. */
class Reading {
  readonly batcher = new Batcher()
  readonly #origin: Origin
  readonly #databases: ReadonlySet<string>
  readonly #isWanted: (asset: SourceAsset) => boolean
  readonly #limits: DoubtLimits
  readonly #shown = new Set<string>()
  readonly #doubts: SourceAsset[] = []
  #doubtCharacters = 0

  constructor(
    origin: Origin,
    databases: readonly string[],
    isWanted: (asset: SourceAsset) => boolean,
    limits: DoubtLimits,
  ) {
    this.#limits = limits
    this.#origin = origin
    this.#databases = new Set(databases)
    this.#isWanted = isWanted
  }

  /** Adds the rows of a table, or the row of a database. */
  add(rows: readonly FactRow[]): void {
    const [first] = rows
    // A server that ignores case may also answer for another spelling.
    if (first === undefined || !this.#databases.has(first.database)) return
    if (first.table === '') this.#shown.add(first.database)
    const table =
      first.table === ''
        ? { asset: toDatabaseAsset(first, this.#origin), isWhole: true }
        : toTable(rows, this.#origin)
    if (table === undefined || !this.#isWanted(table.asset)) return
    const characters = rows.reduce((sum, { facts }) => sum + sumLengths(facts), 0)
    if (table.isWhole) this.batcher.add(table.asset, characters)
    else this.#addDoubt(table.asset, characters)
  }

  #addDoubt(asset: SourceAsset, characters: number): void {
    const { tablesMax, charactersMax } = this.#limits
    const isFull =
      this.#doubts.length >= tablesMax || this.#doubtCharacters + characters > charactersMax
    if (isFull) {
      const more = `More than ${this.#doubts.length} tables are like this, so the server was not asked again.`
      this.batcher.add(toUnreadable(asset, `${DOUBTFUL} ${more}`))
      return
    }
    this.#doubts.push(asset)
    this.#doubtCharacters += characters
  }

  isShown(database: string): boolean {
    return this.#shown.has(database)
  }

  getDoubts(database: string): readonly SourceAsset[] {
    return this.#doubts.filter(({ path }) => path[0] === database)
  }
}

function sumLengths(facts: FactRow['facts']): number {
  return facts.reduce<number>((sum, fact) => sum + (typeof fact === 'string' ? fact.length : 0), 0)
}

/** Decides about incomplete tables. Some were dropped during the reading. */
async function resolveDoubts(
  connection: MysqlConnection,
  database: string,
  doubts: readonly SourceAsset[],
): Promise<{ assets: SourceAsset[]; unreadable: UnreadableAsset[] }> {
  const names = doubts.map(({ path }) => path[1] ?? '')
  const rows =
    names.length === 0 ? [] : await connection.query(conditionsStatement(database, names))
  const comments = new Map(rows.map(([name, comment]) => [name, String(comment ?? '')]))
  const present = doubts.filter(({ path }) => comments.has(path[1] ?? ''))
  const isSound = (asset: SourceAsset): boolean =>
    isAsCompleteAsPossible(asset, comments.get(asset.path[1] ?? '') ?? '')
  return {
    assets: present.filter(isSound),
    unreadable: present
      .filter((asset) => !isSound(asset))
      .map((asset) => toUnreadable(asset, DOUBTFUL)),
  }
}

const DOUBTFUL = 'It is locked or damaged, or the user may not see its columns.'

function isAsCompleteAsPossible({ kind, columns = [] }: SourceAsset, comment: string): boolean {
  // A view of something that no longer exists; the server does not report columns that are only
  // hidden.
  if (kind === 'view') return comment.startsWith(`View '`)
  // An engine cannot open it, such as one that reads another server, but its definition is known.
  return columns.length > 0 && !comment.startsWith('Lock wait')
}

/** Returns the outcome of a database: whether everything was read. */
async function getOutcome(
  connection: MysqlConnection,
  database: string,
  reading: Reading,
): Promise<ScopeOutcome> {
  const message = await explainIncompleteness(connection, database, reading)
  if (message === undefined) return { path: [database] }
  const tables = await connection.query(wholeTablesStatement(database))
  return {
    path: [database],
    failure: new SourceFailure('permission', message),
    whole: tables.map(([table]) => [database, String(table)]),
  }
}

async function explainIncompleteness(
  connection: MysqlConnection,
  database: string,
  reading: Reading,
): Promise<string | undefined> {
  const name = quoteName(database)
  if (!reading.isShown(database)) return `The database ${name} is no longer visible.`
  if (await seesAllTables(connection, database)) return undefined
  return (
    `The user can see at most single tables of ${name}, so a table or column that is gone cannot be ` +
    'distinguished from a hidden one: tables that are not granted directly to the user stay ' +
    'unchanged. Grant the user REFERENCES on the whole database.'
  )
}

/**
 * Checks whether the user has a privilege that shows every table of a database. Errors: the
 * driver's.
 */
export async function seesAllTables(
  connection: MysqlConnection,
  database: string,
): Promise<boolean> {
  const table = `no_such_table_${randomBytes(8).toString('hex')}`
  try {
    await connection.query(visibilityStatement(database, table))
    return true
  } catch (error) {
    const number = getErrorNumber(error)
    if (NO_SUCH_TABLE.includes(number)) return true
    if (number !== undefined && isDenial(number)) return false
    throw error
  }
}
