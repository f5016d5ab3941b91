import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countFilterValues, parseCustomFilters } from './custom-filters.ts'

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

test('countFilterValues › counts the values of ODPS and DPS documents, the most frequent first', () => {
  const products = [
    { customProperties: [{ property: 'size', value: 'large' }] },
    { customProperties: [{ property: 'size', value: ['small', 'large'] }] },
    { custom: { size: 'small' } },
    { custom: { size: 'large', other: 1 } },
    { customProperties: 'none', custom: null },
    null,
  ]
  const filters = [
    { displayName: 'Size', customField: 'size' },
    { displayName: 'None', customField: '__proto__' },
  ]
  assert.deepEqual(
    countFilterValues(filters, products).map(({ values }) => values),
    [
      [
        { value: 'large', count: 3 },
        { value: 'small', count: 2 },
      ],
      [],
    ],
  )
})
