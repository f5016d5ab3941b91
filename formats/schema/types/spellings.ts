// The spelling of types on each SQL platform, and the types and sizes that it accepts. `#` is replaced
// by a length, or by the digits in total and after the decimal point.

import type { Platform } from './native-type.ts'

export interface Spellings {
  /** Whole numbers of 8, 16, 32 and 64 bits, and of 64 bits without a sign. */
  integers: readonly [string, string, string, string, string]
  /** Whole numbers with a number of digits, on platforms that have a type for them. */
  wholeDigits?: string
  decimal: string
  /** The most digits of a decimal: in total, and after the decimal point. */
  digitsMax: readonly [precision: number, scale: number]
  /** A number without further details. */
  number: string
  float: string
  double: string
  boolean: string
  string: string
  stringWithLength: string
  /** Longer texts get the type of texts without a limit. */
  stringMax: number
  binary: string
  binaryWithLength: string
  binaryMax: number
  date: string
  time: string
  /** Differs from `time` if the platform has times with a time zone. */
  zonedTime?: string
  /** Timestamps with an unknown time zone, points in time, and local times without a zone. */
  timestamp: string
  instant: string
  localTimestamp: string
  /** The most digits of a fraction of a second; `takesSeconds` if types can be declared with fewer. */
  secondsMax: number
  takesSeconds: boolean
  object: string
  /** The types of formats, if there are any. */
  formats: { readonly [format: string]: string }
  /** The spelling of types with elements; a missing one is written as `object`. */
  array?: 'array' | 'ARRAY' | 'brackets'
  map?: 'map' | 'MAP'
  struct?: 'struct' | 'STRUCT' | 'OBJECT'
  /**
   * Types that are read but not written: they lack a required length or element type, need an extension, or exist only in
   * some products of the platform.
   */
  unwritable: RegExp
  /** The largest length that each type can be declared with; types without an entry have no limit here. */
  lengths: { readonly [type: string]: number }
}

