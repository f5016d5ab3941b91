import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Value } from '../../formats/text/value.ts'
import { customPropertyEdits } from './custom-property.ts'
import { editValue } from '../../formats/text/edit/text-edit.ts'

const PORT = { name: 'orders', customProperties: [{ property: 'server', value: { host: 'a' } }] }

function write(value: Value, property: string, inner: string | undefined, text: string): Value {
  const place = { owner: [], property, order: [], ...(inner === undefined ? {} : { inner }) }
  return customPropertyEdits(value, place, text).reduce(editValue, value)
}

test('adds a property, changes it and removes it with the empty list', () => {
  const added = write({}, 'location', undefined, 's3://a')
  assert.deepEqual(added, { customProperties: [{ property: 'location', value: 's3://a' }] })
  assert.deepEqual(write(added, 'location', undefined, 's3://b'), {
    customProperties: [{ property: 'location', value: 's3://b' }],
  })
  assert.deepEqual(write(added, 'location', undefined, ''), {})
  assert.deepEqual(write({}, 'location', undefined, ''), {})
})

test('writes and removes a field of an object', () => {
  const both = write(PORT, 'server', 'table', 'orders')
  assert.deepEqual(both, {
    name: 'orders',
    customProperties: [{ property: 'server', value: { host: 'a', table: 'orders' } }],
  })
  assert.deepEqual(write(both, 'server', 'table', ''), PORT)
  assert.deepEqual(write(PORT, 'server', 'host', ''), { name: 'orders' })
})
