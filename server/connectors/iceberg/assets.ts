/** Converts namespaces, tables and views of Iceberg to assets. */

import { omitEmpty, parseCount, toInstant } from '../asset-parts.ts'
import { SourceFailure, type SourceAsset, type Statistic } from '../connector.ts'
import type { SchemaAnswer, TableMetadata, ViewMetadata } from './answers.ts'
import { toColumns, type Columns } from './schema.ts'

type Properties = Readonly<Record<string, unknown>> | null | undefined

/** Creates the asset of a namespace; `parentNamespace` is the one that contains it. */
export function namespaceAsset(
  namespace: string,
  parentNamespace: string | undefined,
  properties: Properties,
): SourceAsset {
  return {
    kind: 'namespace',
    path: [namespace],
    scope: [namespace],
    ...omitEmpty({ parent: parentNamespace === undefined ? [] : [parentNamespace] }),
    ...getCommonFields(properties),
    ...toCustom({ location: properties?.['location'], parentNamespace }),
  }
}

/** Creates the asset of a table. Errors: SourceFailure protocol. */
export function tableAsset(namespace: string, name: string, table: TableMetadata): SourceAsset {
  const { id, schema } = currentSchema(table)
  if (schema === undefined)
    throw createParseFailure(`${namespace}.${name} has no schema with the id ${id}`)
  const read = toColumns(schema)
  const keys = (schema['identifier-field-ids'] ?? []).flatMap(
    (key) => read.namesById.get(key) ?? [],
  )
  const statistic = toStatistic(table)
  return {
    kind: 'table',
    path: [namespace, name],
    scope: [namespace],
    ...omitEmpty({ sourceId: table['table-uuid'] }),
    ...getCommonFields(table.properties),
    columns: read.columns,
    ...omitEmpty({ primaryKey: keys, partitionColumns: listPartitions(table, read) }),
    ...toCustom({ location: table.location, formatVersion: table['format-version'] }),
    ...(Object.keys(statistic).length === 0 ? {} : { statistic }),
  }
}

/** Creates the asset of a view. Errors: SourceFailure protocol. */
export function viewAsset(namespace: string, name: string, view: ViewMetadata): SourceAsset {
  const current = view['current-version-id']
  const version = view.versions.find((each) => each['version-id'] === current)
  if (version === undefined)
    throw createParseFailure(`${namespace}.${name} has no version ${current}`)
  const schema = view.schemas.find((each) => each['schema-id'] === version['schema-id'])
  if (schema === undefined)
    throw createParseFailure(`${namespace}.${name} has no schema for its version`)
  const text = version.representations.find(({ type }) => type === 'sql')
  const changedAt = toInstant(version['timestamp-ms'])
  return {
    kind: 'view',
    path: [namespace, name],
    scope: [namespace],
    ...omitEmpty({ sourceId: view['view-uuid'] }),
    ...getCommonFields(view.properties),
    columns: toColumns(schema).columns,
    ...omitEmpty({ viewDefinition: text?.sql }),
    ...toCustom({ location: view.location, dialect: text?.dialect }),
    ...omitEmpty({ statistic: changedAt && { changedAt, changedMeans: 'definition' } }),
  }
}

function getCommonFields(properties: Properties): Pick<SourceAsset, 'description' | 'ownerName'> {
  const { comment, owner } = properties ?? {}
  return omitEmpty({
    description: typeof comment === 'string' && comment,
    ownerName: typeof owner === 'string' && owner,
  })
}

function toCustom(values: Readonly<Record<string, unknown>>): Pick<SourceAsset, 'custom'> {
  const known = Object.entries(values).flatMap(([name, value]): [string, string | number][] =>
    typeof value === 'number' || (typeof value === 'string' && value !== '') ? [[name, value]] : [],
  )
  return known.length === 0 ? {} : { custom: Object.fromEntries(known) }
}

// The first version of the format had one schema without an id.
function currentSchema(table: TableMetadata): {
  id: number | undefined
  schema: SchemaAnswer | undefined
} {
  const id = table['current-schema-id'] ?? undefined
  const listed = table.schemas?.find((schema) => schema['schema-id'] === id)
  return { id, schema: listed ?? table.schema ?? undefined }
}

function listPartitions(table: TableMetadata, { namesById }: Columns): string[] {
  const specification = table['partition-specs']?.find(
    (each) => each['spec-id'] === table['default-spec-id'],
  )
  const fields = specification?.fields ?? table['partition-spec'] ?? []
  return fields
    .filter(({ transform }) => transform !== 'void')
    .map(({ name, transform, 'source-id': source }) => {
      const column = namesById.get(source ?? -1) ?? name
      if (transform === 'identity') return column
      // SQL writes `bucket[16]` of `id` as `bucket(16, id)`.
      const [, word = transform, parameter] = /^(\w+)\[(\d+)\]$/.exec(transform) ?? []
      return `${word}(${parameter === undefined ? '' : `${parameter}, `}${column})`
    })
}

function toStatistic(table: TableMetadata): Statistic {
  const current = table['current-snapshot-id']
  const snapshot = table.snapshots?.find((each) => each['snapshot-id'] === current)
  const summary = snapshot?.summary ?? {}
  // Not the time of the last update, which changes of the metadata also set.
  const changedAt = toInstant(snapshot?.['timestamp-ms'])
  return omitEmpty({
    rowCount: parseCount(summary['total-records']),
    sizeBytes: parseCount(summary['total-files-size']),
    changedAt,
    changedMeans: changedAt && 'data',
  })
}

function createParseFailure(why: string): SourceFailure {
  return new SourceFailure('protocol', `The answer of the catalog cannot be read: ${why}`)
}
