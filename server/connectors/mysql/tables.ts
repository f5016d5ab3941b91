import type { ForeignKey, SourceAsset, Statistic } from '../connector.ts'
import { columnOf } from './columns.ts'
import type { Cell } from './connection.ts'
import type { Flavour } from './flavour.ts'
import { ROW_KINDS } from './statements.ts'
import type { FactRow } from './statements.ts'

/** What all assets of a server share. */
export interface Origin {
  host: string
  port: number
  flavour: Flavour
}

/** A table as the rows about it tell. */
export interface Told {
  asset: SourceAsset
  /** False when something is missing that every table has: it is to be asked about once more. */
  isWhole: boolean
}

/** What a row tells, in the order of its kind. */
type Facts = readonly Cell[]

/** Sequences have values, but no data. */
const TABLE_TYPES: ReadonlyMap<Cell, 'table' | 'view'> = new Map([
  ['BASE TABLE', 'table'],
  ['SYSTEM VERSIONED', 'table'],
  ['VIEW', 'view'],
  ['SYSTEM VIEW', 'view'],
] as const)

const PARTITION_NAMES = /^`(?:[^`]|``)+`(?:,`(?:[^`]|``)+`)*$/

/** The container of tables, by its row. */
export function databaseOf({ database, facts }: FactRow, origin: Origin): SourceAsset {
  const description = filled(facts[0])
  return {
    kind: 'database',
    path: [database],
    scope: [database],
    ...(description === undefined ? {} : { description }),
    custom: { host: origin.host, port: origin.port, database },
  }
}

/**
 * Makes a table or view of the rows about it, which come in the order of their kinds; undefined for
 * what is none, and for what came into being while it was read.
 */
export function tableOf(rows: readonly FactRow[], origin: Origin): Told | undefined {
  const byKind = Map.groupBy(rows, ({ kind }) => kind)
  const factsOf = (kind: number): readonly Facts[] =>
    byKind.get(kind)?.map(({ facts }) => facts) ?? []
  const [row] = byKind.get(ROW_KINDS.table) ?? []
  const kind = TABLE_TYPES.get(row?.facts[0] ?? null)
  if (row === undefined || kind === undefined) return undefined
  const { database, table } = row
  // Without an engine it could not be opened, and its comment is what the server says of that.
  const isOpened = kind === 'view' || (row.facts[2] ?? null) !== null
  const columns = isOpened ? factsOf(ROW_KINDS.column) : []
  const keys = keysOf(factsOf(ROW_KINDS.unique))
  const known = { ...keys, flavour: origin.flavour, json: jsonColumns(factsOf(ROW_KINDS.json)) }
  // What a view has in the place of a comment is nobody's.
  const comment = kind === 'view' ? undefined : filled(row.facts[1])
  const [storage = []] = factsOf(ROW_KINDS.storage)
  const [view = []] = factsOf(ROW_KINDS.view)
  const viewDefinition = filled(view[0])
  const statistic = statisticOf(storage)
  return {
    isWhole: columns.length > 0 && (kind === 'view' || byKind.has(ROW_KINDS.storage)),
    asset: {
      kind,
      path: [database, table],
      scope: [database],
      ...(comment === undefined ? {} : { description: comment }),
      columns: columns.map((facts) => columnOf(facts, known)),
      primaryKey: keys.primary,
      ...(keys.uniqueTogether.length === 0 ? {} : { uniqueKeys: keys.uniqueTogether }),
      foreignKeys: foreignKeysOf(factsOf(ROW_KINDS.foreignKey)),
      ...(viewDefinition === undefined ? {} : { viewDefinition }),
      ...dependenciesOf(factsOf(ROW_KINDS.viewUsage)),
      partitionColumns: partitionsOf(storage),
      custom: {
        host: origin.host,
        port: origin.port,
        database,
        // A view of what is no longer there has no columns, and cannot be selected from.
        ...(kind === 'view' && columns.length === 0 ? { broken: true } : {}),
      },
      ...(statistic === undefined ? {} : { statistic }),
    },
  }
}

/** Keys over whole columns. */
export interface Keys {
  /** In the key's order. */
  primary: readonly string[]
  /** Columns that are unique alone, besides a primary key. */
  uniqueAlone: ReadonlySet<string>
  /** Columns that are unique together, in the order of each key. */
  uniqueTogether: readonly (readonly string[])[]
}

function keysOf(rows: readonly Facts[]): Keys {
  const columnsByIndex = new Map<string, string[]>()
  const partial = new Set<string>()
  for (const [index, column, characters] of rows) {
    const name = String(index)
    // Of the beginning of a text, or of an expression: neither says that the column is unique.
    if (typeof column !== 'string' || (characters ?? null) !== null) partial.add(name)
    else columnsByIndex.set(name, [...(columnsByIndex.get(name) ?? []), column])
  }
  const whole = [...columnsByIndex].filter(([index]) => !partial.has(index))
  const unique = whole.flatMap(([index, columns]) => (index === 'PRIMARY' ? [] : [columns]))
  // By columns: the name of an index is no fact of a table, and two may have the same columns.
  const together = new Map(
    unique.filter(({ length }) => length > 1).map((columns) => [columns.join('\n'), columns]),
  )
  return {
    primary: new Map(whole).get('PRIMARY') ?? [],
    uniqueAlone: new Set(unique.flatMap((columns) => (columns.length === 1 ? columns : []))),
    uniqueTogether: [...together]
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([, columns]) => columns),
  }
}

