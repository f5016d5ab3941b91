// Pairs of a promise and a column on every platform that is ingested. Each row: what the contract promises (a physical
// type, or `~` and a logical type, with `@3.0` in that version of ODCS), the type of the column as its connector reports
// it, and the result: `=` kept, `<` stricter, `!` broken, `?` not verifiable.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readDataContract } from '../data-contract/read.ts'
import { readText } from '../text/text.ts'
import { jsonText, type ObjectValue } from '../text/value.ts'
import { readActual } from './actual.ts'
import { comparePromise } from './compare.ts'
import { listPromises } from './promise.ts'

/** The type of the server and the source of the assets, with the rows. */
const PLATFORMS: Readonly<Record<string, string>> = {
  'postgres postgres': `
    integer            | integer                     | =
    int4               | integer                     | =
    serial             | integer                     | =
    integer            | bigint                      | !
    integer            | smallint                    | <
    integer            | numeric(5,0)                | <
    bigint             | numeric                     | !
    varchar(10)        | character varying(10)       | =
    varchar(10)        | character varying(11)       | !
    varchar(10)        | character varying(9)        | <
    varchar(10)        | text                        | !
    text               | character varying(9)        | <
    char(3)            | character(3)                | =
    char(3)            | character varying(3)        | !
    varchar            | text                        | =
    numeric(10,2)      | numeric(10,2)               | =
    decimal(10,2)      | numeric(10,2)               | =
    numeric(10,2)      | numeric(12,2)               | !
    numeric(10,2)      | numeric(8,2)                | <
    numeric(10,2)      | numeric                     | !
    numeric            | numeric(10,2)               | <
    timestamptz        | timestamp with time zone    | =
    timestamptz        | timestamp without time zone | !
    timestamp          | timestamp without time zone | =
    timestamp(3)       | timestamp(6) without time zone | !
    date               | timestamp without time zone | !
    time               | time without time zone      | =
    jsonb              | jsonb                       | =
    jsonb              | json                        | =
    jsonb              | text                        | !
    uuid               | uuid                        | =
    uuid               | text                        | !
    boolean            | boolean                     | =
    bool               | integer                     | !
    text[]             | text[]                      | =
    text[]             | integer[]                   | !
    bytea              | bytea                       | =
    double             | double precision            | ?
    mood               | mood                        | =
    mood               | public.mood                 | =
    mood               | text                        | ?
    text               | tsrange                     | ?
    inet               | inet                        | =
    real               | double precision            | !
    double precision   | real                        | <
    string             | text                        | =
    ~string            | text                        | =
    ~string            | character varying(9)        | =
    ~string            | uuid                        | =
    ~string            | inet                        | =
    ~string            | xml                         | =
    ~string            | integer                     | !
    ~string            | tsrange                     | ?
    ~integer           | bigint                      | =
    ~integer           | numeric(5,0)                | =
    ~integer           | numeric(5,1)                | !
    ~number            | double precision            | =
    ~number            | integer                     | =
    ~number            | money                       | =
    ~number            | text                        | !
    ~boolean           | boolean                     | =
    ~boolean           | bit(1)                      | =
    ~boolean           | bit(2)                      | !
    ~date              | date                        | =
    ~date              | timestamp with time zone    | !
    ~date@3.0          | timestamp with time zone    | =
    ~date@3.0          | text                        | !
    ~string@3.0        | time without time zone      | =
    ~timestamp         | timestamp with time zone    | =
    ~timestamp         | timestamp without time zone | =
    ~timestamp         | date                        | !
    ~time              | time with time zone         | =
    ~object            | jsonb                       | =
    ~object            | text                        | !
    ~array             | text[]                      | =
    ~array             | jsonb                       | =
    ~array             | text                        | !
    ~array             | vector(3)                   | =`,
  'redshift postgres': `
    integer            | integer                     | =
    varchar(256)       | character varying(256)      | =
    varchar(256)       | character varying(65535)    | !
    super              | super                       | =
    varbyte            | varbyte                     | =
    geography          | geography                   | =
    timestamptz        | timestamp with time zone    | =
    float8             | double precision            | =
    decimal(18,0)      | numeric(18,0)               | =
    ~object            | super                       | =
    ~array             | super                       | =
    ~number            | numeric(18,0)               | =`,
  'mysql mysql': `
    int                | int                         | =
    int(11)            | int                         | =
    integer            | int                         | =
    int                | int unsigned                | !
    int                | bigint                      | !
    bigint             | int                         | <
    tinyint(1)         | tinyint(1)                  | =
    boolean            | tinyint(1)                  | =
    varchar(10)        | varchar(10)                 | =
    varchar(10)        | varchar(20)                 | !
    varchar(20)        | varchar(10)                 | <
    text               | longtext                    | !
    longtext           | text                        | <
    decimal(10,2)      | decimal(10,2)               | =
    decimal(10,2)      | decimal(12,2)               | !
    decimal(12,2)      | decimal(10,2)               | <
    datetime           | datetime                    | =
    datetime(3)        | datetime                    | <
    datetime           | timestamp                   | !
    enum('a','b')      | enum('a','b')               | =
    enum('a')          | enum('a','b')               | !
    enum('a','b')      | enum('a')                   | <
    json               | json                        | =
    double             | double                      | =
    jsonb              | json                        | ?
    ~string            | enum('a','b')               | =
    ~string            | longtext                    | =
    ~boolean           | tinyint(1)                  | =
    ~boolean           | bit(1)                      | =
    ~integer           | tinyint(1)                  | =
    ~integer           | bigint unsigned             | =
    ~integer           | decimal(10,0)               | =
    ~timestamp         | datetime(6)                 | =
    ~date              | datetime                    | !
    ~object            | json                        | =
    ~array             | json                        | =
    ~array             | longtext                    | !`,
  'mysql mariadb': `
    uuid               | uuid                        | =
    varchar(36)        | uuid                        | !
    inet6              | inet6                       | =
    longtext           | longtext                    | =
    ~string            | uuid                        | =
    ~number            | float                       | =`,
  'sqlserver mssql': `
    int                | int                         | =
    bigint             | int                         | <
    int                | bigint                      | !
    nvarchar(10)       | nvarchar(10)                | =
    nvarchar(10)       | nvarchar(max)               | !
    nvarchar(max)      | nvarchar(10)                | <
    varchar(10)        | nvarchar(10)                | !
    decimal(10,2)      | decimal(10,2)               | =
    numeric(10,2)      | decimal(10,2)               | =
    decimal(10,2)      | decimal(10,4)               | !
    bit                | bit                         | =
    datetime2          | datetime2(7)                | =
    datetime2(3)       | datetime2(7)                | !
    datetime           | datetime2(7)                | !
    datetimeoffset     | datetimeoffset(7)           | =
    uniqueidentifier   | uniqueidentifier            | =
    varbinary(max)     | varbinary(max)              | =
    money              | money                       | =
    jsonb              | nvarchar(max)               | ?
    ~string            | nvarchar(max)               | =
    ~string            | uniqueidentifier            | =
    ~boolean           | bit                         | =
    ~integer           | tinyint                     | =
    ~number            | money                       | =
    ~timestamp         | datetime                    | =
    ~date              | datetime2(7)                | !
    ~object            | nvarchar(max)               | !`,
  'sqlserver fabric': `
    varchar(8000)      | varchar(8000)               | =
    bigint             | bigint                      | =
    ~string            | varchar(max)                | =`,
  'snowflake snowflake': `
    NUMBER(38,0)       | NUMBER(38,0)                | =
    INTEGER            | NUMBER(38,0)                | =
    NUMBER(10,2)       | NUMBER(10,2)                | =
    NUMBER(10,2)       | NUMBER(12,2)                | !
    NUMBER(12,2)       | NUMBER(10,2)                | <
    VARCHAR            | VARCHAR(16777216)           | =
    STRING             | VARCHAR(16777216)           | =
    VARCHAR(10)        | VARCHAR(16777216)           | !
    VARCHAR            | VARCHAR(10)                 | <
    TIMESTAMP_NTZ      | TIMESTAMP_NTZ(9)            | =
    TIMESTAMP_TZ       | TIMESTAMP_NTZ(9)            | !
    VARIANT            | VARIANT                     | =
    BOOLEAN            | BOOLEAN                     | =
    FLOAT              | FLOAT                       | =
    DOUBLE             | FLOAT                       | =
    BINARY             | BINARY(8388608)             | =
    ~string            | VARCHAR(16777216)           | =
    ~integer           | NUMBER(38,0)                | =
    ~integer           | NUMBER(10,0)                | =
    ~number            | NUMBER(10,2)                | =
    ~integer           | NUMBER(10,2)                | !
    ~object            | VARIANT                     | =
    ~object            | OBJECT                      | =
    ~array             | ARRAY                       | =
    ~array             | VARIANT                     | =
    ~timestamp         | TIMESTAMP_LTZ(9)            | =`,
  'bigquery bigquery': `
    INT64              | INT64                       | =
    INTEGER            | INT64                       | =
    STRING             | STRING                      | =
    STRING(10)         | STRING                      | !
    STRING             | STRING(10)                  | <
    NUMERIC            | NUMERIC                     | =
    NUMERIC            | BIGNUMERIC                  | !
    BIGNUMERIC         | NUMERIC                     | <
    FLOAT64            | FLOAT64                     | =
    TIMESTAMP          | TIMESTAMP                   | =
    DATETIME           | TIMESTAMP                   | !
    JSON               | JSON                        | =
    ARRAY<STRING>      | ARRAY<STRING>               | =
    ARRAY<STRING>      | ARRAY<INT64>                | !
    RECORD             | STRUCT<a INT64>             | =
    varchar(10)        | STRING                      | ?
    ~string            | STRING                      | =
    ~integer           | INT64                       | =
    ~integer           | NUMERIC                     | !
    ~number            | FLOAT64                     | =
    ~array             | ARRAY<STRING>               | =
    ~object            | STRUCT<a INT64>             | =
    ~object            | JSON                        | =
    ~date@3.0          | DATETIME                    | =`,
  'databricks databricks': `
    bigint             | bigint                      | =
    long               | bigint                      | =
    int                | bigint                      | !
    decimal(10,2)      | decimal(10,2)               | =
    decimal(10,2)      | decimal(18,2)               | !
    string             | string                      | =
    varchar(10)        | string                      | !
    timestamp          | timestamp                   | =
    timestamp          | timestamp_ntz               | !
    array<string>      | array<string>               | =
    map<string,int>    | map<string,int>             | =
    map<string,int>    | map<string,bigint>          | !
    variant            | variant                     | =
    ~string            | string                      | =
    ~timestamp         | timestamp_ntz               | =
    ~object            | struct<a:int>               | =
    ~object            | map<string,string>          | =
    ~array             | array<int>                  | =`,
  'glue glue': `
    bigint             | bigint                      | =
    int                | bigint                      | !
    string             | string                      | =
    varchar(10)        | varchar(20)                 | !
    decimal(10,2)      | decimal(10,2)               | =
    timestamp          | timestamp                   | =
    double             | double                      | =
    array<string>      | array<string>               | =
    ~string            | varchar(20)                 | =
    ~timestamp         | timestamp                   | =
    ~object            | struct<a:int>               | =
    ~array             | array<struct<a:int>>        | =`,
  'athena glue': `
    varchar            | string                      | =
    row(a integer)     | struct<a:int>               | =
    double             | float                       | <`,
  'iceberg iceberg': `
    long               | long                        | =
    int                | long                        | !
    long               | int                         | <
    string             | string                      | =
    uuid               | string                      | !
    decimal(10,2)      | decimal(12,2)               | !
    timestamptz        | timestamp                   | !
    timestamp          | timestamp_ns                | !
    list<string>       | list<string>                | =
    bigint             | long                        | ?
    ~string            | uuid                        | =
    ~integer           | long                        | =
    ~object            | struct<a:int>               | =
    ~array             | list<int>                   | =
    ~timestamp         | timestamptz_ns              | =`,
}

