import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { expectProblem, readJson, readText } from '../../../test/answers.ts'
import { listEventsOfSubject, summarizeEvent } from '../../../test/feed.ts'
import { addIntegration, ingest, markGone, sourceTable } from '../../../test/ingested-assets.ts'
import type { TestIntegration } from '../../../test/ingested-assets.ts'
import { onStore } from '../../../test/stores.ts'
import { expectOk, newProduct, newWorld, uniqueId, type World } from '../../../test/world.ts'
import type { SourceAsset } from '../../connectors/connector.ts'

interface AssetView {
  id: string
  info: { name: string; owner?: string; status?: string; description?: string }
  tags?: string[]
  ingestion: { integrationExternalId: string; runId: string }
  statistic?: { rowCount?: number; sizeBytes?: number; changedAt?: string }
}

onStore((store) => {
  let world: World
  let integration: TestIntegration
  before(async () => {
    world = await newWorld(newProduct(store()))
    integration = await addIntegration(world, { owner: 'a' })
  })

  const ingestOne = async (more: Partial<SourceAsset> = {}, into = integration) => {
    const table = sourceTable(['shop', 'public', uniqueId()], more)
    const [id = ''] = await ingest(world, into, [table])
    return { id, path: `/api/assets/${id}`, page: `/ui/assets/${id}/annotation` }
  }

  const readAsset = (path: string): Promise<AssetView> =>
    readJson<AssetView>(world.as('Tr', 'GET', path))

  test('GET /api/assets/{id} › returns source document, owner of the integration, run and statistics', async () => {
    const changedAt = '2026-01-31T12:00:00.000001Z'
    const statistic = { rowCount: 5_000_000_000, sizeBytes: 0, changedAt }
    const { id, path } = await ingestOne({ description: 'Said', tags: ['s'], statistic })
    const asset = await readAsset(path)
    assert.equal(asset.id, id)
    assert.equal(asset.info.owner, 'a')
    assert.equal(asset.info.description, 'Said')
    assert.equal(asset.info.status, 'active')
    assert.deepEqual(asset.tags, ['s'])
    const { externalId, runId } = integration
    assert.deepEqual(asset.ingestion, { integrationExternalId: externalId, runId })
    assert.deepEqual(asset.statistic, statistic)
    const source = await readJson<AssetView>(world.as('Tr', 'GET', `${path}?layer=source`))
    const { ingestion: _, statistic: _measured, ...expected } = asset
    assert.deepEqual({ ...source, info: { ...source.info, owner: 'a' } }, expected)
    assert.equal(source.info.owner, undefined)
  })

  test('GET /api/assets/{id} › each of two tables has its own statistics', async () => {
    const measured = [
      await ingestOne({ statistic: { rowCount: 3 } }),
      await ingestOne({ statistic: { rowCount: 4 } }),
    ]
    const counts = await Promise.all(
      measured.map(async ({ path }) => (await readAsset(path)).statistic?.rowCount),
    )
    assert.deepEqual(counts, [3, 4])
  })

  test('GET /api/assets/{id} › the ETag covers the merged asset', async () => {
    const { path, page } = await ingestOne()
    const getTag = async (address = path) =>
      (await world.as('Tr', 'GET', address)).headers.get('etag') ?? ''
    const [before, source] = [await getTag(), await getTag(`${path}?layer=source`)]
    assert.notEqual(before, source)
    await expectOk(world.asPerson('Ue', 'PUT', page, { body: { tags: [] } }))
    const after = await getTag()
    assert.notEqual(after, before)
    assert.equal(await getTag(`${path}?layer=source`), source)
    const headers = { 'if-none-match': after }
    assert.equal((await world.as('Tr', 'GET', path, { headers })).status, 304)
  })

  test('GET /api/assets/{id} › an asset that is gone from its source has the status deleted and is in no list', async () => {
    const { id, path, page } = await ingestOne()
    await markGone(world, id)
    assert.equal((await readAsset(path)).info.status, 'deleted')
    assert.deepEqual(await readJson(world.as('Tr', 'GET', `/api/assets?q=${id}`)), [])
    await expectProblem(world.as('Tr', 'GET', `${path}/model`), 404)
    await expectProblem(world.asPerson('Ue', 'POST', `/ui/assets/${id}/contract`), 404)
    await expectProblem(
      world.asPerson('Ue', 'PUT', page, { body: {} }),
      422,
      /removed from its source/,
    )
    await expectProblem(world.as('T', 'PUT', path, { body: { info: { name: 'x' } } }), 403)
    await expectOk(world.as('T', 'DELETE', path))
    assert.equal((await readAsset(path)).info.status, 'deleted')
  })

  test('PUT /ui/assets/{id}/annotation › overrides the source, emits one event, and can be removed', async () => {
    const { id, path, page } = await ingestOne({ description: 'Said', tags: ['s'] })
    const put = (body: object): Promise<AssetView> =>
      readJson<AssetView>(world.asPerson('Uo', 'PUT', page, { body }))
    const full = { description: 'Better', owner: 'b', tags: ['y', 'x'] }
    const annotated = await put(full)
    assert.deepEqual(annotated, await readAsset(path))
    const { description, owner } = annotated.info
    assert.deepEqual({ description, owner, tags: annotated.tags }, full)
    await put({ ...full, tags: ['x', 'y'] })
    const empty = await put({ description: ' ', owner: null, tags: [] })
    assert.deepEqual([empty.info.description, empty.info.owner, empty.tags], ['Said', 'a', []])
    assert.deepEqual((await put({})).tags, ['s'])
    const events = await listEventsOfSubject(world, id, { include: 'document' })
    assert.deepEqual(events.map(summarizeEvent), [
      'AssetCreatedEvent',
      ...Array(3).fill('AssetUpdatedEvent'),
    ])
    assert.deepEqual(
      events.map(({ data }) => data.version),
      [1, 2, 3, 4],
    )
    assert.equal(events[1]?.principal, `user:${world.userIds.Uo}`)
    const source = await readText(world.as('Tr', 'GET', `${path}?layer=source`))
    assert.equal(await readText(world.as('Tr', 'GET', `${path}/versions/4`)), source)
  })

  test('PUT /ui/assets/{id}/annotation › needs ASSET_EDIT on the owner, old and new', async () => {
    const { page } = await ingestOne()
    const put = (person: 'Uo' | 'Ue' | 'Um', body: object, at = page) =>
      world.asPerson(person, 'PUT', at, { body })
    await expectProblem(put('Um', {}), 403)
    await expectOk(put('Ue', { description: 'x' }))
    await expectProblem(put('Ue', { owner: 'b' }), 403)
    await expectOk(put('Uo', { owner: 'b' }))
    await expectProblem(put('Ue', { owner: 'a' }), 403)
    await expectProblem(put('Ue', {}), 403)
    await expectOk(put('Uo', {}))
    await expectOk(put('Ue', { owner: 'a' }))

    const unowned = await ingestOne({}, await addIntegration(world))
    await expectProblem(put('Ue', { owner: 'a' }, unowned.page), 403)
    await expectOk(put('Uo', { owner: 'a' }, unowned.page))
    await expectProblem(put('Ue', {}, unowned.page), 403)
    await expectOk(put('Ue', { owner: 'a', tags: ['t'] }, unowned.page))
  })

  test('PUT /ui/assets/{id}/annotation › errors: key, unknown asset, team, shape, PUT asset, condition', async () => {
    const { id, page } = await ingestOne()
    const put = (body: unknown, at = page, headers = {}) =>
      world.asPerson('Uo', 'PUT', at, { body, headers })
    await expectProblem(world.as('Uo', 'PUT', page, { body: {} }), 401)
    await expectProblem(put({}, `/ui/assets/${uniqueId()}/annotation`), 404)
    await expectProblem(put({ owner: 'unknown' }), 422, /unknown/)
    await expectProblem(put({ more: 1 }), 422)
    await expectProblem(put({ tags: 'x' }), 422)
    await expectProblem(put({ description: 5 }), 422)
    await expectProblem(put('{'), 400)
    await expectProblem(put({}, page, { 'if-match': '"other"' }), 412)
    const other = uniqueId()
    const body = { info: { name: 'x', owner: 'a' } }
    await expectOk(world.as('O', 'PUT', `/api/assets/${other}`, { body }))
    await expectProblem(put({}, `/ui/assets/${other}/annotation`), 422, /PUT \/api\/assets/)
    assert.equal((await listEventsOfSubject(world, id)).length, 1)
  })

  test('PUT /ui/assets/{id}/annotation › concurrent annotations each create a version, none is lost', async () => {
    const { id, page } = await ingestOne()
    const puts = Array.from({ length: 10 }, (_, at) =>
      expectOk(world.asPerson('Ue', 'PUT', page, { body: { tags: [`t${at}`] } })),
    )
    await Promise.all(puts)
    const events = await listEventsOfSubject(world, id)
    assert.deepEqual(
      events.map(({ data }) => data.version),
      Array.from({ length: 11 }, (_, at) => at + 1),
    )
  })
})
