import assert from 'node:assert/strict'
import test from 'node:test'
import * as fc from 'fast-check'
import { assertSoon } from '../../../test/specification.ts'
import { compareNativeTypes, type TypeChange } from './compare-types.ts'
import type { Platform } from './native-type.ts'
import { readNativeType } from './read-type.ts'
import { SQL_TABLES } from './tables.ts'

const rows: [Platform | undefined, string, string, TypeChange][] = [
  ['postgresql', 'int4', 'integer', 'same'],
  ['postgresql', 'bigint', 'int', 'narrower'],
  ['postgresql', 'decimal(12,2)', 'decimal(10,2)', 'narrower'],
  ['postgresql', 'decimal(10,2)', 'decimal(10,3)', 'different'],
  ['postgresql', 'decimal(10,2)', 'decimal(11,3)', 'wider'],
  ['postgresql', 'decimal', 'decimal(10,2)', 'narrower'],
  ['postgresql', 'varchar(20)', 'varchar(10)', 'narrower'],
  ['postgresql', 'text', 'varchar', 'same'],
  ['postgresql', 'varchar(10)', 'char(10)', 'narrower'],
  ['postgresql', 'char(10)', 'varchar(5)', 'different'],
  ['postgresql', 'double precision', 'real', 'narrower'],
  ['postgresql', 'int', 'double precision', 'wider'],
  ['postgresql', 'bigint', 'double precision', 'different'],
  ['postgresql', 'int', 'decimal(10,0)', 'wider'],
  ['postgresql', 'int', 'decimal(9,0)', 'narrower'],
  ['postgresql', 'int', 'numeric', 'wider'],
  ['postgresql', 'decimal(5,2)', 'double precision', 'different'],
  ['postgresql', 'timestamptz', 'timestamp', 'different'],
  ['postgresql', 'timestamp', 'timestamp(3)', 'narrower'],
  ['postgresql', 'text', 'uuid', 'different'],
  ['postgresql', 'date', 'timestamp', 'different'],
  ['postgresql', 'int[]', 'bigint[]', 'wider'],
  ['mysql', 'int unsigned', 'int', 'different'],
  ['mysql', 'int unsigned', 'bigint', 'wider'],
  ['mysql', 'datetime', 'datetime(3)', 'wider'],
  ['mysql', "enum('a','b')", "enum('b')", 'narrower'],
  ['mysql', 'text', 'tinytext', 'narrower'],
  ['mysql', 'text', 'longtext', 'wider'],
  ['snowflake', 'STRING', 'TEXT', 'same'],
  ['snowflake', 'NUMBER(10,0)', 'INT', 'wider'],
  ['sqlserver', 'varchar(10)', 'nvarchar(10)', 'wider'],
  ['databricks', 'struct<a:int>', 'struct<a:bigint>', 'wider'],
  ['databricks', 'struct<a:int,b:int>', 'struct<a:int>', 'wider'],
  ['databricks', 'struct<a:int>', 'struct<a:int not null>', 'narrower'],
  ['databricks', 'map<string,int>', 'map<string,bigint>', 'wider'],
  ['mysql', 'int zerofill', 'int unsigned', 'same'],
  ['mysql', 'int', 'int zerofill', 'different'],
  ['mysql', 'text collate utf8mb4_bin', 'text COLLATE utf8mb4_general_ci', 'different'],
  ['mysql', 'varchar(9) character set latin1', 'varchar(9) charset utf8mb4', 'different'],
  ['mysql', 'varchar(9) character set latin1', 'varchar(9) CHARSET latin1', 'same'],
  ['databricks', 'string', 'string collate UTF8_LCASE', 'narrower'],
  ['databricks', 'array<string collate a>', 'array<string collate b>', 'different'],
  ['postgresql', '"char"', 'char', 'different'],
  [undefined, 'varchar2(9 char)', 'varchar2(9 byte)', 'narrower'],
  ['postgresql', 'json', 'jsonb', 'same'],
  [undefined, 'json', 'variant', 'wider'],
  [undefined, 'frob(1)', 'FROB(1)', 'same'],
  [undefined, 'frob(1)', 'frob(2)', 'different'],
]

const REVERSED = {
  same: 'same',
  different: 'different',
  narrower: 'wider',
  wider: 'narrower',
} as const

for (const [platform, before, after, change] of rows) {
  test(`${platform ?? 'no platform'} › ${before} to ${after} is ${change}, and the other way round`, () => {
    const a = readNativeType(before, platform)
    const b = readNativeType(after, platform)
    assert.equal(compareNativeTypes(a, b), change)
    assert.equal(compareNativeTypes(b, a), REVERSED[change])
  })
}

test('narrowing is transitive for all pairs of all tables', () => {
  const types = SQL_TABLES.flatMap(({ platform, rows }) =>
    rows.map(({ name }) => readNativeType(name, platform)),
  )
  const type = fc.constantFrom(...types)
  const property = fc.property(type, type, type, (a, b, c) => {
    assert.equal(compareNativeTypes(a, a), 'same')
    assert.equal(compareNativeTypes(b, a), REVERSED[compareNativeTypes(a, b)])
    const first = compareNativeTypes(a, b)
    const second = compareNativeTypes(b, c)
    if (first === 'narrower' && second === 'narrower') {
      assert.equal(compareNativeTypes(a, c), 'narrower', `${a.text} ${b.text} ${c.text}`)
    }
  })
  fc.assert(property, { numRuns: 20_000, seed: 2 })
})

test('compares absurd numbers of digits quickly', () => {
  const [wide, narrow] = ['decimal(999999999,2)', 'decimal(999999998,2)'].map((text) =>
    readNativeType(text),
  )
  assert.ok(wide && narrow)
  assertSoon(() => compareNativeTypes(wide, narrow))
})
