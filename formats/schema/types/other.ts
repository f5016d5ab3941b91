// Types that none of the platforms above has, but that documents use: those of Oracle, Teradata, DuckDB
// and ClickHouse, and the short names of the Data Contract Specification.

import type { TypeRow } from './type-table.ts'

/** Rows after those of the platforms, for types without a platform. */
export const OTHER_ROWS: readonly TypeRow[] = [
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
