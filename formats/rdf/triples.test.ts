import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  canonicalize,
  listViolations,
  parseJsonLd,
  parseTurtle,
  listValues,
} from '../../test/rdf/shapes.ts'
import { HOSTILE_TEXTS } from '../../test/rdf/random-catalog.ts'
import { readStoredProduct } from '../data-product/facts.ts'
import { getEffectiveStatus } from '../data-product/standing.ts'
import type { Value } from '../text/value.ts'
import { addToCatalog, describeCatalog, describeDataset, describeDomain } from './catalog.ts'
import { describeStatus, describeTeam, type Dataset } from './catalog.ts'
import { NAMESPACES, type GraphNode } from './graph.ts'
import { newIris } from './iris.ts'
import { jsonLd } from './json-ld.ts'
import { describeProduct } from './triples.ts'
import { turtle } from './turtle.ts'

const BASE = 'https://portbook.example'
const IRIS = newIris(BASE)
const { dct, dcat, dprod } = NAMESPACES

/** Describes one product, with its team, its status, its domain and the contracts that exist. */
function describeAlone(value: Value, datasets: readonly Dataset[] = []): GraphNode[] {
  const id = 'orders'
  const product = readStoredProduct(value, { id, owner: 'fleet' })
  assert.ok(product !== undefined)
  const contracts = new Map(datasets.map(({ id: name }) => [name, { addresses: [] }]))
  const modifiedAt = '2026-11-27T10:00:00.123456Z'
  const status = getEffectiveStatus(product)
  const nodes = describeProduct(IRIS, { product, ownerId: 'fleet', modifiedAt }, contracts)
  return [
    ...nodes,
    ...addToCatalog(IRIS, nodes),
    describeTeam(IRIS, { id: 'fleet', name: 'Wagon Fleet' }),
    ...(status === undefined ? [] : [describeStatus(IRIS, status)]),
    ...(product.domain === undefined ? [] : [describeDomain(IRIS, product.domain)]),
    ...datasets.flatMap((dataset) => describeDataset(IRIS, dataset)),
  ]
}

const CATALOG = describeCatalog(IRIS, { name: 'Acme', page: 1, hasMore: true })

function toTurtle(nodes: readonly GraphNode[]): string {
  return `${turtle.writeStart(CATALOG)}${turtle.write(nodes)}${turtle.end}`
}

function toJsonLd(nodes: readonly GraphNode[]): string {
  return `${jsonLd.writeStart(CATALOG)}${jsonLd.write(nodes)}${jsonLd.end}`
}

/** Checks that both forms of some nodes conform to the shapes and have the same triples, and returns these. */
async function checkForms(nodes: readonly GraphNode[]) {
  const quads = parseTurtle(toTurtle(nodes))
  const linked = await parseJsonLd(toJsonLd(nodes))
  assert.equal(await canonicalize(linked), await canonicalize(quads))
  assert.deepEqual(await listViolations(quads), [])
  return quads
}

const ORDERS: Dataset = {
  id: 'orders-v1',
  name: 'Orders',
  description: undefined,
  version: '1.2.0',
  standard: 'odcs-3.1.0',
}

const ODPS = {
  apiVersion: 'v1.0.0',
  kind: 'DataProduct',
  id: 'orders',
  name: 'Orders',
  version: '2.0.0',
  status: 'active',
  domain: 'Sales',
  tags: ['gdpr', 'gdpr', 'orders'],
  description: { purpose: 'All orders' },
  team: { name: 'fleet', members: [{ username: 'ada@example.com' }] },
  support: [{ channel: 'mail', url: 'mailto:ada@example.com' }],
  inputPorts: [{ name: 'orders', version: '1.0.0', contractId: 'missing' }],
  outputPorts: [
    { name: 'orders', version: '1.0.0', contractId: 'orders-v1', description: 'A table' },
    { name: 'without contract' },
  ],
} satisfies Value

/** Returns the processor time in microseconds of writing a product with ports of the same name. */
function measure(count: number): number {
  const outputPorts = Array.from({ length: count }, () => ({ name: 'same' }))
  const startedAt = process.cpuUsage()
  toTurtle(describeAlone({ ...ODPS, outputPorts }))
  const { user, system } = process.cpuUsage(startedAt)
  return user + system
}

