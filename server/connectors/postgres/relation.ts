import { omitEmpty, splitUniqueKeys, type UniqueKeys } from '../asset-parts.ts'
import {
  SourceFailure,
  type ForeignKey,
  type SourceAsset,
  type SourceColumn,
  type ViewDependency,
} from '../connector.ts'
import type { AssetKind } from '../description.ts'
import type { CopyRow } from './copy-text.ts'
import { splitExpressions } from './expression-list.ts'
import { typeFacts, type DatabaseTypes } from './named-types.ts'
import { newTable } from '../../../formats/name/table.ts'

/** Properties that all relations of a database share. */
export interface DatabaseIdentity {
  name: string
  /** The oid. */
  id: string
  host: string
  port: number
  types: DatabaseTypes
}

/** The identity of a relation in a row of relationsStatement. */
interface Relation {
  oid: number
  schema: string
  name: string
}

const kinds = newTable<AssetKind>({
  r: 'table',
  p: 'table',
  v: 'view',
  m: 'materialized_view',
  f: 'external_table',
})

/**
 * A column: number, name, type, `required`, identity, generated, description, expression, and the oid
 * of a type that is not built in.
 */
type ColumnFields = [
  string,
  string,
  string,
  string | null,
  string | null,
  string | null,
  string | null,
  string | null,
  string | null,
]

/** A key: its kind and columns; for a foreign key also the referenced schema, table and columns. */
type KeyFields = [string, number[], string | null, string | null, string[] | null]

/** A dependency of a view: schema, name and oid of a relation, and the names of its columns. */
type DependencyFields = [string, string, string, string[] | null]

/** A partitioned table: its columns, 0 for an expression, and the expressions. */
type PartitionFields = [number[], string | null]

/** A database, or one of its schemas if `schema` is given. */
interface Container {
  schema?: string
  sourceId: string
  ownerName: string
  description: string | null
}

/** Creates the asset of a database or schema. */
export function toContainerAsset(container: Container, database: DatabaseIdentity): SourceAsset {
  const { schema, sourceId, ownerName, description } = container
  const { name, host, port } = database
  const path = schema === undefined ? [name] : [name, schema]
  return {
    kind: schema === undefined ? 'database' : 'schema',
    path,
    scope: path,
    sourceId,
    ...omitEmpty({ sourceIdScope: database.types.serverId }),
    ownerName,
    ...omitEmpty({ description }),
    custom: { database: name, ...omitEmpty({ schema }), host, port },
  }
}

/** Parses the identity of the relation of a row. */
export function readRelation(row: CopyRow): Relation {
  return { oid: Number(field(row, 0)), schema: field(row, 1), name: field(row, 2) }
}

/** Creates the asset of a row. `areTextsMissing`: the server could not generate them. */
export function toAsset(
  row: CopyRow,
  database: DatabaseIdentity,
  areTextsMissing: boolean,
): SourceAsset {
  const { oid, schema, name } = readRelation(row)
  const kind = kinds[field(row, 3)] ?? 'table'
  // Our statement generates the JSON, so its shape is known.
  const columns: ColumnFields[] = JSON.parse(row[8] ?? '[]')
  const keys: KeyFields[] = JSON.parse(row[9] ?? '[]')
  const namesByNumber = new Map(columns.map(([number, columnName]) => [Number(number), columnName]))
  const partition: PartitionFields | null = JSON.parse(row[10] ?? 'null')
  const keyNumbers: string[] = JSON.parse(row[12] ?? '[]')
  const unique = splitUniqueKeys(toUniqueKeys(keyNumbers, namesByNumber))
  return {
    kind,
    path: [database.name, schema, name],
    scope: [database.name, schema],
    sourceId: `${database.id}.${oid}`,
    ...omitEmpty({
      sourceIdScope: database.types.serverId,
      description: row[5],
      ownerName: row[4],
    }),
    columns: toColumns(columns, unique, database.types),
    ...readKeys(keys, namesByNumber, database.name),
    ...omitEmpty({
      uniqueKeys: unique.uniqueKeys,
      viewDefinition: row[11],
      viewDependencies: toDependencies(JSON.parse(row[13] ?? '[]'), database),
    }),
    ...(partition === null ? {} : { partitionColumns: toPartition(partition, namesByNumber) }),
    custom: {
      database: database.name,
      schema,
      host: database.host,
      port: database.port,
      ...(areTextsMissing ? unreadable(kind) : {}),
    },
    statistic: {
      ...(row[6] == null ? {} : { rowCount: Math.round(Number(row[6])) }),
      ...(row[7] == null ? {} : { sizeBytes: Number(row[7]) }),
      ...(row[14] == null ? {} : { changeCount: Number(row[14]) }),
    },
  }
}

