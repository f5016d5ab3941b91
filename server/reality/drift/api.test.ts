import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { expectProblem, expectViolations, readJson } from '../../../test/answers.ts'
import { listEntries } from '../../../test/activity.ts'
import { addFinding, addPromise } from '../../../test/drift.ts'
import { onStore } from '../../../test/stores.ts'
import { expectOk, newProduct, newWorld, odcs, putOne, uniqueId } from '../../../test/world.ts'
import type { World } from '../../../test/world.ts'
import { endExpiredAcceptances } from './acceptance-service.ts'
import type { ContractDrift, DriftFinding } from './drift.ts'

const LATER = '9999-12-31T00:00:00Z'
const FORMER = '2026-01-02T00:00:00Z'

onStore((store) => {
  let world: World
  let twin: World
  before(async () => {
    const product = newProduct(store())
    world = await newWorld(product)
    twin = await newWorld(product)
  })

  /** Registers a contract of a team, also one of another organization with the same id and a finding. */
  const addContract = async (team = 'a'): Promise<string> => {
    const id = uniqueId()
    for (const one of [twin, world])
      await putOne(one, 'datacontracts', odcs(id, { team: { name: team } }))
    await addPromise(twin, id)
    await addFinding(twin, id, { field: 'twin' })
    return id
  }
  const read = (id: string): Promise<ContractDrift> =>
    readJson(world.as('Or', 'GET', `/api/datacontracts/${id}/drift`))
  const list = (query: string): Promise<DriftFinding[]> =>
    readJson(world.as('Or', 'GET', `/api/drift?${query}`))
  const listFields = async (query: string): Promise<(string | null)[]> =>
    (await list(query)).map(({ field }) => field)
  const accept = (id: string, body: object): Promise<Response> =>
    world.as('O', 'PUT', `/api/drift/${id}/acceptance`, { body })

  describe('GET /api/datacontracts/{id}/drift', () => {
    test('is unknown without promises, and names the version', async () => {
      const id = await addContract()
      assert.deepEqual(await read(id), {
        version: 1,
        state: 'unknown',
        comparedAt: null,
        counts: { breaking: 0, additive: 0, accepted: 0, unverifiable: 0 },
        servers: [],
      })
    })

    test('is none only if every model is linked and compared', async () => {
      const id = await addContract()
      await addPromise(world, id)
      assert.equal((await read(id)).state, 'none')
      await addPromise(world, id, { model: 'other', state: 'excluded' })
      assert.equal((await read(id)).state, 'none')
      await addPromise(world, id, { model: 'third', state: 'ambiguous' })
      assert.equal((await read(id)).state, 'unknown')
    })

    test('is drift with a breaking finding, accepted when all are, and none with additive ones', async () => {
      const id = await addContract()
      await addPromise(world, id)
      await addFinding(world, id, { level: 'additive', field: 'more' })
      assert.equal((await read(id)).state, 'none')
      await addFinding(world, id, { field: 'a', acceptedUntil: LATER })
      assert.equal((await read(id)).state, 'accepted')
      await addFinding(world, id, { field: 'b' })
      await addFinding(world, id, { field: 'c', resolvedAt: FORMER })
      const { state, counts, servers } = await read(id)
      assert.equal(state, 'drift')
      assert.deepEqual(counts, { breaking: 1, additive: 1, accepted: 1, unverifiable: 0 })
      const [model] = servers[0]?.models ?? []
      assert.deepEqual(
        model?.findings.map(({ field, acceptance }) => [field, acceptance?.reason]),
        [
          ['a', 'Planned'],
          ['b', undefined],
          ['more', undefined],
        ],
      )
    })

    test('an acceptance that is over does not count', async () => {
      const id = await addContract()
      await addPromise(world, id)
      await addFinding(world, id, { acceptedUntil: '2026-01-03T00:00:00Z' })
      assert.equal((await read(id)).state, 'drift')
    })

    test('servers that do not count appear without an effect on the state', async () => {
      const id = await addContract()
      await addPromise(world, id)
      await addPromise(world, id, { server: 'test', isProduction: false })
      await addFinding(world, id, { server: 'test', isProduction: false })
      const { state, servers } = await read(id)
      assert.equal(state, 'none')
      assert.deepEqual(
        servers.map(({ server, isProduction }) => [server, isProduction]),
        [
          ['production', true],
          ['test', false],
        ],
      )
    })

    test('404 for an unknown contract', async () => {
      await expectProblem(world.as('Or', 'GET', `/api/datacontracts/${uniqueId()}/drift`), 404)
    })
  })

  describe('GET /api/drift', () => {
    test('filters by contract, team, level, status and asset', async () => {
      const [mine, theirs] = [await addContract('a'), await addContract('b')]
      const assetId = uniqueId()
      await addFinding(world, mine, { field: '1', firstSeenAt: '2026-01-05T00:00:00Z', assetId })
      await addFinding(world, mine, {
        field: '2',
        firstSeenAt: '2026-01-04T00:00:00Z',
        level: 'additive',
      })
      await addFinding(world, mine, {
        field: '3',
        acceptedUntil: LATER,
        firstSeenAt: '2026-01-03T00:00:00Z',
      })
      await addFinding(world, mine, { field: '4', resolvedAt: FORMER })
      await addFinding(world, theirs, { field: '5' })
      const own = `dataContractId=${mine}`
      assert.deepEqual(await listFields(own), ['1', '2', '3'])
      assert.deepEqual(await listFields(`${own}&status=open`), ['1', '2'])
      assert.deepEqual(await listFields(`${own}&status=accepted`), ['3'])
      assert.deepEqual(await listFields(`${own}&status=resolved`), ['4'])
      assert.deepEqual(await listFields(`${own}&level=additive`), ['2'])
      assert.deepEqual(await listFields(`assetId=${assetId}`), ['1'])
      assert.deepEqual(await listFields(`${own}&teamId=b`), [])
      assert.deepEqual(await listFields(`dataContractId=${theirs}&teamId=a&teamId=b`), ['5'])
      assert.deepEqual(await listFields(`${own}&integration=none`), [])
    })

    test('pages of 1000 have a link to the next one', async () => {
      const id = await addContract()
      await addFinding(world, id)
      const answer = await world.as('Or', 'GET', `/api/drift?dataContractId=${id}&p=1`)
      assert.deepEqual([await answer.json(), answer.headers.get('link')], [[], null])
      await expectProblem(world.as('Or', 'GET', '/api/drift?status=none'), 400)
      await expectProblem(world.as('Or', 'GET', '/api/drift?team=a'), 400)
    })
  })

  test('GET /api/drift, GET …/drift › findings and acceptances of the years 1970 and 9999 keep their times', async () => {
    const contract = await addContract()
    await addPromise(world, contract)
    const [first, last] = ['1970-01-01T00:00:00.000000Z', '9999-12-31T23:59:59.000000Z']
    await addFinding(world, contract, { firstSeenAt: first, acceptedUntil: last })
    await addFinding(world, contract, { field: 'b', firstSeenAt: last, acceptedUntil: first })
    const path = `/api/drift?dataContractId=${contract}`
    const list = async (status: string) => {
      const found = await readJson<DriftFinding[]>(
        world.as('Or', 'GET', `${path}&status=${status}`),
      )
      return found.map(({ since, acceptance }) => [since, acceptance?.until ?? null])
    }
    assert.deepEqual(await list('accepted'), [[first, last]])
    assert.deepEqual(await list('open'), [[last, first]])
    const { state, counts } = await read(contract)
    assert.deepEqual([state, counts.breaking, counts.accepted], ['drift', 1, 1])
  })

  describe('PUT /api/drift/{id}/acceptance', () => {
    test('200 with the finding, which counts no more until its time, and an entry', async () => {
      const contract = await addContract()
      await addPromise(world, contract)
      const id = await addFinding(world, contract)
      const { acceptance } = await readJson<DriftFinding>(accept(id, { reason: 'Planned' }))
      assert.equal(acceptance?.reason, 'Planned')
      assert.equal((await read(contract)).state, 'accepted')
      await expectOk(world.as('O', 'DELETE', `/api/drift/${id}/acceptance`))
      assert.equal((await read(contract)).state, 'drift')
      await expectOk(world.as('O', 'DELETE', `/api/drift/${id}/acceptance`))
      const entries = (await listEntries(world, 'data-contract')).filter(
        ({ subject, action }) => subject === contract && action !== 'created',
      )
      assert.deepEqual(
        entries.map(({ action, team }) => [action, team]),
        [
          ['difference-accepted', 'a'],
          ['acceptance-ended', 'a'],
        ],
      )
      assert.equal(
        (
          await readJson<DriftFinding[]>(
            twin.as('Or', 'GET', `/api/drift?dataContractId=${contract}`),
          )
        )[0]?.acceptance,
        null,
      )
    })

    test('the upkeep ends those whose time is over, and none that was renewed in the meantime', async () => {
      const addAccepted = async (acceptedUntil: string): Promise<string> => {
        const contract = await addContract()
        await addPromise(world, contract)
        await addFinding(world, contract, { acceptedUntil })
        return contract
      }
      const over = await addAccepted('2026-01-01T00:00:00Z')
      const renewed = await addAccepted('2026-01-02T00:00:00Z')
      const { db, clock } = world.services
      const renew = async (): Promise<void> => {
        await sql`
          update drift_finding set accepted_until = ${LATER}
          where organization_id = ${world.organizationId} and contract_id = ${renewed}
        `.execute(db)
      }
      await endExpiredAcceptances({ db, clock, settleReality: renew })
      const states = [over, renewed].map(async (id) => (await read(id)).state)
      assert.deepEqual(await Promise.all(states), ['drift', 'accepted'])
    })

    test('422 without a reason, and for an end that is not a time, has passed, or is more than a year away', async () => {
      const id = await addFinding(world, await addContract())
      const ends = ['tomorrow', '2026-02-30', '1970-01-01', '9999-12-31T23:59:59Z']
      for (const until of ends) {
        await expectViolations(accept(id, { reason: 'Planned', until }), 422, ['until'])
      }
      await expectViolations(accept(id, { reason: ' ' }), 422, ['reason'])
      await expectViolations(accept(id, {}), 422, ['reason'])
      await expectProblem(accept(id, { reason: 'Planned', forever: true }), 422)
    })

    test('422 for a difference that has changed since it was read', async () => {
      const contract = await addContract()
      await addPromise(world, contract)
      const id = await addFinding(world, contract)
      const { changedAt } = await readJson<DriftFinding>(world.as('Or', 'GET', `/api/drift/${id}`))
      await sql`
        update drift_finding set actual = 'date', changed_at = now()
        where organization_id = ${world.organizationId} and id = ${id}
      `.execute(world.services.db)
      await expectProblem(accept(id, { reason: 'Planned', changedAt }), 422)
      await expectViolations(accept(id, { reason: 'Planned', changedAt: 'now' }), 422, [
        'changedAt',
      ])
      const changed = await readJson<DriftFinding>(world.as('Or', 'GET', `/api/drift/${id}`))
      await expectOk(accept(id, { reason: 'Planned', changedAt: changed.changedAt }))
    })

    test('422 for a resolved finding, 404 for an unknown one and one of another organization', async () => {
      const contract = await addContract()
      const resolved = await addFinding(world, contract, { resolvedAt: FORMER })
      await expectProblem(accept(resolved, { reason: 'Planned' }), 422)
      const foreign = await addFinding(twin, contract, { field: 'other' })
      for (const id of [foreign, 'none', uniqueId()]) {
        await expectProblem(accept(id, { reason: 'Planned' }), 404)
      }
    })
  })
})
