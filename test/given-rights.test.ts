/** No request gives a person a permission that its caller lacks, over random trees of teams, roles and requests. */

import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import * as fc from 'fast-check'
import type { Session } from '../server/people/organizations/signed-in.ts'
import { readJson } from './answers.ts'
import { newMember } from './people.ts'
import { onStore } from './stores.ts'
import { expectOk, newProduct, newWorld, uniqueId, type World } from './world.ts'

const PERMISSIONS = [
  'TEAM_ADD',
  'TEAM_EDIT',
  'TEAM_MEMBER_ADD',
  'TEAM_MEMBER_EDIT',
  'TEAM_MEMBER_DELETE',
  'DATAPRODUCT_ADD',
  'ACCESS_APPROVE',
]
const ROLES = ['Role A', 'Role B', 'Role C', 'Role D']
const PEOPLE = 3
const TEAMS = 4
const RUNS = 30
// Teams that a run creates follow those that it begins with.
const NEW_TEAMS = 2

const role = fc.constantFrom(...ROLES)
const members = fc.uniqueArray(fc.tuple(fc.nat(PEOPLE - 1), role), {
  selector: ([person]) => person,
  // Requests of others than members are refused.
  minLength: PEOPLE - 1,
  maxLength: PEOPLE,
})
/** A team: its parent among the earlier ones, or none, and its members. */
const team = fc.record({ parent: fc.option(fc.nat(TEAMS - 1)), members })

const scenario = fc.record({
  // One role has every permission, so that enough requests are allowed.
  roles: fc.tuple(fc.constant(PERMISSIONS), ...ROLES.slice(1).map(() => fc.subarray(PERMISSIONS))),
  teams: fc.array(team, { minLength: TEAMS, maxLength: TEAMS }),
  requests: fc.array(
    fc.record({
      person: fc.nat(PEOPLE - 1),
      team: fc.nat(TEAMS + NEW_TEAMS - 1),
      // A request changes the parent, the members, or both.
      change: fc.constantFrom('parent', 'members', 'both'),
      sent: team,
    }),
    { minLength: 4, maxLength: 8 },
  ),
})

type Sent = { parent: number | null; members: [number, string][] }
type Held = Map<string, Set<string>>[]

onStore((store) => {
  let world: World
  let people: Awaited<ReturnType<typeof newMember>>[]
  before(async () => {
    world = await newWorld(newProduct(store()))
    people = await Promise.all(
      Array.from({ length: PEOPLE }, () => newMember(world, world.organizationId)),
    )
  })

  /** Returns what each person may do in each team. */
  async function readHeld(): Promise<Held> {
    return await Promise.all(
      people.map(async ({ browser }) => {
        const { teams } = await readJson<Session>(browser.ask('GET', '/ui/session'))
        return new Map(teams.map(({ id, permissions }) => [id, new Set<string>(permissions)]))
      }),
    )
  }

  async function setRoles(granted: readonly string[][]): Promise<void> {
    const roles = ROLES.map((name, at) => ({ name, permissions: granted[at] ?? [] }))
    const others = ['Editor', 'Member'].map((name) => ({ name, permissions: [] }))
    const body = { mode: 'custom-team-roles', 'team-roles': [...roles, ...others] }
    await expectOk(world.as('O', 'PUT', '/api/settings/team-roles', { body }))
  }

  test('PUT /api/teams/{id} › gives and takes only what its caller has', async () => {
    let allowed = 0
    let refused = 0
    await fc.assert(
      fc.asyncProperty(scenario, async ({ roles, teams, requests }) => {
        await setRoles(roles)
        const ids = Array.from({ length: TEAMS + NEW_TEAMS }, uniqueId)
        const idAt = (at: number | null): string | undefined => (at === null ? undefined : ids[at])
        const documents = new Map<string, { name: string; parent?: string; members: object[] }>()
        const toBody = ({ parent, members }: Sent) => ({
          name: 'T',
          ...(parent === null ? {} : { parent: idAt(parent) ?? '' }),
          members: members.map(([at, one]) => ({ emailAddress: people[at]?.email, role: one })),
        })
        for (const [at, { parent, members }] of teams.entries()) {
          const isEarlier = parent !== null && parent < at
          const body = toBody({ parent: isEarlier ? parent : null, members })
          documents.set(ids[at] ?? '', body)
          await expectOk(world.as('O', 'PUT', `/api/teams/${ids[at]}`, { body }))
        }
        for (const { person, team: at, change, sent } of requests) {
          const id = ids[at] ?? ''
          const stored = documents.get(id)
          const full = toBody(sent)
          const { parent, ...rest } = full
          const body =
            stored === undefined || change === 'both'
              ? full
              : change === 'members'
                ? { ...stored, members: rest.members }
                : { ...rest, members: stored.members, ...(parent === undefined ? {} : { parent }) }
          const before = await readHeld()
          const answer = await people[person]?.browser.ask('PUT', `/api/teams/${id}`, body)
          if (answer?.ok !== true) {
            refused += 1
            continue
          }
          allowed += 1
          const own = stored === undefined ? (body.parent ?? '') : id
          const held = before[person]?.get(own) ?? new Set()
          const after = await readHeld()
          for (const [who, byTeam] of after.entries()) {
            for (const [place, permissions] of byTeam) {
              const had =
                before[who]?.get(place) ??
                before[who]?.get(stored === undefined && place === id ? own : '')
              const gained = permissions.difference(had ?? new Set())
              const holds = before[person]?.get(place) ?? held
              assert.ok(
                gained.isSubsetOf(holds),
                `${who} gains ${[...gained].join(', ')} on ${place}`,
              )
            }
          }
          for (const [place, permissions] of before.flatMap((byTeam) => [...byTeam])) {
            if (place !== id || permissions.isSubsetOf(held)) continue
            const is = after.some((byTeam) =>
              permissions.isSubsetOf(byTeam.get(place) ?? new Set()),
            )
            assert.ok(is, `a person with more than the caller is lowered on ${place}`)
          }
          documents.set(id, body)
        }
      }),
      { numRuns: RUNS },
    )
    assert.ok(allowed >= RUNS / 4, `${allowed} of ${allowed + refused} requests were allowed`)
  })
})
