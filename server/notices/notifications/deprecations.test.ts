/** The flag `deprecated` of products, ports, models and fields, in every format, as an occasion of notifications. */

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { listNotifications, listTitles, notifyAll } from '../../../test/notifications.ts'
import { onStore } from '../../../test/stores.ts'
import { dps, expectOk, newProduct, newWorld, odcs, odps, type World } from '../../../test/world.ts'

const put = (world: World, path: string, body: object | string) =>
  expectOk(world.as('O', 'PUT', `/api/${path}`, { body }))

const port = (name: string, more: object = {}) => ({ name, version: '1', ...more })

const flagged = { deprecated: true }

const contract = (field: object = {}, model: object = {}, more: object = {}) =>
  odcs('c', {
    apiVersion: 'v3.2.0',
    team: { name: 'b' },
    schema: [
      {
        name: 'orders',
        properties: [
          { name: 'id', logicalType: 'integer' },
          { name: 'total', logicalType: 'number', description: 'Use total_net.', ...field },
        ],
        ...model,
      },
    ],
    ...more,
  })

const product = (more: object) => odps('p', { apiVersion: 'v1.1.0', team: { name: 'b' }, ...more })

const withInput = (more: object) =>
  product({ inputPorts: [port('from', more)], outputPorts: [port('out', { contractId: 'c' })] })

const asDcs = (isFlagged: boolean) => ({
  dataContractSpecification: '1.1.0',
  id: 'c',
  info: { title: 'C', version: '1', owner: 'b' },
  schema: {
    type: 'json-schema',
    specification: {
      title: 'orders',
      type: 'object',
      properties: { total: { type: 'number', ...(isFlagged && flagged) } },
    },
  },
})

const asDps = (status: string, portStatus: string) =>
  dps('p', {
    info: { title: 'Product p', owner: 'b', status },
    outputPorts: [{ id: 'out', name: 'out', status: portStatus, dataContractId: 'c' }],
  })

interface Row {
  path: string
  before: object
  after: object
  title: string
}

const NAME = 'Contract c'

// Each place of the flag or the status word, and the notification that it causes.
const ROWS: Readonly<Record<string, Row>> = {
  'a field of ODCS': {
    path: 'datacontracts/c',
    before: contract(),
    after: contract(flagged),
    title: `Field orders.total of ${NAME} is deprecated`,
  },
  'a model of ODCS': {
    path: 'datacontracts/c',
    before: contract(),
    after: contract({}, flagged),
    title: `Model orders of ${NAME} is deprecated`,
  },
  'a nested field of ODCS': {
    path: 'datacontracts/c',
    before: contract({ logicalType: 'object', properties: [{ name: 'net' }] }),
    after: contract({ logicalType: 'object', properties: [{ name: 'net', ...flagged }] }),
    title: `Field orders.total.net of ${NAME} is deprecated`,
  },
  'a status word of ODCS': {
    path: 'datacontracts/c',
    before: contract(),
    after: contract({}, {}, { status: 'deprecated' }),
    title: `${NAME} is deprecated`,
  },
  'a product of ODPS': {
    path: 'dataproducts/p',
    before: product({}),
    after: product(flagged),
    title: 'Product p is deprecated',
  },
  'an output port of ODPS': {
    path: 'dataproducts/p',
    before: product({ outputPorts: [port('out', { contractId: 'c' })] }),
    after: product({ outputPorts: [port('out', { contractId: 'c', ...flagged })] }),
    title: 'Output port out of Product p is deprecated',
  },
  'a management port of ODPS': {
    path: 'dataproducts/p',
    before: product({ managementPorts: [{ name: 'ops', content: 'discoverability' }] }),
    after: product({ managementPorts: [{ name: 'ops', content: 'discoverability', ...flagged }] }),
    title: 'Management port ops of Product p is deprecated',
  },
  'a status word of DPS': {
    path: 'dataproducts/p',
    before: asDps('active', 'active'),
    after: asDps('deprecated', 'active'),
    title: 'Product p is deprecated',
  },
  'a status word of a port of DPS': {
    path: 'dataproducts/p',
    before: asDps('active', 'active'),
    after: asDps('active', 'deprecated'),
    title: 'Output port out of Product p is deprecated',
  },
}

