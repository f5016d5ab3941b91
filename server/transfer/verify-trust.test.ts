import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onStore } from '../../test/stores.ts'
import { expectOk, newProduct, newWorld, odcs, odps, putOne } from '../../test/world.ts'
import { ensureIndex } from '../documents/search/rebuild-service.ts'
import { withSnapshot } from './verify.ts'
import { listOutdatedFreshness } from '../reality/freshness/settle-service.ts'
import { judgeResources } from '../reality/trust/settle-service.ts'
import { newFreshnessCheck, newTrustCheck } from './verify/trust.ts'

/** A manipulation of the database with SQL, the statement that undoes it, and the findings in between. */
interface Tampering {
  name: string
  change: string
  undo: string
  findings: RegExp[]
}

const IS_CONTRACT = `kind = 'data-contract' and subject = 'orders'`
const IS_ENTRY = `kind = 'data-contract' and external_id = 'orders'`
const SAVE = `create table saved_trust as select * from trust_state;
  create table saved_freshness as select * from promise_freshness;
  create table saved_entry as select * from search_document`
const RESTORE = `delete from trust_state; insert into trust_state select * from saved_trust;
  delete from promise_freshness; insert into promise_freshness select * from saved_freshness;
  update search_document as entry
  set trust = saved.trust, drift = saved.drift
  from saved_entry as saved
  where (saved.organization_id, saved.kind, saved.external_id) = (entry.organization_id, entry.kind, entry.external_id)`

// The signals that follow from the freshness of the promise.
const FRESHNESS = [
  /^data product sales: freshness is /,
  /^output port .*: freshness is /,
  /^data contract orders: freshness is /,
]

const TAMPERINGS: readonly Tampering[] = [
  {
    name: 'a signal is another one',
    change: `update trust_state set reasons = jsonb_set(reasons, '{tests,0,word}', '"Passed"')
      where ${IS_CONTRACT}`,
    undo: RESTORE,
    findings: [/^data contract orders: tests is .*"Passed".*, not .*"Failing"/],
  },
  {
    name: 'a signal of an output port is another one',
    change: `update trust_state set reasons = jsonb_set(reasons, '{tests,0,word}', '"Passed"')
      where kind = 'output-port'`,
    undo: RESTORE,
    findings: [/^output port .*: tests is /],
  },
  {
    name: 'signals are of something that does not exist',
    change: `update trust_state set subject = 'gone' where ${IS_CONTRACT}`,
    undo: RESTORE,
    findings: [
      /^data-contract orders: search has the levels 3,1, but it has no signals/,
      /^data contract gone: it does not exist/,
    ],
  },
  {
    name: 'nothing, if signals of something that does not exist are judged again soon',
    change: `insert into trust_state select (jsonb_populate_record(state, jsonb_build_object(
        'subject', 'gone', 'updated_at', now() - interval '1 second', 'next_due_at', now() + interval '9 seconds'))).*
      from trust_state as state where ${IS_CONTRACT}`,
    undo: RESTORE,
    findings: [],
  },
  {
    name: 'search filters by another level',
    change: `update search_document set trust = 0, drift = 3 where ${IS_ENTRY}`,
    undo: RESTORE,
    findings: [/^data contract orders: search has the levels 0,3, not 3,1/],
  },
  {
    name: 'search filters by the level of something without signals',
    change: `update search_document set drift = 3 where kind = 'team' and external_id = 'a'`,
    undo: RESTORE,
    findings: [/^team a: search has the levels 1,3, but it has no signals/],
  },
  {
    name: 'nothing, if the index entry is still to be written',
    change: `update search_document set trust = 0, drift = 3 where ${IS_ENTRY};
      update trust_state set updated_at = now() - interval '1 second', next_due_at = now() + interval '9 seconds'
      where ${IS_CONTRACT}`,
    undo: RESTORE,
    findings: [],
  },
  {
    name: 'a stored level is another one',
    change: `update trust_state set drift = 3 where ${IS_CONTRACT}`,
    undo: RESTORE,
    findings: [/^data contract orders: its levels are 3,0,3,3, not 3,0,1,3/],
  },
  {
    name: 'nothing, if the signals are due to be judged',
    change: `update trust_state
      set reasons = jsonb_set(reasons, '{tests,0,word}', '"Passed"'), next_due_at = now() - interval '1 second'
      where ${IS_CONTRACT}`,
    undo: RESTORE,
    findings: [],
  },
  {
    name: 'the evidence of fresh data is another one',
    change: `update promise_freshness set evidence_at = evidence_at - interval '1 hour'
      where contract_id = 'orders'`,
    undo: RESTORE,
    findings: [...FRESHNESS, /^data contract "orders": orders on prod is .*evidence/],
  },
  {
    name: 'a judgement is deleted',
    change: `delete from promise_freshness where contract_id = 'orders'`,
    undo: RESTORE,
    findings: [...FRESHNESS, /is null, but its evidence is .*"check"/],
  },
]

onStore((store) => {
  test('verify › judges trust and freshness again', async (t) => {
    const product = newProduct(store())
    const world = await newWorld(product)
    const twin = await newWorld(product)
    const contract = {
      servers: [{ server: 'prod', type: 'postgres', host: 'h', database: 'd', schema: 's' }],
      schema: [{ name: 'orders', properties: [{ name: 'id' }] }],
      slaProperties: [{ property: 'frequency', value: 24, unit: 'h' }],
    }
    const check = {
      type: 'servicelevel_freshness',
      result: 'failed',
      model: 'orders',
      diagnostics: { latest_timestamp: new Date(Date.now() - 3_600_000).toISOString() },
    }
    for (const one of [world, twin]) {
      await putOne(one, 'datacontracts', odcs('orders', contract))
      const outputPorts = [{ name: 'out', version: '1.0.0', contractId: 'orders' }]
      await putOne(one, 'dataproducts', odps('sales', { outputPorts }))
    }
    const body = { dataContractId: 'orders', server: 'prod', result: 'failed', checks: [check] }
    await expectOk(world.as('O', 'POST', '/api/test-results', { body }))
    const { rows } = await store().pool.query<{ name: string }>(
      'select name from organization where id = $1',
      [world.organizationId],
    )
    const name = rows[0]?.name
    const listFindings = async (): Promise<string[]> =>
      await withSnapshot(store().db, async (run, snapshot) => {
        const texts: string[] = []
        for (const one of [newTrustCheck(judgeResources), newFreshnessCheck(listOutdatedFreshness)])
          for await (const { text } of one.findings(run, snapshot)) texts.push(text)
        return texts.filter((text) => text.endsWith(`(organization ${name})`))
      })
    assert.deepEqual(await listFindings(), [])
    await store().pool.query(SAVE)
    for (const { name: called, change, undo, findings } of TAMPERINGS) {
      await t.test(`finds a change by SQL: ${called}`, async () => {
        await store().pool.query(change)
        const actual = await listFindings()
        await store().pool.query(undo)
        assert.equal(actual.length, findings.length, actual.join('\n'))
        for (const [at, expected] of findings.entries()) assert.match(actual[at] ?? '', expected)
      })
    }
    assert.deepEqual(await listFindings(), [])
    await store().pool.query('delete from search_document; delete from search_build')
    await ensureIndex(store().db)
    assert.deepEqual(await listFindings(), [], 'an index that is built again has the levels')
  })
})
