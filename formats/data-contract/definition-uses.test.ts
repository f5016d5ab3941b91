import assert from 'node:assert/strict'
import test from 'node:test'
import { valueAt, type Value } from '../text/value.ts'
import { listDefinitionUses, readDefinitionAddress } from './definition-uses.ts'

test('readDefinitionAddress › addresses of the API and of pages, on any host', () => {
  for (const [address, id] of [
    ['/api/definitions/sales/customer_id', 'sales/customer_id'],
    ['https://catalog.example/api/definitions/a%2Fb', 'a/b'],
    ['https://catalog.example/velmora/definitions/a/b?tab=uses#top', 'a/b'],
    ['definitions/net_weight/', 'net_weight'],
    ['#/definitions/local', undefined],
    ['https://catalog.example/definitions', undefined],
    ['https://catalog.example/definitions/%zz', undefined],
    ['https://wiki.example/redefinitions/x', undefined],
    [`definitions/a${'/'.repeat(1_000_000)}x`, undefined],
  ] as const) {
    assert.equal(readDefinitionAddress(address), id, address)
  }
})

/** Returns the uses as id, location and path; the address is at the path. */
function listUses(contract: Value): [id: string, location: string, path: string][] {
  return listDefinitionUses(contract).map(({ definitionId, location, address, path }) => {
    assert.equal(valueAt(contract, path), address)
    return [definitionId, location, path.join('.')]
  })
}

const definition = (id: string, type = 'businessDefinition') => ({
  type,
  url: `/api/definitions/${id}`,
})

test('listDefinitionUses › ODCS: the contract, objects, properties, nested and repeated ones', () => {
  const uses = listUses({
    apiVersion: 'v3.1.0',
    authoritativeDefinitions: [definition('order'), definition('other', 'tutorial')],
    schema: [
      {
        name: 'orders',
        authoritativeDefinitions: [definition('order', 'definition')],
        properties: [
          {
            name: 'buyer',
            properties: [{ name: 'id', authoritativeDefinitions: [definition('c/id')] }],
          },
          {
            name: 'lines',
            items: { properties: [{ name: 'net', authoritativeDefinitions: [definition('net')] }] },
          },
        ],
      },
    ],
  })
  assert.deepEqual(uses, [
    ['order', '', 'authoritativeDefinitions.0.url'],
    ['order', 'orders', 'schema.0.authoritativeDefinitions.0.url'],
    [
      'c/id',
      'orders.buyer.id',
      'schema.0.properties.0.properties.0.authoritativeDefinitions.0.url',
    ],
    [
      'net',
      'orders.lines.net',
      'schema.0.properties.1.items.properties.0.authoritativeDefinitions.0.url',
    ],
  ])
})

test('listDefinitionUses › Data Contract Specification: references to other documents', () => {
  const uses = listUses({
    dataContractSpecification: '1.1.0',
    models: {
      orders: {
        fields: {
          id: { $ref: 'https://catalog.example/velmora/definitions/sales/order_id' },
          own: { $ref: '#/definitions/own' },
          lines: { items: { fields: { sku: { $ref: '/api/definitions/sku' } } } },
        },
      },
    },
    definitions: { own: { type: 'text' } },
  })
  assert.deepEqual(uses, [
    ['sales/order_id', 'orders.id', 'models.orders.fields.id.$ref'],
    ['sku', 'orders.lines.sku', 'models.orders.fields.lines.items.fields.sku.$ref'],
  ])
})

test('listDefinitionUses › malformed documents name none', () => {
  for (const value of [
    null,
    [],
    'x',
    { schema: 'x' },
    { models: { a: null, b: { fields: [1] } } },
  ]) {
    assert.deepEqual(listDefinitionUses(value), [])
  }
})
