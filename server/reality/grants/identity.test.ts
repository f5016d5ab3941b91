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
  listKinds,
  newAccessWorld,
  toTable,
  type AgreementRow,
} from '../../../test/access-rows.ts'
import { readJson } from '../../../test/answers.ts'
import { onStore } from '../../../test/stores.ts'
import { putOne, odps, uniqueId, type World } from '../../../test/world.ts'
import type { IntegrationKey } from './grants.ts'

/** Names of a platform and what may give them a meaning. */
interface Naming {
  names: { name: string; kind?: string }[]
  pattern?: string
  reports?: Omit<AgreementRow, 'product'>[]
  hand?: Record<string, { kind: string; id: string | null }>
}

const TEAM_B = { consumer: { team: 'b' } } as const
const TEAM_C = { consumer: { team: 'c' } } as const
const role = (value: string) => ({ properties: [{ property: 'Role', value }] })

describe('the meaning of names of a platform', () => {
  onStore((store) => {
    let world: World
    const teams = ['c', 'Größe', 'TWIN', 'twin', '🚀ship']
    before(async () => {
      world = await newAccessWorld(store())
      for (const id of teams)
        await world.as('O', 'PUT', `/api/teams/${encodeURIComponent(id)}`, {
          body: { id, name: id },
        })
    })

    const listMeanings = async ({ integrationId }: IntegrationKey): Promise<string[]> => {
      const { rows } = await sql<{ meaning: string }>`
        select concat_ws(' ', grantee_kind, grantee_name, '=', subject_kind, subject_id, 'by', origin) as meaning
        from grantee_identity
        where integration_id = ${integrationId}
        order by 1
      `.execute(world.services.db)
      return rows.map(({ meaning }) => meaning)
    }

    const name = async ({
      names,
      pattern,
      reports = [],
      hand = {},
    }: Naming): Promise<IntegrationKey> => {
      const key = await addReading(world, pattern === undefined ? {} : { pattern })
      const [asset = ''] = await addTables(world, key, [toTable('t')])
      const product = await addPorts(world, [[asset]])
      for (const [at, report] of reports.entries()) {
        await addAccess(world, { product, id: `${product}-${at}`, ...report })
      }
      await addGrants(
        world,
        key,
        names.map((one) => ({ ...one, path: toTable('t') })),
      )
      for (const [one, subject] of Object.entries(hand)) await addIdentity(world, key, one, subject)
      await compare(world, key)
      return key
    }

    const cases: [string, Naming, string[]][] = [
      ['no report, pattern or hand: none', { names: [{ name: 'b' }] }, []],
      [
        'a reference equals the name exactly',
        { names: [{ name: 'Reader' }], reports: [{ ...TEAM_B, reference: 'reader' }] },
        [],
      ],
      [
        'a reference means a user, role or group',
        {
          names: [{ name: 'x', kind: 'group' }],
          reports: [{ ...TEAM_B, reference: 'x' }],
        },
        ['group x = agreement 0 by report'],
      ],
      [
        'a reference that a user and a role have means neither',
        {
          names: [{ name: 'x', kind: 'user' }, { name: 'x' }],
          reports: [{ ...TEAM_B, reference: 'x' }],
        },
        [],
      ],
      [
        'the property role means a role only',
        { names: [{ name: 'x', kind: 'user' }], reports: [{ ...TEAM_B, ...role('x') }] },
        [],
      ],
      [
        'two agreements of one consumer mean the consumer',
        {
          names: [{ name: 'x' }],
          reports: [
            { ...TEAM_B, ...role('x') },
            { ...TEAM_B, reference: 'x' },
          ],
        },
        ['role x = team b by report'],
      ],
      [
        'a name that means two consumers stays unmapped, by the pattern, too',
        {
          names: [{ name: 'b' }],
          pattern: '{team}',
          reports: [
            { ...TEAM_B, ...role('b') },
            { ...TEAM_C, ...role('b') },
          ],
        },
        [],
      ],
      [
        'a report precedes the pattern',
        { names: [{ name: 'b' }], pattern: '{team}', reports: [{ ...TEAM_C, ...role('b') }] },
        ['role b = agreement 0 by report'],
      ],
      [
        'a person precedes both',
        {
          names: [{ name: 'b' }],
          pattern: '{team}',
          reports: [{ ...TEAM_C, ...role('b') }],
          hand: { b: { kind: 'platform', id: null } },
        },
        ['role b = platform by hand'],
      ],
      [
        'a pattern has text around the id, in any case',
        { names: [{ name: 'DP_B_READER' }, { name: 'dp__reader' }], pattern: 'dp_{team}_reader' },
        ['role DP_B_READER = team b by rule'],
      ],
      [
        'a pattern with an id that does not exist',
        { names: [{ name: 'dp_absent' }], pattern: 'dp_{team}' },
        [],
      ],
      [
        'ids that differ by case only: the exact one, else none',
        { names: [{ name: 'dp_twin' }, { name: 'dp_Twin' }], pattern: 'dp_{team}' },
        ['role dp_twin = team twin by rule'],
      ],
      [
        'characters of two code units are counted once',
        { names: [{ name: '🚀_🚀ship_🚀' }], pattern: '🚀_{team}_🚀' },
        ['role 🚀_🚀ship_🚀 = team 🚀ship by rule'],
      ],
      [
        'wildcards of LIKE in a pattern are only characters',
        { names: [{ name: 'x1b' }, { name: '%_b' }], pattern: '%_{team}' },
        ['role %_b = team b by rule'],
      ],
    ]
    for (const [title, naming, expected] of cases) {
      test(title, async () => {
        const meanings = await listMeanings(await name(naming))
        assert.deepEqual(
          meanings.map((text) => text.replace(/agreement \S+-(\d)/u, 'agreement $1')),
          expected,
        )
      })
    }

    test('letters beyond ASCII have two cases, if the database folds them', async () => {
      const key = await name({
        names: [{ name: 'DP_GRÖSSE' }, { name: 'Dp_Größe' }],
        pattern: 'dp_{team}',
      })
      assert.deepEqual(await listMeanings(key), ['role Dp_Größe = team Größe by rule'])
    })

    test('a report of another integration, organization or port means nothing here', async () => {
      await name({ names: [{ name: 'elsewhere' }], reports: [{ ...TEAM_B, ...role('shared') }] })
      const key = await name({ names: [{ name: 'shared' }] })
      assert.deepEqual(await listMeanings(key), [])
    })

    test('a meaning ends with its report, and with its product', async () => {
      const { db } = world.services
      const product = uniqueId()
      await putOne(world, 'dataproducts', odps(product, { team: { name: 'c' } }))
      const key = await name({
        names: [{ name: 'x' }, { name: `dp_${product}` }],
        pattern: 'dp_{product}',
        reports: [{ ...TEAM_B, reference: 'x' }],
      })
      assert.equal((await listMeanings(key)).length, 2)
      assert.deepEqual(await listKinds(world, key), ['granted_without_agreement'])
      await sql`
        update access_agreement
        set provisioning = null
        where organization_id = ${key.organizationId}
      `.execute(db)
      await world.as('O', 'DELETE', `/api/dataproducts/${product}`)
      await compare(world, key, 'identity')
      assert.deepEqual(await listMeanings(key), [])
      assert.deepEqual(await listKinds(world, key), [])
    })

    test('administrators follow the names without a meaning, and are not counted as unknown', async () => {
      const key = await name({ names: [{ name: 'chief' }, { name: 'reader' }, { name: 'writer' }] })
      const twin = await addReading(world)
      const { db } = world.services
      for (const [{ integrationId }, one, kind] of [
        [key, 'chief', 'role'],
        [key, 'reader', 'user'],
        [twin, 'writer', 'role'],
      ] as const) {
        await sql`
          insert into grantee_administrator (organization_id, integration_id, grantee_kind, grantee_name)
          values (${key.organizationId}, ${integrationId}, ${kind}, ${one})
        `.execute(db)
      }
      const { rows } = await sql<{ id: string }>`
        select external_id as id from integration where id = ${key.integrationId}
      `.execute(db)
      const settings = await readJson<{
        unknownCount: number
        names: { name: string; isAdministrator: boolean }[]
      }>(world.as('O', 'GET', `/api/integrations/${rows[0]?.id}/grants`))
      assert.equal(settings.unknownCount, 2)
      assert.deepEqual(
        settings.names.map(({ name: one, isAdministrator }) => [one, isAdministrator]),
        [
          ['reader', false],
          ['writer', false],
          ['chief', true],
        ],
      )
    })

    test('a person who has left keeps the name that meant them', async () => {
      const { db } = world.services
      const { rows } = await sql<{ email: string }>`
        select email from user_account where id = ${world.userIds.Um}
      `.execute(db)
      const key = await name({ names: [{ name: rows[0]?.email ?? '' }], pattern: '{email}' })
      const before = await listMeanings(key)
      assert.equal(before.length, 1)
      // Reads as a member of the providing team.
      assert.deepEqual(await listKinds(world, key), [])
      const removed = await world.asPerson('Uo', 'DELETE', `/ui/members/${world.userIds.Um}`)
      assert.ok(removed.ok, await removed.text())
      await compare(world, key, 'agreement')
      assert.deepEqual(await listMeanings(key), before)
      assert.deepEqual(await listKinds(world, key), ['granted_without_agreement'])
    })
  })
})
