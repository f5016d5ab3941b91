/** The plans of what follows from a change of a contract, a product, an asset or results, and of what pages read about it. */

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { lockReality } from '../server/ledger/promises/lock.ts'
import { storeClock } from '../server/platform/kit/clock.ts'
import type { RealitySubject, TestsChange } from '../server/platform/reality-change.ts'
import type { Database } from '../server/platform/tables.ts'
import * as contracts from '../server/reality/drift/contract-store.ts'
import { listFindings, type FindingFilter } from '../server/reality/drift/list-store.ts'
import { listIncidents, type IncidentFilter } from '../server/reality/incidents/read-store.ts'
import { fillPromises } from '../server/reality/links/fill-service.ts'
import { settleReality } from '../server/reality/settle-service.ts'
import { listTrust } from '../server/reality/trust/service.ts'
import type { Store } from '../server/store.ts'
import { fillReality, toId } from './large-store/reality.ts'
import { listPlanViolations, readGrowing, type Growing } from './plan-violations.ts'
import { recordStatements, type RecordedStatement } from './recorded-statements.ts'
import { disableAutovacuum, openTestStore } from './stores.ts'

const SIZE = { promisesCount: 800, assetsCount: 4000 }
const CONTRACT = toId(2)
const PRODUCT = 'promising-2'

const GROWING = [
  'asset',
  'asset_link',
  'asset_statistic',
  'asset_statistic_day',
  'contract_promise',
  'data_contract',
  'drift_finding',
  'incident',
  'promise_freshness',
  'search_document',
  'trust_state',
]

/** The place of a statement: its database, its organization, and an asset that a contract promises. */
interface Place {
  db: Database
  organizationId: string
  assetId: string
}

class RolledBack extends Error {}

const settle =
  (toSubject: (place: Place) => RealitySubject | Pick<TestsChange, 'kind' | 'contracts'>) =>
  async (place: Place): Promise<void> => {
    const { db, organizationId } = place
    await lockReality(db, organizationId)
    const origin = { organizationId, principal: 'system', requestId: '' }
    await settleReality(db, storeClock, { ...origin, ...toSubject(place) })
  }

const list =
  (filter: FindingFilter) =>
  async ({ db, organizationId }: Place): Promise<unknown> =>
    listFindings(db, storeClock, organizationId, filter, 1)

const listIncidentsBy =
  (filter: IncidentFilter) =>
  async ({ db, organizationId }: Place): Promise<unknown> =>
    listIncidents(db, organizationId, filter, { page: 1, size: 50 })

const SENDS: Readonly<Record<string, (place: Place) => Promise<unknown>>> = {
  'a changed contract': settle(() => ({ kind: 'contracts', ids: [CONTRACT], makesPromises: true })),
  'a changed data product': settle(() => ({
    kind: 'products',
    ids: [PRODUCT],
    namingContracts: [CONTRACT],
  })),
  'a changed asset': settle(({ assetId }) => ({ kind: 'assets', ids: [assetId] })),
  'a choice': settle(() => ({
    kind: 'choice',
    contractId: CONTRACT,
    server: 'production',
    model: 'table_101',
  })),
  'test results': settle(() => ({ kind: 'tests', contracts: [CONTRACT] })),
  'open findings': list({}),
  'accepted findings': list({ status: 'accepted' }),
  'resolved findings': list({ status: 'resolved' }),
  incidents: listIncidentsBy({}),
  'resolved incidents': listIncidentsBy({ status: 'resolved' }),
  'incidents of a contract': listIncidentsBy({ dataContractId: CONTRACT }),
  'findings of a contract': list({ dataContractId: CONTRACT }),
  'the differences of a contract': async ({ db, organizationId }) => {
    await contracts.findSummary(db, storeClock, organizationId, CONTRACT)
    await contracts.listPromises(db, organizationId, CONTRACT)
    await contracts.listOpenFindings(db, organizationId, CONTRACT)
  },
  'signals of trust': async ({ db, organizationId, assetId }) =>
    listTrust({ db, clock: storeClock, baseUrl: 'https://portbook.example' }, organizationId, {
      products: [PRODUCT],
      contracts: [CONTRACT],
      assets: [assetId],
      ports: [],
    }),
}

describe('plans of reality', () => {
  let store: Store
  let growing: Growing
  const violations = new Map<string, string[]>()
  const recorded = new Map<string, RecordedStatement[]>()

  before(async () => {
    store = await openTestStore()
    const recording = recordStatements(store.pool)
    await disableAutovacuum(store.db)
    const { organizationId } = await fillReality(store, SIZE)
    await fillPromises({ db: store.db, clock: storeClock, settleReality })
    await sql`vacuum analyze`.execute(store.db)
    growing = await readGrowing(store.db, GROWING, [])
    const { rows } = await sql<{ assetId: string }>`
      select asset_id as "assetId" from asset_link where contract_id = ${CONTRACT} limit 1
    `.execute(store.db)
    const assetId = rows[0]?.assetId ?? ''
    for (const [name, send] of Object.entries(SENDS)) {
      const statements = await recording.record(async () => {
        const work = store.db.transaction().execute(async (db) => {
          await send({ db, organizationId, assetId })
          throw new RolledBack()
        })
        await assert.rejects(work, RolledBack)
      })
      assert.ok(statements.length > 0)
      recorded.set(name, statements)
      const client = await store.pool.connect()
      const lists: string[][] = []
      // Small tables are read faster without an index: the question is whether there is one.
      await client.query('begin')
      for (const way of ['seqscan', 'hashjoin', 'mergejoin']) {
        await client.query(`set local enable_${way} = off`)
      }
      for (const statement of statements) {
        lists.push(await listPlanViolations(client, growing, statement, 'rows'))
      }
      await client.query('rollback')
      client.release()
      violations.set(name, lists.flat())
    }
  })
  after(async () => store.close())

  for (const name of Object.keys(SENDS)) {
    test(`${name} › looks rows up by indexes`, () => {
      assert.deepEqual(violations.get(name), [])
    })
  }

  // Without statistics, each index of an organization looks as good as that of a promise.
  test('a changed contract › finds its differences without the indexes of lists', async () => {
    const client = await store.pool.connect()
    const plans: string[] = []
    await client.query('begin')
    await client.query('drop index drift_finding_open, drift_finding_by_contract')
    await client.query('set local enable_seqscan = off')
    for (const { text, values } of recorded.get('a changed contract') ?? []) {
      const { rows } = await client.query<{ 'QUERY PLAN': string }>({
        text: `explain ${text}`,
        values: [...values],
      })
      plans.push(...rows.map((row) => row['QUERY PLAN']))
    }
    await client.query('rollback')
    client.release()
    assert.ok(plans.some((line) => line.includes('on drift_finding')))
    assert.deepEqual(
      plans.filter((line) => /drift_finding_\w+_by_time/.test(line)),
      [],
    )
  })
})
