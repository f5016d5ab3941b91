import { omitEmpty, sortNameLists, splitUniqueKeys, type UniqueKeys } from '../asset-parts.ts'
import type {
  ForeignKey,
  SourceAsset,
  SourceColumn,
  Statistic,
  ViewDependency,
} from '../connector.ts'
import { FACT_KINDS, type TableFact } from './facts.ts'
import { asText, type TdsCell } from './rows.ts'
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
interface MssqlTable {
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
    ...omitEmpty({ ownerName: more.ownerName, description: more.description }),
    custom: { host, port, database, ...omitEmpty({ schema: schema?.name }) },
  }
}

/**
 * Creates a table or view from its rows; undefined if it was created during the reading. `updates` has the times of the last
 * changes of rows by the ids of tables.
 */
export function toTable(
  rows: readonly TableFact[],
  origin: MssqlOrigin,
  updates: ReadonlyMap<number, string>,
): MssqlTable | undefined {
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
  const asset: SourceAsset = {
    kind: isView ? 'view' : isExternal === '1' ? 'external_table' : 'table',
    path: [database, schema, String(tableName)],
    scope: [database, schema],
    sourceId: `${databaseId}.${row.objectId}`,
    sourceIdScope: serverName,
    ...omitEmpty({
      description: list(FACT_KINDS.description).find(isOfTable)?.body,
      ownerName: asText(ownerName),
    }),
    columns: readColumns(list, keys),
    primaryKey: keys.primary,
    ...omitEmpty({ uniqueKeys: keys.uniqueKeys }),
    foreignKeys: readForeignKeys(list, names, database),
    ...omitEmpty({
      viewDefinition: list(FACT_KINDS.view)[0]?.body,
      viewDependencies: isView ? readDependencies(list, database) : [],
    }),
    partitionColumns: pickNames(
      list(FACT_KINDS.partition).map(({ facts }) => facts[0]),
      names,
    ),
    ...omitEmpty({ tags: readTags(list(FACT_KINDS.label).filter(isOfTable)) }),
    custom: { host, port, database, schema },
    ...omitEmpty({ statistic: readStatistic(list, updates.get(row.objectId)) }),
  }
  return { asset, isWhole: isWhole !== '0' }
}

// Other facts belong to a column.
function isOfTable({ position }: TableFact): boolean {
  return position === 0
}

/** Keys over whole columns, in the order of each key. */
interface MssqlKeys extends UniqueKeys {
  primary: readonly string[]
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
  const primary = keys.find(({ isPrimary }) => isPrimary)?.columns ?? []
  return { primary, ...splitUniqueKeys(sortNameLists(unique)) }
}

function readColumns(list: FactsByKind, { uniqueColumns }: MssqlKeys): SourceColumn[] {
  const texts = (kind: number): ReadonlyMap<number, TableFact> =>
    new Map(list(kind).map((row) => [row.position, row]))
  const descriptions = texts(FACT_KINDS.description)
  const defaults = texts(FACT_KINDS.default)
  const computed = texts(FACT_KINDS.computed)
  const identities = texts(FACT_KINDS.identity)
  const labels = Map.groupBy(list(FACT_KINDS.label), ({ position }) => position)
  return list(FACT_KINDS.column).map(({ position, facts }) => {
    const [name, typeName, maxLength, precision, scale, isNullable, generation] = facts
    return {
      name: String(name),
      type: toTypeText({
        name: String(typeName ?? 'unknown'),
        maxLength: Number(maxLength),
        precision: Number(precision),
        scale: Number(scale),
      }),
      ...omitEmpty({
        description: descriptions.get(position)?.body,
        required: isNullable === '0',
        unique: uniqueColumns.has(String(name)),
        default: defaults.get(position)?.body,
        generated:
          toComputed(computed.get(position)) ??
          toIdentity(identities.get(position)) ??
          GENERATED.get(String(generation)),
        tags: readTags(labels.get(position) ?? []),
      }),
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

function readDependencies(list: FactsByKind, database: string): ViewDependency[] {
  const paths = list(FACT_KINDS.dependency).map(({ facts: [schema, name] }) => [
    database,
    String(schema),
    String(name),
  ])
  return sortNameLists(paths).map((references) => ({ references }))
}

function readTags(rows: readonly TableFact[]): string[] {
  const texts = rows.flatMap(({ facts }) => facts.slice(0, 2)).flatMap((cell) => asText(cell) ?? [])
  return [...new Set(texts)]
}

function readStatistic(list: FactsByKind, changedAt: string | undefined): Statistic | undefined {
  const [rowCount, sizeBytes] = [FACT_KINDS.rows, FACT_KINDS.size].map((kind) => {
    const text = asText(list(kind)[0]?.facts[0])
    return text === undefined ? undefined : Number(text)
  })
  const values = [rowCount, sizeBytes, changedAt]
  if (values.every((value) => value === undefined)) return undefined
  return omitEmpty({ rowCount, sizeBytes, changedAt, changedMeans: changedAt && 'data' })
}
