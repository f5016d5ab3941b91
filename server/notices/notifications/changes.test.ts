import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { readText } from '../../../test/answers.ts'
import { listNotifications, listTitles, notifyAll } from '../../../test/notifications.ts'
import { onStore } from '../../../test/stores.ts'
import { dcs, expectOk, newProduct, newWorld, odcs, odps, type World } from '../../../test/world.ts'

const withPurpose = (purpose: string) =>
  odps('p', { team: { name: 'b' }, description: { purpose } })

const put = (world: World, path: string, body: object, caller: 'O' | 'Ue' = 'O') =>
  expectOk(world.as(caller, 'PUT', `/api/${path}`, { body }))

const follow = (world: World, kind: string, id: string) =>
  expectOk(world.asPerson('Uo', 'PUT', '/ui/follow', { body: { kind, id } }))

const contractOfType = (type: string) =>
  odcs('c', {
    team: { name: 'b' },
    schema: [{ name: 't', properties: [{ name: 'f', logicalType: type }] }],
  })

const contractWithStatus = (status: string, more: object = {}) =>
  dcs('c', { info: { title: 'C', version: '1', owner: 'a', status, ...more } })

const productOfB = (purpose: string) => odps('p', { team: { name: 'b' }, description: { purpose } })

const port = (name: string, contractId?: string) => ({ name, version: '1', contractId })

