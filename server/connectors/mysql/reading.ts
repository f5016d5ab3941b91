import { randomBytes } from 'node:crypto'
import { SourceFailure } from '../connector.ts'
import type { Batch, ScopeOutcome, SourceAsset, UnreadableAsset } from '../connector.ts'
import type { MysqlSetup } from './configuration.ts'
import type { Connection, Row } from './connection.ts'
import { errorNumberOf, isDenial } from './failure.ts'
import {
  conditionsStatement,
  factRowOf,
  factsStatement,
  jsonStatement,
  quoted,
  sightStatement,
  wholeTablesStatement,
} from './statements.ts'
import type { FactRow } from './statements.ts'
import { databaseOf, tableOf } from './tables.ts'
import type { Origin } from './tables.ts'

const ASSETS_A_BATCH = 500
const CHARACTERS_A_BATCH = 300_000

/** Tables in doubt, and their texts, of one reading; with more of them it does not count as readable. */
const DOUBTS_MAX = 1000
const DOUBT_CHARACTERS_MAX = 1_000_000

/** In the information schema itself the same has another number. */
const NO_SUCH_TABLE: readonly unknown[] = [1146, 1109]

/**
 * Reads databases in one go: each with its tables, and at the end how it went. Errors: the driver's.
 */
export async function* readDatabases(
  connection: Connection,
  { configuration }: MysqlSetup,
  databases: readonly string[],
  isIncluded: (path: readonly string[]) => boolean,
): AsyncGenerator<Batch> {
  const { host, port, includeViews } = configuration
  const { flavour } = connection
  const json = flavour.isMariadb && (await connection.query(jsonStatement(databases))).length > 0
  const statement = factsStatement(databases, flavour, { views: includeViews, json })
  const reading = new Reading({ host, port, flavour }, databases, (asset) => {
    return isIncluded(asset.path) && (includeViews || asset.kind !== 'view')
  })
  for await (const rows of tableRows(connection.stream(statement))) {
    reading.add(rows)
    if (reading.isBatchFull) yield { assets: reading.takeAssets() }
  }
  yield { assets: reading.takeAssets() }
  for (const database of databases) {
    const { assets, unreadable } = await settle(connection, database, reading.doubtsOf(database))
    const outcomes = [await outcomeOf(connection, database, reading)]
    yield { assets, unreadable, outcomes }
  }
}

/** What was read and has not been taken away yet, and what is needed for the end. */
class Reading {
  readonly #origin: Origin
  readonly #databases: ReadonlySet<string>
  readonly #isWanted: (asset: SourceAsset) => boolean
  readonly #shown = new Set<string>()
  readonly #doubts: SourceAsset[] = []
  #doubtCharacters = 0
  #assets: SourceAsset[] = []
  #characters = 0

  constructor(
    origin: Origin,
    databases: readonly string[],
    isWanted: (asset: SourceAsset) => boolean,
  ) {
    this.#origin = origin
    this.#databases = new Set(databases)
    this.#isWanted = isWanted
  }

  get isBatchFull(): boolean {
    return this.#assets.length >= ASSETS_A_BATCH || this.#characters >= CHARACTERS_A_BATCH
  }

