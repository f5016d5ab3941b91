/** The owner of a document whose text names none: data contracts may do without, data products may not. */

import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { expectProblem, readJson, readText } from '../../test/answers.ts'
import { onStore } from '../../test/stores.ts'
import { dcs, dps, newProduct, newWorld, odcs, odps, uniqueId } from '../../test/world.ts'
import type { CallerName, World } from '../../test/world.ts'
import type { Plan } from '../ledger/history/plan.ts'

type Path = 'datacontracts' | 'dataproducts'

// Documents without an owner, by path.
const OWNERLESS: Record<string, [Path, (id: string) => Record<string, unknown>]> = {
  'ODCS contract': ['datacontracts', (id) => odcs(id, { team: undefined })],
  'DCS contract': ['datacontracts', (id) => dcs(id, { info: { title: 'T', version: '1' } })],
  'ODPS product': ['dataproducts', (id) => odps(id, { team: undefined })],
  'DPS product': ['dataproducts', (id) => dps(id, { info: { title: 'T' } })],
}

const ofDomain = (id: string, more: object = {}): Record<string, unknown> =>
  odcs(id, { team: undefined, domain: 'seller', ...more })

const olderOfDomain = (id: string): Record<string, unknown> => ({
  kind: 'DataContract',
  apiVersion: 'v2.2.2',
  uuid: id,
  version: '1',
  status: 'active',
  quantumName: 'q',
  datasetDomain: 'seller',
  dataset: [],
  type: 'tables',
})

