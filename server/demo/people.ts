import { createApiKey } from '../people/api-keys/service.ts'
import { recordDemoPerson } from '../people/organizations/demo-service.ts'
import { addMember } from '../people/organizations/service.ts'
import { hashPassword } from '../people/users/password.ts'
import { asText, getField, type Value } from '../../formats/text/value.ts'
import { readTime } from '../platform/kit/clock.ts'
import { newToken } from '../platform/kit/token.ts'
import type { Services } from '../requests/http/endpoint.ts'
import type { MeshDocument } from './mesh.ts'
import { setBack } from './register.ts'

/** A person who can sign in to the demo. */
interface DemoPerson {
  name: string
  email: string
  /** The role, as the sign-in page shows it. */
  role: string
}

/** The people who can sign in. The first owns the organization. */
export const PEOPLE = [
  {
    name: 'Henrike Vossberg',
    email: 'henrike.vossberg@velmora.example',
    role: 'Owner of the organization, decides on access requests',
  },
  {
    name: 'Noemi Castellani',
    email: 'noemi.castellani@velmora.example',
    role: 'Consumer: reads the data of other teams for Customer Logistics',
  },
  {
    name: 'Pavel Hruška',
    email: 'pavel.hruska@velmora.example',
    role: 'Member without a role in any team',
  },
] as const satisfies readonly DemoPerson[]

/** The API keys of teams. Their secrets are discarded, so they cannot be used. */
export const TEAM_KEYS = [
  {
    team: 'train-control',
    displayName: 'CI of Train Control',
    daysLeft: undefined,
    maker: 'ilka.brandauer',
  },
  { team: 'fleet', displayName: 'CI of Wagon Fleet', daysLeft: 9, maker: 'henrike.vossberg' },
  {
    team: 'customer-logistics',
    displayName: 'CI of Customer Logistics',
    daysLeft: 180,
    maker: 'noemi.castellani',
  },
  { team: 'terminals', displayName: 'Terminal publisher', daysLeft: 90, maker: 'noemi.castellani' },
  {
    team: 'data-platform',
    displayName: 'Nightly metadata sync',
    daysLeft: 300,
    maker: 'henrike.vossberg',
  },
] as const

/** The end of the addresses of all people. */
export const DOMAIN = '@velmora.example'
const DAY_MS = 24 * 60 * 60 * 1000
/** The age of the organization and its members. The teams are younger. */
const FOUNDED_MS = 71 * DAY_MS
const KEYS_MS = 60.5 * DAY_MS

/** A person with a new password. */
interface Newcomer extends DemoPerson {
  password: string
}

/** The principals of the demo's people by their addresses. */
export type Principals = ReadonlyMap<string, string>

/** Returns the address of a person by its part before the @. */
export function toAddress(name: string): string {
  return `${name}${DOMAIN}`
}

/** Returns the principal of a person by the part of the address before the @. Throws unless the person is a member. */
export function findPrincipal(principals: Principals, name: string): string {
  const principal = principals.get(toAddress(name))
  if (principal === undefined) throw new Error(`${name} is not a member of the demo`)
  return principal
}

/** Returns services whose clock shows the time when the organization was founded. */
export function atFoundation(services: Services): Services {
  return { ...services, clock: setBack(services.clock, FOUNDED_MS) }
}

/** Returns the people who can sign in, each with a new password. */
export function newPeople(): [owner: Newcomer, ...members: Newcomer[]] {
  const [owner, ...members] = PEOPLE
  return [withPassword(owner), ...members.map(withPassword)]
}

function withPassword(person: DemoPerson): Newcomer {
  return { ...person, password: newToken('demo_') }
}

/**
 * Adds members to the organization: people who can sign in, then all others of its teams, without a password.
 * Returns the principals of all.
 */
export async function addMembers(
  services: Services,
  organizationId: string,
  owner: { email: string; userId: string },
  { newcomers, mesh }: { newcomers: readonly Newcomer[]; mesh: readonly MeshDocument[] },
): Promise<Principals> {
  const { db, clock, passwordCost } = atFoundation(services)
  const principals = new Map([[owner.email, `user:${owner.userId}`]])
  const add = async (email: string, name: string, passwordHash: string): Promise<void> => {
    const person = { email, name, passwordHash, role: 'Member' as const }
    principals.set(email, `user:${await addMember(db, organizationId, person, clock)}`)
  }
  for (const { email, name, password } of newcomers) {
    await add(email, name, await hashPassword(passwordCost, password))
  }
  for (const [email, name] of listPeopleOfTeams(mesh)) {
    // An empty hash matches no password.
    if (!principals.has(email)) await add(email, name, '')
  }
  for (const [position, { email, role }] of PEOPLE.entries()) {
    const userId = principals.get(email)?.replace(/^user:/, '') ?? ''
    await recordDemoPerson(db, organizationId, { userId, position, email, role })
  }
  return principals
}

/** Lists the people of the mesh's teams: names by addresses. Documents contain the names. */
export function listPeopleOfTeams(mesh: readonly MeshDocument[]): Map<string, string> {
  const names = new Map(
    mesh.flatMap(({ source: { value } }) =>
      toList(getField(getField(value, 'team'), 'members')).map((member): [string, string] => [
        asText(getField(member, 'username')) ?? '',
        asText(getField(member, 'name')) ?? '',
      ]),
    ),
  )
  return new Map(
    mesh
      .filter(({ folder }) => folder === 'teams')
      .flatMap(({ source: { value } }) => toList(getField(value, 'members')))
      .map((member) => asText(getField(member, 'emailAddress')) ?? '')
      .map((email) => [email, names.get(email) || toName(email)]),
  )
}

/** Finds the owner of each team of the mesh. Returns addresses by team. */
export function listTeamOwners(mesh: readonly MeshDocument[]): Map<string, string> {
  return new Map(
    mesh
      .filter(({ folder }) => folder === 'teams')
      .flatMap(({ id, source: { value } }) =>
        toList(getField(value, 'members'))
          .filter((member) => asText(getField(member, 'role')) === 'Owner')
          .map((member): [string, string] => [id, asText(getField(member, 'emailAddress')) ?? '']),
      ),
  )
}

function toList(value: Value | undefined): readonly Value[] {
  return Array.isArray(value) ? value : []
}

// A function such as works-council@ has only an address: Works Council.
function toName(email: string): string {
  const [local = ''] = email.split('@')
  return local
    .split(/[.-]/)
    .map((word) => `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`)
    .join(' ')
}

/** Creates the keys of teams. Returns their principals by team. */
export async function createTeamKeys(
  services: Services,
  organizationId: string,
  principals: Principals,
): Promise<Map<string, string>> {
  const keys = new Map<string, string>()
  const { db } = services
  const clock = setBack(services.clock, KEYS_MS)
  const now = Date.parse(await readTime(db, services.clock))
  for (const { team, displayName, daysLeft, maker } of TEAM_KEYS) {
    const expiresOn =
      daysLeft === undefined
        ? undefined
        : new Date(now + daysLeft * DAY_MS).toISOString().slice(0, 10)
    const key = { scope: 'team' as const, team, userId: undefined, displayName, expiresOn }
    const by = findPrincipal(principals, maker)
    keys.set(team, `api-key:${(await createApiKey(db, clock, organizationId, key, by)).id}`)
  }
  return keys
}
