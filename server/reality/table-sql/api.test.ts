import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { expectProblem, readJson } from '../../../test/answers.ts'
import { addDifferingTable, addFinding } from '../../../test/drift.ts'
import { onStore } from '../../../test/stores.ts'
import { newProduct, newWorld, uniqueId, type World } from '../../../test/world.ts'
import type { TableSql } from './table-sql.ts'

onStore((store) => {
  let world: World
  before(async () => {
    world = await newWorld(newProduct(store()))
  })

  const addContract = (source?: string, table?: string): Promise<string> =>
    addDifferingTable(world, { source, table })
  const write = (id: string, { server = 'production', model = 'orders' } = {}) =>
    world.as('Or', 'GET', `/api/datacontracts/${id}/drift/sql?server=${server}&model=${model}`)

  describe('GET /api/datacontracts/{id}/drift/sql', () => {
    test('the statements are executed by PostgreSQL, and the table then keeps the contract', async () => {
      const table = `orders_${uniqueId().replaceAll(/\W/g, '')}`
      const written = await readJson<TableSql>(write(await addContract('postgres', table)))
      assert.equal(written.dialect, 'PostgreSQL')
      const { db } = world.services
      await sql`create table ${sql.id(table)} (id bigint primary key, total text)`.execute(db)
      const statements = written.sql.replaceAll('"orders"', `"${table}"`)
      for (const statement of statements.split(';\n')) {
        if (statement !== '') await sql.raw(statement).execute(db)
      }
      const { rows } = await sql<{ facts: string }>`
        select attname || ' ' || format_type(atttypid, atttypmod) || ' ' || attnotnull as facts
        from pg_attribute
        where attrelid = ${table}::regclass
          and attnum > 0
        order by attnum
      `.execute(db)
      await sql`drop table ${sql.id(table)}`.execute(db)
      assert.deepEqual(
        rows.map(({ facts }) => facts),
        ['id bigint true', 'total numeric(10,2) true', 'note character varying(20) false'],
      )
    })

    test('leaves out what is accepted, resolved, or keeps the promise', async () => {
      const id = await addContract()
      await sql`
        update drift_finding
        set accepted_until = '9999-12-31', accepted_reason = 'a', accepted_by = 'system', accepted_at = now()
        where organization_id = ${world.organizationId}
          and contract_id = ${id}
          and field = 'note'
      `.execute(world.services.db)
      await addFinding(world, id, { field: 'id', aspect: 'type', level: 'additive' })
      const { sql: text } = await readJson<TableSql>(write(id))
      assert.doesNotMatch(text, /note|"id"/)
    })

    test('404 for a contract, server or model that does not exist', async () => {
      const id = await addContract()
      await expectProblem(write(uniqueId()), 404)
      await expectProblem(write(id, { server: 'other' }), 404)
      await expectProblem(write(id, { model: 'other' }), 404)
    })

    test('422 for a platform without SQL', async () => {
      await expectProblem(write(await addContract('kafka')), 422, /No SQL is written/)
    })
  })
})
