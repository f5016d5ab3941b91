import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { expectProblem, readJson } from '../../../test/answers.ts'
import { listEntries } from '../../../test/activity.ts'
import { addIntegration } from '../../../test/integrations.ts'
import {
  addIntegration as addStoredIntegration,
  ingest,
  sourceTable,
} from '../../../test/ingested-assets.ts'
import { onStore } from '../../../test/stores.ts'
import {
  expectOk,
  newProduct,
  newWorld,
  odcs,
  putOne,
  uniqueId,
  type World,
} from '../../../test/world.ts'
import type { Link } from './link.ts'

const HOST = 'db.example:5432'

onStore((store) => {
  let world: World
  before(async () => {
    world = await newWorld(newProduct(store()))
  })

  const put = async (id: string, model: string, host = 'db.example'): Promise<void> => {
    const schema = [{ name: model, physicalName: model, logicalType: 'object', properties: [] }]
    const place = { type: 'postgres', port: 5432, database: 'db', schema: 'public' }
    const servers = [{ server: 'production', host, ...place }]
    const body = odcs(id, { servers, schema })
    await expectOk(world.as('O', 'PUT', `/api/datacontracts/${id}`, { body }))
  }
  const putTable = async (id: string, name: string): Promise<void> => {
    const info = {
      name,
      source: 'postgres',
      type: 'postgres_table',
      qualifiedName: `db.public.${name}`,
    }
    await expectOk(world.as('O', 'PUT', `/api/assets/${id}`, { body: { id, info, columns: [] } }))
  }
  const readLink = async (
    id: string,
    model: string,
  ): Promise<{ state: string; id: string | undefined }> => {
    const drift = await readJson<{
      servers: {
        models: { model: string; link: { state: string; asset: { id: string } | null } }[]
      }[]
    }>(world.as('O', 'GET', `/api/datacontracts/${id}/drift`))
    const found = drift.servers.flatMap(({ models }) => models).find((one) => one.model === model)
    return { state: found?.link.state ?? 'none', id: found?.link.asset?.id }
  }

  test('a contract is linked when it is written, and when the asset comes, moves or goes', async () => {
    const [id, asset] = [uniqueId(), uniqueId()]
    await put(id, id)
    assert.deepEqual(await readLink(id, id), { state: 'no_source', id: undefined })
    await putTable(asset, id)
    assert.deepEqual(await readLink(id, id), { state: 'linked', id: asset })
    await putTable(asset, `${id}_moved`)
    assert.equal((await readLink(id, id)).state, 'no_source')
    await putTable(asset, id)
    const second = uniqueId()
    await putTable(second, id.toUpperCase())
    assert.deepEqual(await readLink(id, id), { state: 'linked', id: asset })
    await expectOk(world.as('O', 'DELETE', `/api/assets/${asset}`))
    assert.deepEqual(await readLink(id, id), { state: 'linked', id: second })
    await put(id, `${id}_other`)
    assert.equal((await readLink(id, id)).state, 'none')
  })

  test('the assets that an output port names are linked until it names them no more', async () => {
    const [id, asset, product] = [uniqueId(), uniqueId(), uniqueId()]
    await put(id, id)
    const info = { name: id, source: 'postgres', type: 'postgres_table' }
    await expectOk(world.as('O', 'PUT', `/api/assets/${asset}`, { body: { id: asset, info } }))
    assert.equal((await readLink(id, id)).state, 'no_source')
    const ports = (assets: string[]) => [
      {
        name: 'port',
        version: '1',
        contractId: id,
        customProperties: [{ property: 'assets', value: assets }],
      },
    ]
    const putProduct = async (assets: string[]): Promise<void> => {
      const body = {
        apiVersion: 'v1.0.0',
        kind: 'DataProduct',
        id: product,
        name: product,
        status: 'active',
        team: { name: 'a' },
        outputPorts: ports(assets),
      }
      await expectOk(world.as('O', 'PUT', `/api/dataproducts/${product}`, { body }))
    }
    await putProduct([asset])
    assert.deepEqual(await readLink(id, id), { state: 'linked', id: asset })
    await putProduct([])
    assert.equal((await readLink(id, id)).state, 'no_source')
    await putProduct([asset])
    await expectOk(world.as('O', 'DELETE', `/api/dataproducts/${product}`))
    assert.equal((await readLink(id, id)).state, 'no_source')
  })

  test('PUT and DELETE of a link › of servers and models with names of any characters', async () => {
    const [id, asset] = [uniqueId(), uniqueId()]
    await putTable(asset, uniqueId())
    const names = [
      'a/b',
      '%2F',
      '"%_{}',
      's3://bucket/x',
      '\u202Etxt',
      'línea\n2',
      '🚂'.repeat(200),
    ]
    const servers = names.map((server) => ({ server, type: 'postgres', host: 'h', database: 'd' }))
    const schema = names.map((name) => ({ name, logicalType: 'object', properties: [] }))
    await putOne(world, 'datacontracts', odcs(id, { servers, schema }))
    for (const [at, name] of names.entries()) {
      const model = names.at(at - 1) ?? ''
      const place = [name, model].map(encodeURIComponent).join('/')
      const path = `/api/datacontracts/${id}/links/${place}`
      const body = { assetId: asset, reason: 'Known' }
      const { state } = await readJson<Link>(world.as('Ue', 'PUT', path, { body }))
      assert.equal(state, 'linked', name)
      await expectOk(world.as('Ue', 'DELETE', path))
    }
    for (const name of ['%00', '%zz', 'a'.repeat(1501)]) {
      const path = `/api/datacontracts/${id}/links/production/${name}`
      await expectProblem(world.as('Ue', 'DELETE', path), 400)
    }
    await expectProblem(world.as('Ue', 'DELETE', `/api/datacontracts/a%2Fb/links/a/b`), 400)
  })

  test('PUT and DELETE of a link › choose, exclude and return to the rules, with entries', async () => {
    const [id, asset] = [uniqueId(), uniqueId()]
    await put(id, 'model')
    await putTable(asset, uniqueId())
    const path = `/api/datacontracts/${id}/links/production/model`
    const chosen = await readJson<Link>(
      world.as('Ue', 'PUT', path, { body: { assetId: asset, reason: 'Renamed' } }),
    )
    assert.deepEqual([chosen.state, chosen.assetId, chosen.origin], ['linked', asset, 'hand'])
    const excluded = await readJson<Link>(
      world.as('Ue', 'PUT', path, { body: { assetId: null, reason: 'Not built yet' } }),
    )
    assert.equal(excluded.state, 'excluded')
    const ended = await readJson<Link>(world.as('Ue', 'DELETE', path))
    assert.equal(ended.state, 'no_source')
    const entries = await listEntries(world, 'data-contract')
    const actions = entries.filter(({ subject }) => subject === id).map(({ action }) => action)
    assert.deepEqual(actions, ['created', 'asset-chosen', 'asset-chosen', 'choice-ended'])
  })

  test('PUT of a link › 404, 422 and 409 for what does not exist and for containers', async () => {
    const [id, schema] = [uniqueId(), uniqueId()]
    await put(id, 'model')
    const info = { name: 'public', source: 'postgres', type: 'postgres_schema' }
    await expectOk(world.as('O', 'PUT', `/api/assets/${schema}`, { body: { id: schema, info } }))
    const body = { assetId: schema, reason: 'Because' }
    const path = `/api/datacontracts/${id}/links/production`
    await expectProblem(world.as('O', 'PUT', `${path}/unknown`, { body }), 404)
    await expectProblem(world.as('O', 'PUT', `${path}/model`, { body }), 409, /contains others/)
    const unknown = { assetId: 'unknown', reason: 'Because' }
    await expectProblem(world.as('O', 'PUT', `${path}/model`, { body: unknown }), 422)
    await expectProblem(world.as('O', 'PUT', `${path}/model`, { body: { assetId: null } }), 422)
  })

  test('POST of an address › links all models there at once, and DELETE unlinks them', async () => {
    const [id, table] = [uniqueId(), uniqueId()]
    const integration = await addStoredIntegration(world)
    const other = await addIntegration(world, null)
    const addresses = `/api/integrations/${integration.externalId}/addresses`
    await expectOk(world.as('O', 'POST', addresses, { body: { address: 'alias.example:5432' } }))
    const [asset] = await ingest(world, integration, [sourceTable(['db', 'public', table])])
    await put(id, table)
    assert.deepEqual(await readLink(id, table), { state: 'other_address', id: undefined })
    await expectOk(world.as('O', 'POST', addresses, { body: { address: HOST } }))
    assert.deepEqual(await readLink(id, table), { state: 'linked', id: asset })
    const list = await readJson<{ address: string }[]>(
      world.as('O', 'DELETE', `${addresses}?address=${HOST}`),
    )
    assert.deepEqual(
      list.map(({ address }) => address),
      ['alias.example:5432'],
    )
    assert.equal((await readLink(id, table)).state, 'other_address')
    const configured = await readJson<{ origin: string }[]>(
      world.as('O', 'GET', `/api/integrations/${other}/addresses`),
    )
    assert.deepEqual(
      configured.map(({ origin }) => origin),
      ['configuration'],
    )
    const entries = await listEntries(world, 'integration')
    const actions = entries.filter(({ subject }) => subject === integration.externalId)
    assert.deepEqual(
      actions.map(({ action }) => action),
      ['address-added', 'address-added', 'address-removed'],
    )
  })
})
