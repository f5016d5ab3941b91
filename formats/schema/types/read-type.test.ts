import assert from 'node:assert/strict'
import test from 'node:test'
import * as fc from 'fast-check'
import type { NativeType, Platform } from './native-type.ts'
import { readNativeType } from './read-type.ts'
import { typedField } from './typed-field.ts'

const spellings: [Platform | undefined, string, string][] = [
  ['postgresql', 'CHARACTER  VARYING ( 10 )', 'varchar(10)'],
  ['postgresql', 'timestamptz', 'timestamp with time zone'],
  ['postgresql', 'timestamp(3) without time zone', 'timestamp(3)'],
  ['postgresql', 'pg_catalog.int4', 'integer'],
  ['postgresql', 'integer[3][]', 'integer[]'],
  ['postgresql', 'integer array', 'integer[]'],
  ['postgresql', 'float(24)', 'real'],
  ['postgresql', 'float(25)', 'double precision'],
  ['postgresql', 'varchar(10) COLLATE "C" NOT NULL', 'varchar(10)'],
  ['mysql', 'BIGINT(20) UNSIGNED ZEROFILL', 'bigint unsigned'],
  ['mysql', 'bool', 'tinyint(1)'],
  ['mysql', 'tinyint(4)', 'tinyint'],
  ['mysql', "ENUM('a','it''s')", "enum('a','it''s')"],
  ['mysql', 'varchar(10) character set utf8mb4', 'varchar(10)'],
  ['mysql', 'decimal', 'decimal'],
  ['mysql', 'decimal(10,0)', 'decimal'],
  ['sqlserver', '[nvarchar](max)', 'nvarchar(max)'],
  ['sqlserver', 'timestamp', 'rowversion'],
  ['snowflake', 'int', 'NUMBER(38,0)'],
  ['snowflake', 'number(10, 2)', 'NUMBER(10,2)'],
  ['snowflake', 'string', 'VARCHAR'],
  ['snowflake', 'varchar(16777216)', 'VARCHAR'],
  ['snowflake', 'object("a b" int not null)', 'OBJECT("a b" NUMBER(38,0) NOT NULL)'],
  ['bigquery', 'struct<int64, b string>', 'STRUCT<_field_1 INT64, b STRING>'],
  ['bigquery', 'numeric(38,9)', 'NUMERIC'],
  ['hive', 'row(a integer, b varchar(3))', 'struct<a:int,b:varchar(3)>'],
  ['databricks', 'MAP<STRING, DEC>', 'map<string,decimal>'],
  [undefined, 'Nullable(Int32)', 'int32'],
  [undefined, 'long', 'bigint'],
  [undefined, 'decimal', 'numeric'],
]

for (const [platform, text, canonical] of spellings) {
  test(`${platform ?? 'no platform'} › "${text}" is ${canonical}`, () => {
    assert.equal(readNativeType(text, platform).text, canonical)
  })
}

test('a text without the syntax of a type is unknown, and kept', () => {
  for (const text of [
    '',
    'nope(1)',
    'int(',
    'array<',
    'array<int',
    '<int>',
    "varchar('",
    'text(10)',
    'a;b',
  ]) {
    const { logicalType, text: kept } = readNativeType(text, 'postgresql')
    assert.deepEqual({ logicalType, kept }, { logicalType: 'unknown', kept: text })
  }
  assert.equal(
    readNativeType("geometry(Point'; drop table x)", 'postgresql').logicalType,
    'unknown',
  )
})

test('reads nested types with comments and required parts', () => {
  const read = readNativeType(
    "struct<a:int comment 'it''s', b:map<string,decimal(10,2)> not null>",
    'databricks',
  )
  assert.deepEqual(
    read.fields?.map(({ name, required, description }) => [name, required, description]),
    [
      ['a', false, "it's"],
      ['b', true, undefined],
    ],
  )
  assert.equal(read.fields?.[1]?.type.values?.precision, 10)
})

test('reads types that are nested up to 32 levels deep', () => {
  assert.equal(readNativeType(deep(32), 'hive').logicalType, 'array')
  assert.equal(readNativeType(deep(33), 'hive').logicalType, 'unknown')
  assert.equal(readNativeType(`int${'[]'.repeat(33)}`, 'postgresql').logicalType, 'unknown')
})

test('a field has the values of its type', () => {
  assert.deepEqual(field('varchar(10)'), { logicalType: 'string', maxLength: 10 })
  assert.deepEqual(field('int'), { logicalType: 'integer', format: 'int32' })
  assert.deepEqual(field('bigint'), { logicalType: 'integer' })
  assert.deepEqual(field('int unsigned', 'mysql'), { logicalType: 'integer', format: 'uint32' })
  assert.deepEqual(field('number', 'snowflake'), { logicalType: 'integer' })
  assert.deepEqual(field('timestamp(3)'), { logicalType: 'timestamp' })
  assert.deepEqual(field('double'), { logicalType: 'number', format: 'double' })
})

test('hostile texts take less than a second of processor time', () => {
  const texts = [
    'array<'.repeat(16_000),
    'a '.repeat(49_000),
    `int${'[]'.repeat(49_000)}`,
    "'\\".repeat(49_000),
    `int${' array'.repeat(16_000)}`,
    `enum('${"a','".repeat(24_000)}`,
    '`'.repeat(99_999),
    '('.repeat(99_999),
    'int'.repeat(10_000_000),
  ]
  for (const text of texts) {
    const start = process.cpuUsage()
    readNativeType(text)
    assert.ok(process.cpuUsage(start).user < 1_000_000, text.slice(0, 20))
  }
})

test('any text is read without an error, and so is its canonical text, with the same result', () => {
  const words = fc.constantFrom(
    'array',
    '<',
    '>',
    'int',
    '(',
    ')',
    ',',
    '3',
    'struct',
    'a',
    ':',
    '[',
    ']',
    "'x'",
    ' ',
    '"',
    'map',
    'not null',
    'varchar',
    'decimal',
  )
  const text = fc.oneof(
    fc.string(),
    fc.array(words, { maxLength: 12 }).map((parts) => parts.join('')),
  )
  const platform = fc.constantFrom<Platform | undefined>(
    'postgresql',
    'mysql',
    'snowflake',
    'bigquery',
    'databricks',
    undefined,
  )
  const property = fc.property(text, platform, (text, platform) => {
    const native = readNativeType(text, platform)
    if (!isKnown(native)) return
    const again = readNativeType(native.text, platform)
    assert.equal(again.text, native.text)
    assert.equal(again.logicalType, native.logicalType)
  })
  fc.assert(property, { numRuns: 5000, seed: 1 })
})

function isKnown(native: NativeType): boolean {
  const inner = [
    native.items,
    native.keys,
    native.values,
    ...(native.fields ?? []).map(({ type }) => type),
  ]
  return (
    native.logicalType !== 'unknown' && inner.every((type) => type === undefined || isKnown(type))
  )
}

function deep(times: number): string {
  return `${'array<'.repeat(times)}int${'>'.repeat(times)}`
}

function field(text: string, platform?: Platform): unknown {
  return typedField(readNativeType(text, platform))
}
