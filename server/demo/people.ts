import { createApiKey } from '../people/api-keys/service.ts'
import type { Services } from '../requests/http/endpoint.ts'
import { readTime } from '../platform/kit/clock.ts'
import { newToken } from '../platform/kit/token.ts'
import { addMember } from '../people/organizations/service.ts'
import { hashPassword } from '../people/users/password.ts'

/** The people who can sign in. The first owns the organization. Their addresses are members of teams. */
const PEOPLE = [
  { name: 'Henrike Vossberg', email: 'henrike.vossberg@velmora.example' },
  { name: 'Ilka Brandauer', email: 'ilka.brandauer@velmora.example' },
  { name: 'Noemi Castellani', email: 'noemi.castellani@velmora.example' },
] as const

/** The API keys of teams. Their secrets are discarded, so they cannot be used. */
const TEAM_KEYS = [
  { team: 'train-control', displayName: 'CI of Train Control', daysLeft: undefined, maker: 1 },
  { team: 'fleet', displayName: 'CI of Wagon Fleet', daysLeft: 9, maker: 0 },
  { team: 'customer-logistics', displayName: 'CI of Customer Logistics', daysLeft: 180, maker: 2 },
  { team: 'terminals', displayName: 'Terminal publisher', daysLeft: 90, maker: 2 },
  { team: 'data-platform', displayName: 'Nightly metadata sync', daysLeft: 300, maker: 0 },
] as const

const DAY_MS = 24 * 60 * 60 * 1000

/** A person with a new password. */
export interface Newcomer {
  name: string
  email: string
  password: string
}

/** Returns the people of the demo, each with a new password. */
export function newPeople(): [owner: Newcomer, ...members: Newcomer[]] {
  const [owner, ...members] = PEOPLE
  const withPassword = (person: Omit<Newcomer, 'password'>): Newcomer => ({
    ...person,
    password: newToken('demo_'),
  })
  return [withPassword(owner), ...members.map(withPassword)]
}

/** Adds members to the organization. Returns their principals. */
export async function addMembers(
  { db, passwordCost }: Services,
  organizationId: string,
  members: readonly Newcomer[],
): Promise<string[]> {
  const principals: string[] = []
  for (const { password, ...member } of members) {
    const passwordHash = await hashPassword(passwordCost, password)
    const person = { ...member, passwordHash, role: 'Member' as const }
    principals.push(`user:${await addMember(db, organizationId, person)}`)
  }
  return principals
}

/** Creates the keys of teams. Returns their principals by team. */
export async function createTeamKeys(
  { db, clock }: Services,
  organizationId: string,
  principals: readonly string[],
): Promise<Map<string, string>> {
  const keys = new Map<string, string>()
  const now = Date.parse(await readTime(db, clock))
  for (const { team, displayName, daysLeft, maker } of TEAM_KEYS) {
    const expiresOn =
      daysLeft === undefined
        ? undefined
        : new Date(now + daysLeft * DAY_MS).toISOString().slice(0, 10)
    const key = { scope: 'team' as const, team, userId: undefined, displayName, expiresOn }
    const by = principals[maker] ?? 'system'
    keys.set(team, `api-key:${(await createApiKey(db, clock, organizationId, key, by)).id}`)
  }
  return keys
}