function toColumns(
  columns: readonly ColumnFields[],
  { uniqueColumns }: UniqueKeys,
  types: DatabaseTypes,
): SourceColumn[] {
  return columns.map(
    ([, name, type, required, identity, generated, description, text, typeOid]) => ({
      name,
      type,
      ...omitEmpty({
        description,
        required: required !== null,
        unique: uniqueColumns.has(name),
      }),
      ...typeFacts(types, typeOid),
      ...omitEmpty({
        default: generated === null ? text : null,
        generated: identity === null ? generated && text : identities[identity],
      }),
    }),
  )
}

const identities = newTable<string>({
  a: 'generated always as identity',
  d: 'generated by default as identity',
})

function readKeys(
  keys: readonly KeyFields[],
  namesByNumber: ReadonlyMap<number, string>,
  database: string,
): Pick<SourceAsset, 'primaryKey' | 'foreignKeys'> {
  const names = (numbers: readonly number[]): string[] => listNames(numbers, namesByNumber)
  const primary = keys.find(([kind]) => kind === 'p')
  const foreign = keys.flatMap(([kind, numbers, schema, table, columns]): ForeignKey[] =>
    kind !== 'f' || schema === null || table === null
      ? []
      : [
          {
            columns: names(numbers),
            references: [database, schema, table],
            referencedColumns: columns ?? [],
          },
        ],
  )
  return omitEmpty({ primaryKey: primary && names(primary[1]), foreignKeys: foreign })
}

/**
 * Returns each key as JSON of its column numbers, sorted by names, since numbers do not survive a
 * restore.
 */
function toUniqueKeys(
  keys: readonly string[],
  namesByNumber: ReadonlyMap<number, string>,
): string[][] {
  const named = keys.map((text) => {
    const numbers: number[] = JSON.parse(text)
    return listNames(numbers, namesByNumber)
  })
  return named.toSorted((one, other) => compareTexts(one.join('\n'), other.join('\n')))
}

function listNames(
  numbers: readonly number[],
  namesByNumber: ReadonlyMap<number, string>,
): string[] {
  return numbers.map((number) => namesByNumber.get(number) ?? `column ${number}`)
}

function compareTexts(one: string, other: string): number {
  if (one === other) return 0
  return one < other ? -1 : 1
}

/** Two partitions of a table count as one dependency. */
function toDependencies(
  rows: readonly DependencyFields[],
  { id, name: database }: DatabaseIdentity,
): ViewDependency[] {
  return [...Map.groupBy(rows, ([, , oid]) => oid)].flatMap(([oid, parts]) => {
    const [first] = parts
    if (first === undefined) return []
    const [schema, name] = first
    const columns = [...new Set(parts.flatMap(([, , , names]) => names ?? []))]
    const references = [database, schema, name]
    return [{ references, sourceId: `${id}.${oid}`, ...omitEmpty({ columns }) }]
  })
}

function toPartition(
  [numbers, texts]: PartitionFields,
  namesByNumber: ReadonlyMap<number, string>,
): string[] {
  const expressions = splitExpressions(texts ?? '').values()
  return numbers.flatMap((number) => {
    const name = number === 0 ? expressions.next().value : namesByNumber.get(number)
    return name === undefined ? [] : [name]
  })
}

function unreadable(kind: AssetKind): Record<string, boolean> {
  return kind === 'view' || kind === 'materialized_view'
    ? { viewDefinitionUnreadable: true }
    : { defaultsUnreadable: true }
}

function field(row: CopyRow, index: number): string {
  const value = row[index]
  if (value === null || value === undefined) {
    throw new SourceFailure('protocol', 'The system catalogs returned an incomplete row.')
  }
  return value
}
