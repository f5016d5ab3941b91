import assert from 'node:assert/strict'
import test from 'node:test'
import { treeRows } from './tree-rows.ts'

const roots = [
  { integrationExternalId: 'shop', rootCount: 2 },
  { integrationExternalId: null, rootCount: 0 },
]
const node = (id: string, childCount = 0): { id: string; childCount: number } => ({
  id,
  childCount,
})
const known = (nodes: { id: string; childCount: number }[], next: string | null = null) => ({
  branch: { nodes, next },
  problem: undefined,
})

const shown = (open: string[], below: Record<string, ReturnType<typeof known>>): string[] =>
  treeRows(
    roots,
    (key) => open.includes(key),
    (key) => below[key],
  ).map((row) => {
    const name =
      row.kind === 'root'
        ? (row.root.integrationExternalId ?? 'clients')
        : row.kind === 'asset'
          ? row.node.id
          : `rest of ${row.below}`
    return `${row.level} ${row.position}/${row.setSize} ${name}`
  })

test('treeRows › shows only the roots while nothing is open', () => {
  assert.deepEqual(shown([], {}), ['1 1/2 shop', '1 2/2 clients'])
})

test('treeRows › shows open rows with their loaded children', () => {
  const rows = shown(['integration:shop', 'asset:b'], {
    'integration:shop': known([node('a'), node('b', 1)]),
    'asset:b': known([node('c')]),
  })
  assert.deepEqual(rows, ['1 1/2 shop', '2 1/2 a', '2 2/2 b', '3 1/1 c', '1 2/2 clients'])
})

test('treeRows › adds a row for children that are loading or left to load', () => {
  const rows = shown(['integration:shop', 'asset:a'], {
    'integration:shop': known([node('a', 9)], 'a'),
  })
  assert.deepEqual(rows, [
    '1 1/2 shop',
    '2 1/2 a',
    '3 1/9 rest of asset:a',
    '2 2/2 rest of integration:shop',
    '1 2/2 clients',
  ])
})

test('treeRows › ends at a cycle of parents', () => {
  const rows = shown(['integration:shop', 'asset:a', 'asset:b'], {
    'integration:shop': known([node('a', 1)]),
    'asset:a': known([node('b', 1)]),
    'asset:b': known([node('a', 1)]),
  })
  assert.deepEqual(rows, ['1 1/2 shop', '2 1/2 a', '3 1/1 b', '4 1/1 a', '1 2/2 clients'])
})

const rowsWith = (nodes: { id: string; childCount: number }[], next: string | null) =>
  treeRows(
    roots,
    (key) => key === 'integration:shop',
    () => known(nodes, next),
  )

test('treeRows › keeps the key of a row that was loading', () => {
  const [, , rest] = rowsWith([node('a')], 'a')
  const [, , came] = rowsWith([node('a'), node('b')], null)
  assert.equal(rest?.kind, 'rest')
  assert.equal(came?.kind, 'asset')
  assert.equal(rest?.key, came?.key)
})
