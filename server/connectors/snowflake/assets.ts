import { omitEmpty } from '../asset-parts.ts'
import type { Scope, SourceAsset, SourceColumn, Statistic } from '../connector.ts'
import type { AssetKind } from '../description.ts'
import { getDetail } from '../scopes.ts'
import type { ResultRow } from './result-row.ts'
import type { SnowflakeClient } from './statement-client.ts'

/** Creates the asset of a listed database or schema. */
export function toContainerAsset(client: SnowflakeClient, scope: Scope): SourceAsset {
  const { path, kind } = scope
  return {
    kind: kind === 'schema' ? kind : 'database',
    path,
    scope: path,
    ...omitEmpty({
      ownerName: getDetail(scope, 'owner'),
      description: getDetail(scope, 'comment'),
    }),
    custom: toLocation(client, path),
  }
}

/** The parts of a table that are not in its own row. */
interface TableParts {
  /** The path of its schema. */
  scope: readonly string[]
  columns: readonly SourceColumn[]
  viewDefinition: string | undefined
  isSecure: boolean
}

/** Creates the asset of a table or view from its row in a view TABLES. */
export function toTableAsset(
  client: SnowflakeClient,
  row: ResultRow,
  { scope, columns, viewDefinition, isSecure }: TableParts,
): SourceAsset {
  const name = row.require('table_name')
  const id = row.get('table_id')
  return {
    kind: getKind(row),
    path: [...scope, name],
    scope,
    ...(id === undefined ? {} : { sourceId: id, sourceIdScope: client.host }),
    ...omitEmpty({ ownerName: row.get('table_owner'), description: row.get('comment') }),
    columns,
    // The text of a secure view is confidential.
    ...omitEmpty({ viewDefinition: !isSecure && viewDefinition }),
    custom: {
      ...toLocation(client, scope),
      ...omitEmpty({
        tableKind: getVariant(row),
        clusteringKey: row.get('clustering_key'),
        secure: isSecure,
      }),
    },
    statistic: toStatistic(row),
  }
}

/** Returns the kind of a row in a view TABLES. */
export function getKind(row: ResultRow): AssetKind {
  const type = row.get('table_type')?.toUpperCase() ?? ''
  if (type === 'MATERIALIZED VIEW') return 'materialized_view'
  if (type.endsWith('VIEW')) return 'view'
  return type === 'EXTERNAL TABLE' ? 'external_table' : 'table'
}

/** Returns whether a table exists only in a session. */
export function isTemporary(row: ResultRow): boolean {
  return row.isTrue('is_temporary') || /TEMPORARY/i.test(row.get('table_type') ?? '')
}

function getVariant(row: ResultRow): string | undefined {
  for (const variant of ['dynamic', 'iceberg', 'hybrid']) {
    if (row.isTrue(`is_${variant}`)) return variant
  }
  return /^EVENT TABLE$/i.test(row.get('table_type') ?? '') ? 'event' : undefined
}

function toLocation(
  { host, configuration }: SnowflakeClient,
  [database = '', schema]: readonly string[],
): Record<string, string> {
  const { account } = configuration
  return { host, account, database, ...omitEmpty({ schema }) }
}

function toStatistic(row: ResultRow): Statistic {
  const changedAt = toInstant(row.get('last_altered'))
  return omitEmpty({
    rowCount: row.getNumber('row_count'),
    sizeBytes: row.getNumber('bytes'),
    changedAt,
    changedMeans: changedAt && getChangeMeaning(row),
  })
}

// The time is that of DML, DDL and background maintenance. If it is that of the last DDL, only the definition changed;
// a table that was just created may have been created with rows.
function getChangeMeaning(row: ResultRow): 'any' | 'definition' {
  const [altered, ddl, created] = ['last_altered', 'last_ddl', 'created'].map((name) =>
    Number.parseFloat(row.get(name) ?? ''),
  )
  const isDefinition =
    altered !== undefined && created !== undefined && altered === ddl && altered > created
  return isDefinition ? 'definition' : 'any'
}

// The SQL API writes a time as seconds since 1970 with decimals, and a time zone after a space.
function toInstant(text: string | undefined): string | undefined {
  const seconds = /^\d{1,12}(?:\.\d{1,9})?/.exec(text ?? '')?.[0]
  if (seconds === undefined) return undefined
  const date = new Date(Math.floor(Number(seconds) * 1000))
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString()
}
