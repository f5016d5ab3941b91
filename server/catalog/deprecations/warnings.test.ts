/** Warnings of a plan about documents that are named and do not exist. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readJson } from '../../../test/answers.ts'
import { onStore } from '../../../test/stores.ts'
import { dps, expectOk, newProduct, newWorld, odcs, odps, type World } from '../../../test/world.ts'
import type { Plan } from '../../ledger/history/plan.ts'

const BASE = 'http://portbook.test'

const replacedBy = (value: string) => [{ property: 'replacedBy', value }]

const definition = (url: string) => ({ type: 'businessDefinition', url })

/** Returns the warnings of a plan about unknown documents, each as its field and position. */
async function listUnknown(world: World, path: string, body: object): Promise<string[]> {
  const text = JSON.stringify(body, null, 1)
  const { warnings } = await readJson<Plan>(
    world.as('O', 'PUT', `/api/${path}/x?dryRun=true`, { body: text }),
  )
  const lines = text.split('\n')
  return warnings
    .filter(({ message }) => /^Unknown (?:replacement|definition) /.test(message))
    .map(({ field, line, message }) => {
      const named = /"([^"]*)"/.exec(message)?.[1] ?? ''
      assert.ok(
        decodeURIComponent(lines[line - 1] ?? '').includes(named),
        `${message} is not about line ${line}`,
      )
      return field
    })
}

onStore((store) => {
  test('PUT ?dryRun=true › warns of each replacedBy that names nothing, with its position', async () => {
    const world = await newWorld(newProduct(store()))
    const unknown = replacedBy('nowhere')
    const contract = odcs('x', {
      apiVersion: 'v3.2.0',
      customProperties: unknown,
      schema: [
        {
          name: 'orders',
          customProperties: unknown,
          properties: [
            {
              name: 'list',
              logicalType: 'array',
              items: {
                logicalType: 'object',
                properties: [{ name: 'a', logicalType: 'string', customProperties: unknown }],
              },
            },
          ],
        },
      ],
    })
    assert.deepEqual(await listUnknown(world, 'datacontracts', contract), [
      'customProperties[0].value',
      'schema[0].customProperties[0].value',
      'schema[0].properties[0].items.properties[0].customProperties[0].value',
    ])
    const ports = {
      outputPorts: [
        { name: 'a', version: '1', customProperties: replacedBy('b') },
        { name: 'b', version: '1', customProperties: unknown },
      ],
      managementPorts: [{ name: 'm', content: 'c', customProperties: replacedBy('b') }],
    }
    assert.deepEqual(
      await listUnknown(world, 'dataproducts', odps('x', { ...ports, apiVersion: 'v1.1.0' })),
      ['outputPorts[1].customProperties[0].value'],
    )
    const old = dps('x', { custom: { replacedBy: `${BASE}/data-products/nowhere` } })
    assert.deepEqual(await listUnknown(world, 'dataproducts', old), ['custom.replacedBy'])
    await expectOk(world.as('O', 'PUT', '/api/dataproducts/nowhere', { body: odps('nowhere') }))
    assert.deepEqual(await listUnknown(world, 'datacontracts', contract), [])
    assert.deepEqual(await listUnknown(world, 'dataproducts', old), [])
    const elsewhere = odps('x', { customProperties: replacedBy('https://other.example/x') })
    assert.deepEqual(await listUnknown(world, 'dataproducts', elsewhere), [])
    const twin = await newWorld(world)
    assert.equal((await listUnknown(twin, 'datacontracts', contract)).length, 3)
  })

  test('PUT ?dryRun=true › warns of each definition of this catalog that does not exist, once', async () => {
    const world = await newWorld(newProduct(store()))
    const contract = odcs('x', {
      authoritativeDefinitions: [
        definition(`${BASE}/definitions/sales%2Ftotal`),
        definition('https://other.example/definitions/sales'),
        { type: 'tutorial', url: `${BASE}/definitions/none` },
      ],
      schema: [
        {
          name: 'orders',
          properties: [
            {
              name: 'a',
              logicalType: 'string',
              authoritativeDefinitions: [
                definition('/definitions/known'),
                definition('/definitions/unknown'),
                definition(`${BASE}/definitions/sales/total`),
              ],
            },
          ],
        },
      ],
    })
    const known = { id: 'known', title: 'K', type: 'string', owner: 'a' }
    await expectOk(world.as('O', 'PUT', '/api/definitions/known', { body: known }))
    const text = (await listUnknown(world, 'datacontracts', contract)) satisfies string[]
    assert.deepEqual(text, [
      'authoritativeDefinitions[0].url',
      'schema[0].properties[0].authoritativeDefinitions[1].url',
    ])
    const twin = await newWorld(world)
    assert.equal((await listUnknown(twin, 'datacontracts', contract)).length, 3)
  })
})
