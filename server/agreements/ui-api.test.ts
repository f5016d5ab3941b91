import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { addAgreement, addContract, addProvider } from '../../test/agreements.ts'
import { expectProblem, readJson } from '../../test/answers.ts'
import { onStore } from '../../test/stores.ts'
import { expectOk, newProduct, newWorld, odcs, odps, withSession } from '../../test/world.ts'
import type { PersonName, World } from '../../test/world.ts'
import { fixedClock } from '../platform/kit/clock.ts'
import { newSession } from '../../test/session.ts'
import {
  LISTED_MAX,
  type AccessSummary,
  type AgreementDetails,
  type AgreementPage,
  type RequestablePort,
} from './ui-schema.ts'

const NOW = '2026-10-01T12:00:00Z'

const toId = (path: string): string => path.slice(path.lastIndexOf('/') + 1)
const toSearch = (query: Record<string, string>): string => new URLSearchParams(query).toString()

const getPage = (
  world: World,
  person: PersonName,
  query: Record<string, string>,
): Promise<AgreementPage> =>
  readJson<AgreementPage>(world.asPerson(person, 'GET', `/ui/access?${toSearch(query)}`))

const listIds = async (
  world: World,
  person: PersonName,
  query: Record<string, string>,
): Promise<string[]> => (await getPage(world, person, query)).agreements.map(({ id }) => id)

/** Stores three versions of a document. */
async function putVersions(world: World, id: string, build: typeof odcs): Promise<void> {
  const collection = build === odcs ? 'datacontracts' : 'dataproducts'
  for (const tag of ['x', 'y', 'z']) {
    const body = build(id, { tags: [tag] })
    await expectOk(world.as('O', 'PUT', `/api/${collection}/${id}`, { body }))
  }
}

