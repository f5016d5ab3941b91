// The types of Databricks and Spark SQL.

import type { TypeTable } from './type-table.ts'

/** https://docs.databricks.com/sql/language-manual/sql-ref-datatypes.html */
export const TABLE: TypeTable = {
  platform: 'databricks',
  rows: [
    { name: 'tinyint', aliases: ['byte'], logicalType: 'integer', bits: 8 },
    { name: 'smallint', aliases: ['short'], logicalType: 'integer', bits: 16 },
    { name: 'int', aliases: ['integer'], logicalType: 'integer', bits: 32 },
    { name: 'bigint', aliases: ['long'], logicalType: 'integer', bits: 64 },
    {
      name: 'decimal',
      aliases: ['dec', 'numeric'],
      logicalType: 'number',
      digits: { precision: 10, scale: 0 },
    },
    { name: 'float', aliases: ['real'], logicalType: 'number', bits: 32 },
    { name: 'double', logicalType: 'number', bits: 64 },
    { name: 'boolean', aliases: ['bool'], logicalType: 'boolean' },
    { name: 'string', aliases: ['text'], logicalType: 'string' },
    { name: 'varchar', logicalType: 'string', length: {} },
    { name: 'char', aliases: ['character'], logicalType: 'string', length: { otherwise: 1 } },
    { name: 'interval', logicalType: 'string', format: 'duration', open: true },
    { name: 'geography', logicalType: 'string', format: 'geography', open: true },
    { name: 'geometry', logicalType: 'string', format: 'geometry', open: true },
    { name: 'binary', logicalType: 'binary' },
    { name: 'date', logicalType: 'date' },
    {
      name: 'timestamp',
      aliases: ['timestamp_ltz'],
      logicalType: 'timestamp',
      withTimeZone: true,
      fraction: 6,
    },
    { name: 'timestamp_ntz', logicalType: 'timestamp', withTimeZone: false, fraction: 6 },
    { name: 'variant', logicalType: 'object', format: 'json' },
    { name: 'struct', logicalType: 'object', holds: 'fields' },
    { name: 'array', logicalType: 'array', holds: 'items' },
    { name: 'map', logicalType: 'map', holds: 'entries' },
    { name: 'object', logicalType: 'object' },
    { name: 'void', aliases: ['null'], logicalType: 'unknown' },
  ],
}
