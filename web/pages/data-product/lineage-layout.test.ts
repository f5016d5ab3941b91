import assert from 'node:assert/strict'
import test from 'node:test'
import { curveThrough, computeLayout, NODE_HEIGHT, NODE_WIDTH } from './lineage-layout.ts'

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
