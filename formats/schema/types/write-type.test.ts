import assert from 'node:assert/strict'
import { test } from 'node:test'
import { plainField } from '../plain.ts'
import type { Field } from '../model.ts'
import type { Platform } from './native-type.ts'
import { readNativeType } from './read-type.ts'
import { typedField } from './typed-field.ts'
import { writeNativeType } from './write-type.ts'

function readField(type: string, platform?: Platform): Field {
  const native = readNativeType(type, platform)
  return { ...plainField('f', 'unknown', ''), physicalType: type, ...typedField(native) }
}

const LOCAL: readonly [Platform, string][] = [
  ['postgresql', 'timestamp'],
  ['mysql', 'datetime(6)'],
  ['sqlserver', 'datetime2'],
  ['snowflake', 'TIMESTAMP_NTZ'],
  ['bigquery', 'DATETIME'],
  ['databricks', 'timestamp_ntz'],
  ['hive', 'timestamp'],
]

const INSTANTS: readonly [Platform, string][] = [
  ['postgresql', 'timestamp with time zone'],
  ['mysql', 'timestamp(6)'],
  ['sqlserver', 'datetimeoffset'],
  ['snowflake', 'TIMESTAMP_TZ'],
  ['bigquery', 'TIMESTAMP'],
  ['databricks', 'timestamp'],
  ['hive', 'timestamp with local time zone'],
]

for (const [kind, types] of [
  ['local times', LOCAL],
  ['points in time', INSTANTS],
] as const) {
  test(`${kind} keep their meaning on each platform`, () => {
    for (const [source, type] of types) {
      const field = readField(type.replace('(6)', ''), source)
      for (const [target, expected] of types) {
        const { text } = writeNativeType(field, target)
        assert.equal(text, expected, `${source} ${type} → ${target}`)
      }
    }
  })
}

const TYPES: readonly [
  source: Platform | undefined,
  type: string,
  target: Platform,
  text: string,
  isLossless?: true,
][] = [
  [undefined, 'varchar', 'mysql', 'longtext', true],
  [undefined, 'varchar', 'databricks', 'string', true],
  [undefined, 'varbinary', 'mysql', 'longblob', true],
  [undefined, 'array<string>', 'databricks', 'array<string>', true],
  ['sqlserver', 'varchar(max)', 'postgresql', 'text', true],
  ['sqlserver', 'nvarchar(max)', 'mysql', 'longtext', true],
  ['sqlserver', 'varbinary(max)', 'snowflake', 'BINARY', true],
  ['sqlserver', 'varchar(max)', 'databricks', 'string', true],
  ['bigquery', 'BIGNUMERIC', 'mysql', 'decimal(65,30)'],
  ['bigquery', 'BIGNUMERIC', 'sqlserver', 'decimal(38,19)'],
  ['bigquery', 'BIGNUMERIC', 'snowflake', 'NUMBER(38,19)'],
  ['bigquery', 'BIGNUMERIC', 'databricks', 'decimal(38,19)'],
  ['postgresql', 'numeric(30,20)', 'bigquery', 'BIGNUMERIC(30,20)', true],
  ['postgresql', 'numeric(100,2)', 'bigquery', 'BIGNUMERIC'],
  ['postgresql', 'uuid', 'mysql', 'char(36)'],
  ['postgresql', 'geometry(Point,4326)', 'postgresql', 'text'],
  ['snowflake', 'GEOGRAPHY', 'postgresql', 'text'],
  [undefined, 'object', 'databricks', 'variant'],
  [undefined, 'array', 'databricks', 'array<variant>', true],
  ['bigquery', 'STRUCT', 'bigquery', 'JSON'],
  ['bigquery', 'ARRAY', 'bigquery', 'JSON'],
  ['mysql', "enum('a','it''s')", 'mysql', "enum('a','it''s')", true],
  ['mysql', 'decimal(10,2) unsigned', 'mysql', 'decimal(10,2) unsigned', true],
  ['mysql', 'varchar(20000)', 'mysql', 'longtext'],
  ['postgresql', 'timestamp(3)', 'sqlserver', 'datetime2(3)', true],
  ['snowflake', 'TIMESTAMP_NTZ(9)', 'postgresql', 'timestamp(6)'],
]

for (const [source, type, target, expected, isLossless] of TYPES) {
  test(`${source ?? 'no platform'} ${type} → ${target} ${expected}`, () => {
    const { text, losses } = writeNativeType(readField(type, source), target)
    assert.equal(text, expected)
    assert.equal(losses.length === 0, isLossless === true, losses.join(' '))
  })
}

test('quotes reserved words inside types', () => {
  const field = readField('STRUCT<`select` STRING, `group` STRING>', 'bigquery')
  const texts = (['bigquery', 'databricks', 'snowflake'] as const).map(
    (platform) => writeNativeType(field, platform).text,
  )
  assert.deepEqual(texts, [
    'STRUCT<`select` STRING, `group` STRING>',
    'struct<`select`:string, `group`:string>',
    'OBJECT("select" VARCHAR, "group" VARCHAR)',
  ])
})

test('a list of words becomes an enum of MySQL, unless MySQL treats two of them as equal', () => {
  const field: Field = { ...plainField('f', 'string', ''), physicalType: 'enum', enum: ['X', 'Y'] }
  assert.equal(writeNativeType(field, 'mysql').text, "enum('X','Y')")
  assert.equal(writeNativeType({ ...field, enum: ['get', 'GET'] }, 'mysql').text, 'longtext')
})
