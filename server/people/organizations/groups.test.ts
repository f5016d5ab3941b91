/** People with roles by groups, and suspended members, in every place that decides by roles or sends notices. */

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { beforeEach, describe, test } from 'node:test'
import { sql } from 'kysely'
import { expectProblem, readJson, readText } from '../../../test/answers.ts'
import { eventually } from '../../../test/eventually.ts'
import { listTitles, notifyAll } from '../../../test/notifications.ts'
import { onStore } from '../../../test/stores.ts'
import { addTwin } from '../../../test/twin.ts'
import { expectOk, newProduct, newWorld, odps, uniqueId, type World } from '../../../test/world.ts'
import { findMailRecipient } from '../../notices/notification-mails/recipient-store.ts'
import { findHolders } from '../../requests/access/error-details-store.ts'
import { toGroupKey } from '../directory/group-key.ts'
import type { Member } from './member.ts'
import type { Session } from './signed-in.ts'

// A role that is taken away ends within a second in every process.
const CHANGE_MS_MAX = 1000

onStore((store) => {
  let world: World
  let team: string
  beforeEach(async () => {
    world = await newWorld(newProduct(store()))
    team = uniqueId()
    await putTeam({ name: 'Wagon Fleet' })
    // Rows with equal ids in another organization, which no statement may count.
    await addTwin(world)
  })

  const run = (statement: ReturnType<typeof sql>): Promise<unknown> => statement.execute(store().db)
  const putTeam = (body: object): Promise<string> =>
    readText(world.as('O', 'PUT', `/api/teams/${team}`, { body }))
  const putMapping = (...mappings: object[]): Promise<Response> =>
    expectOk(
      world.as('O', 'PUT', '/api/settings/scim-mapping', {
        body: { scimGroupMappings: mappings },
      }),
    )
  const give = (role: string): object => ({
    scimGroup: 'Crew',
    type: 'teamMemberRole',
    teamId: team,
    teamMemberRole: role,
  })
  const suspend = (person: 'Um' | 'Ue' | 'Uo'): Promise<unknown> =>
    run(sql`
      update organization_member
      set suspended_at = now()
      where organization_id = ${world.organizationId}
        and user_id = ${world.userIds[person]}
    `)
  const putProduct = (there: Pick<World, 'as'>): Promise<Response> => {
    const id = uniqueId()
    return there.as('Um', 'PUT', `/api/dataproducts/${id}`, {
      body: odps(id, { team: { name: team } }),
    })
  }

  async function addToGroup(person: 'Um' | 'Ue' | 'Uo'): Promise<string> {
    const groupId = randomUUID()
    await run(sql`
      insert into directory_group (organization_id, id, display_name, display_name_key, updated_by)
      values (${world.organizationId}, ${groupId}, 'Crew', ${toGroupKey('Crew')}, 'system')
    `)
    await run(sql`
      insert into directory_group_member (organization_id, group_id, user_id)
      values (${world.organizationId}, ${groupId}, ${world.userIds[person]})
    `)
    return groupId
  }

  async function addClaims(person: 'Um' | 'Ue', groups: readonly string[]): Promise<void> {
    const providerId = randomUUID()
    await run(sql`
      insert into identity_provider (organization_id, id, name, issuer, client_id, client_authentication, groups_claim, updated_by)
      values (${world.organizationId}, ${providerId}, 'P', 'https://id.example', 'c', 'none', 'groups', 'system')
    `)
    await run(sql`
      insert into provider_identity (organization_id, provider_id, subject, user_id, groups, group_keys, groups_known)
      values (${world.organizationId}, ${providerId}, 'subject', ${world.userIds[person]}, ${groups}, ${groups.map(toGroupKey)}, true)
    `)
  }

  describe('a role by a group', () => {
    test('gains and loses its permissions within a second in another process', async () => {
      await putMapping(give('Editor'))
      // Another process remembers callers separately.
      const other = newProduct(store())
      const write = async (): Promise<number> => {
        const id = uniqueId()
        const body = odps(id, { team: { name: team } })
        const key = world.keys.Um
        return (await other.call('PUT', `/api/dataproducts/${id}`, { key, body })).status
      }
      assert.equal(await write(), 403)
      const groupId = await addToGroup('Um')
      await eventually(CHANGE_MS_MAX, async () => (await write()) === 200, 'the role is gained')
      await run(sql`delete from directory_group_member where group_id = ${groupId}`)
      await eventually(CHANGE_MS_MAX, async () => (await write()) === 403, 'the role is lost')
    })

    test('adds to a role of the team, which stays when the group is taken back', async () => {
      const { user } = await readJson<Session>(world.asPerson('Um', 'GET', '/ui/session'))
      const { email } = user
      await putTeam({ name: 'Wagon Fleet', members: [{ emailAddress: email, role: 'Member' }] })
      await addToGroup('Um')
      await putMapping(give('Editor'))
      await expectOk(putProduct(world))
      const [mine] = (await readJson<Member[]>(world.asPerson('Um', 'GET', '/ui/members'))).filter(
        ({ userId }) => userId === world.userIds.Um,
      )
      assert.deepEqual(
        mine?.teams.filter(({ id }) => id === team).map(({ role, group }) => [role, group]),
        [
          ['Editor', 'Crew'],
          ['Member', null],
        ],
      )
      await putMapping()
      await expectProblem(putProduct(world), 403)
    })

    test('comes from claims, unless the directory has a record of the person', async () => {
      await putMapping(give('Editor'))
      await addClaims('Um', ['CREW'])
      await expectOk(putProduct({ as: newWorldCaller() }))
      await run(sql`
        insert into directory_user (organization_id, user_id, user_name, user_name_key, updated_by)
        values (${world.organizationId}, ${world.userIds.Um}, 'um', 'um', 'system')
      `)
      await expectProblem(putProduct({ as: newWorldCaller() }), 403)
    })

    test('is named by errors, lists and helpers, and gets the notices of the team', async () => {
      await addToGroup('Um')
      await putMapping(give('Owner'))
      const { db } = store()
      const roles = { team, roles: ['Owner'], limit: 3 }
      const holders = await findHolders(db, world.organizationId, roles)
      const session = await readJson<Session>(world.asPerson('Um', 'GET', '/ui/session'))
      assert.deepEqual(holders.people, [session.user.name])
      assert.ok(session.teams.some(({ id, roles: held }) => id === team && held.includes('Owner')))
      const list = await readJson<{ id: string }[]>(
        world.as('O', 'GET', `/api/teams?email=${session.user.email}`),
      )
      assert.deepEqual(
        list.filter(({ id }) => id === team).map(({ id }) => id),
        [team],
      )
      const id = uniqueId()
      await expectOk(
        world.as('O', 'PUT', `/api/dataproducts/${id}`, {
          body: odps(id, { name: 'Orders', team: { name: team } }),
        }),
      )
      await notifyAll(world)
      const before = (await listTitles(world, 'Um')).length
      await expectOk(world.as('O', 'DELETE', `/api/dataproducts/${id}`))
      await notifyAll(world)
      assert.ok((await listTitles(world, 'Um')).length > before)
    })

    test('of an owner does not count as the last owner', async () => {
      await addToGroup('Um')
      await putMapping({ scimGroup: 'crew', type: 'organizationOwner' })
      const member = `/ui/members/${world.userIds.Uo}`
      const { code } = await expectProblem(
        world.asPerson('Um', 'PUT', member, { body: { role: 'Member' } }),
        422,
      )
      assert.equal(code, 'last_owner')
      const members = await readJson<Member[]>(world.asPerson('Um', 'GET', '/ui/members'))
      assert.partialDeepStrictEqual(
        members.find(({ userId }) => userId === world.userIds.Um),
        { role: 'Owner', ownRole: 'Member', ownerGroups: ['crew'] },
      )
    })
  })

  // Callers of a process that remembers none yet.
  function newWorldCaller(): World['as'] {
    const there = newProduct(store())
    return async (_, method, path, options) =>
      await there.call(method, path, { ...options, key: world.keys.Um })
  }

  describe('a suspended member', () => {
    test('401 member_suspended for sessions at once, and for personal keys within a second', async () => {
      const other = newProduct(store())
      const ask = (): Promise<Response> => other.call('GET', '/api/teams', { key: world.keys.Um })
      await expectOk(ask())
      await suspend('Um')
      const { code, detail } = await expectProblem(
        world.asPerson('Um', 'GET', '/api/dataproducts', {
          headers: { 'portbook-organization': world.organizationId },
        }),
        401,
      )
      assert.equal(code, 'member_suspended')
      assert.match(detail, /suspended in .*Ask an owner/)
      await eventually(CHANGE_MS_MAX, async () => (await ask()).status === 401, 'the key ends')
      assert.equal((await expectProblem(ask(), 401)).code, 'member_suspended')
      await run(sql`update organization_member set suspended_at = null`)
      await expectOk(ask())
    })

    test('sees in the session that the account is suspended there', async () => {
      await suspend('Um')
      const session = await readJson<Session>(world.asPerson('Um', 'GET', '/ui/session'))
      assert.equal(session.organization?.id === world.organizationId, false)
      assert.ok(session.suspendedIn.some(({ id }) => id === world.organizationId))
    })

    test('has no roles, gets no notices, and is offered nowhere', async () => {
      const { user } = await readJson<Session>(world.asPerson('Um', 'GET', '/ui/session'))
      const members = [{ emailAddress: user.email, role: 'Owner' }]
      await putTeam({ name: 'Wagon Fleet', members })
      const id = uniqueId()
      const body = odps(id, { name: 'Orders', team: { name: team } })
      await expectOk(world.as('O', 'PUT', `/api/dataproducts/${id}`, { body }))
      await suspend('Um')
      const { db } = store()
      const { organizationId } = world
      const holders = await findHolders(db, organizationId, { team, roles: ['Owner'], limit: 3 })
      assert.ok(!holders.people.includes(user.name))
      assert.equal(await findMailRecipient(db, organizationId, user.id), undefined)
      const list = await readJson<{ id: string }[]>(
        world.as('O', 'GET', `/api/teams?email=${user.email}`),
      )
      assert.deepEqual(list, [])
      await expectOk(world.as('O', 'DELETE', `/api/dataproducts/${id}`))
      await notifyAll(world)
      const { rows } = await sql`
        select from notification_recipient
        where organization_id = ${organizationId} and user_id = ${user.id}
      `.execute(db)
      assert.equal(rows.length, 0)
      const [shown] = (await readJson<Member[]>(world.asPerson('Uo', 'GET', '/ui/members'))).filter(
        ({ userId }) => userId === user.id,
      )
      assert.deepEqual(shown?.teams, [])
      assert.notEqual(shown?.suspendedAt, null)
    })

    test('is not counted as an owner: the other one is the last', async () => {
      const um = `/ui/members/${world.userIds.Um}`
      await expectOk(world.asPerson('Uo', 'PUT', um, { body: { role: 'Owner' } }))
      await suspend('Um')
      const { code } = await expectProblem(
        world.asPerson('Uo', 'PUT', `/ui/members/${world.userIds.Uo}`, {
          body: { role: 'Member' },
        }),
        422,
      )
      assert.equal(code, 'last_owner')
      const holders = await findHolders(store().db, world.organizationId, {
        team: null,
        roles: [],
        limit: 3,
      })
      assert.equal(holders.people.length, 1)
    })
  })
})
