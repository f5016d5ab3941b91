/**
 * Measures the relevance of search: a generated mesh, queries with expected results by rule, and the share
 * of relevant documents among the first results.
 */

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { SearchAnswer } from '../server/documents/search/search.ts'
import type { Store } from '../server/store.ts'
import { readJson } from './answers.ts'
import { judgedQueries, toKey } from './search/judged.ts'
import { writeMesh } from './search/mesh-store.ts'
import { describeMesh, type Mesh, type MeshSize } from './search/mesh.ts'
import { judgeAnswer, computeMean, formatTable } from './search/relevance.ts'
import { openTestStore } from './stores.ts'
import { newProduct, newWorld, type World } from './world.ts'

const PRECISION_MIN = 0.9
const RECALL_MIN = 0.9
const QUERIES_MIN = 150

const SIZE: MeshSize = { productsCount: 1000, contractsCount: 750, assetsCount: 10_000 }

let store: Store
let world: World
let mesh: Mesh
before(async () => {
  store = await openTestStore()
  world = await newWorld(newProduct(store))
  mesh = describeMesh(world.organizationId, SIZE)
  await writeMesh(store.db, mesh)
})
after(async () => store.close())

test('GET /api/search › ranks relevant documents first: precision@5 and recall@10 are 0.9 or more', async (t) => {
  const queries = judgedQueries(mesh)
  assert.ok(queries.length >= QUERIES_MIN, `${queries.length} queries`)
  const verdicts = []
  for (const judged of queries) {
    const path = `/api/search?limit=10&facets=false&query=${encodeURIComponent(judged.query)}`
    const { results } = await readJson<SearchAnswer>(world.as('Or', 'GET', path))
    const found = results.map(({ resourceType: type, id }) => toKey({ type, id }))
    verdicts.push(judgeAnswer(judged, found))
  }
  const precision = computeMean(verdicts.map((one) => one.precision))
  const recall = computeMean(verdicts.map((one) => one.recall))
  const figures = `precision@5 ${precision.toFixed(3)}, recall@10 ${recall.toFixed(3)} of ${queries.length} queries`
  t.diagnostic(`${figures}\n${formatTable(verdicts)}`)
  assert.ok(
    precision >= PRECISION_MIN && recall >= RECALL_MIN,
    `${figures}\n${formatTable(verdicts)}`,
  )
})
