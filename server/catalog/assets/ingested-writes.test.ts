import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { expectProblem, readJson, readText } from '../../../test/answers.ts'
import { listEventsOfSubject, summarizeEvent } from '../../../test/feed.ts'
import { addIntegration, ingest, markGone, sourceTable } from '../../../test/ingested-assets.ts'
import type { TestIntegration } from '../../../test/ingested-assets.ts'
import { onStore } from '../../../test/stores.ts'
import { expectOk, newProduct, newWorld, odps, uniqueId, type World } from '../../../test/world.ts'
import type { Plan } from '../../ledger/history/plan.ts'

onStore((store) => {
  let world: World
  let integration: TestIntegration
  before(async () => {
    world = await newWorld(newProduct(store()))
    integration = await addIntegration(world, { owner: 'a' })
  })

  const ingestOne = async () => {
    const statistic = { rowCount: 7, sizeBytes: 8, changedAt: '2026-01-31T12:00:00.000001Z' }
    const table = sourceTable(['shop', 'public', uniqueId()], { description: 'Said', statistic })
    const [id = ''] = await ingest(world, integration, [table])
    return { id, path: `/api/assets/${id}` }
  }

  const read = (path: string): Promise<string> => readText(world.as('T', 'GET', path))
  const readFields = async (path: string): Promise<Record<string, unknown>> =>
    readJson(world.as('T', 'GET', path))
  const annotate = (id: string): Promise<Response> => {
    const body = { description: 'Better', tags: ['x'] }
    return expectOk(world.asPerson('Ue', 'PUT', `/ui/assets/${id}/annotation`, { body }))
  }

  describe('PUT of an ingested asset that changes nothing', () => {
    test('PUT /api/assets/{id} › 200 for what GET returned, with the same body and ETag', async () => {
      const { id, path } = await ingestOne()
      await annotate(id)
      const stored = await world.as('T', 'GET', path)
      const body = await stored.text()
      const answer = await world.as('T', 'PUT', path, { body })
      assert.equal(await answer.text(), body)
      assert.equal(answer.status, 200)
      assert.equal(answer.headers.get('etag'), stored.headers.get('etag'))
      assert.equal((await listEventsOfSubject(world, id)).length, 2)
    })

    test('PUT /api/assets/{id} › 200 with other order, assigned tags and run, and without them', async () => {
      const { path } = await ingestOne()
      const { ingestion, statistic, ...rest } = await readFields(path)
      for (const body of [
        rest,
        Object.fromEntries(Object.entries({ ...rest, ingestion, statistic }).toReversed()),
        { ...rest, ingestion: { runId: 'other' }, statistic: {}, assignedTags: ['a/b'] },
      ]) {
        await expectOk(world.as('T', 'PUT', path, { body }))
        const plan = await readJson<Plan>(
          world.as('T', 'PUT', `${path}?dryRun=true`, { body: JSON.stringify(body) }),
        )
        assert.equal(plan.outcome, 'unchanged')
      }
    })

    test('PUT /api/assets/{id} › 200 for an asset that is gone from its source', async () => {
      const { id, path } = await ingestOne()
      await markGone(world, id)
      const body = await read(path)
      assert.equal(await readText(world.as('T', 'PUT', path, { body })), body)
    })

    test('PUT /api/assets/{id} › 403 without ASSET_EDIT, 412 for another version', async () => {
      const { path } = await ingestOne()
      const body = await read(path)
      await expectProblem(world.as('Um', 'PUT', path, { body }), 403)
      const headers = { 'if-match': '"other"' }
      await expectProblem(world.as('T', 'PUT', path, { body, headers }), 412)
    })
  })

  test('PUT /api/assets/{id} › 422 for a difference names the integration and what to do', async () => {
    const { id, path } = await ingestOne()
    const says = new RegExp(`${integration.externalId}.*PUT /ui/assets/\\{id\\}/annotation`)
    const stored = await readFields(path)
    for (const body of [
      { id, info: { name: 'x', owner: 'a' } },
      {},
      { ...stored, columns: [] },
      { ...stored, extra: 1 },
      { ...stored, tags: ['x'] },
    ]) {
      await expectProblem(world.as('T', 'PUT', path, { body }), 422, says)
      await expectProblem(world.as('T', 'PUT', `${path}?dryRun=true`, { body }), 422, says)
    }
    await expectProblem(world.as('Um', 'PUT', path, { body: { ...stored, tags: [] } }), 403)
    assert.equal((await listEventsOfSubject(world, id)).length, 1)
  })

  describe('DELETE of an ingested asset', () => {
    test('DELETE /api/assets/{id} › 200: gone from lists and search, with one event; again 200 without one', async () => {
      const { id, path } = await ingestOne()
      await expectProblem(world.as('Um', 'DELETE', path), 403)
      const headers = { 'if-match': '"other"' }
      await expectProblem(world.as('T', 'DELETE', path, { headers }), 412)
      await expectOk(world.as('T', 'DELETE', path))
      await expectOk(world.as('T', 'DELETE', path))
      assert.deepEqual(await readJson(world.as('T', 'GET', `/api/assets?q=${id}`)), [])
      const { results } = await readJson<{ results: object[] }>(
        world.as('T', 'GET', `/api/search?query=${id}`),
      )
      assert.deepEqual(results, [])
      assert.equal((await readFields(path))['id'], id)
      const events = await listEventsOfSubject(world, id)
      assert.deepEqual(events.map(summarizeEvent), ['AssetCreatedEvent', 'AssetDeletedEvent'])
      assert.match(events[1]?.principal ?? '', /^api-key:/)
    })

    test('DELETE /api/assets/{id} › 422 while a data product names it', async () => {
      const { id, path } = await ingestOne()
      const product = uniqueId()
      const body = odps(product, { customProperties: [{ property: 'assets', value: [id] }] })
      await expectOk(world.as('T', 'PUT', `/api/dataproducts/${product}`, { body }))
      await expectProblem(world.as('T', 'DELETE', path), 422, new RegExp(product))
    })
  })

  describe('the fields of the catalog in an asset that is PUT', () => {
    const info = { name: 'Copied', owner: 'a' }

    test('PUT /api/assets/{id} › ignores ingestion and assignedTags, and keeps every other byte', async () => {
      const path = `/api/assets/${uniqueId()}`
      const body =
        '{ "ingestion": {"integrationExternalId":"x", "runId": null},\n  "info":{"name":"n","owner":"a"}, "assignedTags" : ["t"], "statistic": {"rowCount": 1.0} }'
      const expected = '{ "info":{"name":"n","owner":"a"}, "statistic": {"rowCount": 1.0} }'
      const answer = await readText(world.as('T', 'PUT', path, { body }))
      assert.equal(answer, expected)
      assert.equal(await read(path), expected)
      const { outcome } = await readJson<Plan>(
        world.as('T', 'PUT', `${path}?dryRun=true`, { body }),
      )
      assert.equal(outcome, 'unchanged')
    })

    test('PUT /api/assets/{id} › ignores ingestion in YAML', async () => {
      const path = `/api/assets/${uniqueId()}`
      const yaml = 'info: # of people\n  name: n\n  owner: a\ningestion:\n  runId: r\ntags: [x]\n'
      await expectOk(world.as('T', 'PUT', path, { yaml }))
      const stored = await world.as('T', 'GET', path, { headers: { accept: 'application/yaml' } })
      assert.equal(await stored.text(), yaml.replace('ingestion:\n  runId: r\n', ''))
    })

    test('PUT /api/assets/{id} › a copy of an ingested asset in another organization is an ordinary asset', async () => {
      const other = await newWorld(newProduct(store()))
      const { id, path } = await ingestOne()
      const body = await read(path)
      await expectOk(other.as('O', 'PUT', path, { body }))
      const copy = await readJson<Record<string, unknown>>(other.as('O', 'GET', path))
      assert.equal(copy['id'], id)
      assert.equal(copy['ingestion'], undefined)
      await expectOk(other.as('O', 'PUT', path, { body: { id, info } }))
      await expectOk(other.as('O', 'DELETE', path))
      await expectProblem(other.as('O', 'GET', path), 404)
    })

    test('PUT /api/assets/{id} › a violation has its position in the text that was sent', async () => {
      const path = `/api/assets/${uniqueId()}`
      const body = '{"ingestion": {\n"a": 1},\n"info": {"name": 1, "owner": "a"}}'
      const { violations } = await expectProblem(world.as('T', 'PUT', path, { body }), 422)
      assert.deepEqual([violations?.[0]?.field, violations?.[0]?.line], ['info.name', 3])
    })
  })
})
