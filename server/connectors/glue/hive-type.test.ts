import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { parseHiveNesting } from './hive-type.ts'

test('parseHiveNesting › reads structs, arrays and maps of any nesting', () => {
  assert.deepEqual(parseHiveNesting('struct<a:int,B b:array<string>, `c:d``e`:DECIMAL(10, 2)>'), {
    properties: [
      { name: 'a', type: 'int' },
      { name: 'B b', type: 'array<string>', items: { name: 'element', type: 'string' } },
      { name: 'c:d`e', type: 'DECIMAL(10, 2)' },
    ],
  })
  const inner = {
    type: 'struct<x:timestamp with local time zone>',
    properties: [{ name: 'x', type: 'timestamp with local time zone' }],
  }
  assert.deepEqual(parseHiveNesting(`ARRAY < ${inner.type} >`), {
    items: { name: 'element', ...inner },
  })
  assert.deepEqual(parseHiveNesting(`map<string,\n\t${inner.type}>`), {
    properties: [
      { name: 'key', type: 'string' },
      { name: 'value', ...inner },
    ],
  })
})

test('parseHiveNesting › returns nothing for types without nested columns', () => {
  for (const text of ['', 'int', 'decimal(10,2)', 'map<string,int>', 'uniontype<int,string>']) {
    assert.deepEqual(parseHiveNesting(text), {}, text)
  }
  assert.deepEqual(parseHiveNesting('struct<>'), { properties: [] })
})

test('parseHiveNesting › returns nothing for types that cannot be parsed', () => {
  for (const text of [
    'struct<a:int',
    'struct<a:int>>',
    'struct<a:>',
    'struct<:int>',
    'struct<a>',
    'struct<a:int,>',
    'struct<`a:int>',
    "struct<a:int comment 'x'>",
    'struct<a:int<string>>',
    'array<>',
    'array<int,int>',
    'map<struct<a:int>>',
    'map<int,int,struct<a:int>>',
    'uniontype<>',
    'list<int>',
    '<>',
    `array<${'x'.repeat(131_072)}>`,
  ]) {
    assert.deepEqual(parseHiveNesting(text), {}, text.slice(0, 40))
  }
})

test('parseHiveNesting › reads the longest type that AWS Glue stores', () => {
  const fields = Array.from({ length: 13_100 }, () => 'abcde:int').join(',')
  const text = `struct<${fields}>`
  assert.ok(text.length > 130_000 && text.length <= 131_072)
  assert.equal(parseHiveNesting(text).properties?.length, 13_100)
})

function nest(depth: number): string {
  return `${'array<'.repeat(depth)}int${'>'.repeat(depth)}`
}

test('parseHiveNesting › reads types that are nested up to 64 levels deep', () => {
  assert.ok(parseHiveNesting(nest(64)).items)
  for (const depth of [65, 10_000]) assert.deepEqual(parseHiveNesting(nest(depth)), {})
})

test('parseHiveNesting › never throws, and nested types parse on their own', () => {
  const words = ['struct<', 'array<', 'map<', '>', ',', ':', 'a', 'int', '`', '(', '2', ')', ' ']
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(fc.constantFrom(...words), { maxLength: 20 }).map((parts) => parts.join('')),
  )
  const property = fc.property(text, (given) => {
    const { properties = [], items } = parseHiveNesting(given)
    for (const { name: _, type, ...nesting } of [...properties, ...(items ? [items] : [])]) {
      assert.deepEqual(parseHiveNesting(type), nesting)
    }
  })
  fc.assert(property, { numRuns: 2000, seed: 1 })
})
