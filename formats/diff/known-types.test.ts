import assert from 'node:assert/strict'
import { test } from 'node:test'
import { KnownTypes } from './known-types.ts'

function compare(before: string, after: string) {
  const types = new KnownTypes()
  const verdict = types.compare(types.read(before, 'databricks'), types.read(after, 'databricks'))
  // The second comparison uses the cached result.
  const again = types.compare(types.read(before, 'databricks'), types.read(after, 'databricks'))
  assert.equal(again, verdict)
  return verdict
}

test('KnownTypes › types that contain others differ as much as these', () => {
  assert.equal(compare('array<int>', 'array<bigint>'), 'wider')
  assert.equal(compare('array<array<bigint>>', 'array<array<int>>'), 'narrower')
  assert.equal(compare('map<string,int>', 'map<string,bigint>'), 'wider')
  assert.equal(compare('array<int>', 'map<string,int>'), 'different')
  assert.equal(compare('array<int>', 'ARRAY<INTEGER>'), 'same')
})

test('KnownTypes › an added field of a structure is an added promise, and the order is ignored', () => {
  assert.equal(compare('struct<a:int>', 'struct<a:int,b:int>'), 'narrower')
  assert.equal(compare('struct<a:int,b:int>', 'struct<a:int>'), 'wider')
  assert.equal(compare('struct<a:int>', 'struct<b:int>'), 'different')
  assert.equal(compare('struct<a:int,b:date>', 'struct<b:date,a:int>'), 'same')
  assert.equal(compare('struct<a:int,b:date>', 'struct<a:bigint,b:date,c:int>'), 'different')
})

test('KnownTypes › a part of a parsed type is also found by its own text', () => {
  const types = new KnownTypes()
  const whole = types.read('array<array<varchar(5)>>', 'databricks')
  assert.ok(whole.items)
  assert.equal(types.read(whole.items.text, 'databricks'), whole.items)
  assert.deepEqual(new KnownTypes().read(whole.items.text, 'databricks'), whole.items)
})
