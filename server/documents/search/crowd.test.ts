import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { sql } from 'kysely'
import { readJson } from '../../../test/answers.ts'
import { onStore } from '../../../test/stores.ts'
import { expectOk, newProduct, newWorld, odcs, odps, type World } from '../../../test/world.ts'
import type { Database } from '../../platform/tables.ts'
import { MATCHES_MAX } from './match-store.ts'
import type { SearchAnswer } from './search.ts'

onStore((store) => {
  let db: Database
  let world: World
  before(async () => {
    db = store().db
    world = await newWorld(newProduct(store()))
    await put('first', 'pump_readings', 'valve_code')
    await copies('first', 1500)
    // The last rows in the database, also on disk.
    await put('has', 'old_valve_code', 'size')
    await put('begins', 'valve_code_list', 'size')
  })

  async function put(id: string, name: string, column: string): Promise<void> {
    const body = {
      info: { name, type: 'postgres_table' },
      columns: [{ name: column, type: 'text' }],
    }
    await expectOk(world.as('O', 'PUT', `/api/assets/${id}`, { body }))
  }

  /** Fills the index with copies of an asset; registering each one takes minutes. */
  async function copies(id: string, count: number): Promise<void> {
    await sql`
      insert into search_document (organization_id, kind, external_id, name, name_key, id_key, standing,
        tags, source, type, columns, ports, words, updated_at)
      select organization_id, kind, external_id || ordinal, name, name_key, id_key || ordinal, standing,
        tags, source, type, columns, ports, words, updated_at
      from search_document
      cross join generate_series(1, ${count}::int) as ordinal
      where organization_id = ${world.organizationId}
        and external_id = ${id}
    `.execute(db)
  }

  async function find(query: string): Promise<SearchAnswer> {
    return await readJson(world.as('Um', 'GET', `/api/search?limit=3&query=${query}`))
  }

  async function listIds(query: string): Promise<string[]> {
    const { results } = await find(query)
    return results.map(({ id }) => id)
  }

  test('GET /api/search › of more than 1,000 assets with a word, ranks those with the word in their name first', async () => {
    assert.deepEqual(await listIds('valve_code'), ['begins', 'has', 'first'])
  })

  test('GET /api/search › counts at most 1,000 assets, and marks the total as a minimum', async () => {
    const { total, totalIsMinimum, facets } = await find('valve')
    assert.deepEqual([total, totalIsMinimum], [MATCHES_MAX, true])
    assert.equal(facets?.resourceType[0]?.count, MATCHES_MAX)
    const everything = await find('')
    // With the two teams of the world.
    assert.deepEqual([everything.total, everything.totalIsMinimum], [1505, false])
  })

  test('GET /api/search › counts each type up to the limit, however many documents of other types match', async () => {
    const sluice = odps('sluice', { name: 'Sluice' })
    await expectOk(world.as('O', 'PUT', '/api/dataproducts/sluice', { body: sluice }))
    await copies('sluice', MATCHES_MAX + 1)
    const contract = odcs('last', { name: 'Sluice terms' })
    await expectOk(world.as('O', 'PUT', '/api/datacontracts/last', { body: contract }))
    const { facets } = await find('sluice')
    assert.deepEqual(
      facets?.resourceType.map(({ value, count }) => [value, count]),
      [
        ['DATA_PRODUCT', MATCHES_MAX],
        ['DATA_CONTRACT', 1],
      ],
    )
  })

  test('GET /api/search › filters find and count assets after the first 1,000 with a word', async () => {
    await sql`
      update search_document
      set tags = '{spare-part}'
      where organization_id = ${world.organizationId}
        and external_id in ('first1400', 'first1499', 'has')
    `.execute(db)
    const { total, totalIsMinimum, results, facets } = await find('valve&tag=spare-part')
    assert.deepEqual(
      results.map(({ id }) => id),
      ['has', 'first1400', 'first1499'],
    )
    assert.deepEqual([total, totalIsMinimum], [3, true])
    assert.deepEqual(facets?.tag, [{ value: 'spare-part', label: 'spare-part', count: 3 }])
  })

  test('GET /api/search › a common word narrows the matches of a rare word', async () => {
    await put('rare', 'zeppelin_hangar', 'valve_code')
    await put('other', 'zeppelin_mast', 'size')
    assert.deepEqual(await listIds('zeppelin valve'), ['rare'])
    // Only with statistics is a word known to be common.
    await sql`analyze search_document`.execute(db)
    assert.deepEqual(await listIds('zeppelin valve'), ['rare'])
  })
})