onStore((store) => {
  const newCatalog = async (): Promise<World> => await newWorld(newProduct(store()))

  describe('a breaking change of a data product', () => {
    test('notifies followers, members of the owning team and consumers, once each, and not its author', async () => {
      const world = await newCatalog()
      await put(world, 'dataproducts/p', odps('p', { outputPorts: [port('out', 'c'), port('x')] }))
      await follow(world, 'data-product', 'p')
      await notifyAll(world)
      // The removal of a port is an event of the port and one of the product.
      await put(world, 'dataproducts/p', odps('p', { outputPorts: [port('x')] }), 'Ue')
      await notifyAll(world)
      await notifyAll(world)
      const [notification] = await listNotifications(world, 'Um')
      assert.deepEqual(
        { ...notification, id: '', occurredAt: '' },
        {
          id: '',
          kind: 'breaking_change',
          title: 'Breaking change of Product p',
          detail: 'Version 2 of the data product, written by user, can break consumers.',
          because: 'Your team owns it.',
          target: {
            kind: 'data-product',
            id: 'p',
            subjectKind: 'data-product',
            version: 2,
            runId: null,
          },
          occurredAt: '',
          readAt: null,
        },
      )
      assert.deepEqual(await listTitles(world, 'Uo'), ['Breaking change of Product p'])
      assert.deepEqual(await listTitles(world, 'Um'), ['Breaking change of Product p'])
      assert.deepEqual(await listTitles(world, 'Ue'), [])
    })

    test('notifies the consumers of the port that it removes', async () => {
      const world = await newCatalog()
      const provided = odps('p', { team: { name: 'b' }, outputPorts: [port('out', 'c')] })
      await put(world, 'dataproducts/p', provided)
      await put(world, 'dataproducts/consumer', odps('consumer', { inputPorts: [port('in', 'c')] }))
      await put(world, 'dataproducts/p', { ...provided, outputPorts: [] })
      await notifyAll(world)
      const [notification] = await listNotifications(world, 'Um')
      assert.equal(notification?.title, 'Breaking change of Product p')
      assert.equal(notification.because, 'Your team reads it.')
      assert.deepEqual(await listTitles(world, 'Uo'), [])
    })

    test('notifies in the order of the changes, also of those that are found at once', async () => {
      const world = await newCatalog()
      for (let version = 1; version <= 12; version += 1) {
        const outputPorts = [port(`port-${version}`)]
        await put(world, 'dataproducts/p', odps('p', { outputPorts }))
      }
      await notifyAll(world)
      const notifications = await listNotifications(world, 'Um')
      assert.deepEqual(
        notifications.map(({ target }) => target?.version),
        [12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2],
      )
    })

    test('does not notify of changes of lower levels', async () => {
      const world = await newCatalog()
      await put(world, 'dataproducts/p', odps('p'))
      await put(world, 'dataproducts/p', odps('p', { outputPorts: [port('new')] }))
      const renamed = odps('p', { name: 'Other words', outputPorts: [port('new')] })
      await put(world, 'dataproducts/p', renamed)
      await notifyAll(world)
      assert.deepEqual(await listTitles(world, 'Um'), [])
    })
  })

  test('a breaking change of a data contract › notifies its owner and its consumers', async () => {
    const world = await newCatalog()
    await put(world, 'datacontracts/c', contractOfType('string'))
    await put(world, 'dataproducts/consumer', odps('consumer', { inputPorts: [port('in', 'c')] }))
    await put(world, 'datacontracts/c', contractOfType('integer'))
    await notifyAll(world)
    const [notification] = await listNotifications(world, 'Ue')
    assert.equal(notification?.kind, 'breaking_change')
    assert.equal(notification.because, 'Your team reads it.')
    assert.deepEqual(await listTitles(world, 'Uo'), [])
  })

  test('a follower of a team › is notified of what the team owns', async () => {
    const world = await newCatalog()
    await follow(world, 'team', 'a')
    await put(world, 'dataproducts/p', odps('p', { outputPorts: [port('out')] }))
    await put(world, 'dataproducts/p', odps('p'))
    await notifyAll(world)
    const [notification] = await listNotifications(world, 'Uo')
    assert.equal(notification?.because, 'You follow it, or the team that owns it.')
  })

  test('a follower of another product, or of a team with the id of the product, is not notified', async () => {
    const world = await newCatalog()
    await put(world, 'teams/p', { id: 'p', name: 'P' })
    await put(world, 'dataproducts/other', odps('other'))
    await put(world, 'dataproducts/p', odps('p', { outputPorts: [port('out')] }))
    await follow(world, 'team', 'p')
    await follow(world, 'data-product', 'other')
    await put(world, 'dataproducts/p', odps('p'))
    await notifyAll(world)
    assert.deepEqual(await listTitles(world, 'Uo'), [])
  })

  test('a deprecation › notifies when the status becomes one that ends, not when it stays', async () => {
    const world = await newCatalog()
    await put(world, 'datacontracts/c', contractWithStatus('active'))
    await put(world, 'datacontracts/c', contractWithStatus('deprecated'))
    await put(world, 'datacontracts/c', contractWithStatus('deprecated', { description: 'Later.' }))
    await put(world, 'dataproducts/born', odps('born', { status: 'deprecated' }))
    await notifyAll(world)
    assert.deepEqual(await listTitles(world, 'Um'), ['C is deprecated'])
  })

  describe('a deletion', () => {
    test('notifies the followers of a deleted product, whose follows then end', async () => {
      const world = await newCatalog()
      const product = odps('p', { outputPorts: [port('out', 'c')] })
      await put(world, 'dataproducts/p', product)
      await put(
        world,
        'dataproducts/consumer',
        odps('consumer', { team: { name: 'a' }, inputPorts: [port('in', 'c')] }),
      )
      await follow(world, 'data-product', 'p')
      await expectOk(world.as('O', 'DELETE', '/api/dataproducts/p'))
      // A new product of the same id has no followers.
      await put(world, 'dataproducts/p', product)
      await notifyAll(world)
      for (const person of ['Uo', 'Um'] as const) {
        const [notification] = await listNotifications(world, person)
        assert.equal(notification?.title, 'Product p was deleted')
        assert.equal(notification.target, null)
      }
      assert.equal((await listNotifications(world, 'Um'))[0]?.because, 'Your team reads it.')
      const { rows } = await sql`
        select from follow where organization_id = ${world.organizationId}
      `.execute(store().db)
      assert.equal(rows.length, 0)
    })

    test('notifies the members of a deleted team through its followers', async () => {
      const world = await newCatalog()
      await follow(world, 'team', 'b')
      await expectOk(world.as('O', 'DELETE', '/api/teams/b'))
      await notifyAll(world)
      assert.deepEqual(await listTitles(world, 'Uo'), ['Team B was deleted'])
    })
  })

  describe('what was muted', () => {
    test('a muted product, and a muted team for its members, do not notify', async () => {
      const world = await newCatalog()
      for (const [person, kind, id] of [
        ['Um', 'data-product', 'p'],
        ['Ue', 'team', 'a'],
      ] as const) {
        await put(world, 'dataproducts/p', odps('p', { outputPorts: [port('out')] }))
        const body = { kind, id, muted: true }
        await expectOk(world.asPerson(person, 'PUT', '/ui/follow', { body }))
      }
      await put(world, 'dataproducts/p', odps('p'))
      await notifyAll(world)
      assert.deepEqual(await listTitles(world, 'Um'), [])
      assert.deepEqual(await listTitles(world, 'Ue'), [])
    })

    test('a kind that is switched off notifies the person no more', async () => {
      const world = await newCatalog()
      const body = { kind: 'breaking_change', onPage: false, email: 'off' }
      await readText(world.asPerson('Um', 'PUT', '/ui/notification-settings', { body }), 204)
      await put(world, 'dataproducts/p', odps('p', { outputPorts: [port('out')] }))
      await put(world, 'dataproducts/p', odps('p'))
      await notifyAll(world)
      assert.deepEqual(await listTitles(world, 'Um'), [])
      assert.equal((await listTitles(world, 'Ue')).length, 1)
    })
  })

  describe('a mention', () => {
    test('notifies a team whose id begins another one that was mentioned before', async () => {
      const world = await newCatalog()
      await expectOk(
        world.as('O', 'PUT', '/api/teams/a-eu', { body: { id: 'a-eu', name: 'A EU' } }),
      )
      await put(world, 'dataproducts/p', withPurpose('For @a-eu'))
      await put(world, 'dataproducts/p', withPurpose('For @a-eu and @a'))
      await notifyAll(world)
      assert.deepEqual(await listTitles(world, 'Um'), ['organization mentioned @a'])
    })

    test('notifies the members of teams that a description newly mentions as @team-id', async () => {
      const world = await newCatalog()
      await put(world, 'dataproducts/p', productOfB('Ask (@a), not @unknown or me@b.'))
      await put(world, 'dataproducts/p', productOfB('Ask @a. Soon.'))
      await notifyAll(world)
      const notifications = await listNotifications(world, 'Um')
      assert.deepEqual(
        notifications.map(({ title, detail }) => [title, detail]),
        [['organization mentioned @a', 'In the description of the data product Product p.']],
      )
    })

    test('and a breaking change of the same version are one notification', async () => {
      const world = await newCatalog()
      await put(world, 'dataproducts/p', odps('p', { outputPorts: [port('out')] }))
      await put(world, 'dataproducts/p', odps('p', { description: { purpose: 'For @a' } }))
      await notifyAll(world)
      assert.deepEqual(await listTitles(world, 'Um'), ['Breaking change of Product p'])
    })
  })

  test('another organization › gets nothing of it', async () => {
    const [world, other] = [await newCatalog(), await newCatalog()]
    for (const one of [world, other]) {
      await put(one, 'dataproducts/p', odps('p', { outputPorts: [port('out', 'c')] }))
      await follow(one, 'data-product', 'p')
      await put(one, 'dataproducts/q', odps('q', { inputPorts: [port('in', 'c')] }))
    }
    await put(world, 'dataproducts/p', odps('p'))
    await notifyAll(world)
    await notifyAll(other)
    assert.equal((await listTitles(world, 'Uo')).length, 1)
    for (const person of ['Uo', 'Ue', 'Um'] as const) {
      assert.deepEqual(await listTitles(other, person), [])
    }
  })
})
