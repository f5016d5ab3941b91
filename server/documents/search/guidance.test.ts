/** Search by what guides the users of documents: synonyms, contexts and the flag `deprecated`. */

import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { sql } from 'kysely'
import {
  getResult,
  newSearchWorld,
  withPort,
  type SearchWorld,
} from '../../../test/search/search-world.ts'
import { readJson } from '../../../test/answers.ts'
import { onStore } from '../../../test/stores.ts'
import { newProduct, type Product } from '../../../test/world.ts'
import { ensureIndex } from './rebuild-service.ts'

const NEWEST = { apiVersion: 'v3.2.0' }
const NEWEST_PRODUCT = { apiVersion: 'v1.1.0' }

const synonyms = (...words: string[]) => ({ synonyms: words.map((synonym) => ({ synonym })) })

const withField = (field: object, model: object = {}) => ({
  ...NEWEST,
  schema: [
    { name: 'orders', ...model, properties: [{ name: 'f1', logicalType: 'string', ...field }] },
  ],
})

onStore((store) => {
  let product: Product
  before(() => {
    product = newProduct(store())
  })
  const newOrganization = (): Promise<SearchWorld> => newSearchWorld(product)

  test('GET /api/search › ranks synonyms below names and above descriptions', async () => {
    const world = await newOrganization()
    const twin = await newOrganization()
    await world.product('p-text', { description: { purpose: 'The revenue of a year' } })
    await world.contract('c-field', withField(synonyms('Revenue')))
    await world.contract('c-model', withField({}, synonyms('revenue')))
    await world.product('p-synonym', { ...NEWEST_PRODUCT, ...synonyms('Revenue') })
    await world.product('p-words', { name: 'Yearly Revenue' })
    await world.product('p-begins', { name: 'Revenue by year' })
    await world.product('p-name', { name: 'Revenue' })
    const found = ['p-name', 'p-begins', 'p-words', 'p-synonym', 'c-field', 'c-model', 'p-text']
    assert.deepEqual((await world.ids('revenue')).toSorted(), found.toSorted())
    const ids = await world.ids('revenue')
    assert.deepEqual(ids, found)
    assert.deepEqual(await twin.ids('revenue'), [])
  })

  test('GET /api/search › explains a match by a synonym, of a document and of a part, also by a contract of a port', async () => {
    const world = await newOrganization()
    await world.contract('c', withField(synonyms('Net takings', 'Umsatz')))
    await world.product('p', { ...NEWEST_PRODUCT, ...withPort('c'), ...synonyms('Kasse') })
    const main = { name: 'main', version: '1', ...synonyms('Fuhrpark') }
    await world.product('q', { ...NEWEST_PRODUCT, outputPorts: [main] })
    for (const [query, id, text, path, how] of [
      ['umsatz', 'c', 'Umsatz', 'orders.f1', 'exact'],
      ['umsatz', 'p', 'Umsatz', 'orders.f1', 'exact'],
      ['umsa', 'c', 'Umsatz', 'orders.f1', 'prefix'],
      ['takings', 'c', 'Net takings', 'orders.f1', 'word'],
      ['net takings', 'c', 'Net takings', 'orders.f1', 'exact'],
      ['kasse', 'p', 'Kasse', null, 'exact'],
      ['fuhrpark', 'q', 'Fuhrpark', 'main', 'exact'],
    ] as const) {
      const result = getResult(await world.find(query), id)
      assert.deepEqual(
        result.why.filter(({ field }) => field === 'synonym'),
        [{ field: 'synonym', how, path }],
        query,
      )
      const highlight = result.highlights.find(({ field }) => field === 'synonym')
      assert.equal(highlight?.text, text)
    }
  })

  test('GET /api/search › finds instructions, questions, answers and restrictions as text', async () => {
    const world = await newOrganization()
    const context = {
      instructions: 'Join by lamplight',
      verifiedStatements: [{ question: 'Which wombat?', answer: 'The quokka' }],
      constraints: [{ constraint: 'Never on zeppelins' }],
    }
    const port = { name: 'out', version: '1', context }
    await world.contract('c', { ...NEWEST, context })
    await world.contract('m', withField({}, { context }))
    await world.contract('t', { ...NEWEST, context: 'Join by lamplight' })
    await world.product('p', { ...NEWEST_PRODUCT, context })
    await world.product('o', { ...NEWEST_PRODUCT, outputPorts: [port] })
    for (const word of ['wombat', 'quokka', 'zeppelins']) {
      assert.deepEqual((await world.ids(word)).toSorted(), ['c', 'm', 'o', 'p'], word)
    }
    assert.deepEqual((await world.ids('lamplight')).toSorted(), ['c', 'm', 'o', 'p', 't'])
  })

  test('GET /api/search and lists › deprecated: true ranks, filters and counts as a deprecated status', async () => {
    const world = await newOrganization()
    const name = 'Ferry'
    const flagged = { ...NEWEST_PRODUCT, name, deprecated: true }
    await world.product('a-flag', { ...flagged, status: 'active' })
    await world.product('b-retired', { ...flagged, status: 'retired' })
    await world.product('c-live', { name, status: 'active' })
    await world.contract('d-contract', { name, status: 'active' })
    assert.deepEqual(await world.ids('ferry'), ['c-live', 'd-contract', 'a-flag', 'b-retired'])
    assert.deepEqual(await world.ids('ferry', '&status=deprecated'), ['a-flag'])
    const { facets, results } = await world.find('ferry')
    assert.deepEqual(facets?.status.map(({ value, count }) => [value, count]).toSorted(), [
      ['active', 2],
      ['deprecated', 1],
      ['retired', 1],
    ])
    assert.equal(results.find(({ id }) => id === 'a-flag')?.status, 'deprecated')
    const list = async (status: string) => {
      const path = `/api/dataproducts?status=${status}`
      return (await readJson<{ id: string }[]>(world.as('O', 'GET', path))).map(({ id }) => id)
    }
    assert.deepEqual(await list('deprecated'), ['a-flag'])
    assert.deepEqual(await list('active'), ['c-live'])
  })

  test('ensureIndex › indexes synonyms and the flag of documents that an earlier release wrote', async () => {
    const world = await newOrganization()
    const { db } = store()
    await world.product('p', {
      ...NEWEST_PRODUCT,
      ...synonyms('Kutsche'),
      deprecated: true,
      status: 'active',
    })
    await world.product('live', { ...NEWEST_PRODUCT, status: 'active' })
    await sql`update data_product set status = 'active' where organization_id = ${world.organizationId}`.execute(
      db,
    )
    await sql`update search_document set synonyms = '', status = 'active', words = '' where organization_id = ${world.organizationId}`.execute(
      db,
    )
    await sql`update search_build set rules = 5`.execute(db)
    await ensureIndex(db)
    const [result] = (await world.find('kutsche')).results
    assert.deepEqual(
      [result?.id, result?.status, result?.why[0]?.field],
      ['p', 'deprecated', 'synonym'],
    )
    const { rows } = await sql<{ id: string; status: string }>`
      select external_id as id, status
      from data_product
      where organization_id = ${world.organizationId}
      order by external_id
    `.execute(db)
    assert.deepEqual(rows, [
      { id: 'live', status: 'active' },
      { id: 'p', status: 'deprecated' },
    ])
  })
})
