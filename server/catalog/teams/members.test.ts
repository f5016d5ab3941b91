import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { expectProblem, readJson } from '../../../test/answers.ts'
import { newMember } from '../../../test/people.ts'
import { onStore } from '../../../test/stores.ts'
import { expectOk, newProduct, newWorld, odps, uniqueId, type World } from '../../../test/world.ts'

interface TeamDocument {
  members: { emailAddress: string; role: string }[]
  [field: string]: unknown
}

const ROLES = [
  { name: 'Owner', permissions: ['TEAM_EDIT', 'DATAPRODUCT_ADD', 'DATAPRODUCT_DELETE'] },
  { name: 'Editor', permissions: ['TEAM_EDIT'] },
  { name: 'Members', permissions: ['TEAM_MEMBER_ADD', 'TEAM_MEMBER_EDIT', 'TEAM_MEMBER_DELETE'] },
  { name: 'Builder', permissions: ['TEAM_ADD', 'TEAM_EDIT'] },
  {
    name: 'Manager',
    permissions: [
      'TEAM_ADD',
      'TEAM_EDIT',
      'TEAM_MEMBER_ADD',
      'TEAM_MEMBER_EDIT',
      'TEAM_MEMBER_DELETE',
    ],
  },
  { name: 'Member', permissions: [] },
]

/** Returns a document whose member with an address has another role; undefined = is removed. */
function withRole(document: TeamDocument, address: string, role: string | undefined): TeamDocument {
  const members = document.members.flatMap((one) => {
    if (one.emailAddress.toLowerCase() !== address) return [one]
    return role === undefined ? [] : [{ ...one, role }]
  })
  return { ...document, members }
}

async function expectExceeding(answer: Promise<Response>, permission: RegExp): Promise<void> {
  const { code } = await expectProblem(answer, 403, permission)
  assert.equal(code, 'role_exceeds_own')
}

function withMember(document: TeamDocument, emailAddress: string, role: string): TeamDocument {
  return { ...document, members: [...document.members, { emailAddress, role }] }
}

