/**
 * The plans of background work. A plan that was made while the tables were empty is kept, so it must look rows up by
 * keys that are still selective when the tables have grown: before and after they are analyzed.
 */

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import type { Store } from '../server/store.ts'
import type { Database } from '../server/platform/tables.ts'
import { HOT_ID, HOT_STATEMENTS, type HotReads, type HotStatements } from './hot-statements.ts'
import { createFilled, fillLargeStore } from './large-store/fill.ts'
import { listPlanViolations, readGrowing, type Growing } from './plan-violations.ts'
import { recordStatements, type RecordedStatement } from './recorded-statements.ts'
import { disableAutovacuum, openTestStore } from './stores.ts'

const ROWS = 2000

const GROWING = [
  'access_agreement',
  'activity_entry',
  'activity_seal',
  'asset',
  'catalog_record',
  'data_contract',
  'data_product',
  'delivery',
  'delivery_attempt',
  'delivery_lane',
  'event',
  'ingestion_log_line',
  'ingestion_run',
  'lineage_event',
  'notification',
  'notification_recipient',
  'plain_record',
  'revision',
  'search_document',
  'test_result',
  'usage_day',
  'usage_month',
  'usage_span',
]

/** Indexes of what is still to be done. Their rows leave them when it is done. */
const QUEUES = [
  'notification_pending',
  'notification_recipient_to_mail',
  'ingestion_run_held_by_time',
  'ingestion_run_running',
  'ingestion_run_to_claim',
]

class RolledBack extends Error {}

/** Does work in a transaction that changes nothing. */
async function inRollback(db: Database, work: (db: Database) => Promise<unknown>): Promise<void> {
  await assert.rejects(
    db.transaction().execute(async (transaction) => {
      await work(transaction)
      throw new RolledBack()
    }),
    RolledBack,
  )
}

const FILLED = ['filled, without statistics', 'filled and analyzed'] as const
const STATES: Readonly<Record<HotReads, readonly string[]>> = {
  keys: ['empty', ...FILLED],
  current: FILLED,
  analyzed: ['filled and analyzed'],
  tables: FILLED,
}
const READS: Readonly<Record<HotReads, string>> = {
  keys: 'looks rows up by keys',
  current: 'looks rows up by indexes',
  analyzed: 'looks rows up by indexes',
  tables: 'reads each table once',
}

describe('plans of background work', () => {
  let store: Store
  let growing: Growing
  const violations = new Map<HotStatements, Map<string, string[]>>()
  const settings = new Map<HotStatements, RecordedStatement[]>()

  const explain = async (
    state: string,
    sent: ReadonlyMap<HotStatements, RecordedStatement[]>,
    organizationId?: string,
  ) => {
    const client = await store.pool.connect()
    try {
      for (const [hot, statements] of sent) {
        if (!STATES[hot.reads].includes(state)) continue
        await client.query('begin')
        for (const { text, values } of settings.get(hot) ?? []) {
          await client.query(text, [...values])
        }
        const lists: string[][] = []
        for (const statement of statements) {
          const reads = hot.reads === 'tables' ? 'tables' : 'rows'
          // Each organization has its own statistics.
          const values = statement.values.map((value) =>
            value === HOT_ID ? organizationId : value,
          )
          const explained =
            hot.reads === 'current' || hot.reads === 'analyzed'
              ? { ...statement, values }
              : { text: statement.text }
          lists.push(await listPlanViolations(client, growing, explained, reads))
        }
        await client.query('rollback')
        const states = violations.get(hot) ?? new Map<string, string[]>()
        violations.set(hot, states.set(state, lists.flat()))
      }
    } finally {
      client.release()
    }
  }

  before(async () => {
    store = await openTestStore()
    await disableAutovacuum(store.db)
    const recording = recordStatements(store.pool)
    await sql`insert into organization (id, name) values (${HOT_ID}, 'Small')`.execute(store.db)
    growing = await readGrowing(store.db, GROWING, QUEUES)
    const sent = new Map<HotStatements, RecordedStatement[]>()
    for (const hot of HOT_STATEMENTS) {
      sent.set(hot, await recording.record(() => inRollback(store.db, hot.send)))
      const { plan = async () => undefined } = hot
      settings.set(hot, await recording.record(() => inRollback(store.db, plan), 'settings'))
    }
    await explain('empty', sent)
    const size = { documents: ROWS, assets: ROWS, entries: ROWS, others: ROWS }
    const filled = await createFilled(store)
    await fillLargeStore(store, filled, size)
    await sql`
      update pg_class set reltuples = -1, relpages = 0 where relname = any(${GROWING})
    `.execute(store.db)
    await sql`delete from pg_statistic where starelid::regclass::text = any(${GROWING})`.execute(
      store.db,
    )
    await explain('filled, without statistics', sent, filled.organizationId)
    await sql`analyze`.execute(store.db)
    await explain('filled and analyzed', sent, filled.organizationId)
  })
  after(async () => store.close())

  for (const hot of HOT_STATEMENTS) {
    for (const state of STATES[hot.reads]) {
      test(`${hot.name} › ${state} › ${READS[hot.reads]}`, () => {
        assert.deepEqual(violations.get(hot)?.get(state), [])
      })
    }
  }
})
