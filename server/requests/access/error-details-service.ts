import { extendApiError, type ApiError, type ApiErrorMembers } from '../../platform/errors.ts'
import type { Database } from '../../platform/tables.ts'
import type { Caller } from './caller.ts'
import { listRolesWith, type Permission } from './permission.ts'
import {
  findHolders,
  listHoldersAmong,
  listTeamNames,
  type TeamHolders,
} from './error-details-store.ts'
import { findSimilarTeams } from './similar-teams.ts'

const PEOPLE_MAX = 3
// One more than messages name, so that they can mention further roles.
const ROLES_MAX = 4

/**
 * Adds details to an error that help to resolve it: the team's name, people who have the missing permission,
 * and teams with similar names. Only for signed-in members: the holder of an API key need not be one. Errors:
 * store_unavailable.
 */
export async function addErrorDetails(
  db: Database,
  caller: Caller | undefined,
  error: ApiError,
): Promise<ApiError> {
  if (caller === undefined || caller.keyId !== undefined) return error
  const { organizationId } = caller
  const { permission, team, unknownTeam } = error.extensions
  const members: ApiErrorMembers = {}
  if (permission !== undefined && caller.customRoles !== undefined) {
    members.roles = listRolesWith(permission, caller.customRoles).slice(0, ROLES_MAX)
  }
  if (team !== undefined) {
    const roles = permission === undefined ? [] : listRolesWith(permission, caller.customRoles)
    const wanted = { team: team?.id ?? null, roles, limit: PEOPLE_MAX }
    const { name, people } = await findHolders(db, organizationId, wanted)
    if (team !== null && name !== null) members.team = { id: team.id, name }
    members.people = people.map((person) => ({ name: person }))
  }
  if (unknownTeam !== undefined) {
    const teams = await listTeamNames(db, organizationId)
    members.unknownTeam = { ...unknownTeam, suggestions: findSimilarTeams(unknownTeam.id, teams) }
  }
  return Object.keys(members).length === 0 ? error : extendApiError(error, members)
}

/** The people who have a permission on a team. */
interface HoldersRequest {
  permission: Permission
  team: string
  limit: number
  /** The ids of people who may not use it, unless they own the organization. */
  except?: readonly string[]
}

/**
 * Finds up to `limit` people other than the caller who have a permission on a team, those with a role in the team itself
 * first. Errors: store_unavailable.
 */
export async function findPermissionHolders(
  db: Database,
  { organizationId, customRoles, userId }: Caller,
  { permission, ...request }: HoldersRequest,
): Promise<TeamHolders> {
  const roles = listRolesWith(permission, customRoles)
  return await findHolders(db, organizationId, { ...request, roles, unlisted: userId })
}

/** Lists those of some people who have a permission on a team by their role in it. Errors: store_unavailable. */
export async function listPermissionHolders(
  db: Database,
  { organizationId, customRoles }: Caller,
  { permission, ...request }: { permission: Permission; team: string; userIds: readonly string[] },
): Promise<string[]> {
  const roles = listRolesWith(permission, customRoles)
  return await listHoldersAmong(db, organizationId, { ...request, roles })
}

/**
 * Lists the names of people who can help a caller without a permission: those who have it on `team`; without a team,
 * those who can give the caller a role in one of their teams; without a permission, and if there are none, owners of
 * the organization. Errors: store_unavailable.
 */
export async function findHelpers(
  db: Database,
  caller: Caller,
  { permission, team }: { permission?: Permission | undefined; team?: string | undefined },
): Promise<string[]> {
  const { organizationId, customRoles, roles: own } = caller
  const wanted = team === undefined ? 'TEAM_MEMBER_EDIT' : permission
  const on = permission === undefined ? null : (team ?? [...own.keys()].toSorted()[0] ?? null)
  const roles = wanted === undefined ? [] : listRolesWith(wanted, customRoles)
  const { people } = await findHolders(db, organizationId, { team: on, roles, limit: PEOPLE_MAX })
  return people
}