onStore((store) => {
  // Team a reads the port of the product and the contract; the product and the contract belong to team b.
  const newCatalog = async ({ path, before }: Row): Promise<World> => {
    const world = await newWorld(newProduct(store()))
    if (!path.startsWith('datacontracts')) await put(world, 'datacontracts/c', contract())
    await put(world, path, before)
    const reader = { team: { name: 'a' }, inputPorts: [port('in', { contractId: 'c' })] }
    await put(world, 'dataproducts/reader', odps('reader', reader))
    await expectOk(
      world.asPerson('Uo', 'PUT', '/ui/follow', {
        body: {
          kind: path.startsWith('datacontracts') ? 'data-contract' : 'data-product',
          id: path.slice(-1),
        },
      }),
    )
    await notifyAll(world)
    return world
  }

  for (const [place, row] of Object.entries(ROWS)) {
    const { path, before, after, title } = row
    test(`${place} › notifies followers once, not while it stays or ends, and again after it was withdrawn`, async () => {
      const [world, twin] = [await newCatalog(row), await newCatalog(row)]
      await put(world, path, after)
      await put(world, path, { ...after, tags: ['x'] })
      await notifyAll(world)
      assert.deepEqual(await listTitles(world, 'Uo'), [title])
      await put(world, path, before)
      await notifyAll(world)
      assert.deepEqual(await listTitles(world, 'Uo'), [title])
      await put(world, path, after)
      await notifyAll(world)
      assert.deepEqual(await listTitles(world, 'Uo'), [title, title])
      await notifyAll(twin)
      for (const person of ['Uo', 'Ue', 'Um'] as const) {
        assert.deepEqual(await listTitles(twin, person), [])
      }
    })
  }

  describe('a deprecated field', () => {
    const row = { path: 'datacontracts/c', before: contract(), after: contract(flagged), title: '' }

    test('notifies those who read the contract, with its description as advice', async () => {
      const world = await newCatalog(row)
      await put(world, 'datacontracts/c', row.after)
      await notifyAll(world)
      const [notification] = await listNotifications(world, 'Um')
      assert.equal(notification?.because, 'Your team reads it.')
      assert.equal(
        notification.detail,
        '"Use total_net." The data contract was changed by organization. Plan to move away.',
      )
    })

    test('that is deprecated from the start does not notify; two of them notify once', async () => {
      const world = await newCatalog(row)
      await put(world, 'datacontracts/c', contract({}, {}, { schema: [] }))
      await notifyAll(world)
      const before = await listTitles(world, 'Uo')
      await put(world, 'datacontracts/c', contract(flagged))
      await notifyAll(world)
      assert.deepEqual(await listTitles(world, 'Uo'), before)
      await put(world, 'datacontracts/c', contract())
      await put(world, 'datacontracts/c', contract(flagged, flagged))
      await notifyAll(world)
      const [notification] = await listNotifications(world, 'Uo')
      assert.equal(notification?.title, `2 parts of ${NAME} are deprecated`)
      assert.match(notification.detail, /^model orders, field orders\.total\. /)
    })

    test('and an earlier version that is restored announce it again', async () => {
      const world = await newCatalog({ ...row, before: contract(flagged) })
      const earlier = await world.as('O', 'GET', '/api/datacontracts/c/versions/1')
      const text = await earlier.text()
      await put(world, 'datacontracts/c', contract())
      await put(world, 'datacontracts/c', text)
      await notifyAll(world)
      assert.deepEqual(await listTitles(world, 'Uo'), [
        `Field orders.total of ${NAME} is deprecated`,
      ])
    })

    test('of a breaking change is mentioned there; its removal names the announcement', async () => {
      const world = await newCatalog(row)
      const both = contract({ ...flagged, logicalType: 'string' })
      await put(world, 'datacontracts/c', both)
      await put(world, 'datacontracts/c', { ...both, tags: ['x'] })
      await notifyAll(world)
      const [change] = await listNotifications(world, 'Uo')
      assert.match(change?.detail ?? '', /Also deprecated: field orders\.total\.$/)
      const only = { name: 'orders', properties: [{ name: 'id', logicalType: 'integer' }] }
      await put(world, 'datacontracts/c', contract({}, {}, { schema: [only] }))
      await notifyAll(world)
      const [removal] = await listNotifications(world, 'Uo')
      assert.match(
        removal?.detail ?? '',
        /Field orders\.total is removed; its deprecation was announced in version 2 on \d{4}-\d\d-\d\d\.$/,
      )
    })

    test('of a JSON Schema notifies, and not again when the contract is converted', async () => {
      const world = await newCatalog({ ...row, before: asDcs(false) })
      await put(world, 'datacontracts/c', asDcs(true))
      await notifyAll(world)
      assert.deepEqual(await listTitles(world, 'Uo'), ['Field orders.total of C is deprecated'])
      const path = '/api/datacontracts/c/export?format=odcs&apiVersion=v3.2.0'
      const converted = await (await world.as('O', 'GET', path)).text()
      await put(world, 'datacontracts/c', converted)
      await notifyAll(world)
      const deprecations = await listNotifications(world, 'Uo', '?kind=deprecation')
      assert.equal(deprecations.length, 1)
    })
  })

  test('a deleted product that was deprecated › its deletion names the announcement', async () => {
    const row = { path: 'dataproducts/p', before: product({}), after: {}, title: '' }
    const world = await newCatalog(row)
    await put(world, 'dataproducts/p', product(flagged))
    await expectOk(world.as('O', 'DELETE', '/api/dataproducts/p'))
    await notifyAll(world)
    const [deletion] = await listNotifications(world, 'Uo')
    assert.match(deletion?.detail ?? '', /Its deprecation was announced in version 2 on \S+\.$/)
  })

  test('an input port › notifies followers and the owner, and not the readers of the product', async () => {
    const [before, after] = [withInput({}), withInput(flagged)]
    const row = { path: 'dataproducts/p', before, after, title: '' }
    const world = await newCatalog(row)
    await put(world, row.path, row.after)
    await notifyAll(world)
    assert.deepEqual(await listTitles(world, 'Uo'), ['Input port from of Product p is deprecated'])
    assert.deepEqual(await listTitles(world, 'Um'), [])
  })
})
