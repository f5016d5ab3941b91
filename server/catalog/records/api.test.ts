/** The promises that only some kinds of records make. Those that all kinds share are tested in `test/record-kinds.test.ts`. */

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, test } from 'node:test'
import { expectProblem, readJson } from '../../../test/answers.ts'
import { listEventsOfSubject, summarizeEvent } from '../../../test/feed.ts'
import { onStore } from '../../../test/stores.ts'
import { expectOk, newProduct, newWorld, uniqueId, type World } from '../../../test/world.ts'
import type { Plan } from '../../ledger/history/plan.ts'
import type { SearchAnswer } from '../../documents/search/search.ts'

onStore((store) => {
  let world: World
  before(async () => {
    world = await newWorld(newProduct(store()))
  })
  const put = (path: string, body: object): Promise<Response> =>
    world.as('O', 'PUT', path, { body })

  test('PUT /api/policies/{id} › 200 with the policy, 422 for an unknown status', async () => {
    const id = `GLOBAL-${uniqueId()}`
    for (const status of ['Draft', 'Accepted', 'Rejected', 'Deprecated']) {
      const policy = { id, name: 'Retention', status, content: '# Keep\n\nNothing *forever*.' }
      assert.deepEqual(await readJson(put(`/api/policies/${id}`, policy)), policy)
    }
    const wrong = put(`/api/policies/${id}`, { name: 'Retention', status: 'accepted' })
    const { violations } = await expectProblem(wrong, 422)
    assert.deepEqual(
      violations?.map(({ field }) => field),
      ['status'],
    )
  })

  test('PUT /api/policies/{id} › 403 names the callers who can write a kind without owners', async () => {
    const body = { name: 'Retention', owner: 'a' }
    const answer = world.as('T', 'PUT', `/api/policies/${uniqueId()}`, { body })
    const { detail } = await expectProblem(answer, 403)
    assert.match(
      detail ?? '',
      /Only organization owners and organization keys can change policies\./,
    )
    const ok = await expectOk(put(`/api/policies/${uniqueId()}`, body))
    assert.equal(ok.headers.get('portbook-warnings'), null)
    assert.equal(ok.headers.get('portbook-owner'), null)
  })

  test('GET /api/definitions/{id} › as a property of ODCS for clients that accept it', async () => {
    const id = `sales/${uniqueId()}`
    const path = `/api/definitions/${id}`
    const definition = { id, owner: 'a', title: 'Net weight', type: 'number', minimum: 1.5 }
    const created = await expectOk(put(path, definition))
    const mediaType = 'application/vnd.entropydata.odcs+json'
    const answer = await world.as('Tr', 'GET', path, { headers: { accept: mediaType } })
    assert.equal(answer.headers.get('content-type'), mediaType)
    assert.equal(answer.headers.get('vary'), 'accept')
    assert.equal(answer.headers.get('location-html'), created.headers.get('location-html'))
    assert.deepEqual(await answer.json(), {
      name: id.slice('sales/'.length),
      businessName: 'Net weight',
      logicalType: 'number',
      logicalTypeOptions: { minimum: 1.5 },
    })
    assert.deepEqual(await readJson(world.as('Tr', 'GET', path)), definition)
    const missing = world.as('Tr', 'GET', `${path}/x`, { headers: { accept: mediaType } })
    await expectProblem(missing, 404)
  })

  test('PUT /api/definitions/{id} › a title is optional, an owner is not', async () => {
    const path = `/api/definitions/sales/${uniqueId()}`
    await expectOk(put(path, { owner: 'a' }))
    const { violations } = await expectProblem(put(path, { title: 'T' }), 422)
    assert.deepEqual(
      violations?.map(({ field }) => field),
      ['owner'],
    )
  })

  test('search and events › have the id of a definition with its slashes', async () => {
    const id = `sales/${uniqueId()}`
    await expectOk(put(`/api/definitions/${id}`, { owner: 'a', title: 'Quartz vein' }))
    const query = '?query=quartz&resourceType=DEFINITION'
    const { results } = await readJson<SearchAnswer>(world.as('Tr', 'GET', `/api/search${query}`))
    const page = `http://portbook.test/definitions/${encodeURIComponent(id)}`
    assert.deepEqual(
      results.map((result) => [result.id, result.url]),
      [[id, page]],
    )
    const [event] = await listEventsOfSubject(world, id)
    assert.deepEqual(summarizeEvent(event ?? assert.fail()), 'DefinitionCreatedEvent')
  })

  test('PUT /api/tags/{id} › 422 if another tag differs only in letter case, also at the same time', async () => {
    const id = `pii/Größe-${uniqueId()}`
    await expectOk(put(tagPath(id), { info: { description: 'Sizes' } }))
    await expectOk(put(tagPath(id), { info: { description: 'Sizes of people' } }))
    const { violations } = await expectProblem(put(tagPath(id.toUpperCase()), {}), 422)
    assert.equal(violations?.[0]?.field, 'id')
    assert.ok(violations[0].message.includes(id))
    await expectProblem(put(`${tagPath(id.toLowerCase())}?dryRun=true`, {}), 422)
    const others = Array.from({ length: 6 }, (_, at) => `both/${'xyz'.slice(0, at % 3)}${at}`)
    const pairs = others.flatMap((other) => [other, other.toUpperCase()])
    const answers = await Promise.all(pairs.map((other) => put(tagPath(other), {})))
    const statuses = answers.map(({ status }) => status).toSorted((a, b) => a - b)
    assert.deepEqual(statuses, [...others.map(() => 200), ...others.map(() => 422)])
  })

  test('PUT /api/tags/{id} › needs no owner; with one, its team can write', async () => {
    const path = `/api/tags/${uniqueId()}`
    const asTeam = (info: object): Promise<Response> =>
      world.as('T', 'PUT', path, { body: { info } })
    const { detail } = await expectProblem(asTeam({}), 403)
    assert.match(detail ?? '', /a tag without an owner\. Name the owning team in the document\./)
    await expectOk(asTeam({ owner: 'a' }))
    await expectOk(asTeam({ owner: 'a', description: 'Personal data' }))
    await expectProblem(asTeam({}), 403)
    const plan = await readJson<Plan>(put(`${path}?dryRun=true`, { info: {} }))
    assert.equal(plan.level, 'additive')
    const wording = await readJson<Plan>(
      put(`${path}?dryRun=true`, { info: { owner: 'a', description: 'PII' } }),
    )
    assert.equal(wording.level, 'wording')
  })

  test('GET /api/tags › ?owner= is the name or the id of a team, in any letter case', async () => {
    const { data } = await addNamedTeam()
    const id = `of-${data.id}`
    await expectOk(put(`/api/tags/${id}`, { info: { owner: data.id } }))
    for (const owner of [data.name, data.name.toUpperCase(), data.id]) {
      const query = new URLSearchParams({ owner })
      const tags = await readJson<{ info: object }[]>(
        world.as('Tr', 'GET', `/api/tags?${query.toString()}`),
      )
      assert.deepEqual(tags, [{ id, info: { owner: data.id } }], owner)
    }
    assert.deepEqual(await readJson(world.as('Tr', 'GET', '/api/tags?owner=nope')), [])
  })

  async function addNamedTeam(): Promise<{ data: { id: string; name: string } }> {
    const data = { id: uniqueId(), name: `Team ${uniqueId()}` }
    await expectOk(put(`/api/teams/${data.id}`, data))
    return { data }
  }

  test('GET /api/certifications and classification schemes › sorted by rank, without pages', async () => {
    const fresh = await newWorld(world)
    const list = async (path: string): Promise<string[]> => {
      const answer = await expectOk(fresh.as('Or', 'GET', path))
      assert.equal(answer.headers.get('link'), null)
      return ((await answer.json()) as { name: string }[]).map(({ name }) => name)
    }
    const ranks = { silver: 10, gold: 2, none: undefined, below: -1, bronze: 10 }
    for (const [name, rank] of Object.entries(ranks)) {
      const body = { name, rank, tag: name }
      await expectOk(fresh.as('O', 'PUT', `/api/certifications/${randomUUID()}`, { body }))
      await expectOk(fresh.as('O', 'PUT', `/api/classification-schemes/${name}`, { body }))
    }
    const sorted = await list('/api/classification-schemes')
    assert.deepEqual(sorted, ['below', 'gold', 'bronze', 'silver', 'none'])
    const certifications = await list('/api/certifications')
    assert.deepEqual(certifications.slice(0, 2), ['below', 'gold'])
    assert.equal(certifications.at(-1), 'none')
    assert.deepEqual((await list('/api/certifications?sort=-name'))[0], 'silver')
    const now = new Date(Date.now() + 60_000).toISOString()
    assert.deepEqual(await list(`/api/classification-schemes?asOf=${now}`), sorted)
  })

  test('PUT /api/certifications/{id} › 422 for an id that is not a UUID and without a tag', async () => {
    const named = await expectProblem(put('/api/certifications/gold', { name: 'G', tag: 'g' }), 422)
    assert.match(named.violations?.[0]?.message ?? '', /is a UUID/)
    const untagged = await expectProblem(
      put(`/api/certifications/${randomUUID()}`, { name: 'G' }),
      422,
    )
    assert.equal(untagged.violations?.[0]?.field, 'tag')
    await expectProblem(world.as('O', 'GET', '/api/certifications/gold'), 404)
  })

  test('PUT /api/classification-schemes/{externalId} › tiers are replaced; 422 for invalid ones', async () => {
    const path = `/api/classification-schemes/${uniqueId()}`
    await expectOk(put(path, scheme(tier('open'), tier('secret'))))
    const now = scheme(tier('open'))
    assert.deepEqual(await readJson(put(path, now)), now)
    assert.deepEqual(await readJson(world.as('Tr', 'GET', path)), now)
    const wrong = scheme(tier('open'), tier('open'), { name: 'X', level: 'high' })
    const { violations } = await expectProblem(put(path, wrong), 422)
    assert.deepEqual(
      violations?.map(({ field }) => field),
      [
        'classifications[1].externalId',
        'classifications[2].externalId',
        'classifications[2].level',
      ],
    )
  })

  test('GET /api/policies › sorted by id', async () => {
    const fresh = await newWorld(world)
    for (const id of ['GLOBAL-3', 'GLOBAL-1', 'GLOBAL-2']) {
      await expectOk(fresh.as('O', 'PUT', `/api/policies/${id}`, { body: { id, name: 'P' } }))
    }
    const policies = await readJson<{ id: string }[]>(fresh.as('Or', 'GET', '/api/policies'))
    assert.deepEqual(
      policies.map(({ id }) => id),
      ['GLOBAL-1', 'GLOBAL-2', 'GLOBAL-3'],
    )
  })
})

function tagPath(id: string): string {
  return `/api/tags/${encodeURIComponent(id)}`
}

function tier(externalId: string): object {
  return { externalId, name: externalId, level: 1 }
}

function scheme(...classifications: object[]): object {
  return { name: 'Protection', classifications }
}
