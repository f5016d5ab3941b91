import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { expectProblem, readJson } from '../../../test/answers.ts'
import { addFinding, addPromise } from '../../../test/drift.ts'
import { onStore } from '../../../test/stores.ts'
import { newProduct, newWorld, odcs, putOne, uniqueId, type World } from '../../../test/world.ts'
import type { TableSql } from './table-sql.ts'

const COLUMNS = [
  { name: 'id', logicalType: 'integer', physicalType: 'bigint', required: true, primaryKey: true },
  { name: 'total', logicalType: 'number', physicalType: 'numeric(10,2)', required: true },
  { name: 'note', logicalType: 'string', physicalType: 'varchar(20)' },
]

onStore((store) => {
  let world: World
  before(async () => {
    world = await newWorld(newProduct(store()))
  })

  /** Registers a contract whose table has a column of another type, and none of the name `note`. */
  const addContract = async (source = 'postgres', table = 'orders'): Promise<string> => {
    const [contractId, assetId] = [uniqueId(), uniqueId()]
    const schema = [
      { name: 'orders', physicalName: table, logicalType: 'object', properties: COLUMNS },
    ]
    await putOne(world, 'datacontracts', odcs(contractId, { servers: [], schema }))
    await putOne(world, 'assets', {
      id: assetId,
      info: { name: table, source, type: `${source}_table` },
      columns: [
        { name: 'id', type: 'bigint', required: true },
        { name: 'total', type: 'text', required: false },
      ],
      custom: { primaryKey: ['id'] },
    })
    await addPromise(world, contractId, { assetId })
    await addFinding(world, contractId, { field: 'total', aspect: 'type' })
    await addFinding(world, contractId, { field: 'total', aspect: 'nullable' })
    await addFinding(world, contractId, { field: 'note', aspect: 'column.missing' })
    return contractId
  }
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
