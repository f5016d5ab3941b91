import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { expectProblem, readJson, readText } from '../../test/answers.ts'
import { listEventsOfSubject, summarizeEvent } from '../../test/feed.ts'
import { onStore } from '../../test/stores.ts'
import { expectOk, newProduct, newWorld, odps, uniqueId } from '../../test/world.ts'
import type { World } from '../../test/world.ts'
import type { Plan } from '../history/plan.ts'

const YAML = `# a comment that must stay
id: ID
info: {name: "Wagons", owner: a, version: '1.0'}
x: [1.0, 12345678901234567890]
`

// Each text is an asset `ID` of team `a`, in different spellings.
const TEXTS: Record<string, string> = {
  'odd white space': '\n {"id": "ID" ,\t"info":{"name":"X","owner":"a"}  }\n\n',
  'unknown fields': '{"info":{"name":"X","owner":"a","more":[null]},"x":{"y":[{}]}}',
  'spelled numbers': '{"info":{"name":"X","owner":"a"},"x":[1.0,1e2,12345678901234567890]}',
  'fields called like parts of JavaScript':
    '{"info":{"name":"X","owner":"a"},"__proto__":{"a":1},"constructor":1}',
}

const createAsset = (id: string, more: object = {}, info: object = {}): object => ({
  id,
  info: { name: `Asset ${id}`, owner: 'a', source: 'postgres', type: 'postgres_table', ...info },
  ...more,
})

