import assert from 'node:assert/strict'
import { test } from 'node:test'
import { plainField } from '../plain.ts'
import { compareNativeTypes } from './compare-types.ts'
import type { Platform } from './native-type.ts'
import { readNativeType } from './read-type.ts'
import { writeNativeType } from './write-type.ts'

for (const [text, platform, dimensions, elementType] of [
  ['vector(3)', 'postgresql', 3, 'float32'],
  ['vector', 'postgresql', undefined, 'float32'],
  ['halfvec(3)', 'postgresql', 3, 'float16'],
  ['public.vector(3)', 'postgresql', 3, 'float32'],
  ['VECTOR(FLOAT, 256)', 'snowflake', 256, 'float32'],
  ['VECTOR(INT, 16)', 'snowflake', 16, undefined],
  ['FLOAT[4]', undefined, 4, 'float32'],
  ['double[4]', undefined, 4, 'float64'],
  ['VECTOR(1536, FLOAT32)', undefined, 1536, 'float32'],
  ['VECTOR(8, INT8)', undefined, 8, 'int8'],
] as const) {
  test(`${text} of ${platform ?? 'no platform'} has ${dimensions ?? 'unknown'} elements`, () => {
    const { logicalType, vector = {} } = readNativeType(text, platform)
    assert.equal(logicalType, 'vector')
    assert.deepEqual([vector.dimensions, vector.elementType], [dimensions, elementType])
  })
}

test('arrays of PostgreSQL and of other types are no vectors', () => {
  assert.equal(readNativeType('float[4]', 'postgresql').logicalType, 'array')
  assert.equal(readNativeType('varchar[4]').logicalType, 'array')
  assert.equal(readNativeType('float[]').logicalType, 'array')
  assert.equal(readNativeType('vector(3, 4, 5)', 'postgresql').logicalType, 'unknown')
})

const compare = (before: string, after: string, from: Platform, to: Platform) =>
  compareNativeTypes(readNativeType(before, from), readNativeType(after, to))

test('vectors of one length and element are the same type on all platforms, others differ', () => {
  assert.equal(compare('vector(3)', 'VECTOR(FLOAT,3)', 'postgresql', 'snowflake'), 'same')
  assert.equal(compare('vector(3)', 'vector(4)', 'postgresql', 'postgresql'), 'different')
  assert.equal(compare('vector(3)', 'halfvec(3)', 'postgresql', 'postgresql'), 'different')
})

for (const [platform, elementType, written, isKept] of [
  ['snowflake', 'float32', 'VECTOR(FLOAT,3)', true],
  ['snowflake', 'int8', 'VECTOR(INT,3)', false],
  ['snowflake', 'float64', 'VECTOR(FLOAT,3)', false],
  ['postgresql', 'float32', 'real[]', false],
  ['postgresql', 'float64', 'double precision[]', false],
  ['bigquery', 'float32', 'ARRAY<FLOAT64>', false],
  ['databricks', 'float32', 'array<float>', false],
  ['hive', 'float32', 'array<float>', false],
  ['mysql', 'float32', 'json', false],
  ['sqlserver', 'float32', 'nvarchar(max)', false],
] as const) {
  test(`a vector of ${elementType} is ${written} in ${platform}`, () => {
    const vector = { dimensions: 3, elementType, normalized: false }
    const { text, losses } = writeNativeType({ ...plainField('f', 'vector', ''), vector }, platform)
    assert.equal(text, written)
    assert.equal(losses.length, isKept ? 0 : 1)
    if (!isKept) assert.match(losses[0] ?? '', /^The vector has 3 elements of the type/)
  })
}
