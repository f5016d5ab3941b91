/** Details of errors that only signed-in members see, and neither API keys nor other organizations. */

import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { expectProblem, readText } from '../../../test/answers.ts'
import { newMember } from '../../../test/people.ts'
import { onStore } from '../../../test/stores.ts'
import { newProduct, newWorld, odcs, odps, uniqueId, type World } from '../../../test/world.ts'
import { missingPermission } from '../http/missing-permission.ts'
import { addErrorDetails } from './error-details-service.ts'
import { findSimilarTeams } from './similar-teams.ts'

const TEAMS = [
  { id: 'fleet', name: 'Wagon Fleet' },
  { id: 'fleet-planning', name: 'Planning of the fleet' },
  { id: 'finance', name: 'Finance' },
  { id: 't-17', name: 'Qualität' },
]

for (const [text, expected] of [
  ['Fleet', ['fleet']],
  ['the fleet', ['fleet', 'fleet-planning']],
  ['Wagon fleet', ['fleet']],
  ['wagon-fleet', ['fleet']],
  ['finanse', ['finance']],
  ['qualitat', ['t-17']],
  ['marketing', []],
  ['', []],
  ['…', []],
] as const) {
  test(`findSimilarTeams › "${text}" suggests ${expected.join(', ') || 'nothing'}`, () => {
    const ids = findSimilarTeams(text, TEAMS).map(({ id }) => id)
    assert.equal(ids[0], expected[0])
    assert.deepEqual(ids.toSorted(), [...expected].toSorted())
  })
}

test('findSimilarTeams › suggests three teams at most', () => {
  const teams = Array.from({ length: 9 }, (_, at) => ({ id: `squad-${at}`, name: `Squad ${at}` }))
  assert.deepEqual(
    findSimilarTeams('squad', teams).map(({ id }) => id),
    ['squad-0', 'squad-1', 'squad-2'],
  )
})

interface Explained {
  code?: string
  permission?: string
  team?: { id: string; name?: string } | null
  people?: { name: string }[]
  precondition?: string
  unknownTeam?: { id: string; field: string; suggestions?: { id: string; name: string }[] }
}

function putProduct(id: string, owner: string) {
  return [`/api/dataproducts/${id}`, { body: odps(id, { team: { name: owner } }) }] as const
}

