import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { sql } from 'kysely'
import {
  addAccess,
  addGrants,
  addIdentity,
  addMembers,
  addPorts,
  addReading,
  addTables,
  compare,
  hoursAgo,
  listKinds,
  newAccessWorld,
  saveScope,
  toTable,
  type AgreementRow,
  type GrantRow,
  type MemberRow,
} from '../../../test/access-rows.ts'
import { onStore } from '../../../test/stores.ts'
import type { World } from '../../../test/world.ts'

/** A port on `orders`, a second one on the same table, and what one name may do. */
interface Situation {
  agreements?: (Omit<AgreementRow, 'product'> | { otherPort: true })[]
  grants?: (Partial<GrantRow> & object)[]
  members?: MemberRow[]
  /** The subject of the name `reader`; null = it is not mapped. */
  subject?: { kind: string; id: string | null } | null
  owner?: string
  delayHours?: number
  gates?: number[]
  scope?: { readAt?: string; because?: string }
  membersBecause?: string
  administrators?: string[]
  /** The port also names a table that was not ingested. */
  isPartial?: boolean
  ports?: 1 | 2
}

const TEAM = { kind: 'team', id: 'b' }
const ACTIVE = [{ began: 100 }]
const GRANTED = ['granted_without_agreement']
const MISSING = ['agreement_without_grant']
const STILL = ['still_granted']
const WIDER = ['wider_than_agreed']
const READS = [{}]
const INSERT = { effect: 'write', privilege: 'INSERT' } as const
const OTHER = { name: 'other', kind: 'role' }

