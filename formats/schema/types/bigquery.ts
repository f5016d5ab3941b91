// The types of BigQuery: the names of its SQL, and those of its table resources (`RECORD`, `INTEGER`).

import type { TypeTable } from './type-table.ts'

/** https://cloud.google.com/bigquery/docs/reference/standard-sql/data-types */
export const TABLE: TypeTable = {
  platform: 'bigquery',
  rows: [
    {
      name: 'INT64',
      aliases: ['integer', 'int', 'smallint', 'bigint', 'tinyint', 'byteint'],
      logicalType: 'integer',
      bits: 64,
    },
    { name: 'FLOAT64', aliases: ['float', 'double'], logicalType: 'number', bits: 64 },
    {
      name: 'NUMERIC',
      aliases: ['decimal'],
      logicalType: 'number',
      digits: { precision: 38, scale: 9 },
    },
    {
      name: 'BIGNUMERIC',
      aliases: ['bigdecimal'],
      logicalType: 'number',
      digits: { precision: 76, scale: 38 },
    },
    { name: 'BOOL', aliases: ['boolean'], logicalType: 'boolean' },
    { name: 'STRING', logicalType: 'string', length: {} },
    { name: 'BYTES', logicalType: 'binary', length: {} },
    { name: 'DATE', logicalType: 'date' },
    { name: 'TIME', logicalType: 'time', withTimeZone: false, fraction: 6 },
    { name: 'DATETIME', logicalType: 'timestamp', withTimeZone: false, fraction: 6 },
    { name: 'TIMESTAMP', logicalType: 'timestamp', withTimeZone: true, fraction: 6 },
    { name: 'INTERVAL', logicalType: 'string', format: 'duration' },
    { name: 'GEOGRAPHY', logicalType: 'string', format: 'geography' },
    { name: 'JSON', logicalType: 'object', format: 'json', detail: 'json' },
    { name: 'STRUCT', aliases: ['record'], logicalType: 'object', holds: 'fields' },
    { name: 'ARRAY', logicalType: 'array', holds: 'items' },
    { name: 'RANGE', logicalType: 'object', format: 'range', holds: 'items' },
  ],
}
