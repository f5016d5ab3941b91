/** The mapping of groups to roles: its rows follow the document, and count at once. */

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { expectProblem, readJson } from '../../../test/answers.ts'
import { onStore } from '../../../test/stores.ts'
import { addTwin, expectUntouched, type Twin } from '../../../test/twin.ts'
import { expectOk, newProduct, newWorld, odps, uniqueId, type World } from '../../../test/world.ts'
import { toGroupKey } from '../directory/group-key.ts'
import { ensureMappings } from './mapping-service.ts'

const SCIM = '/api/settings/scim-mapping'
const OWNER = { type: 'organizationOwner' }
const give = (scimGroup: string, mapping: object): object => ({ scimGroup, ...mapping })

onStore((store) => {
  let world: World
  let twin: Twin
  const team = uniqueId()
  before(async () => {
    world = await newWorld(newProduct(store()))
    await expectOk(world.as('O', 'PUT', `/api/teams/${team}`, { body: { name: 'Wagon Fleet' } }))
    await expectOk(put({ scimGroupMappings: [give('Twins', { type: 'organizationOwner' })] }))
    await addToGroup('Größe')
    twin = await addTwin(world)
  })

  const getUse = (person: 'Uo' | 'Um'): Promise<Response> =>
    world.asPerson(person, 'GET', '/ui/mapped-groups')
  const put = (body: unknown): Promise<Response> => world.as('O', 'PUT', SCIM, { body })
  // The person Um, who has no role of their own in the team.
  const write = (): Promise<Response> => {
    const id = uniqueId()
    const body = odps(id, { team: { name: team } })
    return world.as('Um', 'PUT', `/api/dataproducts/${id}`, { body })
  }

  async function addToGroup(name: string): Promise<void> {
    const { organizationId, userIds } = world
    const id = randomUUID()
    await sql`insert into directory_group (organization_id, id, display_name, display_name_key, updated_by)
      values (${organizationId}, ${id}, ${name}, ${toGroupKey(name)}, 'system')`.execute(store().db)
    await sql`insert into directory_group_member (organization_id, group_id, user_id)
      values (${organizationId}, ${id}, ${userIds.Um})`.execute(store().db)
  }

  async function listRows(organizationId: string): Promise<unknown[]> {
    const { rows } = await sql`
      select position, group_name, group_key, kind, team, role
      from directory_mapping
      where organization_id = ${organizationId}
      order by position
    `.execute(store().db)
    return rows
  }

  describe(`PUT ${SCIM}`, () => {
    test('200 › a group gives its role at once, in any letter case, and takes it back', async () => {
      await expectProblem(write(), 403)
      const mapping = { type: 'teamMemberRole', teamId: team, teamMemberRole: 'Editor' }
      await expectUntouched([twin], async () => {
        await expectOk(put({ scimGroupMappings: [give('GRÖẞE', mapping)] }))
      })
      await expectOk(write())
      await expectUntouched([twin], async () => expectOk(put({ scimGroupMappings: [] })))
      await expectProblem(write(), 403)
    })

    test('200 › a mapping of an owner gives every permission, and the manual role stays', async () => {
      await expectOk(put({ scimGroupMappings: [give('größe', { type: 'organizationOwner' })] }))
      await expectOk(world.as('Um', 'PUT', `/api/teams/${uniqueId()}`, { body: { name: 'N' } }))
      await expectOk(put({ scimGroupMappings: [] }))
      await expectProblem(
        world.as('Um', 'PUT', `/api/teams/${uniqueId()}`, { body: { name: 'N' } }),
        403,
      )
    })

    test('200 › the type teamMember gives the default role of the document, or Member', async () => {
      const mappings = [give('größe', { type: 'teamMember', teamId: team })]
      await expectOk(put({ scimGroupMappings: mappings }))
      await expectProblem(write(), 403)
      const scimGroupDefaults = { defaultTeamMemberRole: 'Editor' }
      await expectOk(put({ scimGroupDefaults, scimGroupMappings: mappings }))
      await expectOk(write())
    })

    test('200 › YAML gives the same rows, and fewer mappings leave no row behind', async () => {
      await expectOk(put({ scimGroupMappings: [1, 2, 3].map((at) => give(`g${at}`, OWNER)) }))
      const yaml = `scimGroupMappings: [{scimGroup: G1, type: teamMember, teamId: gone}]\n`
      await expectOk(world.as('O', 'PUT', SCIM, { yaml }))
      assert.deepEqual(await listRows(world.organizationId), [
        {
          position: 1,
          group_name: 'G1',
          group_key: 'g1',
          kind: 'teamMember',
          team: 'gone',
          role: 'Member',
        },
      ])
    })

    test('422 › a refused document leaves the rows as they are', async () => {
      await expectOk(put({ scimGroupMappings: [give('g1', OWNER)] }))
      const rows = await listRows(world.organizationId)
      await expectProblem(put({ scimGroupMappings: [give('', OWNER)] }), 422)
      assert.deepEqual(await listRows(world.organizationId), rows)
    })
  })

  describe('GET /ui/mapped-groups', () => {
    test('200 › people of each mapping, unknown teams, and groups without a mapping', async () => {
      const mapping = { type: 'teamMember', teamId: team }
      await expectOk(
        put({
          scimGroupMappings: [
            give('GRÖßE', mapping),
            give('größe', { ...mapping, teamId: 'gone' }),
            give('Empty', OWNER),
          ],
        }),
      )
      assert.deepEqual(await readJson(getUse('Uo')), {
        mappings: [
          { group: 'GRÖßE', people: 1, isTeamKnown: true },
          { group: 'größe', people: 1, isTeamKnown: false },
          { group: 'Empty', people: 0, isTeamKnown: true },
        ],
        unmappedGroups: [],
        unmappedCount: 0,
      })
      await expectOk(put({ scimGroupMappings: [] }))
      assert.deepEqual(await readJson(getUse('Uo')), {
        mappings: [],
        unmappedGroups: [{ name: 'Größe', source: 'directory', people: 1 }],
        unmappedCount: 1,
      })
    })

    test('403 for a member', async () => {
      await expectProblem(getUse('Um'), 403)
    })
  })

  test('ensureMappings › adds the rows of mappings of an earlier version, once in two processes', async () => {
    const { db } = store()
    const yaml = `scimGroupMappings:
  - {scimGroup: Owners, type: organizationOwner}
  - {scimGroup: Odd, type: teamMemberRole}
  - {scimGroup: Crew, type: teamMember, teamId: a}
`
    const organizations = await Promise.all(
      Array.from({ length: 3 }, async () => {
        const id = randomUUID()
        await sql`insert into organization (id, name) values (${id}, 'Earlier')`.execute(db)
        await sql`insert into organization_document (organization_id, kind, document, media_type, updated_at, updated_by)
          values (${id}, 'scim-mapping', ${yaml}, 'application/yaml', now(), 'system')`.execute(db)
        return id
      }),
    )
    const counts = await Promise.all([ensureMappings(db), ensureMappings(db)])
    assert.equal(counts[0] + counts[1], organizations.length)
    for (const id of organizations) {
      assert.deepEqual(await listRows(id), [
        {
          position: 1,
          group_name: 'Owners',
          group_key: 'owners',
          kind: 'organizationOwner',
          team: null,
          role: null,
        },
        {
          position: 2,
          group_name: 'Crew',
          group_key: 'crew',
          kind: 'teamMember',
          team: 'a',
          role: 'Member',
        },
      ])
    }
    assert.equal(await ensureMappings(db), 0)
  })
})
