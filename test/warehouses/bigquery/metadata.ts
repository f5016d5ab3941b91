/**
 * The views of INFORMATION_SCHEMA over the tables of a scripted server, with the literals and the names of
 * types that their public reference describes. A table with `isHidden` is missing from them.
 */

import type { BigQueryModel, BigQueryTableEntry } from './server.ts'

/** A field of a schema in the REST API. */
interface Field {
  name: string
  type: string
  mode?: string
  description?: string
  fields?: Field[]
  policyTags?: { names: string[] }
  maxLength?: string
  precision?: string
  scale?: string
  rangeElementType?: { type: string }
  defaultValueExpression?: string
}

type Row = (string | null)[]

/** Returns the name of the view that a query reads. */
export function getView(sql: string): string {
  return /INFORMATION_SCHEMA\.(\w+)/.exec(sql)?.[1] ?? ''
}

/** Returns the rows of a query, in the order of datasets and tables. */
export function queryMetadata(
  { projects, details }: BigQueryModel,
  sql: string,
  datasets: readonly string[],
): Row[] {
  const [, project = '', region = ''] = /`([^`]+)`\.`region-([^`]+)`/.exec(sql) ?? []
  const toRows = VIEWS[getView(sql)]
  return Object.entries(projects[project] ?? {})
    .filter(([name]) => datasets.includes(name))
    .filter(([name]) => {
      const { location, type } = details[`${project}.${name}`] ?? {}
      return String(location).toLowerCase() === region && type !== 'LINKED'
    })
    .toSorted(byName)
    .flatMap(([dataset, tables]) =>
      tables
        .toSorted((a, b) => byName([a.name], [b.name]))
        .filter(({ type, isHidden }) => type !== 'MODEL' && isHidden !== true)
        .flatMap((table) => (toRows?.(table) ?? []).map((row) => [dataset, table.name, ...row])),
    )
}

function byName([one]: readonly [string, ...unknown[]], [other]: readonly [string, ...unknown[]]) {
  return Buffer.compare(Buffer.from(one), Buffer.from(other))
}

const VIEWS: Readonly<Record<string, (table: BigQueryTableEntry) => Row[]>> = {
  TABLES: toTableRows,
  TABLE_OPTIONS: toOptionRows,
  COLUMNS: toColumnRows,
  COLUMN_FIELD_PATHS: toPathRowsOfTable,
  VIEWS: ({ view }) => (view === undefined ? [] : [[(view as { query: string }).query]]),
  TABLE_STORAGE: ({ type = 'TABLE', numRows, numBytes, lastModifiedTime }) =>
    type === 'TABLE'
      ? [[numRows, numBytes, lastModifiedTime].map((value) => (value ?? null) as string | null)]
      : [],
}

const TYPES: Readonly<Record<string, string>> = {
  TABLE: 'BASE TABLE',
  MATERIALIZED_VIEW: 'MATERIALIZED VIEW',
}

function toTableRows(table: BigQueryTableEntry): Row[] {
  const type = (table['type'] ?? 'TABLE') as string
  const hasHiddenFacts =
    !/^(TABLE|VIEW)$/.test(type) ||
    table['tableConstraints'] !== undefined ||
    table['biglakeConfiguration'] !== undefined ||
    JSON.stringify(getFields(table).map(({ fields }) => fields)).includes('REQUIRED')
  const hasOptions = toOptionRows(table).length > 0
  const partitions = toPartitionExpression(table)
  return [[TYPES[type] ?? type, String(hasHiddenFacts), partitions, String(hasOptions)]]
}

function toPartitionExpression({ timePartitioning, rangePartitioning }: BigQueryTableEntry) {
  if (rangePartitioning !== undefined) return 'RANGE_BUCKET(id, GENERATE_ARRAY(0, 100, 10))'
  if (timePartitioning === undefined) return null
  const { type, field = '_PARTITIONTIME' } = timePartitioning as { type: string; field?: string }
  return type === 'DAY' ? `DATE(${field})` : `TIMESTAMP_TRUNC(${field}, ${type})`
}

function toOptionRows(table: BigQueryTableEntry): Row[] {
  const options = {
    description: toText(table['description']),
    friendly_name: toText(table['friendlyName']),
    labels: toPairs(table['labels']),
    tags: toPairs(table['resourceTags']),
    require_partition_filter: table['requirePartitionFilter'] === true ? 'true' : undefined,
  }
  return Object.entries(options).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value]],
  )
}

function toText(value: unknown): string | undefined {
  return value === undefined ? undefined : JSON.stringify(value)
}

function toPairs(value: unknown): string | undefined {
  const pairs = Object.entries((value ?? {}) as Record<string, string>).map(
    (pair) => `STRUCT(${pair.map((text) => JSON.stringify(text)).join(', ')})`,
  )
  return pairs.length === 0 ? undefined : `[${pairs.join(', ')}]`
}

function toColumnRows(table: BigQueryTableEntry): Row[] {
  const partitioning = (table['timePartitioning'] ?? table['rangePartitioning']) as
    | { field?: string }
    | undefined
  const clustering = (table['clustering'] as { fields: string[] } | undefined)?.fields ?? []
  const columns = getFields(table).map((field): Row => {
    const position = clustering.indexOf(field.name)
    return [
      field.name,
      field.mode === 'REQUIRED' ? 'NO' : 'YES',
      toTypeText(field),
      field.defaultValueExpression ?? 'NULL',
      'NO',
      partitioning?.field === field.name ? 'YES' : 'NO',
      position === -1 ? null : String(position + 1),
    ]
  })
  if (partitioning === undefined || partitioning.field !== undefined) return columns
  return [['_PARTITIONTIME', 'YES', 'TIMESTAMP', 'NULL', 'YES', 'YES', null], ...columns]
}

// The query selects one field without facts, so that no table is missing.
function toPathRowsOfTable(table: BigQueryTableEntry): Row[] {
  const rows = getFields(table).flatMap((field) => toPathRows(field, ''))
  const [first] = getFields(table)
  return rows.length > 0 || first === undefined ? rows : [[first.name, null, '[]']]
}

function toPathRows(field: Field, parent: string): Row[] {
  const path = `${parent}${field.name}`
  const { description = null, policyTags } = field
  const inner = (field.fields ?? []).flatMap((each) => toPathRows(each, `${path}.`))
  const tags = JSON.stringify(policyTags?.names ?? [])
  const isListed = description !== null || policyTags !== undefined
  return isListed ? [[path, description, tags], ...inner] : inner
}

const SQL_NAMES: Readonly<Record<string, string>> = {
  INTEGER: 'INT64',
  FLOAT: 'FLOAT64',
  BOOLEAN: 'BOOL',
}

function toTypeText({ mode, ...field }: Field): string {
  if (mode === 'REPEATED') return `ARRAY<${toTypeText(field)}>`
  const { type, fields, maxLength, precision, scale, rangeElementType } = field
  if (type === 'RECORD') {
    const members = (fields ?? []).map((each) => `${quote(each.name)} ${toTypeText(each)}`)
    return `STRUCT<${members.join(', ')}>`
  }
  if (rangeElementType !== undefined) return `RANGE<${rangeElementType.type}>`
  const parameters = [maxLength, precision, scale].filter((value) => value !== undefined)
  const name = SQL_NAMES[type] ?? type
  return parameters.length === 0 ? name : `${name}(${parameters.join(', ')})`
}

function quote(name: string): string {
  return /^\w+$/.test(name) ? name : `\`${name}\``
}

function getFields({ schema }: BigQueryTableEntry): Field[] {
  return (schema as { fields?: Field[] } | undefined)?.fields ?? []
}
