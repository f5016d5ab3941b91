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
  listFindings,
  listKinds,
  newAccessWorld,
  toTable,
} from '../../../test/access-rows.ts'
import { onStore } from '../../../test/stores.ts'
import type { World } from '../../../test/world.ts'
import { fixedClock } from '../../platform/kit/clock.ts'
import type { IntegrationKey } from './grants.ts'
import { listDue } from './upkeep-store.ts'

const TEAM = { kind: 'team', id: 'b' }

describe('findings about access over time', () => {
  onStore((store) => {
    let world: World
    before(async () => {
      world = await newAccessWorld(store())
      await world.as('O', 'PUT', '/api/teams/c', { body: { id: 'c', name: 'Team C' } })
    })

    interface Reported {
      key: IntegrationKey
      id: string
      product: string
    }

    // A table that `reader` reads without an agreement.
    const report = async (
      subject: { kind: string; id: string | null } = TEAM,
    ): Promise<Reported> => {
      const key = await addReading(world)
      const [asset = ''] = await addTables(world, key, [toTable('t')])
      const product = await addPorts(world, [[asset]])
      await addGrants(world, key, [{ name: 'reader', path: toTable('t') }])
      await addIdentity(world, key, 'reader', subject)
      await compare(world, key)
      const { rows } = await sql<{ id: string }>`
        select id
        from grant_finding
        where integration_id = ${key.integrationId}
          and resolved_at is null
      `.execute(world.services.db)
      return { key, id: rows[0]?.id ?? '', product }
    }

    const accept = async ({ id }: Reported, until = '2031-06-01'): Promise<void> => {
      const body = { reason: 'Known', until }
      const answer = await world.as('O', 'PUT', `/api/access-findings/${id}/acceptance`, {
        body,
      })
      assert.equal(answer.status, 200, await answer.text())
    }

    const read = async ({ id }: Reported): Promise<Record<string, unknown>> => {
      const answer = await world.as('O', 'GET', `/api/access-findings/${id}`)
      return (await answer.json()) as Record<string, unknown>
    }

    const remap = async (
      { key }: Reported,
      subject: { kind: string; id: string },
    ): Promise<void> => {
      await sql`
        update grantee_identity
        set subject_kind = ${subject.kind}, subject_id = ${subject.id}
        where integration_id = ${key.integrationId}
      `.execute(world.services.db)
      await compare(world, key, 'identity')
    }

    test('an acceptance outlives comparisons with the same facts, in any order', async () => {
      const finding = await report()
      await accept(finding)
      await compare(world, finding.key)
      const { status, acceptance } = await read(finding)
      assert.equal(status, 'accepted')
      assert.ok(acceptance !== null)
    })

    test('another consumer ends an acceptance, also one of another kind with the same id', async () => {
      for (const subject of [
        { kind: 'team', id: 'c' },
        { kind: 'data-product', id: 'b' },
      ]) {
        const finding = await report()
        const twin = await report()
        await accept(finding)
        await accept(twin)
        const before = await read(finding)
        await remap(finding, subject)
        const after = await read(finding)
        assert.equal(after['status'], 'open')
        assert.equal(after['acceptance'], null)
        const { kind, id } = after['consumer'] as { kind: string; id: string }
        assert.deepEqual({ kind, id }, subject)
        assert.equal(after['since'], before['since'])
        assert.equal((await read(twin))['status'], 'accepted')
      }
    })

    test('other rights end an acceptance', async () => {
      const finding = await report()
      await accept(finding)
      const write = { name: 'reader', path: toTable('t'), effect: 'write' as const }
      await addGrants(world, finding.key, [write])
      await compare(world, finding.key)
      assert.equal((await read(finding))['status'], 'open')
    })

    test('PUT of an acceptance › 422 for a finding that has changed since it was read', async () => {
      const finding = await report()
      const { changedAt } = await read(finding)
      const path = `/api/access-findings/${finding.id}/acceptance`
      for (const [seen, status] of [
        ['2030-01-01T00:00:00Z', 422],
        ['now', 422],
        [changedAt, 200],
      ] as const) {
        const body = { reason: 'Known', until: '2031-06-01', changedAt: seen }
        assert.equal((await world.as('O', 'PUT', path, { body })).status, status)
      }
    })

    test('a person is not the data product with the same id', async () => {
      const user = world.userIds.Um
      // The person is a member of the providing team; the data product does not exist.
      const finding = await report({ kind: 'data-product', id: user })
      assert.deepEqual(await listKinds(world, finding.key), ['granted_without_agreement'])
    })

    test('a person sees the own name in a finding about the agreement of the team', async () => {
      const key = await addReading(world)
      const [asset = ''] = await addTables(world, key, [toTable('t')])
      const product = await addPorts(world, [[asset]], { team: 'b' })
      await addAccess(world, { product, consumer: { team: 'a' }, ended: 30 })
      await addGrants(world, key, [{ name: 'own-login', path: toTable('t') }])
      await addIdentity(world, key, 'own-login', { kind: 'user', id: world.userIds.Um })
      await compare(world, key)
      const listNames = async (who: 'Um' | 'Ur' | 'O'): Promise<unknown> => {
        const answer = await world.as(who, 'GET', `/api/access-findings?dataProductId=${product}`)
        const rows = (await answer.json()) as { kind: string; grantee: { name: string } | null }[]
        return rows.map(({ kind, grantee }) => [kind, grantee?.name ?? null])
      }
      assert.deepEqual(await listNames('Um'), [['still_granted', 'own-login']])
      assert.deepEqual(await listNames('O'), [['still_granted', 'own-login']])
      assert.deepEqual(await listNames('Ur'), [['still_granted', null]])
    })

    test('the end of an acceptance makes the integration due', async () => {
      const finding = await report()
      const { db } = world.services
      await accept(finding, hoursAgo(-0.7))
      // Later than all activity.
      await sql`
        update grant_reading
        set compared_at = ${hoursAgo(-0.5)}
        where organization_id = ${world.organizationId}
      `.execute(db)
      const isDue = async (hours: number): Promise<boolean> => {
        const due = await listDue(db, fixedClock(hoursAgo(-hours)), 1000)
        return due.some(({ integrationId }) => integrationId === finding.key.integrationId)
      }
      assert.equal(await isDue(0.6), false)
      assert.equal(await isDue(0.8), true)
    })

    test('a group of tables is one finding, with the same facts in any order', async () => {
      const key = await addReading(world)
      const paths = ['t0', 't1', 't2'].map((name) => toTable(name))
      const [one = '', other = '', third = ''] = await addTables(world, key, paths)
      await addPorts(world, [[one, other, third], [other], [third]])
      const roles = ['z', 'y', 'x']
      await addGrants(
        world,
        key,
        paths.map((path, at) => ({ name: roles[at] ?? '', path })),
      )
      for (const role of roles) {
        await sql`
          insert into grantee_member (
            organization_id, integration_id, role_kind, role, member_kind, member, is_inherited, is_settable
          )
          values (${key.organizationId}, ${key.integrationId}, 'role', ${role}, 'role', 'reader', true, true)
        `.execute(world.services.db)
      }
      await addIdentity(world, key, 'reader', TEAM)
      await compare(world, key)
      const [finding] = await listFindings(world, key)
      assert.deepEqual(finding?.facts, { via: 'x', tableCount: 3 })
    })
  })
})
