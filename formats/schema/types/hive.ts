// The types of Hive and of the catalogs that use its language (Glue, Athena), with the names of the
// same types in Trino and Presto.

import type { TypeTable } from './type-table.ts'

/** https://docs.aws.amazon.com/athena/latest/ug/data-types.html */
export const TABLE: TypeTable = {
  platform: 'hive',
  rows: [
    { name: 'tinyint', logicalType: 'integer', bits: 8 },
    { name: 'smallint', logicalType: 'integer', bits: 16 },
    { name: 'int', aliases: ['integer'], logicalType: 'integer', bits: 32 },
    { name: 'bigint', logicalType: 'integer', bits: 64 },
    {
      name: 'decimal',
      aliases: ['dec', 'numeric'],
      logicalType: 'number',
      digits: { precision: 10, scale: 0 },
    },
    { name: 'float', aliases: ['real'], logicalType: 'number', bits: 32 },
    { name: 'double', aliases: ['double precision'], logicalType: 'number', bits: 64 },
    { name: 'boolean', logicalType: 'boolean' },
    { name: 'string', logicalType: 'string' },
    { name: 'varchar', logicalType: 'string', length: {} },
    { name: 'char', logicalType: 'string', length: { otherwise: 1 } },
    { name: 'uuid', logicalType: 'string', format: 'uuid' },
    { name: 'interval', logicalType: 'string', format: 'duration', open: true },
    { name: 'binary', aliases: ['varbinary'], logicalType: 'binary' },
    { name: 'date', logicalType: 'date' },
    { name: 'time', logicalType: 'time', withTimeZone: false, seconds: 3 },
    // Trino has types with a number of fractional digits of a second; Hive does not.
    { name: 'timestamp', logicalType: 'timestamp', withTimeZone: false, seconds: 3 },
    {
      name: 'timestamp with local time zone',
      aliases: ['timestamp with time zone', 'timestamptz'],
      logicalType: 'timestamp',
      withTimeZone: true,
      seconds: 3,
    },
    { name: 'json', logicalType: 'object', format: 'json', detail: 'json' },
    { name: 'struct', aliases: ['row'], logicalType: 'object', holds: 'fields' },
    { name: 'array', logicalType: 'array', holds: 'items' },
    { name: 'map', logicalType: 'map', holds: 'entries' },
    { name: 'uniontype', logicalType: 'unknown', open: true },
  ],
}
