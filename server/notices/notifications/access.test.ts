import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readJson } from '../../../test/answers.ts'
import { addAgreement, addProvider, buildAgreement } from '../../../test/agreements.ts'
import { listNotifications, listTitles, notifyAll } from '../../../test/notifications.ts'
import { onStore } from '../../../test/stores.ts'
import {
  expectOk,
  newProduct,
  newWorld,
  odcs,
  odps,
  type PersonName,
  type World,
} from '../../../test/world.ts'
import type { FollowState } from '../follows/follow.ts'

async function findEmail(world: World, person: PersonName): Promise<string> {
  const members = await readJson<{ emailAddress: string; userId: string }[]>(
    world.as('O', 'GET', '/api/organization/members'),
  )
  return members.find(({ userId }) => userId === world.userIds[person])?.emailAddress ?? ''
}

/** Makes the editor of team A an approver, and the member of A an approver of B. */
async function withApprovers(world: World): Promise<void> {
  for (const [team, person] of [
    ['a', 'Ue'],
    ['b', 'Um'],
  ] as const) {
    const members = [{ emailAddress: await findEmail(world, person), role: 'Approver' }]
    const body = { id: team, name: team === 'a' ? 'Team A' : 'Team B', members }
    await expectOk(world.as('O', 'PUT', `/api/teams/${team}`, { body }))
  }
  world.services.authenticator.forget()
}

const decide = (world: World, path: string, decision: string, caller: 'O' | 'Ue' = 'O') =>
  expectOk(world.as(caller, 'POST', `${path}/${decision}`))

