import type { ForeignKey, SourceAsset, SourceColumn, Statistic } from '../connector.ts'
import { FACT_KINDS, type TableFact } from './facts.ts'
import type { TdsCell } from './row-queue.ts'
import { toTypeText } from './type-text.ts'

/** Properties that all assets of a database share. */
export interface MssqlOrigin {
  host: string
  port: number
  database: string
  /** The scope of the platform's ids. */
  serverName: string
  /** The identity of the database on its server. */
  databaseId: string
}

/** A table assembled from its rows. */
export interface MssqlTable {
  asset: SourceAsset
  /** False if the user has a privilege for only some columns. */
  isWhole: boolean
}

/** The facts of a table by their kinds. */
type FactsByKind = (kind: number) => readonly TableFact[]

const GENERATED: ReadonlyMap<string, string> = new Map([
  ['1', 'generated always as row start'],
  ['2', 'generated always as row end'],
])

/** Creates the asset of a database or a schema. */
export function toContainer(
  origin: MssqlOrigin,
  schema: { id: number; name: string } | undefined,
  more: { ownerName: string | undefined; description: string | undefined },
): SourceAsset {
  const { host, port, database, serverName, databaseId } = origin
  const path = schema === undefined ? [database] : [database, schema.name]
  return {
    kind: schema === undefined ? 'database' : 'schema',
    path,
    scope: path,
    sourceId: schema === undefined ? databaseId : `${databaseId}.s${schema.id}`,
    sourceIdScope: serverName,
    ...(more.ownerName === undefined ? {} : { ownerName: more.ownerName }),
    ...(more.description === undefined ? {} : { description: more.description }),
    custom: { host, port, database, ...(schema === undefined ? {} : { schema: schema.name }) },
  }
}

/** Creates a table or view from its rows; undefined if it was created during the reading. */
export function toTable(rows: readonly TableFact[], origin: MssqlOrigin): MssqlTable | undefined {
  const byKind = Map.groupBy(rows, ({ kind }) => kind)
  const list: FactsByKind = (kind) => byKind.get(kind) ?? []
  const [row] = list(FACT_KINDS.table)
  if (row === undefined) return undefined
  const [schemaName, tableName, type, isExternal, ownerName, isWhole = null] = row.facts
  const { host, port, database, serverName, databaseId } = origin
  const schema = String(schemaName)
  const isView = String(type).trim() === 'V'
  const names = readColumnNames(list)
  const keys = readKeys(list, names)
  const owner = asText(ownerName)
  const description = list(FACT_KINDS.description).find(({ position }) => position === 0)?.body
  const viewDefinition = list(FACT_KINDS.view)[0]?.body
  const statistic = readStatistic(list)
  const tags = readTags(list(FACT_KINDS.label).filter(({ position }) => position === 0))
  const asset: SourceAsset = {
    kind: isView ? 'view' : isExternal === '1' ? 'external_table' : 'table',
    path: [database, schema, String(tableName)],
    scope: [database, schema],
    sourceId: `${databaseId}.${row.objectId}`,
    sourceIdScope: serverName,
    ...(description === undefined ? {} : { description }),
    ...(owner === undefined ? {} : { ownerName: owner }),
    columns: readColumns(list, keys),
    primaryKey: keys.primary,
    ...(keys.uniqueTogether.length === 0 ? {} : { uniqueKeys: keys.uniqueTogether }),
    foreignKeys: readForeignKeys(list, names, database),
    ...(viewDefinition === undefined ? {} : { viewDefinition }),
    ...(isView ? readDependencies(list, database) : {}),
    partitionColumns: pickNames(
      list(FACT_KINDS.partition).map(({ facts }) => facts[0]),
      names,
    ),
    ...(tags.length === 0 ? {} : { tags }),
    custom: { host, port, database, schema },
    ...(statistic === undefined ? {} : { statistic }),
  }
  return { asset, isWhole: isWhole !== '0' }
}

/** Keys over whole columns. */
interface MssqlKeys {
  /** In the order of the key. */
  primary: readonly string[]
  /** Columns with a unique key of one column, without the primary key. */
  uniqueAlone: ReadonlySet<string>
  /** The columns of composite unique keys, in the order of each key. */
  uniqueTogether: readonly (readonly string[])[]
}

function readColumnNames(list: FactsByKind): ReadonlyMap<string, string> {
  return new Map(
    list(FACT_KINDS.column).map(({ position, facts }) => [String(position), String(facts[0])]),
  )
}

function pickNames(
  columnIds: readonly (TdsCell | undefined)[],
  names: ReadonlyMap<string, string>,
): string[] {
  return columnIds.flatMap((id) => names.get(String(id)) ?? [])
}

