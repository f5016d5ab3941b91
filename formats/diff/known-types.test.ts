import assert from 'node:assert/strict'
import { test } from 'node:test'
import { plainField } from '../schema/plain.ts'
import type { Platform } from '../schema/types/native-type.ts'
import { setTypePlatform } from '../schema/types/type-platform.ts'
import { KnownTypes } from './known-types.ts'

function read(types: KnownTypes, physicalType: string, platform?: Platform) {
  const native = types.readField({ ...plainField('a', 'unknown', ''), physicalType }, platform)
  assert.ok(native)
  return native
}

function compare(before: string, after: string) {
  const types = new KnownTypes()
  const verdict = types.compare(read(types, before, 'databricks'), read(types, after, 'databricks'))
  // The second comparison uses the cached result.
  const again = types.compare(read(types, before, 'databricks'), read(types, after, 'databricks'))
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
  const whole = read(types, 'array<array<varchar(5)>>', 'databricks')
  assert.ok(whole.items)
  assert.equal(read(types, whole.items.text, 'databricks'), whole.items)
  assert.deepEqual(read(new KnownTypes(), whole.items.text, 'databricks'), whole.items)
})

test('KnownTypes › a type of the standard is read as such, and others by their platform', () => {
  const types = new KnownTypes('dcs')
  assert.equal(read(types, 'timestamp', 'postgresql').withTimeZone, true)
  assert.equal(read(types, 'varchar(10)', 'postgresql').maxLength, 10)
  assert.equal(read(types, 'datetime2', 'postgresql').logicalType, 'unknown')
})

test('KnownTypes › a type of a platform is never read as one of the standard', () => {
  const field = { ...plainField('a', 'timestamp', ''), physicalType: 'timestamp' }
  setTypePlatform(field, 'postgresql')
  const native = new KnownTypes('dcs').readField(field, undefined)
  assert.equal(native?.withTimeZone, false)
})

test('KnownTypes › a type that only other platforms have is unknown', () => {
  const types = new KnownTypes()
  assert.equal(read(types, 'double', 'mysql').logicalType, 'number')
  assert.equal(read(types, 'double', 'postgresql').logicalType, 'unknown')
})
