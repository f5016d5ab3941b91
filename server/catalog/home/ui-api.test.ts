import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readJson } from '../../../test/answers.ts'
import { addIntegration, ingest, markGone, sourceTable } from '../../../test/ingested-assets.ts'
import { onStore } from '../../../test/stores.ts'
import { dcs, expectOk, newProduct, newWorld, odps, putOne } from '../../../test/world.ts'
import { withSession, type PersonName, type World } from '../../../test/world.ts'
import { fixedClock } from '../../platform/kit/clock.ts'
import { newSession } from '../../../test/session.ts'
import { FIRST_PRODUCTS_MAX, GROUPS_MAX } from './home.ts'
import type { FirstSteps, Home } from './home.ts'

const HOME = '/ui/home'

onStore((store) => {
  const fresh = (): Promise<World> => newWorld(newProduct(store()))
  const getHome = (world: World, person: PersonName = 'Ue'): Promise<Home> =>
    readJson<Home>(world.asPerson(person, 'GET', HOME))

  test(`GET ${HOME} › 200 for an empty organization`, async () => {
    const world = await fresh()
    const { activity, ...rest } = await getHome(world)
    assert.deepEqual(rest, {
      counts: {
        dataProducts: 0,
        dataContracts: 0,
        teams: 2,
        assets: 0,
        sourceSystems: 0,
        integrations: 0,
      },
      products: [],
      productsAreMine: false,
      starred: [],
      attention: [],
    })
    assert.deepEqual(activity.breaking, [])
    const changes = activity.latest.flatMap((group) => group.changes)
    const names = changes.map(({ kind, name, action }) => `${kind} ${name} ${action}`)
    assert.deepEqual(names.toSorted(), ['team Team A created', 'team Team B created'])
  })

  test('GET /ui/first-steps › 200 with the completed steps', async () => {
    const world = await fresh()
    const steps = () => readJson<FirstSteps>(world.asPerson('Ue', 'GET', '/ui/first-steps'))
    const before = { team: true, dataProduct: false, apiKey: true, integration: false }
    assert.deepEqual(await steps(), { ...before, isInUse: false })
    await addIntegration(world)
    for (let at = 1; at <= FIRST_PRODUCTS_MAX; at += 1) {
      await putOne(world, 'dataproducts', odps(`p${at}`))
    }
    const after = { team: true, dataProduct: true, apiKey: true, integration: true }
    assert.deepEqual(await steps(), { ...after, isInUse: false })
    await putOne(world, 'dataproducts', odps('one-more'))
    assert.deepEqual(await steps(), { ...after, isInUse: true })
  })

  test(`GET ${HOME} › returns the products that the person starred, the last one first`, async () => {
    const world = await fresh()
    for (const id of ['p1', 'p2', 'p3']) await putOne(world, 'dataproducts', odps(id))
    for (const id of ['p3', 'p1']) {
      await world.asPerson('Ue', 'PUT', `/api/dataproducts/${id}/star`)
    }
    await world.asPerson('Um', 'PUT', '/api/dataproducts/p2/star')
    const { starred } = await getHome(world)
    assert.deepEqual(
      starred.map(({ id, ownerName }) => [id, ownerName]),
      [
        ['p1', 'Team A'],
        ['p3', 'Team A'],
      ],
    )
  })

  test(`GET ${HOME} › counts all objects except deleted assets`, async () => {
    const world = await fresh()
    for (const id of ['p1', 'p2', 'p3']) await putOne(world, 'dataproducts', odps(id))
    await putOne(world, 'datacontracts', dcs('c1'))
    const integration = await addIntegration(world)
    const [gone = ''] = await ingest(world, integration, [
      sourceTable(['d', 's', 't1']),
      sourceTable(['d', 's', 't2']),
    ])
    await markGone(world, gone)
    await putOne(world, 'sourcesystems', { id: 'erp', name: 'ERP', owner: 'a' })
    await putOne(world, 'definitions', { id: 'net', title: 'Net', owner: 'a', type: 'number' })
    const { counts } = await getHome(world)
    assert.deepEqual(counts, {
      dataProducts: 3,
      dataContracts: 1,
      teams: 2,
      assets: 1,
      sourceSystems: 1,
      integrations: 1,
    })
  })

  test(`GET ${HOME} › lists at most 12 products of the caller's teams, last changed first`, async () => {
    const world = await fresh()
    for (let at = 0; at < 14; at += 1) await putOne(world, 'dataproducts', odps(`p${at}`))
    await putOne(world, 'dataproducts', odps('theirs', { team: { name: 'b' } }))
    await putOne(
      world,
      'dataproducts',
      odps('p0', { name: 'Changed', description: { purpose: 'Why' } }),
    )
    const { products, productsAreMine } = await getHome(world)
    assert.equal(productsAreMine, true)
    const ids = products.map(({ id }) => id)
    assert.deepEqual(ids, ['p0', ...Array.from({ length: 11 }, (_, at) => `p${13 - at}`)])
    const [{ updatedAt, ...first } = assert.fail()] = products
    assert.match(updatedAt, /Z$/)
    assert.deepEqual(first, {
      id: 'p0',
      name: 'Changed',
      status: 'active',
      ownerId: 'a',
      ownerName: 'Team A',
      description: 'Why',
      format: 'odps',
    })
  })

  test(`GET ${HOME} › lists the latest of all products if the caller's teams have none`, async () => {
    const world = await fresh()
    for (const id of ['p1', 'p2'])
      await putOne(world, 'dataproducts', odps(id, { team: { name: 'b' } }))
    await putOne(world, 'dataproducts', odps('p1', { team: { name: 'b' }, name: 'Again' }))
    for (const person of ['Uo', 'Ue'] as const) {
      const { products, productsAreMine } = await getHome(world, person)
      assert.equal(productsAreMine, false)
      assert.deepEqual(
        products.map(({ id }) => id),
        ['p1', 'p2'],
      )
    }
  })

  test(`GET ${HOME} › 200 with only the groups of the week, and breaking ones separately`, async () => {
    const world = await fresh()
    for (let at = 0; at < 45; at += 1) await putOne(world, 'dataproducts', odps(`p${at}`))
    await expectOk(world.as('T', 'DELETE', '/api/dataproducts/p0'))
    const { activity } = await getHome(world)
    assert.deepEqual(
      activity.breaking.flatMap(({ changes }) => changes.map(({ id, action }) => [id, action])),
      [['p0', 'deleted']],
    )
    assert.ok(activity.latest.length <= GROUPS_MAX)
    const total = activity.latest.reduce((sum, group) => sum + group.total, 0)
    assert.equal(total, 45 + 1 + 2)
    const later = newProduct(store(), { clock: fixedClock('2099-01-01T00:00:00Z') })
    const token = await newSession(store().db, later.services.clock, world.userIds.Ue)
    const then = await readJson<Home>(later.call('GET', HOME, { headers: withSession(token) }))
    assert.deepEqual(then.activity, { breaking: [], latest: [] })
    assert.equal(then.products.length, 12)
  })

  test(`GET ${HOME} › counts the integrations that the caller can see`, async () => {
    const world = await fresh()
    for (const owner of ['a', 'b', undefined]) {
      await addIntegration(world, owner === undefined ? {} : { owner })
    }
    assert.equal((await getHome(world, 'Ue')).counts.integrations, 2)
    assert.equal((await getHome(world, 'Uo')).counts.integrations, 3)
  })
})
