import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { addMembers, addReading, newAccessWorld, NOW } from '../../../test/access-rows.ts'
import { onStore } from '../../../test/stores.ts'
import type { World } from '../../../test/world.ts'
import type { IntegrationKey, ReadingEnd } from './grants.ts'
import { publishGrants, stageGrants } from './staging-service.ts'

const END: ReadingEnd = {
  incompleteBecause: null,
  hasRead: true,
  beganAt: NOW,
  membersBecause: null,
  gates: [],
  delayHours: 0,
}

describe('publishing memberships', () => {
  onStore((store) => {
    let world: World
    before(async () => {
      world = await newAccessWorld(store())
    })

    const listRoles = async ({ integrationId }: IntegrationKey): Promise<string[]> => {
      const { rows } = await sql<{ role: string }>`
        select role
        from grantee_member
        where integration_id = ${integrationId}
        order by role
      `.execute(world.services.db)
      return rows.map(({ role }) => role)
    }

    for (const [name, membersBecause, expected] of [
      ['a complete reading deletes one that it has not seen', null, ['new']],
      ['so does one beside which others may exist', 'Groups are not visible.', ['new']],
      ['a reading without memberships keeps it', undefined, ['former', 'new']],
    ] as const) {
      test(name, async () => {
        const { db, clock } = world.services
        const key = await addReading(world)
        const twin = await addReading(world)
        for (const one of [key, twin]) {
          await addMembers(world, one, [{ role: 'former', member: 'reader' }])
        }
        const claim = { ...key, runId: randomUUID(), fence: 1 }
        const reader = { kind: 'role', name: 'reader' }
        await stageGrants(db, claim, {
          members: [
            {
              role: { kind: 'role', name: 'new' },
              member: reader,
              isInherited: true,
              isSettable: false,
            },
          ],
        })
        await publishGrants(db, clock, claim, { ...END, membersBecause })
        assert.deepEqual(await listRoles(key), expected)
        assert.deepEqual(await listRoles(twin), ['former'])
      })
    }
  })
})
