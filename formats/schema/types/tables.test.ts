import assert from 'node:assert/strict'
import test from 'node:test'
import { getServerPlatform } from './platform.ts'
import { readNativeType } from './read-type.ts'
import { SQL_TABLES } from './tables.ts'

for (const { platform, rows } of SQL_TABLES) {
  test(`${platform} › every type reads to itself, with the values of its row`, () => {
    for (const row of rows) {
      const native = readNativeType(row.name, platform)
      // Snowflake's integers are decimals without a fraction, and are written with their digits.
      const isWhole = platform === 'snowflake' && row.name === 'NUMBER'
      assert.equal(native.text, isWhole ? 'NUMBER(38,0)' : row.name)
      assert.equal(native.logicalType, isWhole ? 'integer' : row.logicalType)
      assert.equal(native.bits, row.bits)
      assert.equal(native.format, row.format)
    }
  })

  test(`${platform} › an alias is the same type, in any case`, () => {
    for (const { name, aliases = [] } of rows) {
      for (const alias of aliases) {
        assert.deepEqual(
          readNativeType(alias.toUpperCase(), platform),
          readNativeType(name, platform),
        )
      }
    }
  })

  test(`${platform} › no name is repeated`, () => {
    const names = rows.flatMap(({ name, aliases = [] }) => [name.toLowerCase(), ...aliases])
    assert.deepEqual(
      names.filter((name, at) => names.indexOf(name) !== at),
      [],
    )
  })

  test(`${platform} › a type that was read is read again from its own text`, () => {
    for (const { name, length, digits, seconds } of rows) {
      for (const text of [
        ...(length === undefined ? [] : [`${name}(7)`]),
        ...(digits === undefined || digits.fixed ? [] : [`${name}(9,2)`]),
        ...(seconds === undefined || name.includes(' ') ? [] : [`${name}(2)`]),
      ]) {
        const native = readNativeType(text, platform)
        assert.notEqual(native.logicalType, 'unknown', text)
        assert.deepEqual(readNativeType(native.text, platform), native)
      }
    }
  })
}

test('without a platform › every type of every platform is known', () => {
  for (const { rows } of SQL_TABLES) {
    for (const { name, logicalType } of rows) {
      if (logicalType !== 'unknown') {
        assert.notEqual(readNativeType(name).logicalType, 'unknown', name)
      }
    }
  }
})

test('a server leads to a platform, in any case', () => {
  assert.equal(getServerPlatform('Redshift'), 'postgresql')
  assert.equal(getServerPlatform('athena'), 'hive')
  assert.equal(getServerPlatform('kafka'), undefined)
  assert.equal(getServerPlatform(undefined), undefined)
  assert.equal(getServerPlatform('__proto__'), undefined)
})
