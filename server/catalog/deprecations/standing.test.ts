/** Every answer with the status of a data product shows that its flag announces its end. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readJson } from '../../../test/answers.ts'
import { onStore } from '../../../test/stores.ts'
import { expectOk, newProduct, newWorld, odps } from '../../../test/world.ts'

/** An answer in which the product is one of the objects at any depth. */
const ANSWERS: Readonly<Record<string, string>> = {
  search: '/api/search?query=flagged',
  'the lineage of the product': '/api/dataproducts/flagged/lineage',
  'the lineage of a consumer': '/api/dataproducts/consumer/lineage',
  'the products of a domain': '/ui/domains/products?domain=sales',
  'the home page': '/ui/home',
}

/** Returns the statuses of the objects with an id, at any depth. */
function listStatuses(value: unknown, id: string): unknown[] {
  if (typeof value !== 'object' || value === null) return []
  const inside = Object.values(value).flatMap((member: unknown) => listStatuses(member, id))
  const isOne = 'id' in value && value.id === id && 'status' in value
  return isOne ? [value.status, ...inside] : inside
}

onStore((store) => {
  for (const [name, path] of Object.entries(ANSWERS)) {
    test(`${name} › shows the flag of a product as its status`, async () => {
      const world = await newWorld(newProduct(store()))
      const port = { name: 'out', version: '1', contractId: 'c' }
      const more = { apiVersion: 'v1.1.0', domain: 'sales', outputPorts: [port] }
      const put = (id: string, body: object) =>
        expectOk(world.as('O', 'PUT', `/api/dataproducts/${id}`, { body: odps(id, body) }))
      await put('consumer', { inputPorts: [{ name: 'in', version: '1', contractId: 'c' }] })
      await put('flagged', { ...more, status: 'active' })
      const read = async () =>
        listStatuses(await readJson(world.asPerson('Um', 'GET', path)), 'flagged')
      assert.deepEqual(new Set(await read()), new Set(['active']))
      await put('flagged', { ...more, status: 'active', deprecated: true })
      assert.deepEqual(new Set(await read()), new Set(['deprecated']))
      await put('flagged', { ...more, status: 'retired', deprecated: true })
      assert.deepEqual(new Set(await read()), new Set(['retired']))
    })
  }
})
