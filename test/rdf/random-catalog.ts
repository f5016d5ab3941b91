/** Random data products and contracts, and the page of a catalog with them. */

import * as fc from 'fast-check'
import { readStoredProduct } from '../../formats/data-product/facts.ts'
import { readStoredFacts } from '../../formats/data-contract/facts.ts'
import { listServerAddresses } from '../../formats/rdf/address.ts'
import {
  addToCatalog,
  describeCatalog,
  describeDataset,
  describeDomain,
  describeStatus,
  describeTeam,
} from '../../formats/rdf/catalog.ts'
import type { GraphNode } from '../../formats/rdf/graph.ts'
import { newIris } from '../../formats/rdf/iris.ts'
import { describeProduct } from '../../formats/rdf/triples.ts'
import type { Value } from '../../formats/text/value.ts'
import { createServer, ODCS_SERVERS } from '../full-servers.ts'

/** Texts that a writer without escapes would break at. */
export const HOSTILE_TEXTS: readonly string[] = [
  '',
  '"""',
  "'''",
  'a>b<c',
  'line\nbreak\r\n\ttab',
  '\u202egnp.exe\u2066\u2069',
  '100 % of %zz %41',
  '\ud800 half \udc00',
  '\\u0041 \\" \\',
  '{"@id": "x"} ]}',
  '<http://evil.example/> a <http://evil.example/Class> .',
  'dct:title',
  '_:b0',
  '@type',
  '\u0000\u0001\u007f\u0085\u2028\u2029',
  '🚂 客户 ø',
  ' ',
  '..',
  '#port-x?y=1&z;/',
  '__proto__',
]

/** A product and the contracts of the catalog, as documents. */
export interface RandomProduct {
  id: string
  document: Value
  contracts: readonly { id: string; document: Value }[]
}

const text = fc.oneof(fc.constantFrom(...HOSTILE_TEXTS), fc.string({ maxLength: 12 }))
const name = text.map((one) => `n${one}`)
const optional = (arbitrary: fc.Arbitrary<Value>) => fc.option(arbitrary, { nil: undefined })

const location = fc.oneof(
  text.map((one) => `https://${one}`),
  text.map((one) => `s3://bucket/${one}`),
  fc.constantFrom('${HOST}', 'host:9092', 'postgresql://ada:secret@host/db', 'mailto:a@b.c', 'x y'),
)
const server = fc.constantFrom(...Object.entries(ODCS_SERVERS)).map(([type, names]): Value => ({
  server: type,
  type,
  ...createServer(names),
}))

function withoutAbsent(object: { [key: string]: Value | undefined }): Value {
  return Object.fromEntries(
    Object.entries(object).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])),
  )
}

const contracts = fc.uniqueArray(
  fc.record({ id: name, title: optional(text), servers: fc.array(server, { maxLength: 3 }) }),
  { maxLength: 3, selector: ({ id }) => id },
)

function newPort(ids: readonly string[]) {
  const named = fc.constantFrom('missing', ...ids)
  return fc
    .record({
      name: optional(text),
      version: optional(text),
      contractId: optional(named),
      description: optional(text),
      tags: optional(fc.array(text, { maxLength: 2 })),
      location: optional(location),
    })
    .map(({ location: address, ...port }) =>
      withoutAbsent({
        ...port,
        customProperties:
          address === undefined ? undefined : [{ property: 'location', value: address }],
      }),
    )
}

/** A product in ODPS or DPS with random ports, some of which name a contract that exists. */
export const randomProduct: fc.Arbitrary<RandomProduct> = contracts.chain((documents) => {
  const ports = fc.array(newPort(documents.map(({ id }) => id)), { maxLength: 4 })
  return fc
    .record({
      id: name,
      title: name,
      isOdps: fc.boolean(),
      version: optional(text),
      status: optional(text),
      domain: optional(text),
      description: optional(text),
      tags: fc.array(text, { maxLength: 3 }),
      inputPorts: ports,
      outputPorts: ports,
    })
    .map(({ id, title, isOdps, description, status, domain, version, ...more }) => ({
      id,
      document: isOdps
        ? withoutAbsent({
            apiVersion: 'v1.0.0',
            kind: 'DataProduct',
            name: title,
            status,
            domain,
            version,
            description: withoutAbsent({ purpose: description }),
            ...more,
          })
        : withoutAbsent({
            dataProductSpecification: '0.0.1',
            info: withoutAbsent({ title, description, status, domain }),
            ...more,
          }),
      contracts: documents.map(({ id: contractId, title: contractTitle, servers }) => ({
        id: contractId,
        document: withoutAbsent({
          apiVersion: 'v3.1.0',
          kind: 'DataContract',
          name: contractTitle,
          servers,
        }),
      })),
    }))
})

const MODIFIED_AT = '2026-11-27T10:00:00.123456Z'
const TEAM = { id: 'fleet', name: 'Wagon "Fleet"' }

/** Describes the page of a catalog that has some products, as the server does. */
export function describePage(products: readonly RandomProduct[], page = 0): GraphNode[] {
  const iris = newIris('https://portbook.example')
  const nodes = describeCatalog(iris, { name: 'Acme', page, hasMore: true })
  nodes.push(describeTeam(iris, TEAM))
  for (const { id, document, contracts: named } of products) {
    const product = readStoredProduct(document, { id, owner: TEAM.id })
    if (product === undefined) throw new Error(`the product ${id} is not readable`)
    const existing = named.flatMap(({ id: contractId, document: contract }) => {
      const facts = readStoredFacts(contract, { id: contractId, owner: TEAM.id })
      return facts === undefined ? [] : [facts]
    })
    const addresses = new Map(
      existing.map((one) => [one.id, { addresses: listServerAddresses(one.servers) }]),
    )
    const described = describeProduct(
      iris,
      { product, ownerId: TEAM.id, modifiedAt: MODIFIED_AT },
      addresses,
    )
    nodes.push(...described, ...addToCatalog(iris, described))
    if (product.status !== undefined) nodes.push(describeStatus(iris, product.status))
    if (product.domain !== undefined) nodes.push(describeDomain(iris, product.domain))
    for (const { id: contractId, name: title, description, version } of existing) {
      const dataset = { id: contractId, name: title, description, version, standard: 'odcs-3.1.0' }
      nodes.push(...describeDataset(iris, dataset))
    }
  }
  return nodes
}