onStore((store) => {
  const fresh = (): Promise<World> => newWorld(newProduct(store(), { clock: fixedClock(NOW) }))
  describe('GET /ui/access', () => {
    test('200: the inbox has what the caller decides on, and no more', async () => {
      const world = await fresh()
      const ofA = toId(await addAgreement(world, { owner: 'a', consumer: { teamId: 'b' } }))
      const ofB = toId(await addAgreement(world, { owner: 'b', consumer: { teamId: 'a' } }))
      assert.deepEqual(
        (await listIds(world, 'Uo', { list: 'inbox' })).toSorted(),
        [ofA, ofB].toSorted(),
      )
      assert.deepEqual(await listIds(world, 'Uo', { list: 'inbox', team: 'a' }), [ofA])
      // An Editor of team A decides on nothing.
      assert.deepEqual(await listIds(world, 'Ue', { list: 'inbox' }), [])
      assert.deepEqual(await listIds(world, 'Ue', { list: 'inbox', team: 'a' }), [])
      assert.deepEqual(await listIds(world, 'Um', { list: 'mine' }), [ofB])
    })

    test('200: each view has its states and its number', async () => {
      const world = await fresh()
      const product = await addProvider(world, 'a')
      const add = (info: object, isApproved = true): Promise<string> =>
        addAgreement(world, { product, more: { info }, isApproved })
      const requested = await add({}, false)
      const active = await add({})
      const upcoming = await add({ startDate: '2026-12-01' })
      const later = await add({ endDate: '2026-10-15' })
      const sooner = await add({ endDate: '2026-10-02' })
      const beyond = await add({ endDate: '2026-10-16' })
      const rejected = await add({}, false)
      await expectOk(world.as('O', 'POST', `${rejected}/reject`))
      const canceled = await add({}, false)
      await expectOk(world.as('O', 'POST', `${canceled}/cancel`))
      const { counts } = await getPage(world, 'Uo', { list: 'inbox' })
      assert.deepEqual(counts, { requested: 1, active: 5, expiring: 2, rejected: 1, ended: 1 })
      for (const [view, paths] of Object.entries({
        requested: [requested],
        active: [beyond, sooner, later, upcoming, active],
        expiring: [sooner, later],
        rejected: [rejected],
        ended: [canceled],
      })) {
        for (const query of [
          { list: 'inbox' },
          { list: 'inbox', product },
          { list: 'product', product },
        ]) {
          const ids = await listIds(world, 'Uo', { ...query, view })
          const expected = paths.map(toId)
          if (view === 'expiring') assert.deepEqual(ids, expected)
          else assert.deepEqual(ids.toSorted(), expected.toSorted())
        }
      }
      assert.equal((await getPage(world, 'Uo', { list: 'consumer', team: 'b' })).counts?.active, 5)
      assert.equal((await getPage(world, 'Uo', { list: 'consumer', team: 'a' })).counts?.active, 0)
    })

    test('200: one that has ended is not expiring, also before its state changes', async () => {
      const world = await fresh()
      await addAgreement(world, { more: { info: { endDate: '2026-10-02' } }, isApproved: true })
      const clock = fixedClock('2026-10-03T00:00:00Z')
      const later = newProduct(store(), { clock })
      const session = await newSession(later.services.db, clock, world.userIds.Uo)
      const path = `/ui/access?${toSearch({ list: 'inbox', view: 'expiring' })}`
      const page = later.call('GET', path, { headers: withSession(session) })
      const { agreements, counts } = await readJson<AgreementPage>(page)
      assert.deepEqual(agreements, [])
      assert.equal(counts?.expiring, 0)
    })

    test('200: pages follow each other without gaps, in any order of writes', async () => {
      const world = await fresh()
      const product = await addProvider(world, 'a')
      const more = { info: { endDate: '2026-10-05' } }
      const paths = await Promise.all(
        Array.from({ length: LISTED_MAX + 5 }, () =>
          addAgreement(world, { product, more, isApproved: true }),
        ),
      )
      const added = new Set(paths.map(toId))
      for (const view of ['active', 'expiring']) {
        const first = await getPage(world, 'Uo', { list: 'inbox', view })
        assert.equal(first.agreements.length, LISTED_MAX)
        const second = await getPage(world, 'Uo', { list: 'inbox', view, after: first.next ?? '' })
        assert.equal(second.next, null)
        assert.equal(second.counts, null)
        const listed = [...first.agreements, ...second.agreements].map(({ id }) => id)
        assert.deepEqual(new Set(listed), added)
        assert.equal(listed.length, added.size)
      }
    })

    test('200: names of the parties, and whether it is the own request', async () => {
      const world = await fresh()
      const consumer = { userId: world.userIds.Um }
      const path = await addAgreement(world, { by: 'Um', consumer })
      const [mine] = (await getPage(world, 'Um', { list: 'mine' })).agreements
      assert.equal(mine?.id, toId(path))
      assert.equal(mine.isOwnRequest, true)
      assert.match(mine.consumerName ?? '', /^member-/)
      assert.equal(mine.productName, `Product ${mine.productId}`)
      const [decided] = (await getPage(world, 'Uo', { list: 'inbox' })).agreements
      assert.equal(decided?.isOwnRequest, false)
    })

    test('400: a position that no page has', async () => {
      const world = await fresh()
      for (const after of ['x', '2026-99-99 a', '2026-10-01', 'a b c']) {
        const path = `/ui/access?${toSearch({ list: 'inbox', after })}`
        await expectProblem(world.asPerson('Uo', 'GET', path), 400)
      }
    })
  })

  describe('GET /ui/access/{id}', () => {
    test('200: the history, and the version of the contract that was approved', async () => {
      const world = await fresh()
      const contractId = await addContract(world, 'a')
      const product = await addProvider(world, 'a', { contractId })
      const path = await addAgreement(world, { product, isApproved: true })
      await putVersions(world, toId(path), odps)
      const details = await readJson<AgreementDetails>(
        world.asPerson('Ue', 'GET', `/ui/access/${toId(path)}`),
      )
      assert.equal(details.contractRevision, 1)
      assert.deepEqual(
        details.history.map(({ version, state, byName }) => [version, state, byName]),
        [
          [2, 'active', 'organization'],
          [1, 'requested', 'organization'],
        ],
      )
    })

    test('200: the version of that contract at that time, not of another document', async () => {
      const world = await newWorld(newProduct(store()))
      const other = await newWorld(world)
      const contractId = await addContract(world, 'a')
      const anotherContract = await addContract(world, 'a')
      const product = await addProvider(world, 'a', { contractId })
      await putVersions(world, anotherContract, odcs)
      await putVersions(world, contractId, odps)
      await putVersions(other, contractId, odcs)
      const path = await addAgreement(world, { product, isApproved: true })
      await putVersions(world, contractId, odcs)
      const { contractRevision } = await readJson<AgreementDetails>(
        world.asPerson('Ue', 'GET', `/ui/access/${toId(path)}`),
      )
      assert.equal(contractRevision, 1)
    })

    test('200: the reports of connectors, the newest first, also in lists', async () => {
      const world = await fresh()
      const path = await addAgreement(world, { isApproved: true })
      const report = (name: string, body: object): Promise<Response> =>
        expectOk(world.as('O', 'POST', `${path}/provisioning/${name}`, { body }))
      await report('provisioning-started', { platform: 'snowflake' })
      await report('provisioning-failed', { diagnostics: 'No such role' })
      const { provisioningStatus, reports } = await readJson<AgreementDetails>(
        world.asPerson('Ue', 'GET', `/ui/access/${toId(path)}`),
      )
      assert.equal(provisioningStatus, 'provisioning-failed')
      assert.deepEqual(
        reports.map(({ provisioning }) => [provisioning.status, provisioning.diagnostics]),
        [
          ['provisioning-failed', 'No such role'],
          ['provisioning', undefined],
        ],
      )
      const { agreements } = await getPage(world, 'Uo', { list: 'inbox', view: 'active' })
      assert.equal(agreements[0]?.provisioningStatus, 'provisioning-failed')
    })

    test('200: the name of the output port, null once the data product has none', async () => {
      const world = await fresh()
      const product = await addProvider(world, 'a', { id: 'p-1', name: 'Daily positions' })
      const more = { provider: { outputPortId: 'p-1' } }
      const path = await addAgreement(world, { product, more })
      const getName = async (): Promise<string | null> => {
        const answer = world.asPerson('Um', 'GET', `/ui/access/${toId(path)}`)
        return (await readJson<AgreementDetails>(answer)).portName
      }
      assert.equal(await getName(), 'Daily positions')
      const body = odps(product, { outputPorts: [] })
      await expectOk(world.as('O', 'PUT', `/api/dataproducts/${product}`, { body }))
      assert.equal(await getName(), null)
      await expectOk(world.as('O', 'DELETE', `/api/dataproducts/${product}`))
      assert.equal(await getName(), null)
    })

    test('404 for an unknown id, and for one of another organization', async () => {
      const [world, other] = [await fresh(), await fresh()]
      const path = await addAgreement(other)
      for (const id of ['unknown', toId(path)]) {
        await expectProblem(world.asPerson('Uo', 'GET', `/ui/access/${id}`), 404)
      }
    })
  })

  describe('GET /ui/access/summaries', () => {
    test('200: readers are consumers with active access, each once', async () => {
      const world = await fresh()
      const product = await addProvider(world, 'a')
      const other = await addProvider(world, 'a')
      await addAgreement(world, { product, isApproved: true })
      await addAgreement(world, { product, isApproved: true })
      const consumer = { userId: world.userIds.Um }
      await addAgreement(world, { by: 'Um', product, consumer })
      const upcoming = { info: { startDate: '2026-12-01' } }
      await addAgreement(world, {
        product,
        consumer: { teamId: 'a' },
        more: upcoming,
        isApproved: true,
      })
      const path = `/ui/access/summaries?productId=${product}&productId=${other}`
      const [first, second] = await readJson<AccessSummary[]>(world.asPerson('Um', 'GET', path))
      assert.equal(first?.readers, 1)
      assert.deepEqual(
        first.mine.map(({ state, consumerType }) => [consumerType, state]),
        [
          ['team', 'upcoming'],
          ['user', 'requested'],
        ],
      )
      assert.deepEqual(second, { productId: other, readers: 0, isOwn: true, mine: [] })
    })

    test('200: own products are those of the teams of the caller, in this organization', async () => {
      const [world, elsewhere] = [await fresh(), await fresh()]
      const [own, others] = [await addProvider(world, 'a'), await addProvider(world, 'b')]
      const body = odps(others, { team: { name: 'a' } })
      await expectOk(elsewhere.as('O', 'PUT', `/api/dataproducts/${others}`, { body }))
      const path = `/ui/access/summaries?productId=${own}&productId=${others}&productId=none`
      const list = async (person: PersonName): Promise<boolean[]> =>
        (await readJson<AccessSummary[]>(world.asPerson(person, 'GET', path))).map(
          ({ isOwn }) => isOwn,
        )
      assert.deepEqual(await list('Um'), [true, false, false])
      // Owners of the organization decide on everything, but own only what their teams own.
      assert.deepEqual(await list('Uo'), [false, false, false])
    })
  })

  describe('GET /ui/access/port', () => {
    test('200: the port by its name, and who decides', async () => {
      const world = await fresh()
      const product = await addProvider(world, 'a', {
        customProperties: [{ property: 'autoApprove', value: true }],
      })
      const path = `/ui/access/port?productId=${product}&port=out`
      const found = await readJson<RequestablePort>(world.asPerson('Um', 'GET', path))
      assert.deepEqual(found, {
        productId: product,
        productName: `Product ${product}`,
        port: { id: 'out', name: 'out', type: null, contractId: null, isAutoApproved: true },
        team: { id: 'a', name: 'Team A' },
        isDecider: false,
        deciders: found.deciders,
      })
      // Without an approver in the team, the owners of the organization decide.
      assert.match(found.deciders.join(' '), /^owner-\S+$/)
    })

    test('404: names the part of the link that does not exist', async () => {
      const world = await fresh()
      const product = await addProvider(world, 'a')
      const get = (query: Record<string, string>): Promise<Response> =>
        world.asPerson('Um', 'GET', `/ui/access/port?${toSearch(query)}`)
      const port = `Data product "Product ${product}" has no output port "none". It has: out.`
      await expectProblem(get({ productId: product, port: 'none' }), 404, new RegExp(port))
      await expectProblem(
        get({ productId: 'none', port: 'out' }),
        404,
        /^Unknown data product "none"\. It may have been deleted/,
      )
    })
  })

  test('GET /ui/access/open-requests › 200: the number of requests of the inbox', async () => {
    const world = await fresh()
    await addAgreement(world)
    await addAgreement(world, { owner: 'b', consumer: { teamId: 'a' } })
    const path = '/ui/access/open-requests'
    assert.deepEqual(await readJson(world.asPerson('Uo', 'GET', path)), { count: 2 })
    assert.deepEqual(await readJson(world.asPerson('Ue', 'GET', path)), { count: 0 })
  })
})
