/**
 * Freshness from the statement to the API: rows are inserted into a real table, a run reads it, and the evidence of its promise
 * is of that time. What sources count or note is lost in different ways, and none of them makes fresh data late.
 */

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { AssetStatistics, ContractFreshness } from '../server/reality/freshness/statistics.ts'
import { readJson } from './answers.ts'
import { newMariadbDatabase, newPostgresDatabase, type DriftDatabase } from './drift-databases.ts'
import { eventually } from './eventually.ts'
import { newIngestionWorld, type IngestionWorld } from './ingestion.ts'
import { onMariadb } from './mariadb.ts'
import { onEveryPostgres } from './postgres-source.ts'
import { onStore } from './stores.ts'
import { newProduct, newWorld, odcs, putOne, uniqueId, type World } from './world.ts'

/** The differences between the sources. */
interface Source {
  open: () => Promise<DriftDatabase>
  evidence: 'counter' | 'data'
  partitions: string
  /** Statements after which the source has forgotten when the table `orders` changed. */
  forget: string
  /** Ends the statements of a change, so that the source reports it at once. */
  flush: string
}

const TABLES = `
  create table orders (id int);
  create view seen as select * from orders;
  create table quiet (id int);
  create table events (id int) partition by range (id)`

const POSTGRES: Omit<Source, 'open'> = {
  evidence: 'counter',
  partitions: `;
    create table events_1 partition of events for values from (0) to (10);
    create table events_2 partition of events for values from (10) to (30) partition by range (id);
    create table events_2_1 partition of events_2 for values from (10) to (20)`,
  forget: `select pg_stat_reset_single_table_counters('orders'::regclass)`,
  flush: '; select pg_stat_force_next_flush()',
}

const MARIADB: Omit<Source, 'open'> = {
  evidence: 'data',
  partitions: ` (partition one values less than (10), partition two values less than (20))`,
  forget: 'alter table orders force',
  flush: '',
}

const MODELS = ['orders', 'quiet', 'events', 'seen']

type State = ContractFreshness[number]

function defineTests({ open, evidence, partitions, forget, flush }: Source): void {
  onStore((store) => {
    const contractId = uniqueId()
    const schema = `fresh_${uniqueId().replaceAll('-', '_')}`
    let database: DriftDatabase
    let world: World
    let ingestion: IngestionWorld

    before(async () => {
      database = await open()
      world = await newWorld(newProduct(store()))
      const { organizationId } = world
      ingestion = await newIngestionWorld(store(), { organizationId, real: database.source })
      await database.create([schema])
      await execute(`${TABLES}${partitions}`)
      const body = odcs(contractId, {
        servers: [database.server(schema)],
        schema: MODELS.map((name) => ({
          name,
          properties: [{ name: 'id', logicalType: 'integer', physicalType: 'int' }],
        })),
        slaProperties: [{ property: 'freshness', value: 24, unit: 'h' }],
      })
      await putOne(world, 'datacontracts', body)
    })
    after(async () => database.end())

    const execute = async (statements: string): Promise<unknown> =>
      await database.execute(schema, `${statements}${flush}`)

    /** Reads the source, and returns the states of the models. */
    const read = async (): Promise<Record<string, State>> => {
      const { status, message } = await ingestion.run()
      assert.equal(status, 'SUCCESS', String(message))
      const path = `/api/datacontracts/${contractId}/freshness`
      const states = await readJson<ContractFreshness>(world.as('Or', 'GET', path))
      return Object.fromEntries(states.map((one) => [one.model, one]))
    }

    /** Executes statements until the evidence of a model is later than before: sources count whole seconds. */
    const expectLater = async (model: string, statements: string): Promise<void> => {
      const former = (await read())[model]?.evidenceAt ?? ''
      const isLater = async (): Promise<boolean> => {
        await execute(statements)
        const one = (await read())[model]
        assert.deepEqual([one?.state, one?.evidence], ['fresh', evidence])
        return (one?.evidenceAt ?? '') > former
      }
      await eventually(5000, isLater, `the evidence of ${model} is later`)
    }

    test('tables without changes prove nothing, whether they were read once or twice', async () => {
      for (const states of [await read(), await read()]) {
        for (const model of ['orders', 'quiet', 'events'])
          expectUnknown(states[model], 'no_evidence')
        expectUnknown(states['seen'], 'view')
      }
    })

    test('inserted rows are evidence with the next run, and of their table only', async () => {
      await expectLater('orders', 'insert into orders values (1), (2)')
      const { orders, quiet, events, seen } = await read()
      expectUnknown(quiet, 'no_evidence')
      expectUnknown(events, 'no_evidence')
      expectUnknown(seen, 'view')
      // No change, no later evidence.
      assert.deepEqual((await read())['orders'], orders)
    })

    test('the table has evidence although it was never analyzed', async () => {
      const assetId = (await read())['orders']?.assetId ?? ''
      const path = `/api/assets/${assetId}/statistics`
      const { current } = await readJson<AssetStatistics>(world.as('Or', 'GET', path))
      const isCounted = current?.countedAt !== null && current?.changedAt === null
      assert.equal(isCounted, evidence === 'counter')
      if (evidence === 'counter') assert.equal(current?.rowCount, null)
    })

    test('rows of a partition are evidence of the whole table', async () => {
      await expectLater('events', 'insert into events values (5)')
      await expectLater('events', 'insert into events values (15)')
      await expectLater('events', 'delete from events where id = 5; insert into events values (5)')
    })

    test('a table whose changes the source has forgotten is unknown, not late, until it changes', async () => {
      await execute(forget)
      expectUnknown((await read())['orders'], 'no_evidence')
      await expectLater('orders', 'update orders set id = id + 1')
    })

    test('a table that is created again is changed if it has rows, and else proves nothing', async () => {
      await expectLater(
        'orders',
        `create table orders_new (id int); insert into orders_new select id from orders;
          drop view if exists seen; drop table orders; alter table orders_new rename to orders`,
      )
      await execute('drop table orders; create table orders (id int)')
      expectUnknown((await read())['orders'], 'no_evidence')
      await expectLater('orders', 'insert into orders values (1)')
    })
  })
}

function expectUnknown(one: State | undefined, reason: string): void {
  assert.deepEqual([one?.state, one?.reason, one?.evidence], ['unknown', reason, null])
}

describe('on PostgreSQL', () => {
  onEveryPostgres((url) =>
    defineTests({ ...POSTGRES, open: async () => await newPostgresDatabase(url()) }),
  )
})

describe('on MariaDB', () => {
  onMariadb((server) =>
    defineTests({ ...MARIADB, open: async () => await newMariadbDatabase(server()) }),
  )
})
