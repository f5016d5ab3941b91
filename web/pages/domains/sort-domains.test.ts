import assert from 'node:assert/strict'
import test from 'node:test'
import { sortDomains } from './sort-domains.ts'

const domain = (name: string | null, dataProducts: number, updatedAt: string | null) => ({
  id: name,
  name,
  dataProducts,
  updatedAt,
})
const DOMAINS = [
  domain(null, 9, '2026-09-09'),
  domain('sales', 1, '2026-01-02'),
  domain('Crew', 5, null),
  domain('fleet', 1, '2026-01-03'),
]
const names = (sort: string) => sortDomains(DOMAINS, sort).map(({ name }) => name)

test('sortDomains › orders by products, name or change, and puts products without a domain last', () => {
  assert.deepEqual(names('products'), ['Crew', 'fleet', 'sales', null])
  assert.deepEqual(names('name'), ['Crew', 'fleet', 'sales', null])
  assert.deepEqual(names('changed'), ['fleet', 'sales', 'Crew', null])
  assert.deepEqual(names('unknown'), names('products'))
})
