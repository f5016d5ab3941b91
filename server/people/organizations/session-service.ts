import type { ActivityActor } from '../../ledger/activity/entry.ts'
import { randomUUIDv7 } from 'node:crypto'
import { findTeamRoles, listTeamsOfPerson } from '../../requests/access/caller-store.ts'
import type { CustomRoles } from '../../requests/access/caller.ts'
import { listGrants, PERMISSIONS } from '../../requests/access/permission.ts'
import { parseCustomRoles } from '../../requests/access/team-role.ts'
import { ApiError } from '../../platform/errors.ts'
import type { Database } from '../../platform/tables.ts'
import { getPerson, requireOwnAccount } from '../users/service.ts'
import { sessionLimited } from '../users/session-service.ts'
import type { SessionReach } from '../users/session.ts'
import { newOrganization, ORGANIZATIONS_MAX } from './organization.ts'
import type { Session } from './signed-in.ts'
import { insertOwnedOrganization, listMemberships, updateOrganization } from './store.ts'

/**
 * Returns a person with their organization and their permissions there. The organization is the given one if the session
 * can act there, otherwise the first, which is one that accepts the session if possible; never one in which the person is
 * suspended. Errors: not_found.
 */
export async function showSession(
  db: Database,
  { userId, limitedTo }: SessionReach,
  organizationId?: string,
): Promise<Session> {
  const user = await getPerson(db, userId)
  const memberships = await listMemberships(db, { userId, limitedTo })
  const inReach = memberships.filter(({ id }) => limitedTo === undefined || id === limitedTo)
  const organizations = inReach.filter(({ isSuspended }) => !isSuspended)
  const named = organizations.find(({ id }) => id === organizationId?.toLowerCase())
  const first = organizations.find(({ providerRequired }) => !providerRequired) ?? organizations[0]
  const organization = named ?? first ?? null
  const [teams, roles] =
    organization === null || organization.providerRequired
      ? [[], undefined]
      : await Promise.all([
          listTeamsOfPerson(db, organization.id, userId),
          findTeamRoles(db, organization.id),
        ])
  const customRoles = parseCustomRoles(roles)
  return {
    user,
    organization,
    organizations,
    suspendedIn: inReach.filter(({ isSuspended }) => isSuspended),
    limitedTo: limitedTo ?? null,
    mayChangeAccount: inReach.length === memberships.length,
    customRoles: customRoles === undefined ? null : listRoles(customRoles),
    teams: teams.map((team) => {
      const granted = new Set(team.roles.flatMap((role) => [...listGrants(role, customRoles)]))
      return { ...team, permissions: PERMISSIONS.filter((permission) => granted.has(permission)) }
    }),
  }
}

function listRoles(roles: CustomRoles): NonNullable<Session['customRoles']> {
  return [...roles].map(([name, permissions]) => ({ name, permissions: [...permissions] }))
}

/** Renames an organization. */
export async function renameOrganization(
  db: Database,
  organizationId: string,
  name: string,
  actor: ActivityActor,
): Promise<void> {
  await updateOrganization(db, organizationId, name, actor)
}

/**
 * Creates an organization owned by a person. A session of a provider cannot: it would not act in the new one. Errors:
 * session_limited, managed_by_provider, limit_reached.
 */
export async function createOwnedOrganization(
  db: Database,
  { userId, limitedTo }: SessionReach,
  { name, requestId }: { name: string; requestId: string },
): Promise<void> {
  if (limitedTo !== undefined) throw sessionLimited()
  await requireOwnAccount(db, userId)
  const organization = newOrganization(randomUUIDv7(), name)
  if (await insertOwnedOrganization(db, organization, userId, requestId)) return
  throw new ApiError(
    'limit_reached',
    `You are already a member of ${ORGANIZATIONS_MAX} organizations, which is the limit. Leave one first.`,
  )
}
