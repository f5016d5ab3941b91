import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectProblem, readJson } from '../../../test/answers.ts'
import { onStore } from '../../../test/stores.ts'
import { expectOk, newProduct, newWorld, odcs, type World } from '../../../test/world.ts'

interface Answer {
  servers: { name: string; integrations: { name: string; source: string }[] }[]
}

const addIntegration = async (world: World, name: string, uri: string) =>
  await expectOk(
    world.asPerson('Uo', 'POST', '/ui/integrations', {
      body: {
        name,
        source: 'iceberg',
        configuration: { uri, authentication: 'none' },
      },
    }),
  )

const iceberg = (server: string, catalogUrl: string) => ({
  server,
  type: 'iceberg',
  catalog: 'c',
  catalogUrl,
  namespace: 'sales',
})

onStore((store) => {
  test('GET /ui/datacontracts/{id}/server-sources › lists the integrations with the address of an iceberg server', async () => {
    const world = await newWorld(newProduct(store()))
    const twin = await newWorld(world)
    const body = odcs('c', {
      apiVersion: 'v3.2.0',
      servers: [
        iceberg('same', 'https://catalog.example/iceberg/'),
        iceberg('other', 'https://catalog.example/polaris'),
        iceberg('variable', 'https://${HOST}/iceberg'),
      ],
    })
    for (const one of [world, twin]) {
      await expectOk(one.as('O', 'PUT', '/api/datacontracts/c', { body }))
    }
    await addIntegration(world, 'Lake', 'https://catalog.example/iceberg')
    const path = '/ui/datacontracts/c/server-sources'
    const { servers } = await readJson<Answer>(world.asPerson('Um', 'GET', path))
    assert.deepEqual(
      servers.map(({ name, integrations }) => [name, integrations.map((one) => one.name)]),
      [['same', ['Lake']]],
    )
    assert.deepEqual(await readJson<Answer>(twin.asPerson('Um', 'GET', path)), { servers: [] })
  })

  test('GET /ui/datacontracts/{id}/server-sources › 404 without the contract', async () => {
    const world = await newWorld(newProduct(store()))
    await expectProblem(world.asPerson('Um', 'GET', '/ui/datacontracts/x/server-sources'), 404)
  })
})