onStore((store) => {
  let world: World
  before(async () => {
    world = await newWorld(newProduct(store()))
  })

  const put = async (caller: CallerName, path: string, body: unknown): Promise<Response> => {
    const answer = await world.as(caller, 'PUT', path, { body })
    assert.equal(answer.status, 200, await answer.clone().text())
    return answer
  }
  const getOwner = async (path: string): Promise<string | null> =>
    (await world.as('Or', 'GET', path)).headers.get('portbook-owner')
  const idsOfTeam = async (room: Path, team: string, more = ''): Promise<string[]> => {
    const path = `/api/${room}?teamId=${team}${more}`
    const documents = await readJson<{ id: string }[]>(world.as('Or', 'GET', path))
    return documents.map(({ id }) => id)
  }

  for (const [what, [room, getDocument]] of Object.entries(OWNERLESS)) {
    test(`PUT /api/${room}/{id} › the team of a team key owns an ${what} that names no owner`, async () => {
      const id = uniqueId()
      const path = `/api/${room}/${id}`
      const text = JSON.stringify(getDocument(id), null, 3)
      const answer = await put('T', path, text)
      assert.equal(await answer.text(), text)
      assert.equal(answer.headers.get('portbook-owner'), 'a')
      assert.equal(answer.headers.get('portbook-warnings'), null)
      assert.equal(await readText(world.as('Or', 'GET', path)), text)
      assert.ok((await idsOfTeam(room, 'a')).includes(id))
      await put('Ue', path, { ...getDocument(id), tags: ['x'] })
      assert.equal(await getOwner(path), 'a')
    })

    test(`PUT /api/${room}/{id}?owner= › names the owner of an ${what}; it stays until another is named`, async () => {
      const id = uniqueId()
      const path = `/api/${room}/${id}`
      await put('O', `${path}?owner=b`, getDocument(id))
      await put('O', path, { ...getDocument(id), tags: ['x'] })
      assert.equal(await getOwner(path), 'b')
      await put('O', `${path}?owner=a`, { ...getDocument(id), tags: ['x'] })
      assert.equal(await getOwner(path), 'a')
      const versions = await readJson<{ level: string }[]>(
        world.as('Or', 'GET', `${path}/versions`),
      )
      assert.deepEqual(
        versions.map(({ level }) => level),
        ['additive', 'wording', 'none'],
      )
      const diff = await readJson<Plan>(world.as('Or', 'GET', `${path}/diff`))
      assert.deepEqual(
        diff.changes.map(({ message }) => message),
        ['The owner changed from team "b" to team "a".'],
      )
      await readText(world.as('O', 'DELETE', path))
    })
  }

  for (const room of ['datacontracts', 'dataproducts'] as const) {
    const getDocument = room === 'datacontracts' ? odcs : odps
    const target = (): { id: string; path: string } => {
      const id = uniqueId()
      return { id, path: `/api/${room}/${id}` }
    }

    test(`PUT /api/${room}/{id}?owner= › 400 for an unknown team, and for a text that is not an ID`, async () => {
      const { id, path } = target()
      const body = getDocument(id, { team: undefined })
      const unknown = world.as('O', 'PUT', `${path}?owner=nobody`, { body })
      const { violations } = await expectProblem(unknown, 400, /Unknown team "nobody"/)
      assert.deepEqual(
        violations?.map(({ field }) => field),
        ['owner'],
      )
      for (const owner of ['', 'a%2Fb', '%00']) {
        await expectProblem(world.as('O', 'PUT', `${path}?owner=${owner}`, { body }), 400, /owner/)
      }
      await expectProblem(world.as('O', 'GET', path), 404)
    })

    test(`PUT /api/${room}/{id}?owner= › 422 where the document names another team`, async () => {
      const { id, path } = target()
      const body = getDocument(id)
      await put('O', `${path}?owner=a`, body)
      const other = world.as('O', 'PUT', `${path}?owner=b`, { body })
      const { violations } = await expectProblem(other, 422, /"a", but \?owner= names "b"/)
      assert.deepEqual(
        violations?.map(({ field, line }) => [field, line]),
        [['team.name', 1]],
      )
      assert.equal(await getOwner(path), 'a')
    })

    test(`PUT /api/${room}/{id}?dryRun=true&owner= › plans a change of the owner and writes nothing`, async () => {
      const { id, path } = target()
      const body = getDocument(id, { team: undefined })
      await put('O', `${path}?owner=a`, body)
      const plan = await readJson<Plan>(
        world.as('O', 'PUT', `${path}?dryRun=true&owner=b`, { body }),
      )
      assert.deepEqual([plan.outcome, plan.level], ['updated', 'additive'])
      assert.equal(await getOwner(path), 'a')
      const same = await readJson<Plan>(
        world.as('O', 'PUT', `${path}?dryRun=true&owner=a`, { body }),
      )
      assert.equal(same.outcome, 'unchanged')
    })
  }

  for (const [what, getDocument] of [
    ['ODCS 3.1', ofDomain],
    ['ODCS 3.0', (id: string) => ofDomain(id, { apiVersion: 'v3.0.0' })],
    ['ODCS 3.2', (id: string) => ofDomain(id, { apiVersion: 'v3.2.0' })],
    ['ODCS 2.2', olderOfDomain],
  ] as const) {
    test(`PUT /api/datacontracts/{id}?owner= › wins over a domain of ${what}, which need not be a team, and stays`, async () => {
      const id = uniqueId()
      const path = `/api/datacontracts/${id}`
      const twin = await newWorld(world)
      await readText(
        twin.as('O', 'PUT', '/api/teams/seller', { body: { id: 'seller', name: 'S' } }),
      )
      await readText(twin.as('O', 'PUT', path, { body: getDocument(id) }))
      await put('O', `${path}?owner=b`, getDocument(id))
      assert.equal(await getOwner(path), 'b')
      await put('O', path, { ...getDocument(id), tags: ['x'] })
      assert.equal(await getOwner(path), 'b')
      const diff = await readJson<{ changes: { path: string }[] }>(
        world.as('O', 'GET', `${path}/diff`),
      )
      assert.deepEqual(
        diff.changes.map(({ path: changed }) => changed),
        ['/tags/0'],
      )
      await put('O', `${path}?owner=a`, { ...getDocument(id), tags: ['x'] })
      assert.equal(await getOwner(path), 'a')
      const inTwin = await twin.as('O', 'GET', path)
      assert.equal(inTwin.headers.get('portbook-owner'), 'seller')
    })
  }

  test('PUT /api/datacontracts/{id} › 422 for another domain than before that is no team', async () => {
    const id = uniqueId()
    const path = `/api/datacontracts/${id}`
    await put('O', `${path}?owner=b`, ofDomain(id))
    const other = world.as('O', 'PUT', path, { body: ofDomain(id, { domain: 'buyer' }) })
    await expectProblem(other, 422, /Unknown team "buyer"/)
    await put('O', `${path}?owner=b`, ofDomain(id, { domain: 'buyer' }))
    assert.equal(await getOwner(path), 'b')
  })

  test('PUT /api/dataproducts/{id} › 422 without an owner, unless a team key or ?owner= supplies it', async () => {
    const id = uniqueId()
    const body = odps(id, { team: undefined })
    const path = `/api/dataproducts/${id}`
    for (const caller of ['Uo', 'Ue', 'O'] as const) {
      await expectProblem(world.as(caller, 'PUT', path, { body }), 422, /team\.name.*missing/)
    }
    await put('Ue', `${path}?owner=a`, body)
  })

  test('PUT /api/datacontracts/{id} › 200 without an owner, with a warning in the answer and in the plan', async () => {
    const id = uniqueId()
    const path = `/api/datacontracts/${id}`
    const body = odcs(id, { team: undefined })
    const plan = await readJson<Plan>(world.as('O', 'PUT', `${path}?dryRun=true`, { body }))
    const warned = plan.warnings.map(({ field, line }) => [field, line])
    assert.deepEqual(warned, [
      ['schema', 1],
      ['team.name', 1],
    ])
    const answer = await put('O', path, body)
    const models = await readJson<Plan>(world.as('Or', 'GET', `${path}/model`))
    assert.deepEqual(
      models.warnings.map(({ field }) => field),
      ['schema'],
    )
    const warnings = JSON.parse(answer.headers.get('portbook-warnings') ?? '')
    assert.match(warnings[0], /^No team owns this data contract/)
    assert.equal(answer.headers.get('portbook-owner'), null)
    assert.ok((await idsOfTeam('datacontracts', '')).includes(id))
    assert.ok((await idsOfTeam('datacontracts', '', '&asOf=2999-01-01T00:00:00Z')).includes(id))
    assert.ok(!(await idsOfTeam('datacontracts', 'a')).includes(id))
    const again = await world.as('O', 'PUT', path, { body })
    assert.equal(again.status, 200)
    await put('O', `${path}?owner=a`, body)
    const owned = await readJson<Plan>(world.as('O', 'PUT', `${path}?dryRun=true`, { body }))
    assert.deepEqual(
      owned.warnings.map(({ field }) => field),
      ['schema'],
    )
  })

  test('PUT and DELETE /api/datacontracts/{id} › 403 without an owner, except for organization owners and keys', async () => {
    const id = uniqueId()
    const path = `/api/datacontracts/${id}`
    await put('O', path, odcs(id, { team: undefined }))
    for (const caller of ['Ue', 'T'] as const) {
      const body = odcs(id)
      await expectProblem(world.as(caller, 'PUT', path, { body }), 403, /Only organization owners/)
      await expectProblem(world.as(caller, 'DELETE', path), 403, /Only organization owners/)
    }
    const fresh = world.as('Ue', 'PUT', `/api/datacontracts/${uniqueId()}`, {
      body: odcs('x', { id: undefined, team: undefined }),
    })
    await expectProblem(fresh, 403, /Name the owning team in the document or with \?owner=/)
    await put('Uo', path, odcs(id, { team: undefined, tags: ['x'] }))
    await readText(world.as('Uo', 'DELETE', path))
  })

  test('GET /api/datacontracts/{id}?asOf= › portbook-owner is the owner of that time', async () => {
    const id = uniqueId()
    const path = `/api/datacontracts/${id}`
    const body = odcs(id, { team: undefined })
    await put('O', path, body)
    await put('O', `${path}?owner=b`, body)
    const versions = await readJson<{ validFrom: string }[]>(
      world.as('Or', 'GET', `${path}/versions`),
    )
    const owners = versions.map(({ validFrom }) => getOwner(`${path}?asOf=${validFrom}`))
    assert.deepEqual(await Promise.all(owners), ['b', null])
  })

  test('GET /api/dataproducts/{id}/contracts › a contract without an owner has the ownerId null', async () => {
    const [product, contract] = [uniqueId(), uniqueId()]
    await put('O', `/api/datacontracts/${contract}`, odcs(contract, { team: undefined }))
    const outputPorts = [{ name: 'out', version: '1', contractId: contract }]
    await put('O', `/api/dataproducts/${product}`, odps(product, { outputPorts }))
    const [port] = await readJson<{ contract: { ownerId: string | null } }[]>(
      world.as('Or', 'GET', `/api/dataproducts/${product}/contracts`),
    )
    assert.equal(port?.contract.ownerId, null)
  })
})