const ROWS = Object.entries(PLATFORMS).flatMap(([platform, text]) =>
  text
    .trim()
    .split('\n')
    .map((line) => [platform, ...line.split('|').map((part) => part.trim())]),
)

const RESULTS = { breaking: '!', additive: '<' } as const

function compareTypes(platform: string, promised: string, actual: string): string {
  const [type = '', source = ''] = platform.split(' ')
  const [, logicalType = '', version = '3.1'] = /^~(\w+)(?:@(.*))?$/.exec(promised) ?? []
  const property: ObjectValue =
    logicalType === '' ? { name: 'c', physicalType: promised } : { name: 'c', logicalType }
  const value = {
    apiVersion: `v${version}.0`,
    kind: 'DataContract',
    id: 'c',
    version: '1',
    status: 'active',
    servers: [{ server: 's', type }],
    schema: [{ name: 'o', properties: [property] }],
  }
  const text = readText(jsonText(value), 'application/json')
  assert.ok(text.ok)
  const reading = readDataContract(text, { id: 'c', strict: false })
  assert.ok(reading.ok)
  const info = { name: 'o', source, type: `${type === 'redshift' ? type : source}_table` }
  const table = readActual({ info, columns: [{ name: 'c', type: actual }] })
  const [promise] = listPromises(reading)
  assert.ok(promise)
  const { findings, unverifiable } = comparePromise(promise.promise, table)
  return [
    ...findings.map(({ level }) => RESULTS[level]),
    ...(unverifiable.length > 0 ? ['?'] : []),
    '=',
  ][0] as string
}

describe('a promise and a column', () => {
  test('there are at least 150 pairs', () => assert.ok(ROWS.length >= 150, `${ROWS.length}`))

  for (const [platform = '', promised = '', actual = '', result] of ROWS) {
    test(`${platform}: ${promised} and ${actual} › ${result}`, () => {
      assert.equal(compareTypes(platform, promised, actual), result)
    })
  }
})
