import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { expectProblem, readJson, readText } from '../../../test/answers.ts'
import { listEventsOfSubject, summarizeEvent } from '../../../test/feed.ts'
import { addIntegration, ingest, sourceTable } from '../../../test/ingested-assets.ts'
import { onStore } from '../../../test/stores.ts'
import { expectOk, newProduct, newWorld, uniqueId, type World } from '../../../test/world.ts'
import type { SearchAnswer } from '../../documents/search/search.ts'
import { verifyStore } from '../../transfer/verify.ts'
import { ASSIGNED_TAGS_MAX } from './service.ts'

interface Tagged {
  assignedTags?: string[]
}

onStore((store) => {
  let world: World
  before(async () => {
    world = await newWorld(newProduct(store()))
  })
  const send = (method: string, path: string, body?: object): Promise<Response> =>
    world.as('O', method, path, { body })
  const addTag = async (id = `pii/${uniqueId()}`): Promise<string> => {
    await expectOk(send('PUT', `/api/tags/${id}`, { id, info: { owner: 'a' } }))
    return id
  }
  const rename = (body: object, caller: 'Uo' | 'Um' = 'Uo'): Promise<Response> =>
    world.asPerson(caller, 'POST', '/ui/tags/rename', { body })
  const addAsset = async (): Promise<string> => {
    const path = `/api/assets/${uniqueId()}`
    await expectOk(send('PUT', path, { info: { name: 'Orders', owner: 'a' } }))
    return path
  }

  test('PUT and DELETE /api/assets/{id}/assigned-tags/{tagId} › 200 without a body, as often as they are sent', async () => {
    const [asset, tag, other] = [await addAsset(), await addTag(), await addTag(uniqueId())]
    assert.deepEqual(await readJson(send('GET', `${asset}/assigned-tags`)), [])
    for (const id of [tag, encodeURIComponent(tag), tag, other]) {
      const answer = await send('PUT', `${asset}/assigned-tags/${id}`)
      assert.deepEqual([answer.status, await answer.text()], [200, ''])
      assert.match(answer.headers.get('location-html') ?? '', /\/assets\//)
    }
    const tags = [tag, other].toSorted()
    assert.deepEqual(await readJson(world.as('Tr', 'GET', `${asset}/assigned-tags`)), tags)
    for (const _ of [1, 2]) {
      assert.equal(await readText(send('DELETE', `${asset}/assigned-tags/${tag}`)), '')
      assert.deepEqual(await readJson(send('GET', `${asset}/assigned-tags`)), [other])
    }
  })

  test('PUT and DELETE …/assigned-tags/{tagId} › 422 for an unknown tag, 404 for an unknown asset', async () => {
    const [asset, tag] = [await addAsset(), await addTag()]
    for (const method of ['PUT', 'DELETE']) {
      const unknown = `${asset}/assigned-tags/${uniqueId()}`
      const { detail } = await expectProblem(send(method, unknown), 422)
      assert.match(detail ?? '', /PUT \/api\/tags\/\{id\}/)
      await expectProblem(send(method, `/api/assets/${uniqueId()}/assigned-tags/${tag}`), 404)
    }
    await expectProblem(send('GET', `/api/assets/${uniqueId()}/assigned-tags`), 404)
    await expectProblem(send('POST', `${asset}/assigned-tags/${tag}`), 405)
  })

  test('PUT …/assigned-tags/{tagId} › 409 above the limit of one asset', async () => {
    const asset = await addAsset()
    for (let at = 0; at < ASSIGNED_TAGS_MAX; at += 1) {
      await expectOk(send('PUT', `${asset}/assigned-tags/${await addTag(`limit/${at}`)}`))
    }
    await expectProblem(send('PUT', `${asset}/assigned-tags/${await addTag()}`), 409)
    await expectOk(send('PUT', `${asset}/assigned-tags/limit/0`))
  })

  test('GET /api/assets/{id} › has the assigned tags, and another entity tag that writers can send', async () => {
    const [asset, tag] = [await addAsset(), await addTag()]
    const plain = await expectOk(send('GET', asset))
    const text = await plain.text()
    await expectOk(send('PUT', `${asset}/assigned-tags/${tag}`))
    const tagged = await expectOk(send('GET', asset))
    const document = (await tagged.json()) as Tagged
    assert.deepEqual(document, { ...(JSON.parse(text) as object), assignedTags: [tag] })
    const before = { 'if-none-match': plain.headers.get('etag') ?? '' }
    assert.equal((await world.as('O', 'GET', asset, { headers: before })).status, 200)
    const etag = tagged.headers.get('etag') ?? ''
    const current = { headers: { 'if-none-match': etag } }
    assert.equal((await world.as('O', 'GET', asset, current)).status, 304)
    const yaml = await world.as('O', 'GET', asset, { headers: { accept: 'application/yaml' } })
    assert.match(await yaml.text(), /assignedTags:\n/)
    // A client that sends back what it read changes nothing, and the tags that it sends are ignored.
    const body = { ...document, assignedTags: ['other'] }
    await expectOk(world.as('O', 'PUT', asset, { body, headers: { 'if-match': etag } }))
    assert.equal((await readJson<unknown[]>(send('GET', `${asset}/versions`))).length, 1)
    assert.deepEqual((await readJson<Tagged>(send('GET', asset))).assignedTags, [tag])
  })

  test('an ingested asset › has assigned tags beside those of its source', async () => {
    const fresh = await newWorld(world)
    const source = await addIntegration(fresh, { owner: 'a' })
    const [id = ''] = await ingest(fresh, source, [sourceTable(['d', 'public', 'x'])])
    await expectOk(fresh.as('O', 'PUT', '/api/tags/pii', { body: {} }))
    await expectOk(fresh.as('T', 'PUT', `/api/assets/${id}/assigned-tags/pii`))
    const asset = await readJson<Tagged>(fresh.as('O', 'GET', `/api/assets/${id}`))
    assert.deepEqual(asset.assignedTags, ['pii'])
    // What was read can be sent back.
    await expectOk(fresh.as('O', 'PUT', `/api/assets/${id}`, { body: asset }))
  })

  test('DELETE /api/tags/{id} and /api/assets/{id} › end the assignments', async () => {
    const [asset, tag, other] = [await addAsset(), await addTag(), await addTag()]
    for (const one of [tag, other]) await expectOk(send('PUT', `${asset}/assigned-tags/${one}`))
    await readText(send('DELETE', `/api/tags/${tag}`))
    assert.deepEqual(await readJson(send('GET', `${asset}/assigned-tags`)), [other])
    await readText(send('DELETE', asset))
    await expectOk(send('PUT', asset, { info: { name: 'Orders', owner: 'a' } }))
    assert.deepEqual(await readJson(send('GET', `${asset}/assigned-tags`)), [])
  })

  test('POST /ui/tags/rename › 204: assets, search and the feed have the new id, in one change', async () => {
    const [asset, from] = [await addAsset(), await addTag()]
    await expectOk(send('PUT', `${asset}/assigned-tags/${from}`))
    const to = `personal/${uniqueId()}`
    await expectProblem(rename({ from, to }, 'Um'), 403)
    assert.equal((await rename({ from, to })).status, 204)
    await expectProblem(send('GET', `/api/tags/${from}`), 404)
    assert.deepEqual(await readJson(send('GET', `/api/tags/${to}`)), {
      id: to,
      info: { owner: 'a' },
    })
    assert.deepEqual(await readJson(send('GET', `${asset}/assigned-tags`)), [to])
    const events = [
      ...(await listEventsOfSubject(world, from)),
      ...(await listEventsOfSubject(world, to)),
    ]
    assert.deepEqual(events.map(summarizeEvent), [
      'TagCreatedEvent',
      'TagDeletedEvent',
      'TagCreatedEvent',
    ])
    const path = `/api/search?resourceType=TAG&query=${encodeURIComponent(to)}`
    const { results } = await readJson<SearchAnswer>(send('GET', path))
    assert.deepEqual(
      results.map(({ id }) => id),
      [to],
    )
    const tagged = `/ui/tagged-assets?tag=${encodeURIComponent(to)}`
    const found = await readJson<{ total: number; assets: object[] }>(
      world.asPerson('Um', 'GET', tagged),
    )
    const id = asset.slice('/api/assets/'.length)
    assert.deepEqual(found, { total: 1, assets: [{ id, name: 'Orders', type: '' }] })
    assert.equal((await rename({ from: to, to: to.toUpperCase() })).status, 204)
    assert.deepEqual(await readJson(send('GET', `${asset}/assigned-tags`)), [to.toUpperCase()])
    assert.equal((await rename({ from: to.toUpperCase(), to: from })).status, 204)
    const versions = await readJson<{ version: number }[]>(
      send('GET', `/api/tags/${from}/versions`),
    )
    assert.deepEqual(
      versions.map(({ version }) => version),
      [2, 1],
    )
    const findings = (await verifyStore(store().db)).flatMap((check) => check.findings)
    assert.deepEqual(findings, [])
  })

  test('POST /ui/tags/rename › large documents are edited and read in a thread', async () => {
    const own = await newWorld(newProduct(store()))
    const { run, ...offload } = own.services.offload
    const tasks: string[] = []
    const record: typeof run = (organizationId, task, input, texts) => {
      tasks.push(task.name)
      return run(organizationId, task, input, texts)
    }
    const [from, to] = [uniqueId(), uniqueId()]
    const yaml = `info:\n  owner: a\n  description: ${'x '.repeat(20_000)}\n`
    await expectOk(own.as('O', 'PUT', `/api/tags/${from}`, { yaml }))
    Object.assign(own.services, { offload: { ...offload, run: record } })
    const renamed = await own.asPerson('Uo', 'POST', '/ui/tags/rename', { body: { from, to } })
    assert.equal(renamed.status, 204)
    assert.deepEqual(tasks, ['tag/rename', 'tag/assess'])
    const headers = { accept: 'application/yaml' }
    const text = await readText(own.as('O', 'GET', `/api/tags/${to}`, { headers }))
    assert.ok(text.includes(`id: ${to}\n`) && text.includes(yaml), 'the document has another text')
    await own.services.offload.close()
  })

  test('POST /ui/tags/rename › 422 for an id that is taken or unusable, 404 for an unknown tag', async () => {
    const [from, taken] = [await addTag(), await addTag()]
    for (const to of [taken, taken.toUpperCase(), 'a//b', '../x', '']) {
      await expectProblem(rename({ from, to }), 422)
    }
    await expectProblem(rename({ from: uniqueId(), to: uniqueId() }), 404)
    await expectProblem(rename({ from }), 422)
  })
})