/** The tables of the platforms that speak SQL. */
export const SPELLINGS: ReadonlyMap<Platform, Spellings> = new Map<Platform, Spellings>([
  [
    'postgresql',
    {
      integers: ['smallint', 'smallint', 'integer', 'bigint', 'numeric(20,0)'],
      decimal: 'numeric(#)',
      digitsMax: [1000, 1000],
      number: 'numeric',
      float: 'real',
      double: 'double precision',
      boolean: 'boolean',
      string: 'text',
      stringWithLength: 'varchar(#)',
      stringMax: 10_485_760,
      binary: 'bytea',
      binaryWithLength: 'bytea',
      binaryMax: 0,
      date: 'date',
      time: 'time',
      zonedTime: 'time with time zone',
      timestamp: 'timestamp with time zone',
      instant: 'timestamp with time zone',
      localTimestamp: 'timestamp',
      secondsMax: 6,
      takesSeconds: true,
      object: 'jsonb',
      formats: { uuid: 'uuid', json: 'jsonb', duration: 'interval', xml: 'xml', ip: 'inet' },
      array: 'brackets',
      // PostGIS, pgvector, citext and hstore are extensions; SUPER is a type of Redshift.
      unwritable: /^(?:geometry|geography|vector|halfvec|citext|hstore|super)\b|\(max\)/i,
      lengths: {
        varchar: 10_485_760,
        char: 10_485_760,
        bit: 83_886_080,
        'bit varying': 83_886_080,
      },
    },
  ],
  [
    'mysql',
    {
      integers: ['tinyint', 'smallint', 'int', 'bigint', 'bigint unsigned'],
      decimal: 'decimal(#)',
      digitsMax: [65, 30],
      number: 'decimal(65,30)',
      float: 'float',
      double: 'double',
      boolean: 'tinyint(1)',
      string: 'longtext',
      stringWithLength: 'varchar(#)',
      stringMax: 16_383,
      binary: 'longblob',
      binaryWithLength: 'varbinary(#)',
      binaryMax: 65_532,
      date: 'date',
      time: 'time(6)',
      timestamp: 'datetime(6)',
      instant: 'timestamp(6)',
      localTimestamp: 'datetime(6)',
      secondsMax: 6,
      takesSeconds: true,
      object: 'json',
      formats: {
        json: 'json',
        uuid: 'char(36)',
        uint8: 'tinyint unsigned',
        uint16: 'smallint unsigned',
        uint24: 'mediumint unsigned',
        uint32: 'int unsigned',
        int24: 'mediumint',
      },
      // Only MariaDB has a type for UUIDs; times without a number of digits drop the fraction of a second.
      unwritable: /^(?:varchar|varbinary|enum|set|uuid|datetime|timestamp|time)$|\(max\)/i,
      lengths: { varchar: 16_383, char: 255, varbinary: 65_532, binary: 255, bit: 64 },
    },
  ],
  [
    'sqlserver',
    {
      integers: ['smallint', 'smallint', 'int', 'bigint', 'decimal(20,0)'],
      decimal: 'decimal(#)',
      digitsMax: [38, 38],
      number: 'decimal(38,18)',
      float: 'real',
      double: 'float',
      boolean: 'bit',
      string: 'nvarchar(max)',
      stringWithLength: 'nvarchar(#)',
      stringMax: 4000,
      binary: 'varbinary(max)',
      binaryWithLength: 'varbinary(#)',
      binaryMax: 8000,
      date: 'date',
      time: 'time',
      timestamp: 'datetimeoffset',
      instant: 'datetimeoffset',
      localTimestamp: 'datetime2',
      secondsMax: 7,
      takesSeconds: true,
      object: 'nvarchar(max)',
      formats: { uuid: 'uniqueidentifier', xml: 'xml', uint8: 'tinyint' },
      // SQL Server has a type for JSON since version 2025.
      unwritable: /^json$|^n?char\(max\)|^binary\(max\)/i,
      lengths: {
        varchar: 8000,
        char: 8000,
        nvarchar: 4000,
        nchar: 4000,
        varbinary: 8000,
        binary: 8000,
      },
    },
  ],
  [
    'snowflake',
    {
      integers: ['NUMBER(3,0)', 'NUMBER(5,0)', 'NUMBER(10,0)', 'NUMBER(38,0)', 'NUMBER(20,0)'],
      wholeDigits: 'NUMBER(#)',
      decimal: 'NUMBER(#)',
      digitsMax: [38, 37],
      number: 'NUMBER(38,18)',
      float: 'FLOAT',
      double: 'FLOAT',
      boolean: 'BOOLEAN',
      string: 'VARCHAR',
      stringWithLength: 'VARCHAR(#)',
      stringMax: 16_777_215,
      binary: 'BINARY',
      binaryWithLength: 'BINARY(#)',
      binaryMax: 8_388_607,
      date: 'DATE',
      time: 'TIME',
      timestamp: 'TIMESTAMP_TZ',
      instant: 'TIMESTAMP_TZ',
      localTimestamp: 'TIMESTAMP_NTZ',
      secondsMax: 9,
      takesSeconds: true,
      object: 'VARIANT',
      formats: { json: 'VARIANT', geography: 'GEOGRAPHY', geometry: 'GEOMETRY' },
      array: 'ARRAY',
      map: 'MAP',
      struct: 'OBJECT',
      unwritable: /^(?:map|vector)$|\(max\)/i,
      lengths: { varchar: 134_217_728, char: 134_217_728, binary: 67_108_864 },
    },
  ],
  [
    'bigquery',
    {
      integers: ['INT64', 'INT64', 'INT64', 'INT64', 'BIGNUMERIC(20,0)'],
      decimal: 'NUMERIC(#)',
      digitsMax: [76, 38],
      number: 'BIGNUMERIC',
      float: 'FLOAT64',
      double: 'FLOAT64',
      boolean: 'BOOL',
      string: 'STRING',
      stringWithLength: 'STRING(#)',
      stringMax: 9_223_372_036_854_775_000,
      binary: 'BYTES',
      binaryWithLength: 'BYTES(#)',
      binaryMax: 9_223_372_036_854_775_000,
      date: 'DATE',
      time: 'TIME',
      timestamp: 'TIMESTAMP',
      instant: 'TIMESTAMP',
      localTimestamp: 'DATETIME',
      secondsMax: 6,
      takesSeconds: false,
      object: 'JSON',
      formats: { json: 'JSON', geography: 'GEOGRAPHY', duration: 'INTERVAL' },
      array: 'ARRAY',
      struct: 'STRUCT',
      unwritable: /^(?:array|struct|range)$|\(max\)/i,
      lengths: {},
    },
  ],
  [
    'databricks',
    {
      ...sparkSpellings('variant'),
      timestamp: 'timestamp',
      instant: 'timestamp',
      localTimestamp: 'timestamp_ntz',
      // Delta tables store no intervals; geography and geometry need a reference system.
      unwritable:
        /^(?:varchar|char|array|map|struct|object|void|geography|geometry)$|^interval|\(max\)/i,
      lengths: { char: 65_535, varchar: 65_535 },
    },
  ],
  [
    'hive',
    {
      ...sparkSpellings('string'),
      timestamp: 'timestamp',
      instant: 'timestamp with local time zone',
      localTimestamp: 'timestamp',
      // The other names are those of these types in Trino and in queries of Athena.
      unwritable:
        /^(?:varchar|char|array|map|struct|uuid|json|uniontype)$|^interval|^time(?:\(|$)|\(max\)/i,
      lengths: { char: 255, varchar: 65_535 },
    },
  ],
])

type Spark = Omit<Spellings, 'timestamp' | 'instant' | 'localTimestamp' | 'unwritable' | 'lengths'>

function sparkSpellings(object: string): Spark {
  return {
    integers: ['tinyint', 'smallint', 'int', 'bigint', 'decimal(20,0)'],
    decimal: 'decimal(#)',
    digitsMax: [38, 38],
    number: 'decimal(38,18)',
    float: 'float',
    double: 'double',
    boolean: 'boolean',
    string: 'string',
    stringWithLength: 'varchar(#)',
    stringMax: 65_535,
    binary: 'binary',
    binaryWithLength: 'binary',
    binaryMax: 0,
    date: 'date',
    time: 'string',
    secondsMax: object === 'variant' ? 6 : 9,
    takesSeconds: false,
    object,
    formats: object === 'variant' ? { json: object } : {},
    array: 'array',
    map: 'map',
    struct: 'struct',
  }
}
