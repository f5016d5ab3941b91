import { isTimescaleSchema, type PostgresSetup } from './configuration.ts'
import { omitEmpty } from '../asset-parts.ts'
import type { SourceAsset } from '../connector.ts'
import type { PostgresConnection } from './connection.ts'
import { getErrorCode } from '../sql/driver-failure.ts'

/**
 * TimescaleDB, an extension of PostgreSQL. A hypertable is a table whose rows are in chunks, which are
 * tables; a continuous aggregate is a view over a hidden hypertable. The catalog of PostgreSQL shows
 * neither.
 */

/**
 * A dimension of a hypertable: `d`, schema, name, number, column, type. A continuous aggregate: `a`,
 * schema, name, schema and name of its hypertable, text. A chunk: `c`, schema, name.
 */
type TimescaleRow = [string, string, string, string | null, string | null, string | null]

const PLATFORM = 'timescaledb'

// Chunks are in `_timescaledb_internal`, which is not read, unless a hypertable has another schema
// for them. One character more of a text than a document keeps makes truncation visible.
const STATEMENT = `
select 'd', d.hypertable_schema::text, d.hypertable_name::text, d.dimension_number::text,
  d.column_name::text, d.dimension_type::text
from timescaledb_information.dimensions d
union all
select 'a', a.view_schema::text, a.view_name::text, a.hypertable_schema::text,
  a.hypertable_name::text, pg_catalog.left(a.view_definition, 65537)
from timescaledb_information.continuous_aggregates a
union all
select 'c', c.chunk_schema::text, c.chunk_name::text, null, null, null
from timescaledb_information.chunks c
where c.chunk_schema <> '_timescaledb_internal'
order by 1, 2, 3, 4`

/** The hypertables, continuous aggregates and chunks of a database. */
export class Hypertables {
  readonly #dimensions: ReadonlyMap<string, readonly TimescaleRow[]>
  readonly #aggregates: ReadonlyMap<string, TimescaleRow>
  readonly #chunks: ReadonlySet<string>

  constructor(rows: readonly TimescaleRow[]) {
    const select = (kind: string): TimescaleRow[] => rows.filter((row) => row[0] === kind)
    this.#dimensions = Map.groupBy(select('d'), getKey)
    this.#aggregates = new Map(select('a').map((row) => [getKey(row), row]))
    this.#chunks = new Set(select('c').map(getKey))
  }

  /** Adds the properties of a hypertable or aggregate; returns undefined for a chunk. */
  mark(asset: SourceAsset): SourceAsset | undefined {
    const [database = '', schema = '', name = ''] = asset.path
    const key = JSON.stringify([schema, name])
    if (this.#chunks.has(key)) return undefined
    const dimensions = this.#dimensions.get(key)
    if (dimensions !== undefined) return toHypertable(asset, dimensions)
    const aggregate = this.#aggregates.get(key)
    return aggregate === undefined ? asset : toAggregate(asset, aggregate, database)
  }
}

/**
 * Reads the hypertables of a database with the extension, in a transaction with the savepoint that
 * `rollBack` returns to. Errors: the driver's.
 */
export async function readHypertables(
  { setup }: PostgresSetup,
  connection: PostgresConnection,
  rollBack: string,
): Promise<Hypertables> {
  try {
    return new Hypertables(await connection.query<TimescaleRow>('describe hypertables', STATEMENT))
  } catch (error) {
    // No such view or column, or no privilege; a passing failure must not change every hypertable.
    if (!['42P01', '42703', '42501', '3F000'].includes(getErrorCode(error))) throw error
    await connection.query('roll back', rollBack)
    setup.log(
      'warn',
      `The hypertables of ${connection.database} are read as ordinary tables: the user may not see timescaledb_information, or TimescaleDB is older than 2.0.`,
    )
    return new Hypertables([])
  }
}

function toHypertable(asset: SourceAsset, dimensions: readonly TimescaleRow[]): SourceAsset {
  const time = dimensions.find(([, , , , , type]) => type === 'Time')?.[4]
  return {
    ...asset,
    platform: PLATFORM,
    partitionColumns: dimensions.flatMap(([, , , , column]) => column ?? []),
    custom: { ...asset.custom, hypertable: true, ...omitEmpty({ timeColumn: time }) },
    // The table itself is empty: its rows are in the chunks.
    statistic: {},
  }
}

function toAggregate(
  asset: SourceAsset,
  [, , , schema, name, text]: TimescaleRow,
  database: string,
): SourceAsset {
  // The catalog has those of the hidden hypertable.
  const { viewDependencies: _, ...rest } = asset
  const isVisible = schema !== null && name !== null && !isTimescaleSchema(schema)
  return {
    ...rest,
    kind: 'materialized_view',
    platform: PLATFORM,
    ...omitEmpty({
      viewDefinition: text,
      viewDependencies: isVisible ? [{ references: [database, schema, name] }] : [],
    }),
    custom: { ...asset.custom, continuousAggregate: true },
  }
}

function getKey([, schema, name]: TimescaleRow): string {
  return JSON.stringify([schema, name])
}
