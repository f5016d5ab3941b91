import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { sql } from 'kysely'
import { readJson } from '../../test/answers.ts'
import { onStore } from '../../test/stores.ts'
import { expectOk, newProduct, newWorld, type World } from '../../test/world.ts'
import type { Database } from '../tables.ts'
import { MATCHES_MAX } from './match-store.ts'
import type { SearchAnswer } from './search.ts'

onStore((store) => {
  let db: Database
  let world: World
  before(async () => {
    db = store().db
    world = await newWorld(newProduct(store()))
    await put('first', 'pump_readings', 'valve_code')
    await copies('first', 5500)
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

  /** Fills the index with assets like one of it; to register so many one by one takes minutes. */
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

  test('GET /api/search › of more than 5,000 assets that have a word, those named so come first', async () => {
    assert.deepEqual(await listIds('valve_code'), ['begins', 'has', 'first'])
  })

  test('GET /api/search › at most 5,000 assets are counted, and the answer marks the total as a minimum', async () => {
    const { total, totalIsMinimum, facets } = await find('valve')
    assert.deepEqual([total, totalIsMinimum], [MATCHES_MAX, true])
    assert.equal(facets?.resourceType[0]?.count, MATCHES_MAX)
    const everything = await find('')
    // With the two teams of the world.
    assert.deepEqual([everything.total, everything.totalIsMinimum], [5505, false])
  })

  test('GET /api/search › filters find and count assets behind the first 5,000 that have a word', async () => {
    await sql`
      update search_document
      set tags = '{spare-part}'
      where organization_id = ${world.organizationId}
        and external_id in ('first5400', 'first5499', 'has')
    `.execute(db)
    const { total, totalIsMinimum, results, facets } = await find('valve&tag=spare-part')
    assert.deepEqual(
      results.map(({ id }) => id),
      ['has', 'first5400', 'first5499'],
    )
    assert.deepEqual([total, totalIsMinimum], [3, true])
    assert.deepEqual(facets?.tag, [{ value: 'spare-part', label: 'spare-part', count: 3 }])
  })

  test('GET /api/search › a word that most documents have narrows the matches of a rare word', async () => {
    await put('rare', 'zeppelin_hangar', 'valve_code')
    await put('other', 'zeppelin_mast', 'size')
    assert.deepEqual(await listIds('zeppelin valve'), ['rare'])
    // Only with statistics is a word known to be common.
    await sql`analyze search_document`.execute(db)
    assert.deepEqual(await listIds('zeppelin valve'), ['rare'])
  })
})
