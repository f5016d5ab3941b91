/** The names in a document can be texts of any length that refer to anything. */

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { before, test } from 'node:test'
import { onStore } from '../../../test/stores.ts'
import { expectOk, newProduct, newWorld, odps, uniqueId, type World } from '../../../test/world.ts'

// Random, so that the store cannot make it short.
const LONG = randomBytes(8000).toString('base64url')

onStore((store) => {
  let world: World
  before(async () => {
    world = await newWorld(newProduct(store()))
  })

  test('PUT /api/dataproducts/{id} › 200 for ports that name contracts and assets by 10,000 characters', async () => {
    const id = uniqueId()
    const body = odps(id, {
      inputPorts: [{ name: 'in', version: '1.0.0', contractId: LONG }],
      outputPorts: [
        { name: 'out', version: '1.0.0', contractId: LONG },
        {
          name: 'table',
          version: '1.0.0',
          customProperties: [{ property: 'assetId', value: LONG }],
        },
      ],
    })
    await expectOk(world.as('O', 'PUT', `/api/dataproducts/${id}`, { body }))
    const stored = await world.as('O', 'GET', `/api/dataproducts/${id}`)
    assert.equal(await stored.text(), JSON.stringify(body))
  })

  test('PUT /api/assets/{id} › 200 for a parent that is named by 10,000 characters', async () => {
    const id = uniqueId()
    const body = {
      id,
      info: { name: 'orders', type: 'postgres_table', source: 'postgres' },
      relationships: [{ relationshipType: 'parent', assetId: LONG }],
    }
    await expectOk(world.as('O', 'PUT', `/api/assets/${id}`, { body }))
    const stored = await world.as('O', 'GET', `/api/assets/${id}`)
    assert.equal(await stored.text(), JSON.stringify(body))
  })
})