describe('describeProduct', () => {
  test('describes ODPS with ports, distributions and contracts', async () => {
    const quads = await checkForms(describeAlone(ODPS, [ORDERS]))
    const product = `${BASE}/data-products/orders`
    const port = `${product}#port-orders-1.0.0`
    const distribution = `${product}#distribution-orders-1.0.0`
    const contract = `${BASE}/data-contracts/orders-v1`
    assert.deepEqual(listValues(quads, product, `${dct}title`), ['Orders'])
    assert.deepEqual(listValues(quads, product, `${dprod}purpose`), ['All orders'])
    assert.deepEqual(listValues(quads, product, `${dcat}keyword`), ['gdpr', 'orders'])
    assert.deepEqual(listValues(quads, product, `${dprod}dataProductOwner`), [
      `${BASE}/teams/fleet`,
    ])
    assert.deepEqual(listValues(quads, product, `${dprod}lifecycleStatus`), [
      `${BASE}/catalog#status-active`,
    ])
    assert.deepEqual(listValues(quads, product, `${dprod}outputPort`), [
      port,
      `${product}#port-without%20contract`,
    ])
    assert.deepEqual(listValues(quads, product, `${dprod}outputDataset`), [contract])
    assert.deepEqual(listValues(quads, port, `${dcat}servesDataset`), [contract])
    assert.deepEqual(listValues(quads, port, `${dprod}isAccessServiceOf`), [distribution])
    assert.deepEqual(listValues(quads, contract, `${dcat}distribution`), [distribution])
    assert.deepEqual(listValues(quads, contract, `${dct}description`), ['Orders'])
    assert.deepEqual(listValues(quads, contract, `${dct}conformsTo`), [
      `${BASE}/api/schemas/odcs-3.1.0.schema.json`,
    ])
    assert.deepEqual(listValues(quads, `${BASE}/catalog`, `${dcat}dataset`), [contract])
  })

  test('describes DPS without owner, domain, description and status', async () => {
    const quads = await checkForms(
      describeAlone({
        dataProductSpecification: '0.0.1',
        info: { title: 'Orders', owner: 'fleet' },
        outputPorts: [{ id: 'p1', name: 'Table', type: 's3', location: 's3://bucket/orders' }],
      }),
    )
    const port = `${BASE}/data-products/orders#port-p1`
    assert.deepEqual(listValues(quads, port, `${dct}title`), ['Table'])
    assert.deepEqual(listValues(quads, port, `${dcat}endpointURL`), ['s3://bucket/orders'])
  })

  test('the status of a deprecated product is "deprecated", or the word that ends it', async () => {
    const product = `${BASE}/data-products/orders`
    for (const [status, expected] of [
      ['active', 'deprecated'],
      ['retired', 'retired'],
      [undefined, 'deprecated'],
    ] as const) {
      const { status: _, ...odps } = ODPS
      const document = {
        ...odps,
        apiVersion: 'v1.1.0',
        deprecated: true,
        ...(status && { status }),
      }
      const quads = await checkForms(describeAlone(document))
      assert.deepEqual(listValues(quads, product, `${dprod}lifecycleStatus`), [
        `${BASE}/catalog#status-${expected}`,
      ])
    }
  })

  test('omits the contract of a port if it does not exist', async () => {
    const quads = await checkForms(describeAlone(ODPS))
    const input = `${BASE}/data-products/orders#input-port-orders-1.0.0`
    assert.deepEqual(listValues(quads, input, `${dcat}servesDataset`), [])
    assert.deepEqual(listValues(quads, input, `${dcat}endpointURL`), [
      `${BASE}/data-products/orders`,
    ])
    assert.doesNotMatch(toTurtle(describeAlone(ODPS)), /data-contracts/)
  })

  test('has no address of a person', () => {
    assert.doesNotMatch(toTurtle(describeAlone(ODPS, [ORDERS])), /ada/)
  })

  test('gives each port its own IRI, also if names repeat or look like versions', async () => {
    const ports = [
      { name: 'a', version: '1' },
      { name: 'a-1' },
      { name: 'a', version: '1' },
      { name: 'a@1' },
      { name: 'a%1' },
    ]
    const value = { ...ODPS, inputPorts: ports, outputPorts: ports }
    const quads = await checkForms(describeAlone(value))
    const product = `${BASE}/data-products/orders`
    const endings = ['a%251', 'a%401', 'a-1', 'a-1-2', 'a-1-3']
    assert.deepEqual(
      listValues(quads, product, `${dprod}outputPort`),
      endings.map((ending) => `${product}#port-${ending}`),
    )
    assert.deepEqual(
      listValues(quads, product, `${dprod}inputPort`),
      endings.map((ending) => `${product}#input-port-${ending}`),
    )
  })

  test('takes time in proportion to the number of ports, also of equal names', () => {
    measure(2000)
    // The machine may be busy with other work during one of them.
    const measureBest = (count: number): number =>
      Math.min(...Array.from({ length: 3 }, () => measure(count)))
    const [few, many] = [measureBest(2000), measureBest(20_000)]
    assert.ok(many < 40 * few, `${few} µs for 2,000 ports, ${many} µs for 20,000`)
  })
})

describe('hostile texts', () => {
  for (const [at, text] of HOSTILE_TEXTS.entries()) {
    test(`survive everywhere: ${JSON.stringify(text)}`, async () => {
      const quads = await checkForms([
        ...describeAlone({
          ...ODPS,
          // Products without a name are rejected.
          name: `x${text}`,
          status: text,
          domain: text,
          version: text,
          tags: [text],
          description: { purpose: text },
          inputPorts: [{ name: text, version: text, contractId: text }],
          outputPorts: [
            {
              name: text,
              contractId: text,
              description: text,
              customProperties: [{ property: 'location', value: `https://${text}` }],
            },
          ],
        }),
        ...describeDataset(IRIS, { ...ORDERS, id: text, name: text, version: text }),
        describeTeam(IRIS, { id: text, name: text }),
        ...describeCatalog(IRIS, { name: text, page: at, hasMore: false }),
      ])
      const title = listValues(quads, `${BASE}/data-products/orders`, `${dct}title`)
      assert.deepEqual(title, [`x${text.toWellFormed()}`])
      const subjects = new Set(quads.map(({ subject }) => subject.value))
      for (const subject of subjects) assert.ok(subject.startsWith(`${BASE}/`), subject)
      const written = toTurtle(describeAlone({ ...ODPS, name: `x${text}` }))
      assert.doesNotMatch(written.replaceAll('\n', ''), /[\p{Cc}\u2028-\u202e\u2066-\u2069]/u)
    })
  }

  test('the public address may have a path', async () => {
    const iris = newIris('https://portbook.example/a b')
    assert.equal(iris.product('x/y'), 'https://portbook.example/a%20b/data-products/x%2Fy')
  })
})
