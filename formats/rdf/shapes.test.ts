import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import * as fc from 'fast-check'
import { describePage, randomProduct } from '../../test/rdf/random-catalog.ts'
import { listRequired } from '../../test/rdf/required.ts'
import { canonicalize, listViolations, parseJsonLd, parseTurtle } from '../../test/rdf/shapes.ts'
import type { GraphNode, GraphSyntax } from './graph.ts'
import { jsonLd } from './json-ld.ts'
import { turtle } from './turtle.ts'

const SEED = 20261127
const PRODUCTS_COUNT = 200
const PAGE_PRODUCTS = 25

/** Writes nodes as the server does: the first one begins the document, and the others follow in parts. */
function write(syntax: GraphSyntax, [first, ...others]: readonly GraphNode[]): string {
  assert.ok(first !== undefined)
  const half = Math.floor(others.length / 2)
  const parts = [others.slice(0, half), [], others.slice(half)]
  return syntax.writeStart([first]) + parts.map(syntax.write).join('') + syntax.end
}

const products = fc.sample(randomProduct, { seed: SEED, numRuns: PRODUCTS_COUNT })

describe('200 random products', () => {
  for (let page = 0; page < PRODUCTS_COUNT / PAGE_PRODUCTS; page += 1) {
    test(`page ${page} conforms to the shapes of DCAT-AP and DPROD in both forms`, async () => {
      const start = page * PAGE_PRODUCTS
      const nodes = describePage(products.slice(start, start + PAGE_PRODUCTS), page)
      const quads = parseTurtle(write(turtle, nodes))
      assert.deepEqual(await listViolations(quads), [])
      const linked = await parseJsonLd(write(jsonLd, nodes))
      assert.equal(await canonicalize(linked), await canonicalize(quads))
    })
  }
})

describe('the shapes', () => {
  test('find every required triple that is missing', async () => {
    const rich = products.find(
      ({ contracts, document }) =>
        contracts.length > 1 && JSON.stringify(document).includes('"status"'),
    )
    assert.ok(rich !== undefined)
    const quads = parseTurtle(write(turtle, describePage([rich])))
    const required = listRequired(quads)
    const classes = new Set(
      required.map(({ predicate, object }) => `${predicate.value} ${object.value}`),
    )
    assert.ok(classes.size > 10)
    const unnoticed: string[] = []
    for (const missing of required) {
      const rest = quads.filter((quad) => !quad.equals(missing))
      if ((await listViolations(rest)).length > 0) continue
      unnoticed.push(`${missing.subject.value} ${missing.predicate.value} ${missing.object.value}`)
    }
    assert.deepEqual(unnoticed, [])
  })
})
