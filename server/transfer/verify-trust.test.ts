import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onStore } from '../../test/stores.ts'
import { expectOk, newProduct, newWorld, odcs, odps, putOne } from '../../test/world.ts'
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
const SAVE = `create table saved_trust as select * from trust_state;
  create table saved_freshness as select * from promise_freshness`
const RESTORE = `delete from trust_state; insert into trust_state select * from saved_trust;
  delete from promise_freshness; insert into promise_freshness select * from saved_freshness`

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
    findings: [/^data contract gone: it does not exist/],
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
  })
})