onStore((store) => {
  const newCatalog = async (): Promise<World> => {
    const world = await newWorld(newProduct(store()))
    await withApprovers(world)
    return world
  }

  test('a request › notifies the approvers of the provider, and the decision the consumer', async () => {
    const world = await newCatalog()
    const more = { info: { purpose: 'Monthly reports' } }
    const path = await addAgreement(world, { consumer: { teamId: 'b' }, more, by: 'Um' })
    await notifyAll(world)
    const [request, ...others] = await listNotifications(world, 'Ue')
    assert.deepEqual(others, [])
    assert.match(request?.title ?? '', /^Team B requests access to Product /)
    assert.equal(request?.detail, 'Monthly reports')
    assert.equal(request.target?.kind, 'access')
    assert.equal(request.because, 'You can approve access to the data of the team.')
    assert.deepEqual(await listTitles(world, 'Um'), [])
    assert.deepEqual(await listTitles(world, 'Uo'), [])
    await decide(world, path, 'approve', 'Ue')
    await notifyAll(world)
    const [decision] = await listNotifications(world, 'Um')
    assert.match(decision?.title ?? '', /^Access to Product .* was approved$/)
    assert.equal(decision?.because, 'You requested it.')
    assert.equal((await listTitles(world, 'Ue')).length, 1)
  })

  test('a request of a team without approvers › notifies the owners of the organization', async () => {
    const world = await newWorld(newProduct(store()))
    await addAgreement(world, { owner: 'b', consumer: { teamId: 'a' } })
    await notifyAll(world)
    assert.equal((await listTitles(world, 'Uo')).length, 1)
  })

  test('a request that only a person of another organization could decide › notifies the owners', async () => {
    const world = await newWorld(newProduct(store()))
    const other = await newWorld(newProduct(store()))
    const emailAddress = await findEmail(other, 'Um')
    const body = { id: 'b', name: 'Team B', members: [{ emailAddress, role: 'Owner' }] }
    await expectOk(world.as('O', 'PUT', '/api/teams/b', { body }))
    await addAgreement(world, { owner: 'b', consumer: { teamId: 'a' } })
    await notifyAll(world)
    assert.equal((await listTitles(world, 'Uo')).length, 1)
  })

  test('a rejection and an end › notify the consumer', async () => {
    const world = await newCatalog()
    const rejected = await addAgreement(world)
    await decide(world, rejected, 'reject')
    const ended = await addAgreement(world, { isApproved: true })
    await decide(world, ended, 'cancel')
    await notifyAll(world)
    const titles = (await listTitles(world, 'Um')).map((title) => title.split(' ').at(-1) ?? '')
    assert.deepEqual(titles.toSorted(), ['approved', 'ended', 'rejected'])
  })

  test('the deletion of active access › notifies both sides, without a link', async () => {
    const world = await newCatalog()
    const path = await addAgreement(world, { isApproved: true })
    await expectOk(world.as('O', 'DELETE', path))
    await notifyAll(world)
    for (const person of ['Um', 'Ue'] as const) {
      const [ended] = await listNotifications(world, person)
      assert.match(ended?.title ?? '', /^Access to Product .* was ended$/)
      assert.match(ended?.detail ?? '', /^For Team B/)
      assert.equal(ended?.target, null)
    }
  })

  test('the deletion of a request › notifies the side that did not delete it, without a link', async () => {
    const world = await newCatalog()
    for (const [caller, notified] of [
      ['Ue', ['Um']],
      ['O', ['Um', 'Ue']],
    ] as const) {
      const path = await addAgreement(world, { by: 'Um' })
      await notifyAll(world)
      await expectOk(world.as(caller, 'DELETE', path))
      await notifyAll(world)
      for (const person of ['Um', 'Ue'] as const) {
        const [deleted] = await listNotifications(world, person)
        const isNotified = notified.some((one) => one === person)
        const pattern = /^The request for access to Product .* was deleted$/
        assert.equal(pattern.test(deleted?.title ?? ''), isNotified, `${caller} ${person}`)
        if (!isNotified) continue
        assert.match(deleted?.detail ?? '', /^For Team B by .*\.$/)
        assert.equal(deleted?.target, null)
      }
    }
  })

  test('active access › makes consumers who are notified of breaking changes', async () => {
    const world = await newCatalog()
    await expectOk(world.as('O', 'PUT', '/api/datacontracts/c', { body: odcs('c') }))
    const product = await addProvider(world, 'a', { contractId: 'c' })
    for (const consumer of [{ teamId: 'b' }, { userId: world.userIds.Uo }]) {
      await addAgreement(world, { product, consumer, isApproved: true })
    }
    const state = await readJson<FollowState>(
      world.asPerson('Uo', 'GET', `/ui/follow?kind=data-product&id=${product}`),
    )
    assert.equal(state.followsBecause, 'consumer')
    const body = odps(product, {
      outputPorts: [{ name: 'out', version: '2', contractId: 'c' }],
    })
    await expectOk(world.as('O', 'PUT', `/api/dataproducts/${product}`, { body }))
    await notifyAll(world)
    for (const person of ['Um', 'Uo'] as const) {
      const breaking = await listNotifications(world, person, '?kind=breaking_change')
      assert.deepEqual(
        breaking.map(({ because }) => because),
        ['Your team reads it.'],
      )
    }
  })

  test('the end of access › has the reason of the cancellation, not of the approval', async () => {
    const world = await newCatalog()
    const path = await addAgreement(world, { consumer: { userId: world.userIds.Um } })
    const ids = [path.split('/').at(-1)]
    for (const [decision, reason] of [
      ['approve', 'Until the audit.'],
      ['cancel', 'The audit is over.'],
    ]) {
      const body = { ids, decision, reason }
      await expectOk(world.asPerson('Uo', 'POST', '/ui/access-decisions', { body }))
      await notifyAll(world)
    }
    const decided = await listNotifications(world, 'Um', '?kind=access_decided')
    assert.deepEqual(
      decided.map(({ detail }) => detail),
      ['The audit is over.', 'Until the audit.'],
    )
  })

  test('a mention in a purpose or a reason › notifies the team, once for a text', async () => {
    const world = await newCatalog()
    const product = await addProvider(world, 'a')
    const path = await addAgreement(world, { product, consumer: { userId: world.userIds.Uo } })
    const consumer = { userId: world.userIds.Uo }
    for (const endDate of ['2998-01-01', '2999-01-01']) {
      const info = { purpose: 'Agreed with @b <b>', endDate }
      const body = buildAgreement(product, consumer, { info })
      await expectOk(world.as('O', 'PUT', path, { body }))
      await notifyAll(world)
    }
    const notifications = await listNotifications(world, 'Um')
    assert.deepEqual(
      notifications.map(({ title, detail }) => [title, detail]),
      [['organization mentioned @b', '"Agreed with @b <b>"']],
    )
  })

  test('each failure of a connector › notifies both sides, with its diagnostics', async () => {
    const world = await newCatalog()
    const path = await addAgreement(world, { isApproved: true })
    await notifyAll(world)
    const report = (name: string, diagnostics?: string): Promise<Response> =>
      expectOk(world.as('T', 'POST', `${path}/provisioning/${name}`, { body: { diagnostics } }))
    await report('provisioning-failed', 'No such role')
    await notifyAll(world)
    await report('provisioning-started')
    await report('provisioning-failed', 'Still no such role')
    await notifyAll(world)
    await report('deprovisioning-failed', 'The platform is down')
    await notifyAll(world)
    for (const person of ['Um', 'Ue'] as const) {
      const failures = await listNotifications(world, person, '?kind=provisioning_failed')
      assert.deepEqual(
        failures.map(({ title, detail }) => [title.replace(/Product \S+/, 'X'), detail]),
        [
          ['Access to X could not be revoked', 'The platform is down'],
          ['Access to X could not be provisioned', 'Still no such role'],
          ['Access to X could not be provisioned', 'No such role'],
        ],
      )
    }
  })

  test('a request that is withdrawn › notifies the approvers of it', async () => {
    const world = await newCatalog()
    const path = await addAgreement(world, { by: 'Um' })
    await expectOk(world.as('Um', 'POST', `${path}/cancel`))
    await notifyAll(world)
    const [withdrawn] = await listTitles(world, 'Ue')
    assert.match(withdrawn ?? '', /^The request for access to Product .* was withdrawn$/)
  })
})
