/**
 * The views of INFORMATION_SCHEMA of one region:
 * https://cloud.google.com/bigquery/docs/information-schema-intro. Their rows are ordered by dataset and table.
 */

import { isPartialFailure, SourceFailure } from '../connector.ts'
import { mapConcurrently } from '../http/parallel.ts'
import { runQuery, type MetadataQuery } from './jobs.ts'
import { RowCursor } from './row-cursor.ts'
import type { Warehouse } from './warehouse.ts'

/** A region of a project, with the datasets to read. */
interface Region {
  project: string
  /** `EU`. */
  location: string
  datasets: readonly string[]
}

/** The views that are read. */
type MetadataView = 'tables' | 'options' | 'columns' | 'fields' | 'views' | 'storage'

/** The open queries of one region. */
export type RegionRows = Readonly<Record<MetadataView, RowCursor>>

interface ViewQuery {
  view: string
  select: string
  where?: string
  orderBy?: string
}

// A table is read with the REST API if the view lacks one of its facts: keys, required fields in records,
// and the location of files.
const NEEDS_REST = String.raw`
  table_type NOT IN ('BASE TABLE', 'CLONE', 'VIEW')
  OR table_type != 'VIEW' AND (
    REGEXP_CONTAINS(ddl, r'NOT ENFORCED|WITH CONNECTION')
    OR REGEXP_CONTAINS(ddl, r'STRUCT<') AND REGEXP_CONTAINS(ddl, r'NOT NULL'))`

// Options of columns are in the middle of lines.
const HAS_OPTIONS = String.raw`REGEXP_CONTAINS(ddl, r'\nOPTIONS\(')`

// Fields with facts, and one more of each table: a table without rows is missing from the view.
const FIELDS_FILTER = `(IFNULL(description, '') != '' OR ARRAY_LENGTH(policy_tags) > 0
  OR field_path = column_name)
QUALIFY IFNULL(description, '') != '' OR ARRAY_LENGTH(policy_tags) > 0
  OR ROW_NUMBER() OVER (PARTITION BY table_schema, table_name ORDER BY field_path) = 1`

const QUERIES: Readonly<Record<MetadataView, ViewQuery>> = {
  tables: {
    view: 'TABLES',
    select: String.raw`table_type, ${NEEDS_REST},
  REGEXP_EXTRACT(ddl, r'\nPARTITION BY ([^\n;]+)'), ${HAS_OPTIONS}`,
  },
  // All options, because a table whose options are missing is read with the REST API.
  options: { view: 'TABLE_OPTIONS', select: 'option_name, option_value' },
  columns: {
    view: 'COLUMNS',
    select:
      'column_name, is_nullable, data_type, column_default, is_hidden, is_partitioning_column, clustering_ordinal_position',
    orderBy: 'ordinal_position',
  },
  fields: {
    view: 'COLUMN_FIELD_PATHS',
    select: 'field_path, description, TO_JSON_STRING(policy_tags)',
    where: FIELDS_FILTER,
  },
  views: { view: 'VIEWS', select: 'view_definition' },
  storage: {
    view: 'TABLE_STORAGE',
    select: 'total_rows, total_logical_bytes, UNIX_MILLIS(storage_last_modified_time)',
    where: 'NOT deleted',
  },
}

/** Creates the query of a view. The names in it were checked by the caller: `isQueryable`. */
export function newViewQuery(name: MetadataView, region: Region): MetadataQuery {
  const { view, select, where, orderBy } = QUERIES[name]
  const { project, location } = region
  const filter = where === undefined ? '' : `\n  AND ${where}`
  const order = orderBy === undefined ? '' : `, ${orderBy}`
  const sql = `SELECT table_schema, table_name, ${select}
FROM \`${project}\`.\`region-${location.toLowerCase()}\`.INFORMATION_SCHEMA.${view}
WHERE table_schema IN UNNEST(@datasets)${filter}
ORDER BY table_schema, table_name${order}`
  return { ...region, sql, what: `${view} of ${project} in ${location}` }
}

/** Returns whether a location can be a part of a query. */
export function isQueryable(location: string): boolean {
  return /^[a-z][a-z0-9-]{1,62}$/i.test(location)
}

/** The queries of a region. */
export interface OpenRegion {
  rows: RegionRows
  /** Ends the queries; those that still run are cancelled. */
  close(): Promise<void>
}

/**
 * Starts the queries of a region and waits for the first page of each. Errors: those of runQuery, with all
 * queries ended.
 */
export async function openRegion(whole: Warehouse, region: Region): Promise<OpenRegion> {
  const ending = new AbortController()
  const signal = AbortSignal.any([whole.signal, ending.signal])
  const warehouse = { ...whole, signal, client: whole.newClient(signal) }
  const open = (name: MetadataView): RowCursor =>
    new RowCursor(runQuery(warehouse, newViewQuery(name, region)))
  const rows = {
    tables: open('tables'),
    options: open('options'),
    columns: open('columns'),
    fields: open('fields'),
    views: open('views'),
    storage: new RowCursor(readOptional(warehouse, newViewQuery('storage', region))),
  }
  const close = async (): Promise<void> => {
    ending.abort(new SourceFailure('cancelled', 'The query is not needed'))
    await Promise.all(Object.values(rows).map((cursor) => cursor.close()))
  }
  let first: unknown
  const peek = async (cursor: RowCursor): Promise<void> => {
    try {
      await cursor.peek()
    } catch (error) {
      // The others fail because they are ended.
      first ??= error
      ending.abort(error)
      throw error
    }
  }
  try {
    // If the first query is rejected, the others would be rejected too.
    await peek(rows.tables)
    await mapConcurrently(Object.values(rows), peek)
    return { rows, close }
  } catch (error) {
    await close()
    throw first ?? error
  }
}

/** Statistics may be absent: their view needs another permission in some organizations. */
async function* readOptional(
  warehouse: Warehouse,
  query: MetadataQuery,
): ReturnType<typeof runQuery> {
  try {
    yield* runQuery(warehouse, query)
  } catch (error) {
    if (!isPartialFailure(error)) throw error
    warehouse.setup.log('warn', `Without row counts and sizes: ${error.message}`)
  }
}
