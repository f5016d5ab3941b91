import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { expectProblem, readJson, readText } from '../../../test/answers.ts'
import { listEventsOfSubject } from '../../../test/feed.ts'
import { onStore } from '../../../test/stores.ts'
import { newProduct, newWorld, uniqueId, type World } from '../../../test/world.ts'
import { fixedClock } from '../../platform/kit/clock.ts'

const TEAM = '/api/teams/{id}'

interface Version {
  version: number
  validFrom: string
  validTo: string | null
  principal: string
  level: string
  digest: string
}

onStore((store) => {
  let world: World
  before(async () => {
    world = await newWorld(newProduct(store()))
  })

  const put = (id: string, body: unknown, headers: Record<string, string> = {}) =>
    world.as('O', 'PUT', `/api/teams/${id}`, { body, headers })
  const getVersions = (id: string): Promise<Version[]> =>
    readJson(world.as('Tr', 'GET', `/api/teams/${id}/versions`))

  async function getTag(id: string): Promise<string> {
    return (await world.as('O', 'GET', `/api/teams/${id}`)).headers.get('etag') ?? ''
  }

  test(`PUT ${TEAM} › each change is one version and one event, with author and level`, async () => {
    const id = uniqueId()
    await readText(put(id, { name: 'N' }))
    await readText(put(id, { name: 'M' }))
    await readText(put(id, { name: 'M', parent: 'a' }))
    await readText(world.as('O', 'DELETE', `/api/teams/${id}`))
    const versions = await getVersions(id)
    assert.deepEqual(
      versions.map(({ version, level }) => [version, level]),
      [
        [3, 'additive'],
        [2, 'wording'],
        [1, 'none'],
      ],
    )
    const events = await listEventsOfSubject(world, id)
    assert.deepEqual(
      events.map(({ type, data }) => [type.split('.').at(-1), data.version]),
      [
        ['TeamCreatedEvent', 1],
        ['TeamUpdatedEvent', 2],
        ['TeamUpdatedEvent', 3],
        ['TeamDeletedEvent', 3],
      ],
    )
    const [third, second, first] = versions
    assert.equal(first?.validTo, second?.validFrom)
    assert.equal(second?.validTo, third?.validFrom)
    assert.deepEqual(
      events.map(({ time }) => time),
      [first?.validFrom, second?.validFrom, third?.validFrom, third?.validTo],
    )
    const { caller } = await readJson<{ caller: { organizationApiKeyId: string } }>(
      world.as('O', 'GET', '/api/organization/settings'),
    )
    const principals = [...versions, ...events].map(({ principal }) => principal)
    assert.deepEqual([...new Set(principals)], [`api-key:${caller.organizationApiKeyId}`])
  })

  test(`PUT ${TEAM} › a document of equal meaning writes nothing: no version, no event, the same bytes and ETag`, async () => {
    const id = uniqueId()
    const text = `{"name":"N","type":"domain","tags":["a","b"],"custom":{"x":1,"y":[1,2]},"parent":"a"}`
    const stored = await readText(put(id, text))
    const tag = await getTag(id)
    const same = [
      text,
      stored,
      `{"parent":"a", "custom":{"y":[1,2.0],"x":1.0}, "tags":["b","a"], "type":"DOMAIN", "name":"N"}`,
    ]
    for (const body of same) {
      const answer = await put(id, body)
      assert.equal(answer.headers.get('etag'), tag)
      assert.equal(await answer.text(), stored)
    }
    const yaml = 'name: N\ntype: Domain\ntags: [a, b]\ncustom: {x: 1, y: [1, 2]}\nparent: a\n'
    assert.equal(await readText(world.as('O', 'PUT', `/api/teams/${id}`, { yaml })), stored)
    assert.equal((await getVersions(id)).length, 1)
    assert.equal((await listEventsOfSubject(world, id)).length, 1)
    await readText(put(id, text.replace('[1,2]', '[2,1]')))
    assert.equal((await getVersions(id)).length, 2)
  })

  test('GET /api/teams/{id}/versions/{version} › each as it was stored; 404 for others', async () => {
    const id = uniqueId()
    const first = await readText(put(id, { name: 'N' }))
    const second = await readText(put(id, { name: 'M' }))
    const path = `/api/teams/${id}/versions`
    assert.equal(await readText(world.as('Tr', 'GET', `${path}/1`)), first)
    assert.equal(await readText(world.as('Tr', 'GET', `${path}/2`)), second)
    for (const version of ['0', '3', '-1', '01', '1.0', 'x', 'latest', '9'.repeat(20)]) {
      await expectProblem(world.as('Tr', 'GET', `${path}/${version}`), 404)
    }
    await expectProblem(world.as('Tr', 'GET', `/api/teams/${uniqueId()}/versions`), 404)
  })

  test(`GET ${TEAM}?asOf= › the team as it was, to the microsecond; 404 before it and after it`, async () => {
    const id = uniqueId()
    const path = `/api/teams/${id}`
    const first = await readText(put(id, { name: 'N' }))
    const second = await readText(put(id, { name: 'M' }))
    await readText(world.as('O', 'DELETE', path))
    const third = await readText(put(id, { name: 'L' }))
    const [l, m, n] = await getVersions(id)
    assert.deepEqual([n?.version, m?.version, l?.version], [1, 2, 3])
    const at = (instant: string | null = ''): Promise<Response> =>
      world.as('Tr', 'GET', `${path}?asOf=${encodeURIComponent(instant ?? '')}`)
    assert.equal(await readText(at(n?.validFrom)), first)
    assert.equal(await readText(at(justBefore(m?.validFrom))), first)
    assert.equal(await readText(at(m?.validFrom)), second)
    assert.equal(await readText(at(justBefore(m?.validTo))), second)
    assert.equal(await readText(at(l?.validFrom)), third)
    await expectProblem(at(justBefore(n?.validFrom)), 404)
    await expectProblem(at(m?.validTo), 404)
    const listed = async (instant: string | null = ''): Promise<string[]> => {
      const query = `?asOf=${encodeURIComponent(instant ?? '')}`
      const teams = await readJson<{ id: string; name: string }[]>(
        world.as('Tr', 'GET', `/api/teams${query}`),
      )
      return teams.filter((team) => team.id === id).map(({ name }) => name)
    }
    assert.deepEqual(await listed(justBefore(n?.validFrom)), [])
    assert.deepEqual(await listed(n?.validFrom), ['N'])
    assert.deepEqual(await listed(m?.validFrom), ['M'])
    assert.deepEqual(await listed(m?.validTo), [])
    assert.deepEqual(await listed(l?.validFrom), ['L'])
  })

  test(`PUT ${TEAM} › versions begin one after the other, even if the clock stops or goes back`, async () => {
    const id = uniqueId()
    for (const [at, instant] of [
      '2030-01-01T00:00:00Z',
      '2030-01-01T00:00:00Z',
      '2029-01-01T00:00:00Z',
    ].entries()) {
      const product = newProduct(store(), { clock: fixedClock(instant) })
      const body = { name: `N${at}` }
      await readText(product.call('PUT', `/api/teams/${id}`, { key: world.keys.O, body }))
    }
    const starts = (await getVersions(id)).map(({ validFrom }) => validFrom)
    assert.deepEqual(starts, [
      '2030-01-01T00:00:00.000002Z',
      '2030-01-01T00:00:00.000001Z',
      '2030-01-01T00:00:00.000000Z',
    ])
  })

  test(`GET ${TEAM} › 304 for the current ETag, 200 for another`, async () => {
    const id = uniqueId()
    await readText(put(id, { name: 'N' }))
    const tag = await getTag(id)
    const get = (ifNoneMatch: string, accept = '*/*'): Promise<Response> => {
      const headers = { 'if-none-match': ifNoneMatch, accept }
      return world.as('Tr', 'GET', `/api/teams/${id}`, { headers })
    }
    for (const tags of [tag, `W/${tag}`, `"x", ${tag}`, '*']) {
      const answer = await get(tags)
      assert.equal(answer.headers.get('etag'), tag)
      assert.equal(answer.status, 304)
      assert.equal(await answer.text(), '')
    }
    await readText(get('"x"'))
    await readText(get(tag, 'application/yaml'))
    await expectProblem(get('x'), 400)
  })

  test(`PUT ${TEAM} › 412 when If-Match or If-None-Match does not hold, and nothing is written`, async () => {
    const id = uniqueId()
    const refused = async (headers: Record<string, string>): Promise<void> => {
      await expectProblem(put(id, { name: 'Refused' }, headers), 412)
    }
    await refused({ 'if-match': '*' })
    await refused({ 'if-match': '"x"' })
    await readText(put(id, { name: 'N' }, { 'if-none-match': '*' }))
    const old = await getTag(id)
    await refused({ 'if-none-match': '*' })
    await refused({ 'if-match': '"x"' })
    await readText(put(id, { name: 'M' }, { 'if-match': `"x", ${old}` }))
    await refused({ 'if-match': old })
    await refused({ 'if-none-match': await getTag(id) })
    await readText(put(id, { name: 'M' }, { 'if-match': '*' }))
    assert.equal((await getVersions(id)).length, 2)
  })

  test(`DELETE ${TEAM} › 412 when If-Match does not hold`, async () => {
    const id = uniqueId()
    await readText(put(id, { name: 'N' }))
    const remove = (ifMatch: string): Promise<Response> =>
      world.as('O', 'DELETE', `/api/teams/${id}`, { headers: { 'if-match': ifMatch } })
    await expectProblem(remove('"x"'), 412)
    await readText(remove(await getTag(id)))
    await expectProblem(remove('*'), 404)
  })

  test(`PUT ${TEAM} › 403 before 412, 412 before 422`, async () => {
    const headers = { 'if-match': '"x"' }
    const sent = { body: { name: '' }, headers }
    await expectProblem(world.as('T', 'PUT', '/api/teams/b', sent), 403)
    await expectProblem(world.as('O', 'PUT', '/api/teams/b', sent), 412)
    await expectProblem(world.as('O', 'PUT', '/api/teams/b', { body: { name: '' } }), 422)
  })

  test(`PUT ${TEAM} › 64 at once give versions that are distinct and without gaps`, async () => {
    const id = uniqueId()
    const products = [newProduct(store()), newProduct(store())]
    const names = Array.from({ length: 64 }, (_, at) => `N${at}`)
    const answers = await Promise.all(
      names.map(async (name, at) =>
        products[at % 2]?.call('PUT', `/api/teams/${id}`, { key: world.keys.O, body: { name } }),
      ),
    )
    for (const answer of answers) assert.equal(answer?.status, 200)
    const versions = await getVersions(id)
    assert.deepEqual(
      versions.map(({ version }) => version),
      names.map((_, at) => 64 - at),
    )
    assert.equal(new Set(versions.map(({ digest }) => digest)).size, 64)
    const starts = versions.map(({ validFrom }) => validFrom)
    assert.equal(new Set(starts).size, 64)
    const events = await listEventsOfSubject(world, id)
    assert.deepEqual(
      events.map(({ data }) => data.version),
      names.map((_, at) => at + 1),
    )
    const current = await readJson(world.as('O', 'GET', `/api/teams/${id}`))
    assert.deepEqual(current, await readJson(world.as('O', 'GET', `/api/teams/${id}/versions/64`)))
  })

  test(`PUT ${TEAM} › with If-Match no update is lost: of 16 on one ETag one holds`, async () => {
    const id = uniqueId()
    await readText(put(id, { name: 'N' }))
    const headers = { 'if-match': await getTag(id) }
    const asked = Array.from({ length: 16 }, (_, at) => put(id, { name: `M${at}` }, headers))
    const statuses = (await Promise.all(asked)).map(({ status }) => status)
    assert.equal(statuses.filter((status) => status === 200).length, 1)
    assert.equal(statuses.filter((status) => status === 412).length, 15)
  })

  test(`PUT ${TEAM} › of 16 first writes with If-None-Match: * one holds`, async () => {
    const id = uniqueId()
    const headers = { 'if-none-match': '*' }
    const asked = Array.from({ length: 16 }, (_, at) => put(id, { name: `M${at}` }, headers))
    const statuses = (await Promise.all(asked)).map(({ status }) => status)
    assert.equal(statuses.filter((status) => status === 200).length, 1)
    assert.equal((await getVersions(id)).length, 1)
  })
})

function justBefore(instant: string | null | undefined): string {
  return Temporal.Instant.from(instant ?? '')
    .subtract({ microseconds: 1 })
    .toString()
}