describe('conditions of findings about access', () => {
  onStore((store) => {
    let world: World
    before(async () => {
      world = await newAccessWorld(store())
    })

    const judge = async (situation: Situation): Promise<string[]> => {
      const { agreements = [], grants = [], members = [], subject = TEAM, ports = 1 } = situation
      const { delayHours = 0, gates = [], administrators = [] } = situation
      const key = await addReading(world, { delayHours, gates })
      if (situation.scope !== undefined) await saveScope(world, key, situation.scope)
      const { db } = world.services
      if (situation.membersBecause !== undefined) {
        await sql`
          update grant_reading
          set members_because = ${situation.membersBecause}
          where integration_id = ${key.integrationId}
        `.execute(db)
      }
      for (const name of administrators) {
        await sql`
          insert into grantee_administrator (organization_id, integration_id, grantee_kind, grantee_name)
          values (${key.organizationId}, ${key.integrationId}, 'role', ${name})
        `.execute(db)
      }
      const [asset = ''] = await addTables(world, key, [toTable('orders')])
      const named = [asset, ...(situation.isPartial === true ? ['not-ingested'] : [])]
      const product = await addPorts(world, ports === 1 ? [named] : [named, named], {
        team: situation.owner ?? 'a',
      })
      for (const agreement of agreements) {
        const more = 'otherPort' in agreement ? { port: 'port_1' } : agreement
        await addAccess(world, { product, ...more })
      }
      const rows = grants.map((grant) => ({ name: 'reader', path: toTable('orders'), ...grant }))
      await addGrants(world, key, rows)
      await addMembers(world, key, members)
      if (subject !== null) await addIdentity(world, key, 'reader', subject)
      await compare(world, key)
      return await listKinds(world, key)
    }

    const cases: [string, Situation, string[]][] = [
      ['a mapped consumer reads without an agreement', { grants: READS }, GRANTED],
      ['an active agreement covers the reading', { grants: READS, agreements: ACTIVE }, []],
      ['a name that is not mapped reads', { grants: READS, subject: null }, []],
      [
        'a name of the platform reads',
        { grants: READS, subject: { kind: 'platform', id: null } },
        [],
      ],
      ['the provider reads', { grants: READS, subject: { kind: 'team', id: 'a' } }, []],
      ['the owner of another team is the provider', { grants: READS, owner: 'b' }, []],
      [
        'a request that was not approved covers nothing',
        { grants: READS, agreements: [{ status: 'requested' }] },
        GRANTED,
      ],
      [
        'another port on the table is agreed',
        { grants: READS, ports: 2, agreements: [{ otherPort: true }] },
        [],
      ],
      ['no port on the table is agreed', { grants: READS, ports: 2 }, [...GRANTED, ...GRANTED]],
      [
        'a role is inherited',
        { grants: [OTHER], members: [{ role: 'other', member: 'reader' }] },
        GRANTED,
      ],
      [
        'a role can only be set',
        { grants: [OTHER], members: [{ role: 'other', member: 'reader', isInherited: false }] },
        GRANTED,
      ],
      [
        'a role can neither be set nor is inherited',
        {
          grants: [OTHER],
          members: [{ role: 'other', member: 'reader', isInherited: false, isSettable: false }],
        },
        [],
      ],
      ['another role reads', { grants: [OTHER] }, []],
      ['the schema cannot be used', { grants: READS, gates: [2] }, []],
      [
        'the schema can be used',
        { grants: [{}, { path: ['db', 'sales'], effect: 'use', privilege: 'USAGE' }], gates: [2] },
        GRANTED,
      ],
      ['a denial wins', { grants: [{}, { effect: 'deny' }] }, []],
      [
        'the denial of a column does not',
        { grants: [{}, { effect: 'deny', columns: ['id'] }] },
        GRANTED,
      ],
      ['an administrator reads', { grants: READS, administrators: ['reader'] }, []],
      [
        'a member of an administrator reads',
        { grants: READS, administrators: ['root'], members: [{ role: 'root', member: 'reader' }] },
        [],
      ],
      ['everyone reads', { grants: [{ kind: 'public', name: '' }] }, GRANTED],
      ['everyone and a name read', { grants: [{}, { kind: 'public', name: '' }] }, GRANTED],
      ['everyone may only use it', { grants: [{ kind: 'public', name: '', effect: 'use' }] }, []],
      ['a name may only write', { grants: [{ effect: 'write' }] }, []],

      ['an agreement of 25 hours has no grant', { agreements: [{ began: 25 }] }, MISSING],
      ['an agreement of 23 hours has no grant', { agreements: [{ began: 23 }] }, []],
      ['it was reported an hour ago', { agreements: [{ began: 2, provisioned: 1 }] }, MISSING],
      [
        'the platform shows grants after 3 hours: 2 hours',
        { agreements: [{ began: 9, provisioned: 2 }], delayHours: 3 },
        [],
      ],
      [
        'the platform shows grants after 3 hours: 4 hours',
        { agreements: [{ began: 9, provisioned: 4 }], delayHours: 3 },
        MISSING,
      ],
      [
        'a delay of 3 hours adds to the day: 26 hours',
        { agreements: [{ began: 26 }], delayHours: 3 },
        [],
      ],
      [
        'a delay of 3 hours adds to the day: 28 hours',
        { agreements: [{ began: 28 }], delayHours: 3 },
        MISSING,
      ],
      ['the consumer is not mapped', { agreements: ACTIVE, subject: null }, []],
      ['the scope is incomplete', { agreements: ACTIVE, scope: { because: 'partly' } }, []],
      [
        'the scope was read by an earlier run',
        { agreements: ACTIVE, scope: { readAt: hoursAgo(30) } },
        [],
      ],
      ['the memberships are incomplete', { agreements: ACTIVE, membersBecause: 'partly' }, []],
      ['the port is not wholly linked', { agreements: ACTIVE, isPartial: true }, []],
      [
        'a role is the path',
        { agreements: ACTIVE, grants: [OTHER], members: [{ role: 'other', member: 'reader' }] },
        [],
      ],
      [
        'everyone is the path',
        { agreements: ACTIVE, grants: [{ kind: 'public', name: '' }] },
        GRANTED,
      ],
      ['an administrator is the path', { agreements: ACTIVE, administrators: ['reader'] }, []],
      [
        'to write is not a path',
        { agreements: ACTIVE, grants: [{ effect: 'write' }] },
        [...MISSING, ...WIDER],
      ],
      [
        'a denied grant is not a path',
        { agreements: ACTIVE, grants: [{}, { effect: 'deny' }] },
        MISSING,
      ],

      ['ended 25 hours ago', { grants: READS, agreements: [{ ended: 25 }] }, STILL],
      ['ended 23 hours ago', { grants: READS, agreements: [{ ended: 23 }] }, []],
      [
        'ended 26 hours ago, and the platform shows grants after 3 hours',
        { grants: READS, agreements: [{ ended: 26 }], delayHours: 3 },
        [],
      ],
      [
        'ended 28 hours ago, and the platform shows grants after 3 hours',
        { grants: READS, agreements: [{ ended: 28 }], delayHours: 3 },
        STILL,
      ],
      [
        'ended, and a newer one is active',
        { grants: READS, agreements: [{ ended: 50 }, { began: 10 }] },
        [],
      ],
      [
        'two have ended, one of them an hour ago',
        { grants: READS, agreements: [{ ended: 50 }, { ended: 1 }] },
        [],
      ],
      ['ended without a grant', { agreements: [{ ended: 25 }] }, []],
      [
        'withdrawn after it was provisioned',
        { grants: READS, agreements: [{ status: 'rejected', ended: 25, provisioned: 60 }] },
        STILL,
      ],
      [
        'rejected before it was provisioned',
        { grants: READS, agreements: [{ status: 'rejected', ended: 25 }] },
        GRANTED,
      ],
      [
        'ended, in a scope that is incomplete',
        { grants: READS, agreements: [{ ended: 25 }], scope: { because: 'partly' } },
        STILL,
      ],

      ['a privilege to write', { grants: [{}, { effect: 'write' }], agreements: ACTIVE }, WIDER],
      [
        'a privilege to write that is denied',
        { grants: [{}, INSERT, { ...INSERT, effect: 'deny_write' }], agreements: ACTIVE },
        [],
      ],
      [
        'a privilege to write of which another one is denied',
        { grants: [{}, INSERT, { effect: 'deny_write', privilege: 'DELETE' }], agreements: ACTIVE },
        WIDER,
      ],
      [
        'a privilege to write that is denied for a column',
        {
          grants: [{}, INSERT, { ...INSERT, effect: 'deny_write', columns: ['id'] }],
          agreements: ACTIVE,
        },
        WIDER,
      ],
      [
        'a privilege to write that everyone is denied',
        {
          grants: [{}, INSERT, { ...INSERT, kind: 'public', name: '', effect: 'deny_write' }],
          agreements: ACTIVE,
        },
        [],
      ],
      ['a grant option', { grants: [{ withGrant: true }], agreements: ACTIVE }, WIDER],
      ['a grant on the schema', { grants: [{ path: ['db', 'sales'] }], agreements: ACTIVE }, WIDER],
      ['a grant on the database', { grants: [{ path: ['db'] }], agreements: ACTIVE }, WIDER],
      [
        'a grant on another schema',
        { grants: [{}, { path: ['db', 'other'] }], agreements: ACTIVE },
        [],
      ],
      [
        'a grant on a schema whose name begins alike',
        { grants: [{}, { path: ['db', 'sale'] }], agreements: ACTIVE },
        [],
      ],
      [
        'a role that writes',
        {
          grants: [{}, { ...OTHER, effect: 'write' }],
          members: [{ role: 'other', member: 'reader' }],
          agreements: ACTIVE,
        },
        WIDER,
      ],
      [
        'only the use of the schema',
        { grants: [{}, { path: ['db', 'sales'], effect: 'use' }], agreements: ACTIVE },
        [],
      ],
    ]
    for (const [name, situation, expected] of cases) {
      test(`${name} › ${expected.join(', ') || 'none'}`, async () => {
        assert.deepEqual(await judge(situation), expected)
      })
    }

    test('a person reads by the agreement of the team, and as a member of the providing team', async () => {
      const person = { kind: 'user', id: world.userIds.Um }
      const own = { grants: READS, subject: person }
      assert.deepEqual(await judge({ ...own, owner: 'a' }), [])
      assert.deepEqual(await judge({ ...own, owner: 'b' }), GRANTED)
      const agreements = [{ consumer: { team: 'a' } }]
      assert.deepEqual(await judge({ ...own, owner: 'b', agreements }), [])
      const stranger = { kind: 'user', id: world.userIds.Uo }
      assert.deepEqual(await judge({ ...own, owner: 'b', agreements, subject: stranger }), GRANTED)
    })
  })
})
