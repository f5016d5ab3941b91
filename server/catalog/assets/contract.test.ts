import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Model } from '../../../formats/schema/model.ts'
import { expectProblem, readJson } from '../../../test/answers.ts'
import { addIntegration, ingest, markGone, sourceTable } from '../../../test/ingested-assets.ts'
import { sameModels } from '../../../test/model-equality.ts'
import { onStore } from '../../../test/stores.ts'
import { expectOk, newProduct, newWorld, uniqueId, type World } from '../../../test/world.ts'
import type { SourceAsset } from '../../connectors/connector.ts'

interface Draft {
  id: string
  status: string
  team?: { name: string }
  servers: object[]
  schema: { name: string; properties: object[] }[]
}

const custom = { host: 'db.example', port: 5432, database: 'shop', schema: 'public' }

function shopTable(more: Partial<SourceAsset>, at: number): SourceAsset {
  return sourceTable(['shop', 'public', `t${at}`], { custom, ...more })
}

onStore((store) => {
  let world: World
  before(async () => {
    world = await newWorld(newProduct(store()))
  })

  /** Ingests a database with one schema and tables; returns the ids, containers first. */
  async function ingestShop(tables: readonly Partial<SourceAsset>[]): Promise<string[]> {
    const integration = await addIntegration(world, { owner: 'a' })
    return await ingest(world, integration, [
      { kind: 'database', path: ['shop'], scope: ['shop'] },
      { kind: 'schema', path: ['shop', 'public'], scope: ['shop', 'public'], description: 'Shop' },
      ...tables.map(shopTable),
    ])
  }

  const draft = (id: string): Promise<Response> =>
    world.asPerson('Um', 'POST', `/ui/assets/${id}/contract`)

  const listModels = async (path: string): Promise<Model[]> =>
    (await readJson<{ models: Model[] }>(world.as('Tr', 'GET', `${path}/model`))).models

  test('POST /ui/assets/{id}/contract › drafts a contract of a table that can be PUT and contains the properties of the asset', async () => {
    const foreignKeys = [
      { columns: ['id'], references: ['shop', 'public', 't1'], referencedColumns: ['id'] },
    ]
    const [, , id = ''] = await ingestShop([{ foreignKeys, description: 'Orders' }, {}])
    const body = { description: 'What was ordered', tags: ['x'] }
    await expectOk(world.asPerson('Ue', 'PUT', `/ui/assets/${id}/annotation`, { body }))
    const drafted = await readJson<Draft>(draft(id))
    assert.equal(drafted.status, 'draft')
    assert.deepEqual(drafted.team, { name: 'a' })
    assert.deepEqual(drafted.servers, [{ server: 'postgres', type: 'postgres', ...custom }])
    assert.equal(drafted.id, 'shop-public-t0')
    const path = `/api/datacontracts/${drafted.id}`
    await expectProblem(world.as('T', 'GET', path), 404)
    await expectOk(world.as('T', 'PUT', `${path}?strict=true`, { body: drafted }))
    const [model] = await listModels(`/api/assets/${id}`)
    assert.equal(model?.description, 'What was ordered')
    assert.deepEqual(model?.tags, ['x'])
    assert.deepEqual(model?.primaryKey, ['id'])
    assert.deepEqual(model?.fields[0]?.references, ['t1.id'])
    assert.ok(sameModels(await listModels(`/api/assets/${id}`), await listModels(path)))
    assert.equal((await readJson<Draft>(draft(id))).id, 'shop-public-t0-2', 'the first id is taken')
  })

  test('POST /ui/assets/{id}/contract › drafts one contract for the live tables of a schema', async () => {
    const [database = '', schema = '', , gone = ''] = await ingestShop([{}, {}, { kind: 'view' }])
    await markGone(world, gone)
    const drafted = await readJson<Draft>(draft(schema))
    assert.deepEqual(
      drafted.schema.map(({ name, properties }) => [name, properties.length]),
      [
        ['t0', 2],
        ['t2', 2],
      ],
    )
    await expectOk(world.as('T', 'PUT', `/api/datacontracts/${drafted.id}`, { body: drafted }))
    const models = await listModels(`/api/assets/${schema}`)
    assert.deepEqual(
      models.map(({ kind }) => kind),
      ['table', 'view'],
    )
    assert.ok(sameModels(models, await listModels(`/api/datacontracts/${drafted.id}`)))
    await expectProblem(draft(database), 422, /directly contains tables/)
    assert.deepEqual(await listModels(`/api/assets/${database}`), [])
  })

  test('POST /ui/assets/{id}/contract › accepts at most a thousand tables', async () => {
    const tables = Array.from({ length: 1000 }, () => ({}))
    const [, schema = ''] = await ingestShop(tables)
    assert.equal((await readJson<Draft>(draft(schema))).schema.length, 1000)
    const [, larger = ''] = await ingestShop([...tables, {}])
    await expectProblem(draft(larger), 409, /1000 tables/)
    await expectProblem(world.as('Tr', 'GET', `/api/assets/${larger}/model`), 409)
  })

  test('POST /ui/assets/{id}/contract › drafts a contract of an asset that was PUT; 401 with a key, 404 for an unknown one', async () => {
    const id = uniqueId()
    const info = { name: 'orders', type: 'kafka_topic', source: 'kafka' }
    const body = { info, columns: [{ name: 'a', type: 'string', primaryKey: true }] }
    await expectOk(world.as('O', 'PUT', `/api/assets/${id}`, { body }))
    const drafted = await readJson<Draft>(draft(id))
    assert.equal(drafted.id, id)
    assert.equal(drafted.team, undefined)
    assert.deepEqual(
      drafted.schema.map(({ name }) => name),
      ['orders'],
    )
    const [model] = await listModels(`/api/assets/${id}`)
    assert.equal(model?.kind, 'topic')
    await expectProblem(world.as('Uo', 'POST', `/ui/assets/${id}/contract`), 401)
    await expectProblem(draft(uniqueId()), 404)
    await expectProblem(world.as('Tr', 'GET', `/api/assets/${uniqueId()}/model`), 404)
  })
})
