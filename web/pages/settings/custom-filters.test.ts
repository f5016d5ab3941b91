import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseCustomFilters } from './custom-filters.ts'

test('parseCustomFilters › reads complete filters of a YAML text, which may be JSON', () => {
  const text =
    'dataProduct:\n  customFilters:\n  - displayName: Size\n    customField: size\n  - displayName: X\n'
  const filters = [{ displayName: 'Size', customField: 'size' }]
  assert.deepEqual(parseCustomFilters(text), filters)
  const json = JSON.stringify({ dataProduct: { customFilters: filters } })
  assert.deepEqual(parseCustomFilters(json), filters)
  assert.deepEqual(parseCustomFilters('dataProduct: {}'), [])
  assert.equal(parseCustomFilters('dataProduct: ['), undefined)
})
