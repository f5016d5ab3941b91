import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { cutToNeighborhood } from './lineage-nodes.ts'
import {
  computeLayout,
  curveThrough,
  fitColumns,
  NODE_HEIGHT,
  NODE_WIDTH,
} from './lineage-layout.ts'

const node = (key: string) => ({
  key,
  kind: 'DATA_PRODUCT' as const,
  id: key,
  name: key,
  teamId: null,
  teamName: null,
  exists: true,
})
const edge = (from: string, to: string) => ({ from, to, contractId: null, contractName: null })

const lineage = {
  nodes: ['a', 'b', 'c'].map(node),
  edges: [edge('a', 'b'), edge('b', 'c'), edge('a', 'c')],
  truncated: false,
} as unknown as Parameters<typeof computeLayout>[0]

test('computeLayout › leads a long edge past the node between its ends', () => {
  const { places, ways } = computeLayout(lineage)
  const middle = places.get('b')
  assert.ok(middle !== undefined)
  assert.deepEqual(ways[0], [])
  const way = ways[2] ?? []
  const beside = way.filter(({ x }) => x >= middle.x && x <= middle.x + NODE_WIDTH)
  assert.ok(beside.length > 0)
  for (const { y } of beside) assert.ok(y < middle.y || y > middle.y + NODE_HEIGHT, `${y}`)
})

test('computeLayout › gives tall nodes their height and columns their gap', () => {
  const tall = 300
  const star = { ...lineage, edges: [edge('a', 'b'), edge('a', 'c')] } as typeof lineage
  const { places } = computeLayout(star, { getHeight: () => tall, columnGap: 200 })
  const [a, b, c] = ['a', 'b', 'c'].map((key) => places.get(key) ?? { x: 0, y: 0 })
  assert.ok(Math.abs((b?.y ?? 0) - (c?.y ?? 0)) >= tall)
  assert.ok((b?.x ?? 0) - (a?.x ?? 0) >= NODE_WIDTH + 200)
})

test('curveThrough › begins and ends at its points', () => {
  const path = curveThrough([
    { x: 0, y: 0 },
    { x: 10, y: 4 },
  ])
  assert.equal(path, 'M0,0 C5,0 5,4 10,4')
})

const list = (side: string, count: number) =>
  Array.from({ length: count }, (_, at) => `${side}${at}`)

// A product with as many neighbors on each side, which are connected with each other, too.
function createNeighbors(upCount: number, downCount: number): typeof lineage {
  const up = list('up', upCount)
  const down = list('down', downCount)
  const edges = [
    ...up.map((key) => edge(key, 'a')),
    ...down.map((key) => edge('a', key)),
    ...up.slice(1).map((key) => edge('up0', key)),
    ...down.slice(1).map((key) => edge(key, 'down0')),
  ]
  return { ...lineage, nodes: ['a', ...up, ...down].map(node), edges } as unknown as typeof lineage
}

describe('preview of a lineage › shows the product and all neighbors whole, or counts them', () => {
  const SIDE_MAX = 8
  for (const boxWidth of [500, 640, 900, 1300]) {
    for (const [up, down] of [
      [1, 1],
      [5, 5],
      [30, 30],
      [0, 5],
      [30, 0],
    ] as const) {
      test(`${up} and ${down} neighbors in ${boxWidth} pixels`, () => {
        const near = cutToNeighborhood(createNeighbors(up, down), 'a', SIDE_MAX)
        const widths = fitColumns(boxWidth, near.columnCount)
        const { places } = computeLayout(near.lineage, widths)
        assert.equal(places.size + near.omittedCount, 1 + up + down)
        assert.equal(places.size, 1 + Math.min(up, SIDE_MAX) + Math.min(down, SIDE_MAX))
        for (const { x, y } of places.values()) {
          assert.ok(x >= 0 && x + widths.nodeWidth <= boxWidth, `${x}`)
          assert.ok(y >= 0)
        }
        const columns = new Set([...places.values()].map(({ x }) => Math.round(x)))
        assert.equal(columns.size, near.columnCount)
      })
    }
  }
})
