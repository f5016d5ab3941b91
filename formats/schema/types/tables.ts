// All tables, and the lookup of a row by any of its names.

import { TABLE as AVRO } from './avro.ts'
import { TABLE as BIGQUERY } from './bigquery.ts'
import { TABLE as DATABRICKS } from './databricks.ts'
import { TABLE as DCS } from './dcs.ts'
import { TABLE as HIVE } from './hive.ts'
import { TABLE as ICEBERG } from './iceberg.ts'
import { TABLE as JSON_SCHEMA } from './json-schema.ts'
import { TABLE as MYSQL } from './mysql.ts'
import type { Platform } from './native-type.ts'
import { TABLE as POSTGRESQL } from './postgresql.ts'
import { TABLE as PROTOBUF } from './protobuf.ts'
import { TABLE as SNOWFLAKE } from './snowflake.ts'
import { TABLE as SQLSERVER } from './sqlserver.ts'
import type { TypeRow, TypeTable } from './type-table.ts'

/**
 * The types of SQL without a known platform: the names of the SQL standard, and those that are used as if they were in
 * it. They have priority over the rows of the platforms.
 */
const GENERIC_ROWS: readonly TypeRow[] = [
  // SQLite and Databricks SQL accept a length here.
  { name: 'text', aliases: ['string'], logicalType: 'string', length: {} },
  {
    name: 'clob',
    aliases: [
      'nclob',
      'character large object',
      'char large object',
      'national character large object',
    ],
    logicalType: 'string',
    length: {},
  },
  { name: 'blob', aliases: ['binary large object'], logicalType: 'binary', length: {} },
  {
    name: 'varbinary',
    aliases: ['binary varying'],
    logicalType: 'binary',
    length: {},
  },
  { name: 'numeric', aliases: ['decimal', 'dec'], logicalType: 'number', digits: {} },
]

/**
 * Types that none of the platforms has, but that documents use: those of Oracle, Teradata, DuckDB and ClickHouse, and
 * the short names of the Data Contract Specification.
 */
const OTHER_ROWS: readonly TypeRow[] = [
  { name: 'varchar2', aliases: ['nvarchar2'], logicalType: 'string', length: {} },
  { name: 'binary_float', aliases: ['float32'], logicalType: 'number', bits: 32 },
  { name: 'binary_double', logicalType: 'number', bits: 64 },
  { name: 'raw', aliases: ['long raw'], logicalType: 'binary', length: {} },
  { name: 'hugeint', aliases: ['int128'], logicalType: 'integer', bits: 128 },
  { name: 'utinyint', aliases: ['uint8'], logicalType: 'integer', bits: 8, unsigned: true },
  { name: 'usmallint', aliases: ['uint16'], logicalType: 'integer', bits: 16, unsigned: true },
  { name: 'uinteger', aliases: ['uint32'], logicalType: 'integer', bits: 32, unsigned: true },
  { name: 'ubigint', aliases: ['uint64'], logicalType: 'integer', bits: 64, unsigned: true },
  { name: 'int32', logicalType: 'integer', bits: 32 },
  { name: 'int16', logicalType: 'integer', bits: 16 },
]

/** The tables of the SQL platforms; without a platform, the first one that contains a name is used. */
export const SQL_TABLES: readonly TypeTable[] = [
  POSTGRESQL,
  MYSQL,
  SQLSERVER,
  SNOWFLAKE,
  BIGQUERY,
  DATABRICKS,
  HIVE,
]

type Rows = ReadonlyMap<string, TypeRow>

const ROWS_OF_PLATFORM: ReadonlyMap<Platform, Rows> = new Map(
  [...SQL_TABLES, ICEBERG, AVRO, JSON_SCHEMA, PROTOBUF, DCS].map((table) => [
    table.platform,
    byName(table.rows),
  ]),
)

const ROWS_OF_ALL: Rows = markAmbiguousZones(
  byName([...GENERIC_ROWS, ...SQL_TABLES.flatMap(({ rows }) => rows), ...OTHER_ROWS]),
)

function byName(rows: readonly TypeRow[]): Rows {
  const found = new Map<string, TypeRow>()
  for (const row of rows) {
    for (const name of [row.name.toLowerCase(), ...(row.aliases ?? [])]) {
      if (!found.has(name)) found.set(name, row)
    }
  }
  return found
}

// `timestamp` is a local time in PostgreSQL and a point in time in MySQL.
function markAmbiguousZones(all: Rows): Rows {
  const marked = new Map(all)
  for (const rows of ROWS_OF_PLATFORM.values()) {
    for (const [name, { withTimeZone }] of rows) {
      const row = marked.get(name)
      if (row?.withTimeZone === undefined || withTimeZone === undefined) continue
      if (row.withTimeZone !== withTimeZone) marked.set(name, { ...row, isZoneAmbiguous: true })
    }
  }
  return marked
}

// A `serial` of MySQL is no `serial` of PostgreSQL.
function isAlike(one: TypeRow, other: TypeRow): boolean {
  const kinds = [one, other].map(({ logicalType }) => logicalType.replace('integer', 'number'))
  return kinds[0] === kinds[1] && one.format === other.format && one.unsigned === other.unsigned
}

const ROWS_OF_EACH = new Map<string, readonly TypeRow[]>()

/**
 * Lists the rows of a type, one for each SQL platform, by one of its names in lower case. A platform that does not have
 * the name has the type under its other names if these are one type there, or as the other platforms have it. Undefined if no platform has it.
 */
export function findRows(name: string): readonly TypeRow[] | undefined {
  const shared = ROWS_OF_ALL.get(name)
  if (shared === undefined) return undefined
  const known = ROWS_OF_EACH.get(name)
  if (known !== undefined) return known
  const names = [name, shared.name.toLowerCase(), ...(shared.aliases ?? [])]
  const rows = SQL_TABLES.map(({ platform }) => {
    const own = ROWS_OF_PLATFORM.get(platform)
    const others = new Set(
      names.flatMap((one) => own?.get(one) ?? []).filter((row) => isAlike(row, shared)),
    )
    const [other = shared] = others
    // Names of one type here may be those of several there: an `INT64` may be no `int`.
    return own?.get(name) ?? (others.size === 1 ? other : shared)
  })
  ROWS_OF_EACH.set(name, rows)
  return rows
}

/**
 * Finds the row of a type by one of its names in lower case; without a platform, in the tables of all
 * SQL platforms.
 */
export function findRow(name: string, platform: Platform | undefined): TypeRow | undefined {
  return (platform === undefined ? ROWS_OF_ALL : ROWS_OF_PLATFORM.get(platform))?.get(name)
}
