import assert from 'node:assert/strict'
import { test } from 'node:test'
import { batch } from './asset-shapes.ts'

function batchWith(column: unknown): unknown {
  const asset = { kind: 'table', path: ['db', 'public', 't'], scope: ['db', 'public'] }
  return { assets: [{ ...asset, columns: [column] }] }
}

test('batch › accepts a platform of lower-case letters and digits only', () => {
  const asset = { kind: 'table', path: ['db', 'public', 't'], scope: ['db', 'public'] }
  const isAccepted = (platform: unknown): boolean =>
    batch.safeParse({ assets: [{ ...asset, platform }] }).success
  assert.ok(isAccepted('redshift'))
  for (const platform of ['', 'Redshift', 'red_shift', '1x', 'x'.repeat(33), 'a b', null, 1]) {
    assert.ok(!isAccepted(platform), String(platform))
  }
})

function nested(depth: number): object {
  let column: object = { name: 'leaf', type: 'text' }
  for (let level = 0; level < depth; level += 1)
    column = { name: 'n', type: 'struct', items: column }
  return column
}

test('batch › accepts columns with all their fields, 100 levels deep', () => {
  const flags = { required: true, unique: false }
  const texts = { description: 'd', default: '1', generated: 'g', tags: ['a'] }
  const kinds = { baseType: 'b', enumValues: ['x'] }
  const whole = { name: 'n', type: 't', ...flags, ...texts, ...kinds, properties: [nested(2)] }
  assert.deepEqual(batch.parse(batchWith(whole)), batchWith(whole))
  assert.ok(batch.safeParse(batchWith(nested(100))).success)
})

test('batch › rejects a column of another shape', () => {
  const columns = [
    null,
    'column',
    { name: 'n' },
    { type: 't' },
    { name: 1, type: 't' },
    { name: 'n', type: 't', more: 1 },
    { name: 'n', type: 't', required: 'yes' },
    { name: 'n', type: 't', tags: [1] },
    { name: 'n', type: 't', properties: {} },
    { name: 'n', type: 't', items: [] },
    JSON.parse('{"name":"n","type":"t","__proto__":{}}') as unknown,
    nested(101),
    nested(5000),
  ]
  for (const column of columns) {
    assert.ok(!batch.safeParse(batchWith(column)).success, JSON.stringify(column)?.slice(0, 80))
  }
})
