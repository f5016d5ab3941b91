import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { expectProblem, readJson } from '../../../test/answers.ts'
import { onStore } from '../../../test/stores.ts'
import { newProduct, newWorld, odcs, odps, putOne } from '../../../test/world.ts'
import type { World } from '../../../test/world.ts'
import type { DomainProducts, DomainSummary } from './domain.ts'

const DOMAINS = '/ui/domains'
const PRODUCTS = '/ui/domains/products'

const getDomains = (world: World) => readJson<DomainSummary[]>(world.asPerson('Um', 'GET', DOMAINS))

const getProducts = (world: World, query: Record<string, string>) =>
  readJson<DomainProducts>(
    world.asPerson('Um', 'GET', `${PRODUCTS}?${new URLSearchParams(query).toString()}`),
  )

const owned = (name: string) => ({ team: { name } })

const ids = ({ products }: DomainProducts) => products.map(({ id }) => id)

/** The data products of a domain by the worst of their signals. */
const NONE = { positive: 0, caution: 0, critical: 0, neutral: 0 }

onStore((store) => {
  const fresh = (): Promise<World> => newWorld(newProduct(store()))

  /** Adds the domain Sales with two teams below it, and products assigned to it in each way. */
  async function withSales(): Promise<World> {
    const world = await fresh()
    await putOne(world, 'teams', {
      id: 'sales',
      name: 'Sales',
      type: 'Domain',
      description: 'Sells.',
    })
    await putOne(world, 'teams', { id: 'web', name: 'Web', type: 'Team', parent: 'sales' })
    await putOne(world, 'teams', { id: 'shop', name: 'Shop', type: 'Team', parent: 'web' })
    await putOne(world, 'dataproducts', odps('by-id', { domain: 'sales', name: 'b' }))
    await putOne(world, 'dataproducts', odps('by-name', { domain: 'SALES', name: 'C' }))
    await putOne(
      world,
      'dataproducts',
      odps('by-owner', {
        ...owned('shop'),
        name: 'a',
        description: { purpose: 'Baskets' },
        inputPorts: [{ name: 'in', version: '1', contractId: 'c' }],
        outputPorts: Array.from({ length: 6 }, (_, at) => ({ name: `out-${at}`, version: '1' })),
      }),
    )
    await putOne(world, 'dataproducts', odps('elsewhere', { ...owned('shop'), domain: 'Legal' }))
    await putOne(world, 'dataproducts', odps('nowhere'))
    await putOne(world, 'datacontracts', odcs('c', { domain: 'sales' }))
    return world
  }

  test(`GET ${DOMAINS} › 200 with the teams of type Domain and the domains in documents`, async () => {
    const world = await withSales()
    const domains = await getDomains(world)
    const untimed = domains.map(({ updatedAt, ...domain }) => {
      assert.match(updatedAt ?? '', /Z$/)
      return domain
    })
    assert.deepEqual(untimed, [
      {
        id: 'sales',
        name: 'Sales',
        description: 'Sells.',
        isTeam: true,
        dataProducts: 3,
        dataContracts: 1,
        teams: 2,
        trust: { ...NONE, neutral: 3 },
      },
      {
        id: 'Legal',
        name: 'Legal',
        description: null,
        isTeam: false,
        dataProducts: 1,
        dataContracts: 0,
        teams: 0,
        trust: { ...NONE, neutral: 1 },
      },
      {
        id: null,
        name: null,
        description: null,
        isTeam: false,
        dataProducts: 1,
        dataContracts: 0,
        teams: 0,
        trust: { ...NONE, neutral: 1 },
      },
    ])
  })

  test(`GET ${DOMAINS} › lists a domain without products, and the nearest of nested domains`, async () => {
    const world = await withSales()
    await putOne(world, 'teams', { id: 'b2b', name: 'B2B', type: 'Domain', parent: 'sales' })
    await putOne(world, 'teams', { id: 'deals', name: 'Deals', type: 'Team', parent: 'b2b' })
    const [sales, ...others] = await getDomains(world)
    assert.deepEqual([sales?.id, sales?.teams], ['sales', 2])
    const domain = others.find(({ id }) => id === 'b2b')
    assert.deepEqual([domain?.dataProducts, domain?.teams, domain?.updatedAt], [0, 1, null])
  })

  test(`GET ${PRODUCTS} › 200 with the products of a domain, by name, last change or readers`, async () => {
    const world = await withSales()
    const byName = await getProducts(world, { domain: 'sales' })
    assert.deepEqual(ids(byName), ['by-owner', 'by-id', 'by-name'])
    assert.equal(byName.hasMore, false)
    const [{ updatedAt, ...first } = assert.fail()] = byName.products
    assert.match(updatedAt, /Z$/)
    assert.deepEqual(first, {
      id: 'by-owner',
      name: 'a',
      status: 'active',
      archetype: null,
      ownerId: 'shop',
      ownerName: 'Shop',
      description: 'Baskets',
      ports: ['out-0', 'out-1', 'out-2', 'out-3', 'out-4'],
      portCount: 7,
      readers: 0,
    })
    await putOne(world, 'dataproducts', odps('by-id', { domain: 'sales', name: 'b2' }))
    const latest = await getProducts(world, { domain: 'sales', sort: 'changed' })
    assert.deepEqual(ids(latest), ['by-id', 'by-owner', 'by-name'])
    await sql`
      update search_document
      set readers = 3
      where organization_id = ${world.organizationId}
        and external_id = 'by-name'
    `.execute(world.services.db)
    const mostRead = await getProducts(world, { domain: 'sales', sort: 'readers' })
    assert.deepEqual(
      mostRead.products.map(({ id, readers }) => [id, readers]),
      [
        ['by-name', 3],
        ['by-owner', 0],
        ['by-id', 0],
      ],
    )
    assert.deepEqual(ids(await getProducts(world, { domain: '' })), ['nowhere'])
    assert.deepEqual(ids(await getProducts(world, { domain: 'unknown' })), [])
  })

  test(`GET ${PRODUCTS} › pages`, async () => {
    const world = await withSales()
    const page = (p: string) => getProducts(world, { domain: 'sales', limit: '2', p })
    const [first, second] = [await page('0'), await page('1')]
    assert.deepEqual([ids(first), first.hasMore], [['by-owner', 'by-id'], true])
    assert.deepEqual([ids(second), second.hasMore], [['by-name'], false])
  })

  test(`GET ${DOMAINS} › does not show data of another organization`, async () => {
    const [world, other] = [await fresh(), await withSales()]
    assert.deepEqual(await getDomains(world), [])
    assert.deepEqual(ids(await getProducts(world, { domain: 'sales' })), [])
    assert.equal((await getDomains(other)).length, 3)
  })

  test(`GET ${PRODUCTS} › 400 for unknown values`, async () => {
    const world = await fresh()
    for (const query of ['sort=size', 'p=-1', 'p=1000', 'limit=0', `domain=${'x'.repeat(2001)}`]) {
      await expectProblem(world.asPerson('Um', 'GET', `${PRODUCTS}?${query}`), 400)
    }
  })
})