function readKeys(list: FactsByKind, names: ReadonlyMap<string, string>): MssqlKeys {
  const byIndex = Map.groupBy(list(FACT_KINDS.key), ({ facts }) => facts[0])
  const keys = [...byIndex.values()].map((rows) => ({
    isPrimary: rows[0]?.facts[1] === '1',
    columns: pickNames(
      rows.map(({ facts }) => facts[2]),
      names,
    ),
  }))
  const unique = keys.filter(({ isPrimary }) => !isPrimary).map(({ columns }) => columns)
  // By columns: names of indexes are not facts of a table, and two indexes may have the same columns.
  const composite = new Map(
    unique.filter(({ length }) => length > 1).map((columns) => [columns.join('\n'), columns]),
  )
  return {
    primary: keys.find(({ isPrimary }) => isPrimary)?.columns ?? [],
    uniqueAlone: new Set(unique.filter(({ length }) => length === 1).flat()),
    uniqueTogether: [...composite]
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([, columns]) => columns),
  }
}

function readColumns(list: FactsByKind, { uniqueAlone }: MssqlKeys): SourceColumn[] {
  const texts = (kind: number): ReadonlyMap<number, TableFact> =>
    new Map(list(kind).map((row) => [row.position, row]))
  const descriptions = texts(FACT_KINDS.description)
  const defaults = texts(FACT_KINDS.default)
  const computed = texts(FACT_KINDS.computed)
  const identities = texts(FACT_KINDS.identity)
  const labels = Map.groupBy(list(FACT_KINDS.label), ({ position }) => position)
  return list(FACT_KINDS.column).map(({ position, facts }) => {
    const [name, typeName, maxLength, precision, scale, isNullable, generation] = facts
    const description = descriptions.get(position)?.body
    const fallback = defaults.get(position)?.body
    const generated =
      toComputed(computed.get(position)) ??
      toIdentity(identities.get(position)) ??
      GENERATED.get(String(generation))
    const tags = readTags(labels.get(position) ?? [])
    return {
      name: String(name),
      type: toTypeText({
        name: String(typeName ?? 'unknown'),
        maxLength: Number(maxLength),
        precision: Number(precision),
        scale: Number(scale),
      }),
      ...(description === undefined ? {} : { description }),
      ...(isNullable === '0' ? { required: true } : {}),
      ...(uniqueAlone.has(String(name)) ? { unique: true } : {}),
      ...(fallback === undefined ? {} : { default: fallback }),
      ...(generated === undefined ? {} : { generated }),
      ...(tags.length === 0 ? {} : { tags }),
    }
  })
}

function toComputed(row: TableFact | undefined): string | undefined {
  if (row?.body === undefined) return undefined
  return row.facts[0] === '1' ? `${row.body} persisted` : row.body
}

function toIdentity(row: TableFact | undefined): string | undefined {
  if (row === undefined) return undefined
  const [seed, increment] = row.facts
  // Distributed servers choose the values.
  return seed === null || increment === null ? 'identity' : `identity(${seed},${increment})`
}

function readForeignKeys(
  list: FactsByKind,
  names: ReadonlyMap<string, string>,
  database: string,
): ForeignKey[] {
  const byName = Map.groupBy(list(FACT_KINDS.foreignKey), ({ facts }) => String(facts[0]))
  return (
    [...byName]
      // The server returns columns with the same position in any order.
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([, rows]) => ({
        columns: pickNames(
          rows.map(({ facts }) => facts[1]),
          names,
        ),
        references: [database, String(rows[0]?.facts[2]), String(rows[0]?.facts[3])],
        referencedColumns: rows.map(({ facts }) => String(facts[4])),
      }))
  )
}

function readDependencies(
  list: FactsByKind,
  database: string,
): Pick<SourceAsset, 'viewDependencies'> {
  const rows = list(FACT_KINDS.dependency)
  if (rows.length === 0) return {}
  const paths = rows.map(({ facts: [schema, name] }) => [database, String(schema), String(name)])
  // The server returns them in any order.
  const sorted = paths.toSorted((one, other) => (one.join('\n') < other.join('\n') ? -1 : 1))
  return { viewDependencies: sorted.map((references) => ({ references })) }
}

function readTags(rows: readonly TableFact[]): string[] {
  const texts = rows.flatMap(({ facts }) => facts.slice(0, 2)).flatMap((cell) => asText(cell) ?? [])
  return [...new Set(texts)]
}

function readStatistic(list: FactsByKind): Statistic | undefined {
  const rowCount = asText(list(FACT_KINDS.rows)[0]?.facts[0])
  const sizeBytes = asText(list(FACT_KINDS.size)[0]?.facts[0])
  if (rowCount === undefined && sizeBytes === undefined) return undefined
  return {
    ...(rowCount === undefined ? {} : { rowCount: Number(rowCount) }),
    ...(sizeBytes === undefined ? {} : { sizeBytes: Number(sizeBytes) }),
  }
}

function asText(cell: TdsCell | undefined): string | undefined {
  return typeof cell === 'string' && cell !== '' ? cell : undefined
}
