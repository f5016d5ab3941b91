import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { addAgreement } from '../../../test/agreements.ts'
import { listNotifications, listTitles, notifyAll } from '../../../test/notifications.ts'
import { onStore } from '../../../test/stores.ts'
import { expectOk, newProduct, newWorld, odcs, odps, type World } from '../../../test/world.ts'

const put = (world: World, path: string, body: object) =>
  expectOk(world.as('O', 'PUT', `/api/${path}`, { body }))

const follow = (world: World, kind: string, id: string) =>
  expectOk(world.asPerson('Uo', 'PUT', '/ui/follow', { body: { kind, id } }))

const port = (name: string, contractId?: string) => ({ name, version: '1', contractId })

const endingContract = (endOfLife?: string, more: object = {}) =>
  odcs('c', {
    team: { name: 'a' },
    slaProperties: [
      { property: 'endOfLife', value: '2020-01-01', element: 't.f' },
      ...(endOfLife === undefined ? [] : [{ property: 'End of life', value: endOfLife }]),
    ],
    ...more,
  })

const withPorts = (status?: string, endOfLife?: string, more: object[] = []) =>
  odps('p', {
    team: { name: 'b' },
    outputPorts: [
      {
        ...port('out', 'c'),
        customProperties: [
          ...(status === undefined ? [] : [{ property: 'status', value: status }]),
          ...(endOfLife === undefined ? [] : [{ property: 'endOfLife', value: endOfLife }]),
        ],
      },
      port('other', 'd'),
      ...more,
    ],
  })

const ofPorts = (titles: string[]) => titles.filter((title) => title.startsWith('Output port'))

onStore((store) => {
  const newCatalog = async (): Promise<World> => await newWorld(newProduct(store()))

  describe('a planned end', () => {
    test('of a data contract › notifies when it is announced or moved, not when it stays', async () => {
      const world = await newCatalog()
      await put(world, 'datacontracts/c', endingContract())
      await put(world, 'datacontracts/c', endingContract('2030-06-30'))
      await put(world, 'datacontracts/c', endingContract('2030-06-30', { name: 'Renamed' }))
      await notifyAll(world)
      const [notification] = await listNotifications(world, 'Um')
      assert.equal(notification?.kind, 'deprecation')
      assert.match(notification.title, / ends on 2030-06-30$/)
      assert.equal(
        notification.detail,
        'The end of life of the data contract was announced by organization. Plan to move away from it.',
      )
      await put(world, 'datacontracts/c', endingContract('2031-06-30', { name: 'Renamed' }))
      await notifyAll(world)
      assert.deepEqual(await listTitles(world, 'Um'), [
        'Renamed ends on 2031-06-30',
        notification.title,
      ])
    })

    test('of a data product › by custom properties, and by the flag of ODPS 1.1', async () => {
      const world = await newCatalog()
      await put(world, 'dataproducts/p', odps('p'))
      const customProperties = [{ property: 'endOfSupport', value: '2030-06-30' }]
      await put(world, 'dataproducts/p', odps('p', { customProperties }))
      const flagged = { apiVersion: 'v1.1.0', deprecated: true, customProperties }
      await put(world, 'dataproducts/p', odps('p', flagged))
      await notifyAll(world)
      assert.deepEqual(await listTitles(world, 'Um'), [
        'Product p is deprecated',
        'Support of Product p ends on 2030-06-30',
      ])
    })

    test('of a data product › written by an earlier version of Portbook is no change', async () => {
      const world = await newCatalog()
      const customProperties = [{ property: 'endOfSupport', value: '2030-06-30' }]
      await put(world, 'dataproducts/p', odps('p', { customProperties }))
      await sql`
        update revision set facts = facts - 'ending' - 'endingPorts' - 'portKeys'
        where organization_id = ${world.organizationId}
      `.execute(store().db)
      await put(world, 'dataproducts/p', odps('p', { customProperties, name: 'Renamed' }))
      await notifyAll(world)
      assert.deepEqual(await listTitles(world, 'Um'), [])
    })
  })

  describe('a deprecation of an output port', () => {
    test('notifies those who read the port, and followers of the product', async () => {
      const world = await newCatalog()
      await put(world, 'dataproducts/p', withPorts())
      const reader = odps('reader', { team: { name: 'a' }, inputPorts: [port('in', 'c')] })
      await put(world, 'dataproducts/reader', reader)
      await follow(world, 'data-product', 'p')
      await put(world, 'dataproducts/p', withPorts('deprecated'))
      await put(world, 'dataproducts/p', withPorts('deprecated', undefined, [port('third')]))
      await notifyAll(world)
      const [notification] = await listNotifications(world, 'Um')
      assert.equal(notification?.title, 'Output port out of Product p is deprecated')
      assert.equal(notification.because, 'Your team reads it.')
      assert.deepEqual(await listTitles(world, 'Uo'), [notification.title])
    })

    test('with another breaking change is a breaking change', async () => {
      const world = await newCatalog()
      await put(world, 'dataproducts/p', withPorts(undefined, undefined, [port('third', 'd')]))
      const reader = odps('reader', { team: { name: 'a' }, inputPorts: [port('in', 'd')] })
      await put(world, 'dataproducts/reader', reader)
      await put(world, 'dataproducts/p', withPorts('Retired'))
      await notifyAll(world)
      assert.deepEqual(await listTitles(world, 'Um'), ['Breaking change of Product p'])
    })

    test('does not notify those who read another port', async () => {
      const world = await newCatalog()
      await put(world, 'dataproducts/p', withPorts())
      const reader = odps('reader', { team: { name: 'a' }, inputPorts: [port('in', 'd')] })
      await put(world, 'dataproducts/reader', reader)
      for (const [outputPortId, person] of [
        ['other', 'Ue'],
        ['out', 'Uo'],
      ] as const) {
        const consumer = { userId: world.userIds[person] }
        const more = { provider: { outputPortId } }
        await addAgreement(world, { product: 'p', consumer, more, isApproved: true })
      }
      await put(world, 'dataproducts/p', withPorts('Retired', '2030-06-30'))
      await notifyAll(world)
      assert.deepEqual(await listTitles(world, 'Um'), [])
      assert.deepEqual(ofPorts(await listTitles(world, 'Ue')), [])
      assert.deepEqual(ofPorts(await listTitles(world, 'Uo')), [
        'Output port out of Product p is Retired',
      ])
    })

    test('of one version, while another version of the port is added › notifies', async () => {
      const world = await newCatalog()
      await put(world, 'dataproducts/p', withPorts())
      await follow(world, 'data-product', 'p')
      const next = { name: 'out', version: '2', contractId: 'c' }
      await put(world, 'dataproducts/p', withPorts('deprecated', undefined, [next]))
      await notifyAll(world)
      assert.deepEqual(await listTitles(world, 'Uo'), [
        'Output port out of Product p is deprecated',
      ])
    })

    test('a port that is deprecated from the start, and one that recovers, do not notify', async () => {
      const world = await newCatalog()
      await put(world, 'dataproducts/p', withPorts('deprecated', '2030-06-30'))
      await follow(world, 'data-product', 'p')
      const customProperties = [{ property: 'status', value: 'deprecated' }]
      const born = [{ ...port('new'), customProperties }]
      await put(world, 'dataproducts/p', withPorts('active', undefined, born))
      await notifyAll(world)
      assert.deepEqual(await listTitles(world, 'Uo'), [])
    })
  })
})
