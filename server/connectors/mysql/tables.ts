import { omitEmpty, sortNameLists, splitUniqueKeys, type UniqueKeys } from '../asset-parts.ts'
import { foldName, spellReferences } from '../column-names.ts'
import type { ForeignKey, SourceAsset, Statistic, ViewDependency } from '../connector.ts'
import { toColumn } from './columns.ts'
import { asText, type Cell } from './connection.ts'
import type { MysqlFlavour } from './flavour.ts'
import { ROW_KINDS, type FactRow } from './statements.ts'

/** Properties that all assets of a server share. */
export interface Origin {
  host: string
  port: number
  flavour: MysqlFlavour
}

/** A table assembled from its rows. */
interface TableResult {
  asset: SourceAsset
  /** False if required rows are missing: the table must be queried again. */
  isWhole: boolean
}

/** The columns of a row, in the order of its kind. */
type Facts = readonly Cell[]

/** Sequences have values, but no data. */
const TABLE_TYPES: ReadonlyMap<Cell, 'table' | 'view'> = new Map([
  ['BASE TABLE', 'table'],
  ['SYSTEM VERSIONED', 'table'],
  ['VIEW', 'view'],
  ['SYSTEM VIEW', 'view'],
] as const)

const PARTITION_NAMES = /^`(?:[^`]|``)+`(?:,`(?:[^`]|``)+`)*$/

/** Creates the asset of a database from its row. */
export function toDatabaseAsset({ database, facts }: FactRow, origin: Origin): SourceAsset {
  return {
    kind: 'database',
    path: [database],
    scope: [database],
    ...omitEmpty({ description: asText(facts[0]) }),
    custom: { host: origin.host, port: origin.port, database },
  }
}

/**
 * Creates a table or view from its rows, which arrive in the order of their kinds; undefined for
 * other objects and for objects created during the reading.
 */
export function toTable(rows: readonly FactRow[], origin: Origin): TableResult | undefined {
  const byKind = Map.groupBy(rows, ({ kind }) => kind)
  const listFacts = (kind: number): readonly Facts[] =>
    byKind.get(kind)?.map(({ facts }) => facts) ?? []
  const [row] = byKind.get(ROW_KINDS.table) ?? []
  const kind = TABLE_TYPES.get(row?.facts[0] ?? null)
  if (row === undefined || kind === undefined) return undefined
  const { database, table } = row
  // Without an engine it could not be opened, and its comment is the server's error message.
  const isOpened = kind === 'view' || (row.facts[2] ?? null) !== null
  const columns = isOpened ? listFacts(ROW_KINDS.column) : []
  const keys = readKeys(listFacts(ROW_KINDS.unique))
  const known = {
    flavour: origin.flavour,
    json: jsonColumns(listFacts(ROW_KINDS.json)),
    uniqueAlone: new Set([...keys.uniqueColumns].map(foldName)),
  }
  const [storage = []] = listFacts(ROW_KINDS.storage)
  const [view = []] = listFacts(ROW_KINDS.view)
  return {
    isWhole: columns.length > 0 && hasAllParts(row, byKind),
    // The server ignores the case of column names.
    asset: spellReferences({
      kind,
      path: [database, table],
      scope: [database],
      // The comment of a view is not written by its users.
      ...omitEmpty({ description: kind === 'view' ? undefined : asText(row.facts[1]) }),
      columns: columns.map((facts) => toColumn(facts, known)),
      primaryKey: keys.primary,
      ...omitEmpty({ uniqueKeys: keys.uniqueKeys }),
      foreignKeys: readForeignKeys(listFacts(ROW_KINDS.foreignKey)),
      ...omitEmpty({
        viewDefinition: asText(view[0]),
        viewDependencies: readDependencies(listFacts(ROW_KINDS.viewUsage)),
      }),
      partitionColumns: readPartitions(storage),
      custom: {
        host: origin.host,
        port: origin.port,
        database,
        // A view whose tables no longer exist has no columns and cannot be queried.
        ...omitEmpty({ broken: kind === 'view' && columns.length === 0 }),
      },
      ...omitEmpty({ statistic: toStatistic(storage) }),
    }),
  }
}

// Each part is a separate view. A table that was just created, or is locked, is missing from some.
function hasAllParts({ facts: [type] }: FactRow, byKind: ReadonlyMap<number, unknown>): boolean {
  if (type === 'SYSTEM VIEW') return true
  return byKind.has(type === 'VIEW' ? ROW_KINDS.view : ROW_KINDS.storage)
}

/** Keys over whole columns, in the order of each key. */
interface Keys extends UniqueKeys {
  primary: readonly string[]
}

function readKeys(rows: readonly Facts[]): Keys {
  const columnsByIndex = new Map<string, string[]>()
  const partial = new Set<string>()
  for (const [index, column, characters] of rows) {
    const name = String(index)
    // A key over the beginning of a text, or an expression, does not make the column unique.
    if (typeof column !== 'string' || (characters ?? null) !== null) partial.add(name)
    else columnsByIndex.set(name, [...(columnsByIndex.get(name) ?? []), column])
  }
  const whole = [...columnsByIndex].filter(([index]) => !partial.has(index))
  const unique = whole.flatMap(([index, columns]) => (index === 'PRIMARY' ? [] : [columns]))
  const primary = new Map(whole).get('PRIMARY') ?? []
  return { primary, ...splitUniqueKeys(sortNameLists(unique)) }
}

function readForeignKeys(rows: readonly Facts[]): ForeignKey[] {
  const byName = Map.groupBy(rows, ([name]) => String(name))
  return (
    [...byName]
      // The server returns references with the same position in any order.
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([, facts]) => ({
        columns: facts.map(([, column]) => String(column)),
        references: [String(facts[0]?.[2]), String(facts[0]?.[3])],
        referencedColumns: facts.map((fact) => String(fact[4])),
      }))
  )
}

/** Returns the tables that a view reads. */
function readDependencies(rows: readonly Facts[]): ViewDependency[] {
  const paths = rows.map(([database, table]) => [String(database), String(table)])
  return sortNameLists(paths).map((references) => ({ references }))
}

/** MariaDB gives a JSON column a check with the column's name and no other condition. */
function jsonColumns(rows: readonly Facts[]): ReadonlySet<string> {
  return new Set(
    rows
      .map(([name, clause]) => ({ column: String(name), clause }))
      .filter(({ column, clause }) => clause === `json_valid(\`${column.replaceAll('`', '``')}\`)`)
      .map(({ column }) => foldName(column)),
  )
}

/** Returns column names if only columns are listed, otherwise an expression. */
function readPartitions([partition, subpartition]: Facts): string[] {
  return [partition, subpartition].flatMap((expression) => {
    if (typeof expression !== 'string' || expression === '') return []
    if (!PARTITION_NAMES.test(expression)) return [expression]
    return [...expression.matchAll(/`((?:[^`]|``)+)`/g)].map(([, name = '']) =>
      name.replaceAll('``', '`'),
    )
  })
}

function toStatistic([, , rowCount, sizeBytes, changedAt]: Facts): Statistic | undefined {
  const statistic = {
    ...(typeof rowCount === 'string' ? { rowCount: Number(rowCount) } : {}),
    ...(typeof sizeBytes === 'string' ? { sizeBytes: Number(sizeBytes) } : {}),
    ...(typeof changedAt === 'string' ? { changedAt, changedMeans: 'data' as const } : {}),
  }
  return Object.keys(statistic).length === 0 ? undefined : statistic
}