function foreignKeysOf(rows: readonly Facts[]): ForeignKey[] {
  const byName = Map.groupBy(rows, ([name]) => String(name))
  return (
    [...byName]
      // Within a position the server has them in any order.
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([, facts]) => ({
        columns: facts.map(([, column]) => String(column)),
        references: [String(facts[0]?.[2]), String(facts[0]?.[3])],
        referencedColumns: facts.map((fact) => String(fact[4])),
      }))
  )
}

/** What a view reads, in the order of the names: the server has it in any. */
function dependenciesOf(rows: readonly Facts[]): Pick<SourceAsset, 'viewDependencies'> {
  if (rows.length === 0) return {}
  const paths = rows.map(([database, table]) => [String(database), String(table)])
  const sorted = paths.toSorted((one, other) => (one.join('\n') < other.join('\n') ? -1 : 1))
  return { viewDependencies: sorted.map((references) => ({ references })) }
}

/** The check that MariaDB gives a column of JSON has the column's name and says nothing else. */
function jsonColumns(rows: readonly Facts[]): ReadonlySet<string> {
  return new Set(
    rows
      .map(([name, clause]) => ({ column: String(name), clause }))
      .filter(({ column, clause }) => clause === `json_valid(\`${column.replaceAll('`', '``')}\`)`)
      .map(({ column }) => column),
  )
}

/** Names of columns where only such are listed, otherwise an expression. */
function partitionsOf([partition, subpartition]: Facts): string[] {
  return [partition, subpartition].flatMap((expression) => {
    if (typeof expression !== 'string' || expression === '') return []
    if (!PARTITION_NAMES.test(expression)) return [expression]
    return [...expression.matchAll(/`((?:[^`]|``)+)`/g)].map(([, name = '']) =>
      name.replaceAll('``', '`'),
    )
  })
}

function statisticOf([, , rowCount, sizeBytes, changedAt]: Facts): Statistic | undefined {
  const statistic = {
    ...(typeof rowCount === 'string' ? { rowCount: Number(rowCount) } : {}),
    ...(typeof sizeBytes === 'string' ? { sizeBytes: Number(sizeBytes) } : {}),
    ...(typeof changedAt === 'string' ? { changedAt } : {}),
  }
  return Object.keys(statistic).length === 0 ? undefined : statistic
}

function filled(cell: Cell | undefined): string | undefined {
  return typeof cell === 'string' && cell !== '' ? cell : undefined
}
