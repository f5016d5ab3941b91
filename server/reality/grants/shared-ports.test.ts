import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
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
  listKinds,
  newAccessWorld,
  saveScope,
  toTable,
} from '../../../test/access-rows.ts'
import { onStore } from '../../../test/stores.ts'
import type { World } from '../../../test/world.ts'
import { fixedClock } from '../../platform/kit/clock.ts'
import type { IntegrationKey } from './grants.ts'
import { listDue } from './upkeep-store.ts'

const MISSING = ['agreement_without_grant']
const STILL = ['still_granted']
const TEAM = { kind: 'team', id: 'b' }

describe('an output port with tables in two integrations', () => {
  onStore((store) => {
    let world: World
    before(async () => {
      world = await newAccessWorld(store())
    })

    interface Shared {
      one: IntegrationKey
      other: IntegrationKey
      product: string
    }

    const share = async (
      more: {
        readAt?: string
        isMapped?: boolean
        agreement?: { began?: number; ended?: number }
      } = {},
    ): Promise<Shared> => {
      const keys = [
        await addReading(world),
        await addReading(world, { readAt: more.readAt ?? hoursAgo(0) }),
      ]
      const [one, other] = keys.toSorted((a, b) => (a.integrationId < b.integrationId ? -1 : 1))
      assert.ok(one !== undefined && other !== undefined)
      const named: string[] = []
      for (const key of [one, other]) named.push(...(await addTables(world, key, [toTable('t')])))
      const product = await addPorts(world, [named])
      await addAccess(world, { product, ...more.agreement })
      for (const key of [one, other]) await addIdentity(world, key, 'reader', TEAM)
      return { one, other, product }
    }

    const judge = async ({ one, other }: Shared): Promise<string[][]> => {
      await compare(world, one)
      await compare(world, other)
      return [await listKinds(world, one), await listKinds(world, other)]
    }

    test('reports an agreement without grant once', async () => {
      assert.deepEqual(await judge(await share()), [MISSING, []])
    })

    test('a grant in either integration is the path', async () => {
      for (const name of ['one', 'other'] as const) {
        const shared = await share()
        await addGrants(world, shared[name], [{ name: 'reader', path: toTable('t') }])
        assert.deepEqual(await judge(shared), [[], []], name)
      }
    })

    test('nothing is missing while one of them is not completely read', async () => {
      for (const name of ['one', 'other'] as const) {
        const shared = await share()
        await saveScope(world, shared[name], { because: 'partly' })
        assert.deepEqual(await judge(shared), [[], []], name)
      }
    })

    test('nothing is missing while the grants of one are not read', async () => {
      const shared = await share()
      await sql`
        update grant_reading
        set enabled = false
        where integration_id = ${shared.other.integrationId}
      `.execute(world.services.db)
      assert.deepEqual(await judge(shared), [[], []])
    })

    test('nothing is missing while the consumer has no name in one of them', async () => {
      const shared = await share()
      await sql`
        delete from grantee_identity
        where integration_id = ${shared.other.integrationId}
      `.execute(world.services.db)
      assert.deepEqual(await judge(shared), [[], []])
    })

    test('a reading from before the agreement proves nothing', async () => {
      assert.deepEqual(
        await judge(await share({ readAt: hoursAgo(40), agreement: { began: 50 } })),
        [[], []],
      )
      assert.deepEqual(
        await judge(await share({ readAt: hoursAgo(40), agreement: { began: 70 } })),
        [MISSING, []],
      )
    })

    test('each integration reports its own grants that are left', async () => {
      const shared = await share({ agreement: { ended: 30 } })
      for (const key of [shared.one, shared.other]) {
        await addGrants(world, key, [{ name: 'reader', path: toTable('t') }])
      }
      assert.deepEqual(await judge(shared), [STILL, STILL])
    })

    test('is compared again after the other one was read', async () => {
      const shared = await share()
      const { db } = world.services
      await judge(shared)
      const isDue = async (): Promise<boolean> => {
        const due = await listDue(db, fixedClock(hoursAgo(-1)), 1000)
        return due.some(({ integrationId }) => integrationId === shared.one.integrationId)
      }
      // Later than all activity.
      await sql`
        update grant_reading
        set compared_at = ${hoursAgo(-0.5)}
        where organization_id = ${world.organizationId}
      `.execute(db)
      assert.equal(await isDue(), false)
      await sql`
        update grant_reading
        set attempted_at = ${hoursAgo(-0.75)}
        where integration_id = ${shared.other.integrationId}
      `.execute(db)
      assert.equal(await isDue(), true)
    })
  })
})
