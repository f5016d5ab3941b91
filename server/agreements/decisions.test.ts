import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import {
  listAccessEventNames,
  listAccessEvents,
  type AccessEvent,
  type SeenAgreement,
} from '../../test/access-events.ts'
import { addAgreement, addContract, addProvider, buildAgreement } from '../../test/agreements.ts'
import { expectProblem, readJson } from '../../test/answers.ts'
import { onStore } from '../../test/stores.ts'
import { expectOk, newProduct, newWorld, odps, type World } from '../../test/world.ts'

const today = (): string => new Date().toISOString().slice(0, 10)

onStore((store) => {
  let world: World
  before(async () => {
    world = await newWorld(newProduct(store()))
  })

  const get = (path: string): Promise<SeenAgreement> =>
    readJson<SeenAgreement>(world.as('O', 'GET', path))
  const post = (path: string, name: string): Promise<SeenAgreement> =>
    readJson<SeenAgreement>(world.as('O', 'POST', `${path}/${name}`))
  const listEvents = (path: string): Promise<AccessEvent[]> => listAccessEvents(world, path)
  const listEventNames = (path: string): Promise<string[]> => listAccessEventNames(world, path)

  describe('POST /api/access/{id}/…', () => {
    test('approve › active at once if it has begun, with the contract of that day', async () => {
      const contract = await addContract(world, 'a', { version: '1.0.0' })
      const product = await addProvider(world, 'a', { contractId: contract })
      const path = await addAgreement(world, { product })
      const newer = { id: contract, version: '2.0.0', team: { name: 'a' } }
      const body = { apiVersion: 'v3.1.0', kind: 'DataContract', status: 'active', ...newer }
      await expectOk(world.as('O', 'PUT', `/api/datacontracts/${contract}`, { body }))
      const { info, provider } = await post(path, 'approve')
      assert.deepEqual([info.status, info.active], ['approved', true])
      assert.equal(provider.dataContractVersion, '2.0.0')
      await expectOk(
        world.as('O', 'PUT', `/api/datacontracts/${contract}`, {
          body: { ...body, version: '3.0.0' },
        }),
      )
      assert.equal((await get(path)).provider.dataContractVersion, '2.0.0')
      const names = ['Created', 'Requested', 'Approved', 'Activated']
      assert.deepEqual(await listEventNames(path), names)
    })

    test('approve › not active before its first day, nor after its last', async () => {
      const upcoming = await addAgreement(world, { more: { info: { startDate: '2999-01-01' } } })
      assert.deepEqual((await post(upcoming, 'approve')).info.active, false)
      assert.equal((await listEventNames(upcoming)).at(-1), 'Approved')
      const over = await addAgreement(world, { more: { info: { endDate: today() } } })
      assert.deepEqual((await post(over, 'approve')).info.active, false)
      assert.equal((await listEventNames(over)).at(-1), 'Approved')
    })

    test('cancel › ends it today', async () => {
      const path = await addAgreement(world, { isApproved: true })
      const { info } = await post(path, 'cancel')
      assert.deepEqual([info.status, info.active, info.endDate], ['approved', false, today()])
      assert.deepEqual((await listEventNames(path)).slice(-2), ['Canceled', 'Deactivated'])
      // The end stays if the original document is sent again.
      const body = { ...(await get(path)), info: { purpose: 'Reports' } }
      await expectOk(world.as('O', 'PUT', path, { body }))
      assert.deepEqual((await get(path)).info, info)
      assert.deepEqual((await listEventNames(path)).at(-1), 'Deactivated')
    })

    test('reject › a request, and an approved one, which is deactivated', async () => {
      const path = await addAgreement(world)
      assert.equal((await post(path, 'reject')).info.status, 'rejected')
      assert.equal((await post(path, 'approve')).info.active, true)
      assert.equal((await post(path, 'reject')).info.active, false)
      const names = await listEventNames(path)
      const expected = ['Rejected', 'Approved', 'Activated', 'Rejected', 'Deactivated']
      assert.deepEqual(names.slice(2), expected)
    })

    test('repeating a decision changes nothing', async () => {
      const path = await addAgreement(world)
      for (const name of ['approve', 'cancel']) {
        await post(path, name)
        const { length } = await listEvents(path)
        await post(path, name)
        assert.equal((await listEvents(path)).length, length)
      }
    })

    test('422 for an approval or rejection after a cancellation', async () => {
      const path = await addAgreement(world)
      await post(path, 'cancel')
      for (const name of ['approve', 'reject']) {
        await expectProblem(world.as('O', 'POST', `${path}/${name}`), 422)
      }
    })

    test('422 if the port is gone', async () => {
      const product = await addProvider(world, 'a')
      const path = await addAgreement(world, { product })
      const body = odps(product, { outputPorts: [] })
      await expectOk(world.as('O', 'PUT', `/api/dataproducts/${product}`, { body }))
      await expectProblem(world.as('O', 'POST', `${path}/approve`), 422, /output port no longer/)
      await expectOk(world.as('O', 'DELETE', `/api/dataproducts/${product}`))
      await expectProblem(world.as('O', 'POST', `${path}/approve`), 422, /data product no longer/)
      await post(path, 'reject')
    })

    test('412 with the entity tag of a request that was changed since', async () => {
      const path = await addAgreement(world)
      const { headers } = await world.as('O', 'GET', path)
      const seen = { headers: { 'if-match': headers.get('etag') ?? '' } }
      await expectOk(world.as('O', 'PUT', path, { body: { ...(await get(path)), roles: ['x'] } }))
      await expectProblem(world.as('O', 'POST', `${path}/approve`, seen), 412)
      assert.equal((await get(path)).info.status, 'requested')
    })

    test('403 for the own request, unless the person decides for the consumer, too', async () => {
      const members = async (team: string, role: string): Promise<void> => {
        const path = `/api/teams/${team}`
        const document = await readJson<{ members?: object[] }>(world.as('O', 'GET', path))
        const people = await readJson<{ userId: string; emailAddress: string }[]>(
          world.as('O', 'GET', '/api/organization/members'),
        )
        const email = people.find(({ userId }) => userId === world.userIds.Um)?.emailAddress
        const body = { ...document, members: [{ emailAddress: email, role }] }
        await expectOk(world.as('O', 'PUT', path, { body }))
      }
      const teams = ['c', 'd']
      for (const id of teams) {
        await expectOk(world.as('O', 'PUT', `/api/teams/${id}`, { body: { id, name: id } }))
      }
      await members('c', 'Approver')
      await members('d', 'Member')
      const own = await addAgreement(world, { by: 'Um', owner: 'c', consumer: { teamId: 'd' } })
      await expectProblem(world.as('Um', 'POST', `${own}/approve`), 403, /own request/)
      const product = await addProvider(world, 'c')
      const changed = await addAgreement(world, { product, consumer: { teamId: 'b' } })
      const body = buildAgreement(product, { teamId: 'd' })
      await expectOk(world.as('Um', 'PUT', changed, { body }))
      await expectProblem(world.as('Um', 'POST', `${changed}/approve`), 403, /own request/)
      await members('d', 'Approver')
      await expectOk(world.as('Um', 'POST', `${own}/approve`))
      const { Um } = world.userIds
      const forMe = await addAgreement(world, { owner: 'c', consumer: { userId: Um } })
      await expectProblem(world.as('Um', 'POST', `${forMe}/approve`), 403, /own request/)
      await expectOk(world.as('Uo', 'POST', `${forMe}/approve`))
    })
  })
})
