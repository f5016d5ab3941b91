import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { sql, type RawBuilder } from 'kysely'
import { ENTRY_COLUMNS } from '../../documents/search/record.ts'
import { listAsOf } from '../../ledger/history/store.ts'
import { PAGE_ELEMENTS_MAX } from '../../requests/http/paging.ts'
import { PRODUCTS } from './service.ts'
import { formerOrder, listReferences } from '../../documents/list-store.ts'
import { readJson, readText } from '../../../test/answers.ts'
import { onStore } from '../../../test/stores.ts'
import { expectOk, newProduct, newWorld, odps, type World } from '../../../test/world.ts'

const LATER = 'asOf=2999-01-01T00:00:00Z'

onStore((store) => {
  let world: World
  // The first product is made by the product's own verb; the others are copies of its rows, made by
  // one statement, because two thousand writes take long.
  let total = 1
  const ids = ['0000']
  before(async () => {
    world = await newWorld(newProduct(store()))
    const body = { ...odps('0000'), id: undefined }
    await expectOk(world.as('T', 'PUT', '/api/dataproducts/0000', { body }))
  })

  /** Copies the first product until there are so many; two and two have one time of creation. */
  async function fillUp(count: number): Promise<void> {
    const { db } = world.services
    const copy = (table: string, set: RawBuilder<unknown>): RawBuilder<unknown> => sql`
      select (jsonb_populate_record(original, jsonb_build_object(
        'external_id', lpad(number::text, 4, '0'), ${set}
      ))).*
      from ${sql.table(table)} as original
      cross join generate_series(${total}::integer, ${count - 1}::integer) as number
      where original.organization_id = ${world.organizationId}
        and original.external_id = '0000'
        ${table === 'data_product' ? sql`` : sql`and original.kind = 'data-product'`}`
    const later = sql`'created_at', original.created_at + (number / 2) * interval '1 second'`
    for (const table of ['data_product', 'revision']) {
      await sql`insert into ${sql.table(table)} ${copy(table, later)}`.execute(db)
    }
    await sql`
      insert into search_document (${ENTRY_COLUMNS})
      select ${ENTRY_COLUMNS}
      from (${copy('search_document', sql`'kind', original.kind`)}) as entry
    `.execute(db)
    while (total < count) ids.push(String(total++).padStart(4, '0'))
  }

  /** Follows the links; gives the number of elements of every page. */
  async function getPages(query: string): Promise<number[]> {
    const lengths: number[] = []
    let path: string | undefined = `/api/dataproducts?${query}`
    while (path !== undefined) {
      const answer: Response = await world.as('Tr', 'GET', path)
      assert.equal(answer.status, 200)
      lengths.push(((await answer.json()) as unknown[]).length)
      const link = answer.headers.get('link')
      const next: string | undefined = /^<([^>]+)>; rel="next"$/.exec(link ?? '')?.[1]
      assert.equal(next === undefined, link === null)
      if (next !== undefined) {
        const search = new URL(next, 'http://portbook.test').searchParams
        assert.equal(search.get('p'), String(lengths.length))
        search.delete('p')
        const kept = new URLSearchParams(query)
        kept.delete('p')
        assert.equal(search.toString(), kept.toString(), 'the link keeps the filters')
      }
      path = next
    }
    return lengths
  }

  for (const [count, pages] of [
    [1000, [1000]],
    [1001, [1000, 1]],
    [2000, [1000, 1000]],
  ] as const) {
    test(`GET /api/dataproducts › ${count} elements are ${pages.length} pages, linked`, async () => {
      await fillUp(count)
      for (const query of ['', 'p=0', 'sort=-name&teamId=a&teamId=b&q=product', LATER]) {
        assert.deepEqual(await getPages(query), pages, query)
      }
    })
  }

  test('GET /api/dataproducts › by creation, ties by id, every element on one page only', async () => {
    await fillUp(2000)
    for (const asOf of [false, true]) {
      const seen = [...(await idsOfPage(0, asOf)), ...(await idsOfPage(1, asOf))]
      assert.deepEqual(seen, ids)
    }
  })

  // The copies are one document, so which of them a page shows is asked of the stores.
  async function idsOfPage(page: number, asOf: boolean): Promise<string[]> {
    const { db } = world.services
    const { organizationId } = world
    if (!asOf) {
      const { kind } = PRODUCTS
      const list = { organizationId, kind, filter: {}, sort: 'createdAt', page } as const
      const rows = await listReferences(db, list)
      return rows.slice(0, PAGE_ELEMENTS_MAX).map(({ key }) => key)
    }
    const rows = await listAsOf(db, {
      organizationId,
      kind: 'data-product',
      instant: '2999-01-01T00:00:00Z',
      filters: [],
      order: formerOrder('createdAt'),
      page,
      elementsMax: PAGE_ELEMENTS_MAX,
    })
    return rows.slice(0, PAGE_ELEMENTS_MAX).map(({ key }) => key.externalId)
  }

  for (const page of ['2', '1000', '9007199254740993', `1${'0'.repeat(30)}`, '9'.repeat(5000)]) {
    test(`GET /api/dataproducts?p=${page.slice(0, 40)} › 200 [] past the end, without a link`, async () => {
      await fillUp(2000)
      for (const query of [`p=${page}`, `p=${page}&${LATER}`]) {
        const answer = await world.as('Tr', 'GET', `/api/dataproducts?${query}`)
        assert.equal(await answer.text(), '[]')
        assert.equal(answer.status, 200)
        assert.equal(answer.headers.get('link'), null)
      }
    })
  }

  test('GET /api/dataproducts › 20 documents of 900 KB arrive complete, in order, as one JSON array', async () => {
    const large = Array.from(
      { length: 20 },
      (_, index) => `large-${String(index).padStart(2, '0')}`,
    )
    const filling = 'é"\\'.repeat(150_000)
    for (const id of large) {
      const body = odps(id, { tags: ['large'], filling })
      await expectOk(world.as('T', 'PUT', `/api/dataproducts/${id}`, { body }))
    }
    for (const query of ['tag=large', `tag=large&${LATER}`]) {
      const list = await readJson<{ id: string; filling: string }[]>(
        world.as('Tr', 'GET', `/api/dataproducts?${query}`),
      )
      assert.deepEqual(
        list.map(({ id }) => id),
        large,
      )
      assert.ok(list.every((document) => document.filling === filling))
    }
    const reversed = await readText(
      world.as('Tr', 'GET', '/api/dataproducts?tag=large&sort=-createdAt'),
    )
    const parsed = JSON.parse(reversed) as { id: string }[]
    assert.deepEqual(
      parsed.map(({ id }) => id),
      large.toReversed(),
    )
  })

  test('GET /api/dataproducts › what is deleted while a long list is read is left out', async () => {
    const answer = await world.as('Tr', 'GET', '/api/dataproducts?tag=large')
    await expectOk(world.as('T', 'DELETE', '/api/dataproducts/large-19'))
    const list = JSON.parse(await answer.text()) as unknown[]
    assert.equal(list.length, 19)
  })
})
