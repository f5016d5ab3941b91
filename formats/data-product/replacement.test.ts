import assert from 'node:assert/strict'
import test from 'node:test'
import { listReplacements, parseReplacement } from './replacement.ts'

const BASE = 'https://catalog.example'

test('parseReplacement › ids, and addresses of pages and of the API of this catalog', () => {
  for (const [text, expected] of [
    [' orders ', { id: 'orders' }],
    ['sales/orders', { id: 'sales/orders' }],
    [`${BASE}/data-products/a%20b`, { kind: 'data-product', id: 'a b' }],
    ['HTTPS://CATALOG.example/data-products/a', { kind: 'data-product', id: 'a' }],
    ['/data-contracts/products', { kind: 'data-contract', id: 'products' }],
    [`${BASE}/api/dataproducts/a/outputports/p`, { kind: 'data-product', id: 'a', port: 'p' }],
    [`${BASE}/data-products/a#port-p-2`, { kind: 'data-product', id: 'a', port: 'p-2' }],
    [`${BASE}/teams/a`, undefined],
    ['https://catalog.example.evil/data-products/a', undefined],
    [`${BASE}/data-products/%`, undefined],
    ['', undefined],
    [`/data-products/${'a'.repeat(5000)}`, undefined],
  ] as const) {
    assert.deepEqual(parseReplacement(text, BASE), expected, text.slice(0, 100))
  }
})

test('listReplacements › ignores values of other types, and lists a limited number', () => {
  const value = [{ property: 'replacedBy', value: 1 }, null]
  assert.deepEqual(listReplacements({ customProperties: value, schema: [null, 1] }), [])
  assert.deepEqual(listReplacements(null), [])
  const customProperties = [{ property: 'replacedBy', value: 'x' }]
  const schema = Array.from({ length: 600 }, () => ({ customProperties }))
  assert.equal(listReplacements({ schema }).length, 500)
})