onStore((store) => {
  let world: World
  before(async () => {
    world = await newWorld(newProduct(store()))
  })

  async function registered(more: object = {}): Promise<{ id: string; path: string }> {
    const id = uniqueId()
    const path = `/api/assets/${id}`
    await expectOk(world.as('T', 'PUT', path, { body: createAsset(id, more) }))
    return { id, path }
  }

  for (const [what, template] of Object.entries(TEXTS)) {
    test(`PUT /api/assets/{id} › returns the same bytes: ${what}`, async () => {
      const id = uniqueId()
      const path = `/api/assets/${id}`
      const text = template.replace('ID', id)
      assert.equal(await readText(world.as('T', 'PUT', path, { body: text })), text)
      assert.equal(await readText(world.as('Tr', 'GET', path)), text)
      assert.equal(await readText(world.as('Tr', 'GET', `${path}?layer=source`)), text)
      assert.equal(await readText(world.as('Tr', 'GET', `${path}/versions/1`)), text)
      assert.equal(await readText(world.as('Tr', 'GET', `/api/assets?q=${id}`)), `[${text}]`)
    })
  }

  test('PUT /api/assets/{id} › returns YAML byte for byte, and as JSON', async () => {
    const id = uniqueId()
    const path = `/api/assets/${id}`
    const yaml = YAML.replace('ID', id)
    await expectOk(world.as('T', 'PUT', path, { yaml }))
    const headers = { accept: 'application/yaml' }
    assert.equal(await readText(world.as('T', 'GET', path, { headers })), yaml)
    const json = `{"id":"${id}","info":{"name":"Wagons","owner":"a","version":"1.0"},"x":[1.0,12345678901234567890]}`
    assert.equal(await readText(world.as('T', 'GET', path)), json)
    assert.equal(await readText(world.as('T', 'GET', `/api/assets?q=${id}`)), `[${json}]`)
  })

  test('PUT /api/assets/{id} › 200 on create and on update, with ETag and location-html', async () => {
    const id = `urn:x:${uniqueId()} é`
    const path = `/api/assets/${encodeURIComponent(id)}`
    const created = await world.as('T', 'PUT', path, { body: createAsset(id) })
    const updated = await world.as('T', 'PUT', path, { body: createAsset(id, { tags: ['x'] }) })
    for (const answer of [created, updated]) {
      assert.equal(answer.status, 200)
      assert.match(answer.headers.get('etag') ?? '', /^"[0-9a-f]{64}"$/)
      const page = `http://portbook.test/assets/${encodeURIComponent(id)}`
      assert.equal(answer.headers.get('location-html'), page)
    }
    assert.notEqual(created.headers.get('etag'), updated.headers.get('etag'))
    const got = await world.as('T', 'GET', path)
    assert.equal(got.headers.get('etag'), updated.headers.get('etag'))
    assert.deepEqual(await got.json(), createAsset(id, { tags: ['x'] }))
  })

  test('PUT /api/assets/{id} › only a change of meaning creates a version and an event', async () => {
    const { id, path } = await registered({ tags: ['a', 'b'] })
    await expectOk(world.as('T', 'PUT', path, { body: createAsset(id, { tags: ['a', 'b'] }) }))
    const reordered = { tags: ['b', 'a'], ...createAsset(id) }
    const kept = await readText(world.as('T', 'PUT', path, { body: reordered }))
    assert.deepEqual(JSON.parse(kept), createAsset(id, { tags: ['a', 'b'] }))
    await expectOk(world.as('T', 'PUT', path, { body: createAsset(id, { tags: ['c'] }) }))
    await expectOk(world.as('T', 'DELETE', path))
    const events = await listEventsOfSubject(world, id, { include: 'document' })
    assert.deepEqual(events.map(summarizeEvent), [
      'AssetCreatedEvent',
      'AssetUpdatedEvent',
      'AssetDeletedEvent',
    ])
    assert.deepEqual(
      events.map(({ data }) => [data.version, Boolean(data.before), Boolean(data.after)]),
      [
        [1, false, true],
        [2, true, true],
        [2, true, false],
      ],
    )
    const versions = await readJson<{ version: number; validTo: string | null }[]>(
      world.as('Tr', 'GET', `${path}/versions`),
    )
    assert.deepEqual(
      versions.map(({ version, validTo }) => [version, validTo !== null]),
      [
        [2, true],
        [1, true],
      ],
    )
    await expectOk(world.as('T', 'PUT', path, { body: createAsset(id) }))
    assert.deepEqual(
      (await listEventsOfSubject(world, id)).slice(3).map(({ data }) => data.version),
      [3],
      'versions continue after those of the deleted asset',
    )
  })

  test('PUT /api/assets/{id} › conditions: 412 if they fail, 304 for a current ETag', async () => {
    const { id, path } = await registered()
    const etag = (await world.as('T', 'GET', path)).headers.get('etag') ?? ''
    const put = (headers: Record<string, string>, tag: string) =>
      world.as('T', 'PUT', path, { headers, body: createAsset(id, { tags: [tag] }) })
    await expectProblem(put({ 'if-none-match': '*' }, 'x'), 412)
    await expectProblem(put({ 'if-match': '"other"' }, 'x'), 412)
    await expectOk(put({ 'if-match': etag }, 'x'))
    await expectProblem(put({ 'if-match': etag }, 'y'), 412)
    const now = (await world.as('T', 'GET', path)).headers.get('etag') ?? ''
    const headers = { 'if-none-match': now }
    assert.equal((await world.as('T', 'GET', path, { headers })).status, 304)
    const remove = (tag: string) => world.as('T', 'DELETE', path, { headers: { 'if-match': tag } })
    await expectProblem(remove(etag), 412)
    await expectOk(remove(now))
    await expectProblem(remove(now), 412)
  })

  test('PUT /api/assets/{id}?dryRun=true › returns the plan and writes nothing', async () => {
    const { id, path } = await registered()
    const user = uniqueId()
    const product = odps(user, { customProperties: [{ property: 'assets', value: [id] }] })
    await expectOk(world.as('T', 'PUT', `/api/dataproducts/${user}`, { body: product }))
    const plan = (more: object, to = path) =>
      readJson<Plan>(
        world.as('T', 'PUT', `${to}?dryRun=true`, { body: { ...createAsset(id), ...more } }),
      )
    assert.deepEqual(await plan({}), {
      outcome: 'unchanged',
      level: 'none',
      changes: [],
      warnings: [],
      affected: [],
    })
    const changed = await plan({ columns: [{ name: 'a' }] })
    assert.equal(changed.outcome, 'updated')
    assert.deepEqual(
      changed.warnings.map(({ field }) => field),
      ['columns[0].type'],
    )
    assert.deepEqual(
      changed.affected.map(({ resourceType, id: of }) => [resourceType, of]),
      [
        ['DATA_PRODUCT', user],
        ['TEAM', 'a'],
      ],
    )
    const other = `/api/assets/${uniqueId()}`
    assert.equal((await plan({ id: undefined }, other)).outcome, 'created')
    await expectProblem(world.as('T', 'GET', other), 404)
    assert.deepEqual(await readJson(world.as('T', 'GET', path)), createAsset(id))
    assert.deepEqual((await listEventsOfSubject(world, id)).map(summarizeEvent), [
      'AssetCreatedEvent',
    ])
    const strict = world.as('T', 'PUT', `${path}?strict=true`, {
      body: createAsset(id, { columns: [{ name: 'a' }] }),
    })
    await expectProblem(strict, 422)
  })

  test('PUT /api/assets/{id} › 422 with field, line and column of each error', async () => {
    const path = `/api/assets/${uniqueId()}`
    const wrong: [string | object, string][] = [
      ['{"info":{"owner":"a"}}', 'info.name'],
      [{ info: { name: 'x', owner: 'nobody' } }, 'info.owner'],
      [{ id: 'other', info: { name: 'x', owner: 'a' } }, 'id'],
      [{ info: { name: 'x', owner: 'a', version: 1 } }, 'info.version'],
      [{ info: { name: 'x', owner: 'a' }, columns: {} }, 'columns'],
    ]
    for (const [body, field] of wrong) {
      const { violations } = await expectProblem(world.as('T', 'PUT', path, { body }), 422)
      assert.deepEqual(
        violations?.map((violation) => violation.field),
        [field],
      )
      assert.ok((violations?.[0]?.line ?? 0) >= 1 && (violations?.[0]?.column ?? 0) >= 1)
    }
    await expectProblem(world.as('T', 'PUT', path, { body: '{' }), 400)
    await expectProblem(world.as('T', 'GET', path), 404)
    const large = createAsset('x', { x: 'x'.repeat(1024 * 1024) })
    await expectProblem(world.as('T', 'PUT', path, { body: large }), 413)
    const headers = { 'content-type': 'text/plain' }
    await expectProblem(world.as('T', 'PUT', path, { headers, body: '{}' }), 415)
    await expectProblem(world.as('T', 'GET', `${path}?layer=x`), 400)
    await expectProblem(world.as('T', 'POST', path, { body: {} }), 405)
  })

  test('PUT /api/assets/{id} › without an owner only the organization owners may change it', async () => {
    const id = uniqueId()
    const path = `/api/assets/${id}`
    const free = createAsset(id, {}, { owner: undefined })
    await expectProblem(world.as('T', 'PUT', path, { body: free }), 403)
    await expectOk(world.as('O', 'PUT', path, { body: free }))
    await expectProblem(world.as('T', 'PUT', path, { body: createAsset(id) }), 403)
    await expectProblem(world.as('T', 'DELETE', path), 403)
    await expectOk(world.as('Uo', 'PUT', path, { body: createAsset(id) }))
    await expectProblem(world.as('T', 'PUT', path, { body: free }), 403)
    await expectOk(world.as('T', 'DELETE', path))
  })

  test('PUT /api/assets/{id} › accepts ids like names in JavaScript, rejects hostile ones', async () => {
    for (const name of ['__proto__', 'constructor', 'latest', 'ingest', 'urn:a:b', '😀']) {
      const id = encodeURIComponent(name)
      const body = { info: { name, owner: 'a' } }
      await expectOk(world.as('T', 'PUT', `/api/assets/${id}`, { body }))
      assert.deepEqual(await readJson(world.as('T', 'GET', `/api/assets/${id}`)), body)
      await expectOk(world.as('T', 'DELETE', `/api/assets/${id}`))
    }
    const hostile = ['%00', 'a%2Fb', 'http:%2F%2Fx', '%E2%80%AE', 'x'.repeat(257)]
    for (const id of hostile) {
      await expectProblem(
        world.as('T', 'PUT', `/api/assets/${id}`, { body: createAsset('x') }),
        400,
      )
      await expectProblem(world.as('T', 'DELETE', `/api/assets/${id}`), 400)
    }
  })

  test('PUT /api/assets/{id} › concurrent changes create versions without gaps', async () => {
    const { id, path } = await registered()
    const puts = Array.from({ length: 20 }, (_, at) =>
      expectOk(world.as('T', 'PUT', path, { body: createAsset(id, { tags: [`t${at}`] }) })),
    )
    await Promise.all(puts)
    const events = await listEventsOfSubject(world, id)
    const versions = Array.from({ length: 21 }, (_, at) => at + 1)
    assert.deepEqual(
      events.map(({ data }) => data.version),
      versions,
    )
  })

  test('DELETE /api/assets/{id} › 200 for an unknown one, 422 while a data product names it', async () => {
    await expectOk(world.as('T', 'DELETE', `/api/assets/${uniqueId()}`))
    await expectProblem(world.as('Um', 'DELETE', `/api/assets/${uniqueId()}`), 403)
    const { id, path } = await registered()
    const user = uniqueId()
    const product = `/api/dataproducts/${user}`
    const dps = { id: user, info: { title: 'P', owner: 'a' } }
    const port = { id: 'o', name: 'o', assets: [id] }
    await expectOk(world.as('T', 'PUT', product, { body: { ...dps, outputPorts: [port] } }))
    const problem = await expectProblem(world.as('T', 'DELETE', path), 422)
    assert.match(problem.detail, new RegExp(user))
    await expectOk(world.as('T', 'PUT', product, { body: dps }))
    await expectOk(world.as('T', 'DELETE', path))
    await expectProblem(world.as('T', 'GET', path), 404)
  })

  test('DELETE /api/teams/{id} › 422 while the team owns an asset', async () => {
    const team = uniqueId()
    await expectOk(world.as('O', 'PUT', `/api/teams/${team}`, { body: { name: 'T' } }))
    const path = `/api/assets/${uniqueId()}`
    await expectOk(world.as('O', 'PUT', path, { body: { info: { name: 'x', owner: team } } }))
    await expectProblem(world.as('O', 'DELETE', `/api/teams/${team}`), 422)
    await expectOk(world.as('O', 'DELETE', path))
    await expectOk(world.as('O', 'DELETE', `/api/teams/${team}`))
  })
})
