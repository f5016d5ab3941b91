import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { readJson, readText } from '../../../test/answers.ts'
import { addIntegration } from '../../../test/ingested-assets.ts'
import { listNotifications, listTitles, notifyAll } from '../../../test/notifications.ts'
import { onStore } from '../../../test/stores.ts'
import { expectOk, newProduct, newWorld, odcs, odps, type World } from '../../../test/world.ts'
import { fixedClock } from '../../platform/kit/clock.ts'
import { distribute, notifyOfExpiries, notifyOfRuns } from './distribution-service.ts'

const put = (world: World, path: string, body: object, caller: 'O' | 'Ue' = 'O') =>
  expectOk(world.as(caller, 'PUT', `/api/${path}`, { body }))

const addResult = (world: World, result: string, more: object = {}) =>
  expectOk(
    world.as('O', 'POST', '/api/test-results', {
      body: { dataContractId: 'c', server: 'prod', result, ...more },
    }),
  )

async function addRun(world: World, integrationId: string, status: string, held = 0) {
  const id = randomUUID()
  await sql`
    insert into ingestion_run (
      organization_id, id, integration_id, kind, status, phase, message, principal, forced,
      held_count, held_state, started_at, completed_at, progressed_at
    )
    values (
      ${world.organizationId}, ${id}, ${integrationId}, 'ingest', ${status}, 'publishing',
      'The source was away.', 'system', false, ${held}, ${held === 0 ? null : 'pending'},
      clock_timestamp(), clock_timestamp(), clock_timestamp()
    )
  `.execute(world.services.db)
  return id
}

async function notifyNow(world: World): Promise<void> {
  await notifyOfRuns(world.services)
  await distribute(world.services)
}

const follow = (world: World, id: string) =>
  expectOk(world.asPerson('Um', 'PUT', '/ui/follow', { body: { kind: 'search', id } }))

