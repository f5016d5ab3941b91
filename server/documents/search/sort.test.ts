import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { expectProblem, readJson } from '../../../test/answers.ts'
import { onStore } from '../../../test/stores.ts'
import { expectOk, newProduct, newWorld, odcs, odps, putOne } from '../../../test/world.ts'
import type { World } from '../../../test/world.ts'
import type { SearchAnswer } from './search.ts'

function compare(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}

// Beside them there are the teams a and b, with the names "Team A" and "Team B".
const PRODUCTS = [
  { id: 'p1', name: 'Zebra orders', readers: 0, day: 5 },
  { id: 'p2', name: 'Apple orders', readers: 3, day: 2 },
  { id: 'p3', name: 'Mango orders', readers: 7, day: 9 },
  { id: 'p5', name: 'Same orders', readers: 1, day: 4 },
  { id: 'p4', name: 'Same orders', readers: 1, day: 4 },
]

onStore((store) => {
  let world: World
  before(async () => {
    world = await newWorld(newProduct(store()))
    for (const { id, name } of PRODUCTS) {
      await putOne(world, 'dataproducts', odps(id, { name, domain: 'sea' }))
    }
    await expectOk(
      world.as('O', 'PUT', '/api/datacontracts/p4', { body: odcs('p4', { name: 'Same orders' }) }),
    )
    await setRows(world)
    // The same documents in another organization.
    const other = await newWorld(newProduct(store()))
    for (const { id } of PRODUCTS) await putOne(other, 'dataproducts', odps(id, { name: 'Orders' }))
  })

  const setRows = async ({ organizationId }: World): Promise<void> => {
    for (const { id, readers, day } of PRODUCTS) {
      await sql`
        update search_document
        set readers = ${readers}, updated_at = ${`2026-01-0${day}T00:00:00Z`}::timestamptz
        where organization_id = ${organizationId}
          and external_id = ${id}
      `.execute(store().db)
    }
    await sql`
      update search_document set updated_at = '2025-01-01' where organization_id = ${organizationId} and kind = 'team'
    `.execute(store().db)
  }

  const list = async (search: string): Promise<string[]> => {
    const { results } = await readJson<SearchAnswer>(world.as('Tr', 'GET', `/api/search?${search}`))
    return results.map(({ id, resourceType }) =>
      resourceType === 'DATA_CONTRACT' ? `${id} contract` : id,
    )
  }

  const SORTED = {
    name: ['p2', 'p3', 'p4 contract', 'p4', 'p5', 'p1'],
    changed: ['p3', 'p1', 'p4 contract', 'p4', 'p5', 'p2'],
    readers: ['p3', 'p2', 'p4 contract', 'p4', 'p5', 'p1'],
  }

  for (const [sort, ids] of Object.entries(SORTED)) {
    describe(`GET /api/search?sort=${sort}`, () => {
      test('200 sorts the matches of a query, equal ones by name and id', async () => {
        assert.deepEqual(await list(`query=orders&sort=${sort}`), ids)
      })

      test('200 sorts all documents without a query', async () => {
        const all = await list(`sort=${sort}`)
        assert.deepEqual(
          all.filter((id) => id.startsWith('p')),
          ids,
        )
        assert.equal(all.length, ids.length + 2)
      })

      test('200 sorts what passes the filters', async () => {
        const products = ids.filter((id) => !id.endsWith('contract'))
        assert.deepEqual(await list(`sort=${sort}&domain=sea`), products)
        assert.deepEqual(await list(`query=orders&sort=${sort}&domain=sea`), products)
        assert.deepEqual(await list(`sort=${sort}&resourceType=DATA_CONTRACT`), ['p4 contract'])
      })

      for (const search of ['', '&query=orders', '&domain=sea', '&query=orders&domain=sea']) {
        test(`200 pages have every result once: ${search}`, async () => {
          const whole = await list(`sort=${sort}${search}`)
          const pages: string[] = []
          for (let page = 0; page * 2 < whole.length; page += 1) {
            pages.push(...(await list(`sort=${sort}${search}&limit=2&p=${page}`)))
          }
          assert.deepEqual(pages, whole)
        })
      }
    })
  }

  test('GET /api/search › sorts more documents than are read at once', async () => {
    const many = await newWorld(newProduct(store()))
    for (const [id, domain] of [
      ['x', 'sea'],
      ['y', 'land'],
    ] as const) {
      await putOne(many, 'dataproducts', odps(id, { name: id, domain }))
      await sql`
        insert into search_document (organization_id, kind, external_id, name, name_key, id_key, standing,
          domain, tags, columns, ports, words, updated_at, readers)
        select organization_id, kind, external_id || ordinal, name, name_key || ordinal % 100, id_key, standing,
          domain, tags, columns, ports, words, updated_at - ordinal % 1000 * interval '1 hour',
          case when ordinal % 3 = 0 then ordinal else 0 end
        from search_document
        cross join generate_series(1, 5500) as ordinal
        where organization_id = ${many.organizationId}
          and external_id = ${id}
      `.execute(store().db)
    }
    const { rows } = await sql<{ id: string; name: string; changed: string; readers: number }>`
      select external_id as id, name_key as name, updated_at::text as changed, readers
      from search_document
      where organization_id = ${many.organizationId}
        and domain = 'sea'
    `.execute(store().db)
    const orders = {
      name: () => 0,
      changed: (a: { changed: string }, b: { changed: string }) => compare(b.changed, a.changed),
      readers: (a: { readers: number }, b: { readers: number }) => b.readers - a.readers,
    }
    for (const [sort, order] of Object.entries(orders)) {
      const sorted = rows.toSorted(
        (a, b) => order(a, b) || compare(a.name, b.name) || compare(a.id, b.id),
      )
      for (const page of [0, 37]) {
        const path = `/api/search?sort=${sort}&domain=sea&limit=50&p=${page}`
        const { results } = await readJson<SearchAnswer>(many.as('Tr', 'GET', path))
        const expected = sorted.slice(page * 50, page * 50 + 50)
        assert.deepEqual(
          results.map(({ id }) => id),
          expected.map(({ id }) => id),
          path,
        )
      }
    }
  })

  test('GET /api/search › sort=relevance is the order without a sort', async () => {
    for (const search of ['', 'query=orders']) {
      assert.deepEqual(await list(`${search}&sort=relevance`), await list(search))
    }
  })

  test('GET /api/search › 400 for an unknown sort', async () => {
    await expectProblem(
      world.as('Tr', 'GET', '/api/search?sort=newest'),
      400,
      /^The query parameter sort must be one of relevance, name, changed, readers\.$/,
    )
  })

  test('GET /api/search › the link to the next page keeps the sort', async () => {
    const response = await world.as('Tr', 'GET', '/api/search?sort=readers&limit=2')
    assert.match(response.headers.get('link') ?? '', /sort=readers/)
  })

  test('GET /api/search › readers is null for what has none', async () => {
    const { results } = await readJson<SearchAnswer>(
      world.as('Tr', 'GET', '/api/search?resourceType=TEAM'),
    )
    assert.deepEqual(
      results.map(({ readers }) => readers),
      [null, null],
    )
  })
})
