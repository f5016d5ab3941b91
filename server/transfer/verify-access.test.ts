import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import {
  addAccess,
  addGrants,
  addIdentity,
  addPorts,
  addReading,
  addTables,
  compare,
  hoursAgo,
  newAccessWorld,
  toTable,
} from '../../test/access-rows.ts'
import { onStore } from '../../test/stores.ts'
import { withSnapshot } from './verify.ts'
import { listViolations } from '../reality/grants/verify-service.ts'
import { newAccessCheck } from './verify/access.ts'

/** A manipulation of the database with SQL, the statement that undoes it, and the findings in between. */
interface Tampering {
  name: string
  change: string
  undo: string
  findings: RegExp[]
}

const GONE =
  /granted_without_agreement of port port_0 of "product" for team b .*, which is not the case$/
const MISSING = /granted_without_agreement of port port_0 of "product" for team b .* is missing$/

const TAMPERINGS: readonly Tampering[] = [
  {
    name: 'a finding is resolved',
    change: `update grant_finding set resolved_at = now() where grantee_name = 'reader'`,
    undo: `update grant_finding set resolved_at = null where grantee_name = 'reader'`,
    findings: [MISSING],
  },
  {
    name: 'a finding has other facts',
    change: `update grant_finding set facts = '{"tableCount": 2}' where grantee_name = 'reader'`,
    undo: `update grant_finding set facts = '{"tableCount": 1}' where grantee_name = 'reader'`,
    findings: [GONE, MISSING],
  },
  {
    name: 'a grant is gone',
    change: `update asset_grant set effect = 'use' where grantee_name = 'reader'`,
    undo: `update asset_grant set effect = 'read' where grantee_name = 'reader'`,
    findings: [GONE],
  },
  {
    name: 'a name means another team',
    change: `update grantee_identity set subject_id = 'c' where grantee_name = 'reader'`,
    undo: `update grantee_identity set subject_id = 'b' where grantee_name = 'reader'`,
    findings: [GONE, /for team c .* is missing$/],
  },
  {
    name: 'an agreement is another one',
    change: `update access_agreement set external_id = 'other' where external_id = 'agreed'`,
    undo: `update access_agreement set external_id = 'agreed' where external_id = 'other'`,
    findings: [
      /still_granted .* agreement agreed: .*, which is not the case$/,
      /agreement other: .* is missing$/,
    ],
  },
]

onStore((store) => {
  test('verify › findings of access', async (t) => {
    const world = await newAccessWorld(store())
    const { db } = world.services
    const key = await addReading(world)
    const assets = await addTables(world, key, [toTable('t0'), toTable('t1'), toTable('t2')])
    await addPorts(
      world,
      assets.map((id) => [id]),
      { id: 'product' },
    )
    await addAccess(world, { product: 'product', port: 'port_1', id: 'agreed', ended: 30 })
    await addAccess(world, { product: 'product', port: 'port_2' })
    const granted = ['t0', 't1'].map((name, at) => ({
      name: ['reader', 'former'][at] ?? '',
      path: toTable(name),
    }))
    await addGrants(world, key, granted)
    for (const { name } of granted) await addIdentity(world, key, name, { kind: 'team', id: 'b' })
    await compare(world, key)
    const list = async (): Promise<string[]> =>
      await withSnapshot(db, async (run, snapshot) => {
        const found: string[] = []
        for await (const { text } of newAccessCheck(listViolations).findings(run, snapshot))
          found.push(text)
        return found
      })

    await t.test('those that were changed a moment ago are left out', async () => {
      await sql.raw(`update grant_finding set resolved_at = now()`).execute(db)
      assert.deepEqual(await list(), [])
      await sql.raw(`update grant_finding set resolved_at = null`).execute(db)
    })

    // Later than all activity.
    await sql`update grant_reading set compared_at = ${hoursAgo(-0.5)}`.execute(db)
    await t.test('none', async () => {
      assert.deepEqual(await list(), [])
    })

    for (const { name, change, undo, findings } of TAMPERINGS) {
      await t.test(name, async () => {
        await sql.raw(change).execute(db)
        const found = await list()
        assert.equal(found.length, findings.length, found.join('; '))
        for (const pattern of findings) {
          assert.ok(
            found.some((text) => pattern.test(text)),
            `${pattern} in ${found.join('; ')}`,
          )
        }
        assert.ok(!found.some((text) => text.includes('reader') || text.includes('former')))
        await sql.raw(undo).execute(db)
        assert.deepEqual(await list(), [])
      })
    }
  })
})
