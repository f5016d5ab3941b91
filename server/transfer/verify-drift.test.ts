import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addFinding, addPromise } from '../../test/drift.ts'
import { onStore } from '../../test/stores.ts'
import { newProduct, newWorld, odcs, putOne } from '../../test/world.ts'
import { withSnapshot } from './verify.ts'
import { DRIFT_CHECK } from './verify/drift.ts'

/** A manipulation of the database with SQL, the statement that undoes it, and the findings in between. */
interface Tampering {
  name: string
  change: string
  undo: string
  findings: string[]
}

const OBJECT = `the breaking finding object of "": "db.public.orders" is null (asset none, production true)`
const EXTRA = (actual: string): string =>
  `orders: orders on production: the breaking finding column.missing of "id": "integer" is ${actual} (asset orders, production true)`

const TAMPERINGS: readonly Tampering[] = [
  {
    name: 'a finding is added',
    change: `update drift_finding set resolved_at = null where contract_id = 'orders'`,
    undo: `update drift_finding set resolved_at = now() where contract_id = 'orders'`,
    findings: [`${EXTRA('null')}, which is not the case`],
  },
  {
    name: 'a finding is resolved',
    change: `update drift_finding set resolved_at = now() where contract_id = 'gone'`,
    undo: `update drift_finding set resolved_at = null where contract_id = 'gone'`,
    findings: [`gone: orders on production: ${OBJECT} is missing`],
  },
  {
    name: 'the promise is another one',
    change: `update contract_promise
      set promise = '{"kind": "table", "key": [], "fields": [{"name": "id", "type": "integer"}]}'
      where contract_id = 'orders'`,
    undo: `update contract_promise set promise = '{"kind": "table", "key": [], "fields": []}'
      where contract_id = 'orders'`,
    findings: [`${EXTRA('null')} is missing`],
  },
  {
    name: 'a link is of no asset',
    change: `update asset_link set state = 'no_source' where contract_id = 'gone'`,
    undo: `update asset_link set state = 'not_found' where contract_id = 'gone'`,
    findings: [`gone: orders on production: ${OBJECT}, which is not the case`],
  },
  {
    name: 'a promise is deleted, and its finding is not',
    change: `create table cut_link as select * from asset_link where contract_id = 'gone';
      delete from asset_link where contract_id = 'gone'`,
    undo: `insert into asset_link select * from cut_link; drop table cut_link`,
    findings: [`gone: orders on production: ${OBJECT}, which is not the case`],
  },
  {
    name: 'what cannot be compared is another part',
    change: `update asset_link set unverifiable = '[{"field": "x", "reason": "Nothing."}]' where contract_id = 'orders'`,
    undo: `update asset_link set unverifiable = '[]' where contract_id = 'orders'`,
    findings: [
      'orders: orders on production: the part "x" that cannot be compared: Nothing., which is not the case',
    ],
  },
  {
    name: 'the comparison is of another version',
    change: `update asset_link set asset_version = 7 where contract_id = 'orders'`,
    undo: `update asset_link set asset_version = 1 where contract_id = 'orders'`,
    findings: ['orders: orders on production: its comparison is of another version'],
  },
  {
    name: 'nothing, if the promise is due to be compared',
    change: `update asset_link set asset_version = 7, comparing_since = now() where contract_id = 'orders'`,
    undo: `update asset_link set asset_version = 1, comparing_since = null where contract_id = 'orders'`,
    findings: [],
  },
]

onStore((store) => {
  test('verify › compares every promise with its asset again', async (t) => {
    const product = newProduct(store())
    const world = await newWorld(product)
    const twin = await newWorld(product)
    for (const id of ['orders', 'gone', 'unread']) await putOne(world, 'datacontracts', odcs(id))
    await putOne(twin, 'datacontracts', odcs('unread'))
    await addPromise(world, 'orders')
    const resolvedAt = '2026-01-02T00:00:00Z'
    await addFinding(world, 'orders', { assetId: 'orders', resolvedAt })
    await addPromise(world, 'gone', { state: 'not_found' })
    const object = { field: '', aspect: 'object', promised: 'db.public.orders' } as const
    await addFinding(world, 'gone', object)
    // A table that was not read keeps what was compared before.
    await addPromise(world, 'unread', { state: 'not_read' })
    await addFinding(world, 'unread')
    await addPromise(twin, 'unread', { state: 'not_found' })
    await addFinding(twin, 'unread', object)
    const listFindings = async (): Promise<string[]> =>
      await withSnapshot(store().db, async (run, snapshot) => {
        const texts: string[] = []
        for await (const { text } of DRIFT_CHECK.findings(run, snapshot)) texts.push(text)
        return texts.map((text) => text.replace(/^data contract "(.*)" \(organization .*?\)/, '$1'))
      })
    assert.deepEqual(await listFindings(), [])
    for (const { name, change, undo, findings } of TAMPERINGS) {
      await t.test(`finds a change by SQL: ${name}`, async () => {
        await store().pool.query(change)
        const actual = await listFindings()
        await store().pool.query(undo)
        assert.deepEqual(actual, findings)
      })
    }
    assert.deepEqual(await listFindings(), [])
  })
})
