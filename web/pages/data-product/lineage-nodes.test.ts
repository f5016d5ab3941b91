import assert from 'node:assert/strict'
import test from 'node:test'
import {
  getNeighborhood,
  getReadPorts,
  listNeighbours,
  nodeHref,
  nodeText,
  listPortReaders,
} from './lineage-nodes.ts'
import { computeLayout } from './lineage-layout.ts'
import type { Lineage } from './product-query.ts'

const node = (
  id: string,
  more: Partial<Lineage['nodes'][number]> = {},
): Lineage['nodes'][number] => ({
  key: `product:${id}`,
  kind: 'DATA_PRODUCT',
  id,
  name: id.toUpperCase(),
  ownerId: 'team',
  ownerName: 'Team',
  status: null,
  exists: true,
  trust: null,
  ...more,
})
const edge = (from: string, to: string, more: Partial<Lineage['edges'][number]> = {}) => ({
  from: `product:${from}`,
  to: `product:${to}`,
  contractId: 'c',
  contractName: 'Contract',
  ports: ['orders 1.0.0'],
  ...more,
})

// source → a → middle → b → c, and c feeds a: a circle.
const LINEAGE: Lineage = {
  truncated: false,
  nodes: [
    node('source', { kind: 'SOURCE_SYSTEM', exists: false }),
    ...['a', 'middle', 'b', 'c'].map((id) => node(id)),
  ],
  edges: [
    edge('source', 'a'),
    edge('a', 'middle', { contractName: null, contractId: 'missing' }),
    edge('middle', 'b'),
    edge('middle', 'c', { ports: ['returns'] }),
    edge('b', 'c'),
    edge('c', 'a'),
  ],
}

test('listNeighbours › the nearest first, each once, circles end', () => {
  const { upstream, downstream } = listNeighbours(LINEAGE, 'middle')
  assert.deepEqual(
    upstream.map(({ node: { id }, steps }) => [id, steps]),
    [
      ['a', 1],
      ['source', 2],
      ['c', 2],
      ['b', 3],
    ],
  )
  assert.deepEqual(
    downstream.map(({ node: { id }, steps }) => [id, steps]),
    [
      ['b', 1],
      ['c', 1],
      ['a', 2],
    ],
  )
  assert.deepEqual(upstream[0]?.contracts, ['missing'])
})

const readers = (name: string, version?: string): string[] => {
  const port = version === undefined ? { name } : { name, version }
  return listPortReaders(LINEAGE, 'middle', port).map(({ id }) => id)
}

test('listPortReaders › only those of this port and version', () => {
  assert.deepEqual(readers('orders', '1.0.0'), ['b'])
  assert.deepEqual(readers('returns'), ['c'])
  assert.deepEqual(readers('orders', '2.0.0'), [])
})

test('getReadPorts › lists each port once', () => {
  assert.deepEqual(getReadPorts(LINEAGE, 'product:middle'), ['orders 1.0.0', 'returns'])
  assert.deepEqual(getReadPorts(LINEAGE, 'product:c'), ['orders 1.0.0'])
})

test('getNeighborhood › holds what a node reads from and what reads from it', () => {
  const keys = [...getNeighborhood(LINEAGE, 'product:b')].toSorted()
  assert.deepEqual(keys, ['product:b', 'product:c', 'product:middle'])
})

test('nodeHref › only what has a page is a link', () => {
  assert.equal(nodeHref(node('a b/c')), '/data-products/a%20b%2Fc')
  assert.equal(nodeHref(node('x', { exists: false })), undefined)
  assert.equal(nodeHref(node('x', { kind: 'SOURCE_SYSTEM' })), '/source-systems/x')
  assert.equal(nodeText(node('x', { exists: false })), 'Contract without a provider')
})

test('computeLayout › every node has a place, providers to the left', () => {
  const places = computeLayout({ ...LINEAGE, edges: LINEAGE.edges.slice(0, 4) }).places
  const x = (id: string): number => places.get(`product:${id}`)?.x ?? Number.NaN
  assert.equal(places.size, 5)
  assert.ok(x('source') < x('a') && x('a') < x('middle') && x('middle') < x('b'))
})