onStore((store) => {
  const newCatalog = async (): Promise<World> => await newWorld(newProduct(store()))
  describe('a failed test of a contract', () => {
    test('notifies once until a test has passed again', async () => {
      const world = await newCatalog()
      await put(world, 'datacontracts/c', odcs('c', { name: 'Orders' }))
      const checks = [{ result: 'failed' }, { result: 'passed' }]
      for (const result of ['passed', 'failed', 'failed', 'error', 'passed', 'error']) {
        await addResult(world, result, { checks })
        await notifyAll(world)
      }
      assert.deepEqual(await listTitles(world, 'Um'), [
        'Orders 1.0.0: tests fail on prod',
        'Resolved: Orders 1.0.0: tests fail on prod',
        'Orders 1.0.0: tests fail on prod',
      ])
      const all = await listNotifications(world, 'Um')
      assert.deepEqual(
        all.map(({ target, detail }) => [target?.kind, detail]),
        [
          ['test-result', 'The test ended with an error.'],
          ['data-contract', 'The newest test passed.'],
          ['test-result', '1 of 2 checks did not pass.'],
        ],
      )
    })

    test('notifies once for each contract and server, also if another product, port or branch fails', async () => {
      const world = await newCatalog()
      for (const id of ['c', 'd']) await put(world, `datacontracts/${id}`, odcs(id))
      await addResult(world, 'failed', { dryRun: true })
      const branch = '/api/datacontracts/c/branches/x/test-results'
      const ofBranch = { result: 'failed', server: 'prod' }
      await expectOk(world.as('O', 'POST', branch, { body: ofBranch }))
      for (const more of [
        {},
        { dataContractId: 'd' },
        { server: 'test' },
        { dataProductId: 'p' },
        { dataProductId: 'p', outputPortId: 'o' },
      ]) {
        await addResult(world, 'failed', more)
        await addResult(world, 'failed', more)
      }
      await notifyAll(world)
      assert.equal((await listTitles(world, 'Um')).length, 3)
    })

    test('notifies the teams that provide and read the data, but not of branches and dry runs', async () => {
      const world = await newCatalog()
      await put(world, 'datacontracts/c', odcs('c', { team: { name: 'b' } }))
      const port = [{ name: 'p', version: '1', contractId: 'c' }]
      await put(world, 'dataproducts/provider', odps('provider', { outputPorts: port }))
      await addResult(world, 'failed', { dryRun: true })
      const branch = '/api/datacontracts/c/branches/x/test-results'
      await expectOk(world.as('O', 'POST', branch, { body: { result: 'failed' } }))
      await notifyAll(world)
      assert.deepEqual(await listTitles(world, 'Um'), [])
      await addResult(world, 'failed')
      await notifyAll(world)
      assert.equal((await listTitles(world, 'Um')).length, 1)
    })
  })

  describe('a run', () => {
    test('that failed notifies once until a run has succeeded, and that holds deletes notifies once', async () => {
      const world = await newCatalog()
      const { id, externalId } = await addIntegration(world, { owner: 'a' })
      let runId = ''
      for (const status of ['FAILED', 'FAILED', 'SUCCESS', 'FAILED']) {
        runId = await addRun(world, id, status)
        await notifyNow(world)
        await notifyNow(world)
      }
      assert.deepEqual(await listTitles(world, 'Um'), [
        `A run of ${externalId} failed`,
        `A run of ${externalId} failed`,
      ])
      const [latest] = await listNotifications(world, 'Um')
      assert.equal(latest?.detail, 'The source was away.')
      assert.deepEqual(latest.target, {
        kind: 'run',
        id: externalId,
        subjectKind: 'integration',
        version: null,
        runId,
      })
      await addRun(world, id, 'SUCCESS', 4)
      await notifyNow(world)
      await notifyNow(world)
      assert.equal(
        (await listTitles(world, 'Um'))[0],
        `${externalId}: 4 deletes held for confirmation`,
      )
    })

    test('of an integration is visible to members of its team, until they leave it', async () => {
      const world = await newCatalog()
      const { id } = await addIntegration(world, { owner: 'a' })
      await addRun(world, id, 'FAILED')
      await notifyNow(world)
      assert.equal((await listTitles(world, 'Um')).length, 1)
      const unread = () => readJson(world.asPerson('Um', 'GET', '/ui/notifications/unread'))
      assert.deepEqual(await unread(), { count: 1 })
      await put(world, 'teams/a', { name: 'A', members: [] })
      world.services.authenticator.forget()
      assert.deepEqual(await listTitles(world, 'Um'), [])
      assert.deepEqual(await unread(), { count: 0 })
    })

    test('of an integration without an owner notifies the owners of the organization', async () => {
      const world = await newCatalog()
      const { id } = await addIntegration(world)
      await addRun(world, id, 'FAILED')
      await notifyNow(world)
      assert.equal((await listTitles(world, 'Uo')).length, 1)
      assert.deepEqual(await listTitles(world, 'Um'), [])
    })
  })

  test('a key that expires within 7 days › notifies its person, or the owners, once', async () => {
    const world = await newCatalog()
    const { db } = world.services
    const addKey = (scope: string, name: string) =>
      expectOk(
        world.asPerson(name === 'Mine' ? 'Um' : 'Uo', 'POST', '/ui/api-keys', {
          body: {
            scope,
            displayName: name,
            expiresAt: '2099-01-10',
            ...(scope === 'team' ? { teamId: 'a' } : {}),
          },
        }),
      )
    await addKey('user', 'Mine')
    await addKey('team', 'Of the team')
    await addKey('organization', 'Of all')
    for (const instant of [
      '2099-01-02T23:59:59Z',
      '2099-01-03T00:00:00Z',
      '2099-01-09T00:00:00Z',
    ]) {
      await notifyOfExpiries({ db, clock: fixedClock(instant) })
      await distribute(world.services)
    }
    assert.deepEqual(await listTitles(world, 'Um'), ['API key "Mine" expires'])
    assert.deepEqual((await listTitles(world, 'Uo')).toSorted(), [
      'API key "Of all" expires',
      'API key "Of the team" expires',
    ])
    assert.deepEqual(await listTitles(world, 'Ue'), [])
    const [own] = await listNotifications(world, 'Um')
    assert.match(own?.detail ?? '', /until the end of 2099-01-10 \(UTC\)/)
  })

  describe('a followed search', () => {
    test('notifies of new documents that it finds, all of a batch in one notification', async () => {
      const world = await newCatalog()
      await put(world, 'dataproducts/orders-old', odps('orders-old'))
      await notifyAll(world)
      await follow(world, 'query=orders&resourceType=DATA_PRODUCT')
      await put(world, 'dataproducts/orders-1', odps('orders-1', { name: 'Orders 1' }))
      await put(world, 'dataproducts/orders-2', odps('orders-2', { name: 'Orders 2' }))
      await put(world, 'dataproducts/other', odps('other'))
      await put(world, 'datacontracts/orders', odcs('orders'))
      // A change of a document that was found is no news.
      await put(world, 'dataproducts/orders-old', odps('orders-old', { tags: ['x'] }))
      await notifyAll(world)
      const [notification, ...more] = await listNotifications(world, 'Um')
      assert.deepEqual(more, [])
      assert.equal(
        notification?.title,
        '2 new results for the search "orders" with type data product',
      )
      assert.equal(notification.detail, 'Orders 1, Orders 2')
      assert.equal(notification.target?.id, 'query=orders&resourceType=DATA_PRODUCT')
    })

    test('is not widened, and filters without words count', async () => {
      const world = await newCatalog()
      await follow(world, 'query=ordets')
      await follow(world, 'teamId=b')
      await put(world, 'dataproducts/orders', odps('orders'))
      await put(world, 'dataproducts/theirs', odps('theirs', { team: { name: 'b' } }))
      await notifyAll(world)
      const notifications = await listNotifications(world, 'Um')
      assert.deepEqual(
        notifications.map(({ detail }) => detail),
        ['Product theirs'],
      )
    })

    test('does not notify the author', async () => {
      const world = await newCatalog()
      await expectOk(
        world.asPerson('Ue', 'PUT', '/ui/follow', { body: { kind: 'search', id: 'query=orders' } }),
      )
      await put(world, 'dataproducts/orders', odps('orders'), 'Ue')
      await notifyAll(world)
      assert.deepEqual(await listTitles(world, 'Ue'), [])
    })
  })

  test('channels of the teams concerned › are recipients, unless the kind or the channel is off', async () => {
    const world = await newCatalog()
    const channels = '/api/teams/a/notification-channels'
    for (const [id, enabled] of [
      ['on', true],
      ['chosen', true],
      ['off', false],
    ] as const) {
      const body = { id, name: id, type: 'slack', endpoint: 'https://x.example/y', enabled }
      await expectOk(world.as('O', 'PUT', `${channels}/${id}`, { body }))
    }
    const path = '/ui/teams/a/channels/chosen/notifications'
    const body = { kind: 'breaking_change', isEnabled: false }
    await readText(world.asPerson('Uo', 'PUT', path, { body }), 204)
    await put(world, 'dataproducts/p', odps('p', { outputPorts: [{ name: 'o', version: '1' }] }))
    await put(world, 'dataproducts/p', odps('p'))
    await notifyAll(world)
    const { rows } = await sql`
      select team, channel
      from notification_channel_recipient
      where organization_id = ${world.organizationId}
    `.execute(store().db)
    assert.deepEqual(rows, [{ team: 'a', channel: 'on' }])
  })
})