onStore((store) => {
  let world: World
  let person: Awaited<ReturnType<typeof newMember>>
  const team = '/api/teams/t'

  beforeEach(async () => {
    world = await newWorld(newProduct(store()))
    person = await newMember(world, world.organizationId, 'Member', 'Ada')
    const body = { mode: 'custom-team-roles', 'team-roles': ROLES }
    await expectOk(world.as('O', 'PUT', '/api/settings/team-roles', { body }))
  })

  /** Creates the team `t` in which the person has a role, beside an Owner and a Member. */
  async function newTeam(role: string, more: object = {}): Promise<TeamDocument> {
    const members = [
      { emailAddress: person.email, role },
      { emailAddress: 'Owner@x.example', role: 'Owner' },
      { emailAddress: 'Member@x.example', role: 'Member' },
    ]
    const body = { name: 'T', members, ...more }
    return await readJson<TeamDocument>(world.as('O', 'PUT', team, { body }))
  }

  const put = (body: object, path = team): Promise<Response> =>
    person.browser.ask('PUT', path, body)

  describe('PUT /api/teams/{id}', () => {
    test('403 › a caller who may only edit the team makes itself its Owner', async () => {
      const document = await newTeam('Editor')
      const answer = put(withRole(document, person.email, 'Owner'))
      await expectProblem(answer, 403, /TEAM_MEMBER_EDIT on team t is missing/)
    })

    for (const [what, change, permission] of [
      [
        'adding a member',
        (one: TeamDocument) => withMember(one, 'new@x.example', 'Member'),
        /_ADD/,
      ],
      ['another role', (one: TeamDocument) => withRole(one, 'member@x.example', 'Guest'), /_EDIT/],
      [
        'removing one',
        (one: TeamDocument) => withRole(one, 'member@x.example', undefined),
        /_DELETE/,
      ],
    ] as const) {
      test(`${what} › 403 with TEAM_EDIT only, 200 with the permissions of members only`, async () => {
        const document = await newTeam('Editor')
        const missing = new RegExp(`TEAM_MEMBER${permission.source} on team t is missing`)
        await expectProblem(put(change(document)), 403, missing)
        await newTeam('Members')
        await expectOk(put(change(withRole(document, person.email, 'Members'))))
      })
    }

    test('403 › other fields with the permissions of members only', async () => {
      const document = await newTeam('Members')
      const changed = withMember({ ...document, description: 'New' }, 'new@x.example', 'Member')
      await expectProblem(put(changed), 403, /TEAM_EDIT on team t is missing/)
      await expectProblem(put({ ...changed, members: 7 }), 403, /TEAM_MEMBER_DELETE|TEAM_EDIT/)
      await expectProblem(put(document), 403, /TEAM_EDIT/)
    })

    test('200 › an address in another letter case, and members in another order, change no role', async () => {
      const document = await newTeam('Editor')
      const members = document.members.toReversed()
      const upper = members.map((one) => ({ ...one, emailAddress: one.emailAddress.toUpperCase() }))
      await expectOk(put({ ...document, members: upper }))
    })

    test('403 › a role that allows more than the caller may do, given or taken away', async () => {
      const document = await newTeam('Manager')
      await expectExceeding(
        put(withRole(document, person.email, 'Owner')),
        /DATAPRODUCT_ADD on team t/,
      )
      await expectExceeding(
        put(withMember(document, 'new@x.example', 'Owner')),
        /gives the role "Owner"/,
      )
      await expectExceeding(
        put(withRole(document, 'owner@x.example', 'Member')),
        /takes away the role/,
      )
      await expectExceeding(
        put(withRole(document, 'owner@x.example', undefined)),
        /takes away the role/,
      )
      await expectOk(put(withRole(document, 'member@x.example', 'Manager')))
      await expectExceeding(
        put({
          ...document,
          members: [...document.members, { emailAddress: person.email, role: 'Owner' }],
        }),
        /gives the role "Owner"/,
      )
    })

    test('200 › a person leaves the team without any permission, and removes no other', async () => {
      const document = await newTeam('Member')
      const without = withRole(document, person.email, undefined)
      await expectProblem(put(withRole(without, 'member@x.example', undefined)), 403, /_DELETE/)
      await expectProblem(put({ ...without, description: 'New' }), 403, /TEAM_EDIT/)
      await expectProblem(put(withRole(document, 'member@x.example', undefined)), 403, /_DELETE/)
      await expectOk(put(without))
      await expectProblem(put(document), 403)
    })

    test('403 › a new team below with a member whose role allows more', async () => {
      await newTeam('Manager')
      const below = `/api/teams/${uniqueId()}`
      const body = { name: 'Below', parent: 't' }
      await expectExceeding(
        put({ ...body, members: [{ emailAddress: person.email, role: 'Owner' }] }, below),
        /DATAPRODUCT_ADD on team t/,
      )
      await expectOk(
        put({ ...body, members: [{ emailAddress: person.email, role: 'Manager' }] }, below),
      )
    })

    test('403 › a new team below with members, by a caller who may add teams only', async () => {
      await newTeam('Builder')
      const below = `/api/teams/${uniqueId()}`
      const body = { name: 'Below', parent: 't' }
      const members = [{ emailAddress: 'new@x.example', role: 'Member' }]
      await expectProblem(put({ ...body, members }, below), 403, /TEAM_MEMBER_ADD on team t/)
      await expectOk(put(body, below))
    })

    test('403 › a move to a place where the caller may do more', async () => {
      await newTeam('Editor', { name: 'D1' })
      const members = [{ emailAddress: person.email, role: 'Builder' }]
      const d2 = {
        name: 'D2',
        members: [...members, { emailAddress: person.email, role: 'Owner' }],
      }
      await expectOk(world.as('O', 'PUT', '/api/teams/d2', { body: d2 }))
      const moved = `/api/teams/${uniqueId()}`
      await expectOk(world.as('O', 'PUT', moved, { body: { name: 'C', parent: 't' } }))
      await expectExceeding(put({ name: 'C', parent: 'd2' }, moved), /DATAPRODUCT_ADD|TEAM_ADD/)
    })

    test('403 › a move that takes rights from people who may do more', async () => {
      await newTeam('Builder', { name: 'D1' })
      const d2 = { name: 'D2', members: [{ emailAddress: person.email, role: 'Builder' }] }
      await expectOk(world.as('O', 'PUT', '/api/teams/d2', { body: d2 }))
      const moved = `/api/teams/${uniqueId()}`
      await expectOk(world.as('O', 'PUT', moved, { body: { name: 'C', parent: 't' } }))
      await expectExceeding(put({ name: 'C', parent: 'd2' }, moved), /lowers "owner@x.example"/)
      const alone = { name: 'D1', members: [{ emailAddress: person.email, role: 'Builder' }] }
      await expectOk(world.as('O', 'PUT', team, { body: alone }))
      await expectOk(put({ name: 'C', parent: 'd2' }, moved))
    })

    test('200 › owners of the organization and keys of the team give every role', async () => {
      const document = await newTeam('Member')
      const { key } = await readJson<{ key: string }>(
        world.as('O', 'POST', '/api/api-keys', { body: { scope: 'team', teamId: 't' } }),
        201,
      )
      const changed = withRole(document, person.email, 'Owner')
      await expectOk(world.call('PUT', team, { key, body: changed }))
      await expectOk(
        world.as('Uo', 'PUT', team, { body: withRole(changed, 'owner@x.example', undefined) }),
      )
      await expectOk(
        person.browser.ask('PUT', '/api/dataproducts/p', odps('p', { team: { name: 't' } })),
      )
    })

    test('an equal address in a team of another organization changes nothing here', async () => {
      const other = await newWorld(world)
      const members = [{ emailAddress: person.email, role: 'Owner' }]
      await expectOk(other.as('O', 'PUT', team, { body: { name: 'T', members } }))
      const document = await newTeam('Editor')
      await expectProblem(put(withRole(document, person.email, 'Owner')), 403, /TEAM_MEMBER_EDIT/)
    })
  })
})