onStore((store) => {
  let world: World
  const team = uniqueId()
  const child = uniqueId()
  before(async () => {
    world = await newWorld(newProduct(store()))
    const add = async (name: string): Promise<string> =>
      (await newMember(world, world.organizationId, 'Member', name)).email
    const members = [
      { emailAddress: await add('Ada Lindqvist'), role: 'Editor' },
      { emailAddress: await add('Jonas Weber'), role: 'Owner' },
      { emailAddress: await add('Stewart Steward'), role: 'Steward' },
      { emailAddress: await add('Mia Member'), role: 'Member' },
      { emailAddress: 'stranger@example.test', role: 'Owner' },
    ]
    const put = (id: string, body: object): Promise<string> =>
      readText(world.as('O', 'PUT', `/api/teams/${id}`, { body }))
    await put(team, { name: 'Wagon Fleet', members })
    await put(child, { name: 'Wagon Parts', parent: team })
  })

  test('PUT /api/dataproducts/{id} › 403 names the team and who has the permission to a member', async () => {
    const answer = world.asPerson('Ue', 'PUT', ...putProduct(uniqueId(), team))
    const problem: Explained = await expectProblem(answer, 403, /DATAPRODUCT_ADD on team/)
    assert.equal(problem.code, 'permission_missing')
    assert.equal(problem.permission, 'DATAPRODUCT_ADD')
    assert.deepEqual(problem.team, { id: team, name: 'Wagon Fleet' })
    assert.deepEqual(problem.people, [{ name: 'Ada Lindqvist' }, { name: 'Jonas Weber' }])
  })

  test('PUT /api/dataproducts/{id} › 403 names people of the teams above if the team has none', async () => {
    const answer = world.asPerson('Ue', 'PUT', ...putProduct(uniqueId(), child))
    const { team: named, people }: Explained = await expectProblem(answer, 403)
    assert.deepEqual(named, { id: child, name: 'Wagon Parts' })
    assert.deepEqual(people, [{ name: 'Ada Lindqvist' }, { name: 'Jonas Weber' }])
  })

  test('403 › names owners of the organization if no member has a role or no team owns it', async () => {
    await newMember(world, world.organizationId, 'Owner', 'Olga Owner')
    const byTeam: Explained = await expectProblem(
      world.asPerson('Ue', 'PUT', ...putProduct(uniqueId(), 'b')),
      403,
    )
    assert.ok(byTeam.people?.some(({ name }) => name === 'Olga Owner'))
    const id = uniqueId()
    const path = `/api/datacontracts/${id}`
    await readText(world.as('Uo', 'PUT', path, { body: odcs(id, { team: undefined }) }))
    const noTeam: Explained = await expectProblem(
      world.asPerson('Ue', 'PUT', path, { body: odcs(id, { team: undefined, name: 'Other' }) }),
      403,
    )
    assert.equal(noTeam.team, null)
    assert.ok(noTeam.people?.some(({ name }) => name === 'Olga Owner'))
    const owners: Explained = await expectProblem(
      world.asPerson('Ue', 'PUT', '/ui/organization', { body: { name: 'N' } }),
      403,
    )
    assert.ok(owners.people?.some(({ name }) => name === 'Olga Owner'))
  })

  test('403 and 422 › name no person and no other team to a key, not even to a personal one', async () => {
    for (const caller of ['Ue', 'T'] as const) {
      const forbidden: Explained = await expectProblem(
        world.as(caller, 'PUT', ...putProduct(uniqueId(), team)),
        403,
      )
      assert.deepEqual(forbidden.team, { id: team })
      assert.equal('people' in forbidden, false)
      const unknown: Explained = await expectProblem(
        world.as(caller, 'PUT', ...putProduct(uniqueId(), 'Team A')),
        422,
      )
      assert.deepEqual(unknown.unknownTeam, { id: 'Team A', field: 'team.name' })
    }
  })

  test('403 › a team of another organization has no name and no people', async () => {
    const other = await newWorld(newProduct(store()))
    const problem: Explained = await expectProblem(
      other.asPerson('Um', 'PUT', `/api/teams/${uniqueId()}`, {
        body: { name: 'N', parent: team },
      }),
      403,
    )
    assert.deepEqual(problem.team, { id: team })
    const names = problem.people?.map(({ name }) => name) ?? []
    assert.ok(!names.includes('Ada Lindqvist') && !names.includes('Jonas Weber'))
  })

  test('422 › a team that does not exist comes with similar ones of the organization', async () => {
    const named = `Wagon ${uniqueId()}`
    await readText(world.as('O', 'PUT', `/api/teams/${uniqueId()}x`, { body: { name: named } }))
    const answer = world.asPerson('Uo', 'PUT', ...putProduct(uniqueId(), named))
    const problem: Explained = await expectProblem(answer, 422, /Unknown team "Wagon /)
    assert.equal(problem.unknownTeam?.id, named)
    assert.deepEqual(
      problem.unknownTeam.suggestions?.map(({ name }) => name),
      [named],
    )
    const other = await newWorld(newProduct(store()))
    const elsewhere: Explained = await expectProblem(
      other.asPerson('Uo', 'PUT', ...putProduct(uniqueId(), named)),
      422,
    )
    assert.deepEqual(elsewhere.unknownTeam?.suggestions, [])
  })

  test('412 › reports whether the resource exists, was changed or is missing', async () => {
    const id = uniqueId()
    const [path, { body }] = putProduct(id, 'a')
    const put = (headers: Record<string, string>): Promise<Response> =>
      world.asPerson('Ue', 'PUT', path, { body, headers })
    const missing: Explained = await expectProblem(put({ 'if-match': '"x"' }), 412)
    await readText(put({}))
    const exists: Explained = await expectProblem(put({ 'if-none-match': '*' }), 412)
    const changed: Explained = await expectProblem(put({ 'if-match': '"x"' }), 412)
    assert.deepEqual(
      [missing.precondition, exists.precondition, changed.precondition],
      ['missing', 'exists', 'changed'],
    )
  })

  test('addErrorDetails › asks the store nothing for a key', async () => {
    const { services } = world
    const caller = await services.authenticator.authenticate(world.keys.Ue)
    const apiError = missingPermission('TEAM_EDIT', team)
    assert.equal(await addErrorDetails(services.db, caller, apiError), apiError)
  })
})
