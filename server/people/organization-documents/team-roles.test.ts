import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { PERMISSIONS } from '../../requests/access/permission.ts'
import { expectProblem, readJson } from '../../../test/answers.ts'
import { eventually } from '../../../test/eventually.ts'
import { newBrowser, newMember } from '../../../test/people.ts'
import { onStore } from '../../../test/stores.ts'
import { expectOk, newProduct, newWorld, odps, uniqueId, type World } from '../../../test/world.ts'
import type { Session } from '../organizations/signed-in.ts'

const ROLES = '/api/settings/team-roles'
const CHANGE_MS_MAX = 1000

const role = (name: string, permissions: readonly string[] = []) => ({ name, permissions })
const custom = (...roles: object[]) => ({ mode: 'custom-team-roles', 'team-roles': roles })

onStore((store) => {
  let world: World
  beforeEach(async () => {
    world = await newWorld(newProduct(store()))
  })

  const put = (body: unknown): Promise<Response> => world.as('O', 'PUT', ROLES, { body })
  // Team A has an Editor and a Member.
  const editor = role('Editor', ['DATAPRODUCT_EDIT'])
  const member = role('Member')

  async function addProduct(caller: 'Ue' | 'Um' | 'T', product = world): Promise<number> {
    const id = uniqueId()
    const key = world.keys[caller]
    const answer = product.call('PUT', `/api/dataproducts/${id}`, { key, body: odps(id) })
    return (await answer).status
  }

  describe(`GET and PUT ${ROLES}`, () => {
    test('200 › only the mode with the default roles', async () => {
      assert.deepEqual(await readJson(world.as('Um', 'GET', ROLES)), { mode: 'default' })
      const sent = { mode: 'default', 'team-roles': [role('Ignored')] }
      assert.deepEqual(await readJson(put(sent)), { mode: 'default' })
    })

    test('200 › PUT answers the stored roles, with fields that Portbook does not know', async () => {
      const roles = [{ ...editor, description: 'Edits', rank: 2, color: 'red' }, member]
      assert.deepEqual(await readJson(put(custom(...roles))), custom(...roles))
      assert.deepEqual(await readJson(world.as('Um', 'GET', ROLES)), custom(...roles))
      const features = await readJson<Record<string, unknown>>(
        world.as('O', 'GET', '/api/organization/features'),
      )
      assert.equal(features.customTeamRolesEnabled, true)
    })

    test('200 › retired names of permissions are answered as the current ones, each once', async () => {
      const sent = ['TEST_EXECUTE', 'TEAM_ADD', 'POLICY_CHECK_RUN', 'TEST_RESULTS_WRITE']
      const current = [
        'DATACONTRACT_TEST_RUN',
        'POLICY_CHECK_RUN',
        'TEAM_ADD',
        'DATAPRODUCT_TEST_RESULTS_EDIT',
        'DATACONTRACT_TEST_RESULTS_EDIT',
      ]
      await expectOk(put(custom(role('Editor', sent), member)))
      const stored = custom(role('Editor', current), member)
      assert.deepEqual(await readJson(world.as('Um', 'GET', ROLES)), stored)
      assert.deepEqual(await readJson(put(stored)), stored)
      await expectOk(put(custom(role('Editor', ['RESOURCES_ADD']), member)))
      assert.equal(await addProduct('Ue'), 200)
    })

    test('200 › a hundred roles with every permission, and the answer sent again', async () => {
      const roles = Array.from({ length: 98 }, (_, at) => role(`Role ${at}`, PERMISSIONS))
      const stored = custom(role('Editor', PERMISSIONS), member, ...roles)
      assert.deepEqual(await readJson(put(stored)), stored)
    })

    for (const [what, body, field] of [
      ['an unknown mode', { mode: 'own' }, 'mode'],
      ['no mode', {}, 'mode'],
      ['a short name', custom(role('Ed')), 'team-roles[0].name'],
      ['a long name', custom(role('x'.repeat(1001))), 'team-roles[0].name'],
      ['a repeated name', custom(editor, editor), 'team-roles[1].name'],
      ['an unknown permission', custom(role('Editor', ['ALL'])), 'team-roles[0].permissions[0]'],
      [
        'a repeated permission',
        custom(role('Editor', ['TEAM_ADD', 'TEAM_ADD'])),
        'team-roles[0].permissions[1]',
      ],
      ['no permissions', custom({ name: 'Editor' }), 'team-roles[0].permissions'],
    ] as const) {
      test(`400 › ${what}`, async () => {
        const { code, violations } = await expectProblem(put(body), 400)
        assert.equal(code, 'settings_malformed')
        assert.deepEqual(
          violations?.map((one) => one.field),
          [field],
        )
      })
    }

    test('409 › an empty list of roles', async () => {
      for (const body of [custom(), { mode: 'custom-team-roles' }]) {
        assert.equal((await expectProblem(put(body), 409)).code, 'roles_missing')
      }
    })

    test('409 › a default role that members have and that is not among the custom ones', async () => {
      const { code, detail } = await expectProblem(put(custom(editor)), 409)
      assert.equal(code, 'role_in_use')
      assert.match(detail, /has 1 member with the role "Member"/)
      assert.deepEqual(await readJson(world.as('O', 'GET', ROLES)), { mode: 'default' })
      await expectOk(put(custom(editor, member)))
    })

    test('409 › a custom role that members have, when it is removed and when the default roles return', async () => {
      const members = [{ emailAddress: 'a@b.example', role: 'Data Keeper' }]
      await expectOk(put(custom(editor, member, role('Data Keeper'), role('Unused'))))
      const team = { name: 'B', members }
      await expectOk(world.as('O', 'PUT', '/api/teams/b', { body: team }))
      await expectProblem(put(custom(editor, member)), 409, /"Data Keeper"/)
      await expectProblem(put({ mode: 'default' }), 409, /"Data Keeper"/)
      await expectOk(put(custom(editor, member, role('Data Keeper'))))
      await expectOk(world.as('O', 'PUT', '/api/teams/b', { body: { name: 'B', members: [] } }))
      await expectOk(put({ mode: 'default' }))
    })
  })

  test('GET /ui/team-roles › 200 with the default roles and the members of each role', async () => {
    const browser = newBrowser(world)
    browser.token = world.sessions.Um
    const { defaults, uses } = await readJson<{
      defaults: { name: string; permissions: string[] }[]
      uses: { role: string; members: number }[]
    }>(browser.ask('GET', '/ui/team-roles'))
    assert.deepEqual(
      defaults.map(({ name, permissions }) => [name, permissions.length]),
      [
        ['Owner', 53],
        ['Approver', 47],
        ['Editor', 39],
        ['Steward', 26],
        ['Member', 5],
      ],
    )
    assert.deepEqual(uses, [
      { role: 'Editor', members: 1 },
      { role: 'Member', members: 1 },
    ])
  })

  test('GET /ui/team-roles › counts a person with a role in several teams once', async () => {
    const put = async (id: string, ...addresses: string[]): Promise<void> => {
      const members = addresses.map((emailAddress) => ({ emailAddress, role: 'Steward' }))
      await expectOk(world.as('O', 'PUT', `/api/teams/${id}`, { body: { name: id, members } }))
    }
    await put('role-uses-1', 'grace@b.example', 'ada@b.example')
    await put('role-uses-2', 'Grace@b.example')
    const browser = newBrowser(world)
    browser.token = world.sessions.Um
    const { uses } = await readJson<{ uses: { role: string; members: number }[] }>(
      browser.ask('GET', '/ui/team-roles'),
    )
    assert.equal(uses.find(({ role }) => role === 'Steward')?.members, 2)
    await put('role-uses-1')
    await put('role-uses-2')
  })

  test('custom roles › replace the permissions of the default roles with the same names', async () => {
    assert.deepEqual([await addProduct('Ue'), await addProduct('Um')], [200, 403])
    await expectOk(put(custom(editor, role('Member', ['DATAPRODUCT_ADD']))))
    assert.deepEqual([await addProduct('Ue'), await addProduct('Um')], [403, 200])
    await expectOk(put({ mode: 'default' }))
    assert.deepEqual([await addProduct('Ue'), await addProduct('Um')], [200, 403])
  })

  test('custom roles › take effect in other processes within a second', async () => {
    const there = newProduct(store())
    assert.equal(await addProduct('Ue', { ...world, ...there }), 200)
    await expectOk(put(custom(editor, member)))
    await eventually(
      CHANGE_MS_MAX,
      async () => (await addProduct('Ue', { ...world, ...there })) === 403,
      'the new permissions apply',
    )
  })

  test('custom roles › are inherited by the teams below', async () => {
    const members = [{ emailAddress: 'x@y.example', role: 'Data Keeper' }]
    const person = await newMember(world, world.organizationId)
    members[0] = { emailAddress: person.email, role: 'Data Keeper' }
    await expectOk(world.as('O', 'PUT', '/api/teams/top', { body: { name: 'Top', members } }))
    await expectOk(world.as('O', 'PUT', '/api/teams/low', { body: { name: 'Low', parent: 'top' } }))
    const edit = async (): Promise<number> => {
      const id = uniqueId()
      const body = odps(id, { team: { name: 'low' } })
      return (await person.browser.ask('PUT', `/api/dataproducts/${id}`, body)).status
    }
    assert.equal(await edit(), 403)
    await expectOk(put(custom(editor, member, role('Data Keeper', ['DATAPRODUCT_ADD']))))
    assert.equal(await edit(), 200)
  })

  test('custom roles › GET /ui/session shows the permissions of the custom role', async () => {
    await expectOk(put(custom(role('Editor', ['TEAM_EDIT']), member)))
    const browser = newBrowser(world)
    browser.token = world.sessions.Ue
    const { teams, customRoles } = await readJson<Session>(browser.ask('GET', '/ui/session'))
    assert.deepEqual(customRoles, [role('Editor', ['TEAM_EDIT']), member])
    assert.deepEqual(
      teams.map(({ id, permissions }) => [id, permissions]),
      [['a', ['TEAM_EDIT']]],
    )
  })

  test('custom roles › a team key keeps every permission on its team', async () => {
    await expectOk(put(custom(editor, member, role('Owner'))))
    assert.equal(await addProduct('T'), 200)
  })

  test('custom roles › an Owner with fewer permissions creates a team key with no more than their own', async () => {
    const person = await newMember(world, world.organizationId)
    const members = [{ emailAddress: person.email, role: 'Owner' }]
    await expectOk(world.as('O', 'PUT', '/api/teams/b', { body: { name: 'B', members } }))
    const create = (): Promise<Response> =>
      person.browser.ask('POST', '/ui/api-keys', {
        scope: 'team',
        teamId: 'b',
        displayName: uniqueId(),
      })
    const list = async (): Promise<readonly string[]> =>
      (await readJson<{ permissions: string[] }>(create(), 201)).permissions
    assert.deepEqual(new Set(await list()), new Set(PERMISSIONS))
    const [, ...most] = PERMISSIONS
    await expectOk(put(custom(editor, member, role('Owner', most))))
    assert.deepEqual(new Set(await list()), new Set(most))
    await expectOk(put(custom(editor, member, role('Owner', PERMISSIONS))))
    assert.deepEqual(new Set(await list()), new Set(PERMISSIONS))
  })

  test('custom roles › names are compared as they are written, and other roles are Members', async () => {
    const person = await newMember(world, world.organizationId)
    const members = [{ emailAddress: person.email, role: 'EDITOR' }]
    await expectOk(world.as('O', 'PUT', '/api/teams/b', { body: { name: 'B', members } }))
    await expectOk(put(custom(role('Editor', PERMISSIONS), role('Member', ['ACCESS_ADD']))))
    const { teams } = await readJson<Session>(person.browser.ask('GET', '/ui/session'))
    assert.deepEqual(teams[0]?.permissions, ['ACCESS_ADD'])
  })

  test('custom roles › an error names those that grant the permission, to a person', async () => {
    await expectOk(put(custom(editor, member, role('Data Keeper', ['DATAPRODUCT_ADD']))))
    const send = async (call: typeof world.asPerson): Promise<{ roles?: string[] }> => {
      const id = uniqueId()
      return await readJson(call('Ue', 'PUT', `/api/dataproducts/${id}`, { body: odps(id) }), 403)
    }
    assert.deepEqual((await send(world.asPerson)).roles, ['Data Keeper'])
    assert.equal((await send(world.as)).roles, undefined)
  })

  test('custom roles › of another organization have no effect', async () => {
    const other = await newWorld(world)
    await expectOk(other.as('O', 'PUT', ROLES, { body: custom(role('Editor'), role('Member')) }))
    assert.equal(await addProduct('Ue'), 200)
  })
})
