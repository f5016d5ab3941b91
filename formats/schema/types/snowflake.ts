// The types of Snowflake.

import type { TypeTable } from './type-table.ts'

/** https://docs.snowflake.com/en/sql-reference/intro-summary-data-types */
export const TABLE: TypeTable = {
  platform: 'snowflake',
  rows: [
    {
      name: 'NUMBER',
      aliases: [
        'decimal',
        'dec',
        'numeric',
        'int',
        'integer',
        'bigint',
        'smallint',
        'tinyint',
        'byteint',
      ],
      logicalType: 'number',
      digits: { precision: 38, scale: 0 },
    },
    {
      name: 'FLOAT',
      aliases: ['float4', 'float8', 'double', 'double precision', 'real'],
      logicalType: 'number',
      bits: 64,
    },
    { name: 'DECFLOAT', logicalType: 'number', format: 'decfloat' },
    {
      name: 'VARCHAR',
      aliases: [
        'string',
        'text',
        'nvarchar',
        'nvarchar2',
        'char varying',
        'nchar varying',
        'character varying',
      ],
      logicalType: 'string',
      length: { unlimited: 16_777_216 },
    },
    {
      name: 'CHAR',
      aliases: ['character', 'nchar'],
      logicalType: 'string',
      length: { otherwise: 1 },
    },
    { name: 'UUID', logicalType: 'string', format: 'uuid' },
    { name: 'GEOGRAPHY', logicalType: 'string', format: 'geography' },
    { name: 'GEOMETRY', logicalType: 'string', format: 'geometry' },
    {
      name: 'BINARY',
      aliases: ['varbinary'],
      logicalType: 'binary',
      length: { unlimited: 8_388_608 },
    },
    { name: 'BOOLEAN', aliases: ['bool'], logicalType: 'boolean' },
    { name: 'DATE', logicalType: 'date' },
    { name: 'TIME', logicalType: 'time', withTimeZone: false, seconds: 9 },
    {
      name: 'TIMESTAMP_NTZ',
      aliases: ['datetime', 'timestamp', 'timestampntz', 'timestamp without time zone'],
      logicalType: 'timestamp',
      withTimeZone: false,
      seconds: 9,
    },
    {
      name: 'TIMESTAMP_TZ',
      aliases: ['timestamptz', 'timestamp with time zone'],
      logicalType: 'timestamp',
      withTimeZone: true,
      seconds: 9,
    },
    {
      name: 'TIMESTAMP_LTZ',
      aliases: ['timestampltz', 'timestamp with local time zone'],
      logicalType: 'timestamp',
      format: 'local',
      withTimeZone: true,
      seconds: 9,
    },
    { name: 'VARIANT', logicalType: 'object', format: 'json' },
    { name: 'OBJECT', logicalType: 'object', holds: 'fields' },
    { name: 'ARRAY', logicalType: 'array', holds: 'items' },
    { name: 'MAP', logicalType: 'map', holds: 'entries' },
    { name: 'VECTOR', logicalType: 'vector', elements: 'float32' },
  ],
}
