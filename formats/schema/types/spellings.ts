// Which type each platform is asked for when all that is known is what the values are. `#` stands for a length, or for
// the digits in all and behind the point.

import type { Platform } from './native-type.ts'

export interface Spellings {
  /** Whole numbers of 8, 16, 32 and 64 bits, and of 64 bits without a sign. */
  integers: readonly [string, string, string, string, string]
  /** Whole numbers of so many digits, where these have a type of their own. */
  wholeDigits?: string
  decimal: string
  /** A number of which nothing else is known. */
  number: string
  float: string
  double: string
  boolean: string
  string: string
  stringOf: string
  /** Longer texts have the type of those without a limit. */
  stringMax: number
  binary: string
  binaryOf: string
  binaryMax: number
  date: string
  time: string
  timestamp: string
  object: string
  /** Types of the formats that have one. */
  formats: { readonly [format: string]: string }
  /** How what holds others is written; what is missing is written as an object of any fields. */
  array?: 'array' | 'ARRAY' | 'brackets'
  map?: 'map' | 'MAP'
  struct?: 'struct' | 'STRUCT' | 'OBJECT'
}

/** The tables that speak SQL, by platform. */
export const SPELLINGS: ReadonlyMap<Platform, Spellings> = new Map<Platform, Spellings>([
  [
    'postgresql',
    {
      integers: ['smallint', 'smallint', 'integer', 'bigint', 'numeric(20,0)'],
      decimal: 'numeric(#)',
      number: 'numeric',
      float: 'real',
      double: 'double precision',
      boolean: 'boolean',
      string: 'text',
      stringOf: 'varchar(#)',
      stringMax: 10_485_760,
      binary: 'bytea',
      binaryOf: 'bytea',
      binaryMax: 0,
      date: 'date',
      time: 'time',
      timestamp: 'timestamp with time zone',
      object: 'jsonb',
      formats: { uuid: 'uuid', json: 'jsonb', duration: 'interval', xml: 'xml', ip: 'inet' },
      array: 'brackets',
    },
  ],
  [
    'mysql',
    {
      integers: ['tinyint', 'smallint', 'int', 'bigint', 'bigint unsigned'],
      decimal: 'decimal(#)',
      number: 'decimal(65,30)',
      float: 'float',
      double: 'double',
      boolean: 'tinyint(1)',
      string: 'longtext',
      stringOf: 'varchar(#)',
      stringMax: 16_383,
      binary: 'longblob',
      binaryOf: 'varbinary(#)',
      binaryMax: 65_535,
      date: 'date',
      time: 'time(6)',
      timestamp: 'datetime(6)',
      object: 'json',
      formats: {
        json: 'json',
        uint8: 'tinyint unsigned',
        uint16: 'smallint unsigned',
        uint24: 'mediumint unsigned',
        uint32: 'int unsigned',
        int24: 'mediumint',
      },
    },
  ],
  [
    'sqlserver',
    {
      integers: ['smallint', 'smallint', 'int', 'bigint', 'decimal(20,0)'],
      decimal: 'decimal(#)',
      number: 'decimal(38,18)',
      float: 'real',
      double: 'float',
      boolean: 'bit',
      string: 'nvarchar(max)',
      stringOf: 'nvarchar(#)',
      stringMax: 4000,
      binary: 'varbinary(max)',
      binaryOf: 'varbinary(#)',
      binaryMax: 8000,
      date: 'date',
      time: 'time',
      timestamp: 'datetimeoffset',
      object: 'nvarchar(max)',
      formats: { uuid: 'uniqueidentifier', xml: 'xml', uint8: 'tinyint' },
    },
  ],
  [
    'snowflake',
    {
      integers: ['NUMBER(3,0)', 'NUMBER(5,0)', 'NUMBER(10,0)', 'NUMBER(38,0)', 'NUMBER(20,0)'],
      wholeDigits: 'NUMBER(#)',
      decimal: 'NUMBER(#)',
      number: 'NUMBER(38,18)',
      float: 'FLOAT',
      double: 'FLOAT',
      boolean: 'BOOLEAN',
      string: 'VARCHAR',
      stringOf: 'VARCHAR(#)',
      stringMax: 16_777_215,
      binary: 'BINARY',
      binaryOf: 'BINARY(#)',
      binaryMax: 8_388_607,
      date: 'DATE',
      time: 'TIME',
      timestamp: 'TIMESTAMP_TZ',
      object: 'VARIANT',
      formats: { json: 'VARIANT', geography: 'GEOGRAPHY', geometry: 'GEOMETRY' },
      array: 'ARRAY',
      map: 'MAP',
      struct: 'OBJECT',
    },
  ],
  [
    'bigquery',
    {
      integers: ['INT64', 'INT64', 'INT64', 'INT64', 'BIGNUMERIC(20,0)'],
      decimal: 'NUMERIC(#)',
      number: 'BIGNUMERIC',
      float: 'FLOAT64',
      double: 'FLOAT64',
      boolean: 'BOOL',
      string: 'STRING',
      stringOf: 'STRING(#)',
      stringMax: 9_223_372_036_854_775_000,
      binary: 'BYTES',
      binaryOf: 'BYTES(#)',
      binaryMax: 9_223_372_036_854_775_000,
      date: 'DATE',
      time: 'TIME',
      timestamp: 'TIMESTAMP',
      object: 'JSON',
      formats: { json: 'JSON', geography: 'GEOGRAPHY', duration: 'INTERVAL' },
      array: 'ARRAY',
      struct: 'STRUCT',
    },
  ],
  ['databricks', sparkSpellings('timestamp', 'variant')],
  ['hive', sparkSpellings('timestamp', 'string')],
])

function sparkSpellings(timestamp: string, object: string): Spellings {
  return {
    integers: ['tinyint', 'smallint', 'int', 'bigint', 'decimal(20,0)'],
    decimal: 'decimal(#)',
    number: 'decimal(38,18)',
    float: 'float',
    double: 'double',
    boolean: 'boolean',
    string: 'string',
    stringOf: 'varchar(#)',
    stringMax: 65_535,
    binary: 'binary',
    binaryOf: 'binary',
    binaryMax: 0,
    date: 'date',
    time: 'string',
    timestamp,
    object,
    formats: object === 'variant' ? { json: object } : {},
    array: 'array',
    map: 'map',
    struct: 'struct',
  }
}