  /** Takes the rows of a table, or the row of a database. */
  add(rows: readonly FactRow[]): void {
    const [first] = rows
    // A server that folds case may answer for another spelling too.
    if (first === undefined || !this.#databases.has(first.database)) return
    if (first.table === '') this.#shown.add(first.database)
    const told =
      first.table === ''
        ? { asset: databaseOf(first, this.#origin), isWhole: true }
        : tableOf(rows, this.#origin)
    if (told === undefined || !this.#isWanted(told.asset)) return
    const characters = rows.reduce((sum, { facts }) => sum + lengthOf(facts), 0)
    if (told.isWhole) {
      this.#assets.push(told.asset)
      this.#characters += characters
    } else if (!this.hasTooManyDoubts) {
      this.#doubts.push(told.asset)
      this.#doubtCharacters += characters
    }
  }

  takeAssets(): SourceAsset[] {
    const assets = this.#assets
    this.#assets = []
    this.#characters = 0
    return assets
  }

  isShown(database: string): boolean {
    return this.#shown.has(database)
  }

  get hasTooManyDoubts(): boolean {
    return this.#doubts.length > DOUBTS_MAX || this.#doubtCharacters > DOUBT_CHARACTERS_MAX
  }

  doubtsOf(database: string): readonly SourceAsset[] {
    return this.#doubts.filter(({ path }) => path[0] === database)
  }
}

/** Puts the rows of each table together. */
async function* tableRows(pieces: AsyncIterable<Row[]>): AsyncGenerator<FactRow[]> {
  let together: FactRow[] = []
  for await (const rows of pieces) {
    for (const row of rows.map(factRowOf)) {
      const [first] = together
      if (first !== undefined && (first.table !== row.table || first.database !== row.database)) {
        yield together
        together = []
      }
      together.push(row)
    }
  }
  if (together.length > 0) yield together
}

function lengthOf(facts: FactRow['facts']): number {
  return facts.reduce<number>((sum, fact) => sum + (typeof fact === 'string' ? fact.length : 0), 0)
}

/** Decides about tables of which something was missing. Some were dropped while they were read. */
async function settle(
  connection: Connection,
  database: string,
  doubts: readonly SourceAsset[],
): Promise<{ assets: SourceAsset[]; unreadable: UnreadableAsset[] }> {
  const names = doubts.map(({ path }) => path[1] ?? '')
  const rows =
    names.length === 0 ? [] : await connection.query(conditionsStatement(database, names))
  const comments = new Map(rows.map(([name, comment]) => [name, String(comment ?? '')]))
  const present = doubts.filter(({ path }) => comments.has(path[1] ?? ''))
  const isSound = (asset: SourceAsset): boolean =>
    isAsGoodAsItGets(asset, comments.get(asset.path[1] ?? '') ?? '')
  return {
    assets: present.filter(isSound),
    unreadable: present
      .filter((asset) => !isSound(asset))
      .map(({ path, scope, kind }) => ({
        path,
        scope,
        kind,
        message: 'It is locked or damaged, or the user may not see its columns.',
      })),
  }
}

function isAsGoodAsItGets({ kind, columns = [] }: SourceAsset, comment: string): boolean {
  // A view of what is no longer there; the server says nothing of columns that are only hidden.
  if (kind === 'view') return comment.startsWith(`View '`)
  // An engine cannot open it, one that reads another server say; its definition is known all the same.
  return columns.length > 0 && !comment.startsWith('Lock wait')
}

/** Says whether what was read of a database is all that it has. */
async function outcomeOf(
  connection: Connection,
  database: string,
  reading: Reading,
): Promise<ScopeOutcome> {
  const message = await incompleteness(connection, database, reading)
  if (message === undefined) return { path: [database] }
  const tables = await connection.query(wholeTablesStatement(database))
  return {
    path: [database],
    failure: new SourceFailure('permission', message),
    whole: tables.map(([table]) => [database, String(table)]),
  }
}

async function incompleteness(
  connection: Connection,
  database: string,
  reading: Reading,
): Promise<string | undefined> {
  const name = quoted(database)
  if (!reading.isShown(database)) return `The database ${name} was no longer shown.`
  if (reading.hasTooManyDoubts) {
    return (
      'Too many tables are locked or damaged, or show no columns: grant the user REFERENCES on ' +
      'the whole database.'
    )
  }
  if (await seesAllTables(connection, database)) return undefined
  return (
    `The user sees single tables of ${name} at most, so that a table that is gone cannot be told ` +
    'from one that it may not see, nor a column: tables that are not granted to the user itself stay ' +
    'as they were. Grant it REFERENCES on the whole database.'
  )
}

/** Whether the user has a privilege that shows every table of a database. Errors: the driver's. */
export async function seesAllTables(connection: Connection, database: string): Promise<boolean> {
  const table = `no_such_table_${randomBytes(8).toString('hex')}`
  try {
    await connection.query(sightStatement(database, table))
    return true
  } catch (error) {
    const number = errorNumberOf(error)
    if (NO_SUCH_TABLE.includes(number)) return true
    if (number !== undefined && isDenial(number)) return false
    throw error
  }
}
