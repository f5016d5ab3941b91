import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { sql } from 'kysely'
import { readJson } from '../../test/answers.ts'
import { onStore } from '../../test/stores.ts'
import { expectOk, newProduct, newWorld, type World } from '../../test/world.ts'
import type { Database } from '../tables.ts'
import { ASSETS_COUNTED_MAX } from './facet-store.ts'
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

  test('GET /api/search › of more than 5,000 assets that have a word, those named so come first', async () => {
    const { total, totalIsMinimum, results } = await find('valve_code')
    assert.deepEqual(
      results.map(({ id }) => id),
      ['begins', 'has', 'first'],
    )
    assert.deepEqual([total, totalIsMinimum], [5503, false])
  })

  test('GET /api/search › at most 100,000 assets are counted, and the answer marks the total as a minimum', async () => {
    await copies('has', ASSETS_COUNTED_MAX)
    const { total, totalIsMinimum, facets } = await find('valve')
    assert.deepEqual([total, totalIsMinimum], [ASSETS_COUNTED_MAX, true])
    assert.equal(facets?.resourceType[0]?.count, ASSETS_COUNTED_MAX)
    const everything = await find('')
    assert.deepEqual(
      [everything.total, everything.totalIsMinimum],
      // With the two teams of the world.
      [ASSETS_COUNTED_MAX + 5505, false],
    )
  })
})
