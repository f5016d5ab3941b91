import assert from 'node:assert/strict'
import test from 'node:test'
import { TABLE } from './iceberg.ts'
import { getServerPlatform } from './platform.ts'
import { readNativeType } from './read-type.ts'

for (const row of TABLE.rows) {
  test(`iceberg › ${row.name} reads to itself, with the values of its row`, () => {
    const native = readNativeType(row.name, 'iceberg')
    assert.equal(native.text, row.name)
    assert.equal(native.logicalType, row.logicalType)
    assert.equal(native.bits, row.bits)
    assert.equal(native.format, row.format)
    assert.equal(native.withTimeZone, row.withTimeZone)
  })
}

test('iceberg › reads parameters and element types', () => {
  const decimal = readNativeType('decimal(10, 2)', 'iceberg')
  assert.deepEqual([decimal.text, decimal.precision, decimal.scale], ['decimal(10,2)', 10, 2])
  assert.equal(readNativeType('fixed(16)', 'iceberg').maxLength, 16)
  const text = 'struct<id:long NOT NULL,`a b`:list<decimal(9,2)>,tags:map<string,struct<n:int>>>'
  const struct = readNativeType(text, 'iceberg')
  assert.equal(struct.text, text)
  assert.deepEqual(
    struct.fields?.map(({ name, required, type }) => [name, required, type.logicalType]),
    [
      ['id', true, 'integer'],
      ['a b', false, 'array'],
      ['tags', false, 'map'],
    ],
  )
})

test('iceberg › is the platform of servers with this type', () => {
  assert.equal(getServerPlatform('Iceberg'), 'iceberg')
})
