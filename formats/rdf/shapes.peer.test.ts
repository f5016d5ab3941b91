/** Validates pages of random products with pyshacl, a second implementation of SHACL, and with a new seed in each run. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { Writer } from 'n3'
import { onPeers, runPeerScript } from '../../test/peers/peers.ts'
import { describePage, randomProduct } from '../../test/rdf/random-catalog.ts'
import { listRequired } from '../../test/rdf/required.ts'
import { listViolations, parseTurtle, readShapeTexts } from '../../test/rdf/shapes.ts'
import { turtle } from './turtle.ts'

const PAGES_COUNT = 4
const PAGE_PRODUCTS = 50
const MUTATIONS_COUNT = 20

onPeers(['python'], () => {
  test('pyshacl finds no violation on a page, and each required triple that is missing', async () => {
    const seed = Math.floor(Math.random() * 2 ** 31)
    console.log(`seed ${seed}`)
    const products = fc.sample(randomProduct, { seed, numRuns: PAGES_COUNT * PAGE_PRODUCTS })
    const pages = Array.from({ length: PAGES_COUNT }, (_, page) => {
      const start = page * PAGE_PRODUCTS
      const nodes = describePage(products.slice(start, start + PAGE_PRODUCTS), page)
      return `${turtle.writeStart(nodes)}${turtle.end}`
    })
    const [first = ''] = pages
    const quads = parseTurtle(first)
    const required = fc.sample(fc.constantFrom(...listRequired(quads)), {
      seed,
      numRuns: MUTATIONS_COUNT,
    })
    const mutated = required.map((missing) => quads.filter((quad) => !quad.equals(missing)))
    for (const graph of mutated) assert.ok((await listViolations(graph)).length > 0)
    const texts = mutated.map((graph) => new Writer().quadsToString(graph))
    const graphs = [...pages, ...texts]
    const input = { shapes: readShapeTexts(), graphs }
    const results = (await runPeerScript('shacl.py', input)) as (string | null)[]
    assert.equal(results.length, graphs.length)
    assert.deepEqual(
      results.slice(0, PAGES_COUNT),
      pages.map(() => null),
    )
    const unnoticed = results.slice(PAGES_COUNT).flatMap((result, at) => {
      const { subject, predicate } = required[at] ?? {}
      return result === null ? [`${subject?.value} ${predicate?.value}`] : []
    })
    assert.deepEqual(unnoticed, [])
  })
})
