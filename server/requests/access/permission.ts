import type { ResourcePermissions } from '../../../formats/team/permission-names.ts'
import type { Caller, CustomRoles } from './caller.ts'

/**
 * The permissions, each with the roles that grant it. An Owner has all of them. Every other role, also one of an
 * organization's own, has at least those of a Member. Roles are inherited down the tree of teams: an Owner of a
 * domain is an Owner of every team below it. Some have no effect yet (`PERMISSIONS_WITHOUT_EFFECT`).
 */
const GRANTS = [
  ['DATAPRODUCT_ADD', ['Approver', 'Editor']],
  ['DATAPRODUCT_EDIT', ['Approver', 'Editor', 'Steward']],
  ['DATAPRODUCT_DELETE', ['Approver', 'Editor']],
  ['DATAPRODUCT_TEST_RESULTS_EDIT', ['Approver', 'Editor', 'Steward']],
  ['DATAPRODUCT_CHANGE_REQUEST_SUBMIT', ['Member']],
  ['DATAPRODUCT_CHANGE_REQUEST_APPROVE', ['Approver', 'Steward']],
  ['DATAPRODUCT_PUBLISH', ['Approver', 'Editor', 'Steward']],
  ['DATAPRODUCT_GIT_CONNECT', ['Approver', 'Editor', 'Steward']],
  ['DATACONTRACT_ADD', ['Approver', 'Editor']],
  ['DATACONTRACT_EDIT', ['Approver', 'Editor', 'Steward']],
  ['DATACONTRACT_DELETE', ['Approver', 'Editor']],
  ['DATACONTRACT_TEST_RESULTS_EDIT', ['Approver', 'Editor', 'Steward']],
  ['DATACONTRACT_TEST_RUN', ['Approver', 'Editor', 'Steward']],
  ['DATACONTRACT_CHANGE_REQUEST_SUBMIT', ['Member']],
  ['DATACONTRACT_CHANGE_REQUEST_APPROVE', ['Approver', 'Steward']],
  ['DATACONTRACT_GIT_CONNECT', ['Approver', 'Editor', 'Steward']],
  ['DATACONTRACT_BRANCH_ADD', ['Approver', 'Editor', 'Steward']],
  ['ASSET_ADD', ['Approver', 'Editor']],
  ['ASSET_EDIT', ['Approver', 'Editor', 'Steward']],
  ['ASSET_DELETE', ['Approver', 'Editor']],
  ['ASSET_CHANGE_REQUEST_SUBMIT', ['Member']],
  ['ASSET_CHANGE_REQUEST_APPROVE', ['Approver', 'Steward']],
  ['DEFINITION_ADD', ['Approver', 'Editor']],
  ['DEFINITION_EDIT', ['Approver', 'Editor', 'Steward']],
  ['DEFINITION_DELETE', ['Approver', 'Editor']],
  ['SOURCE_SYSTEM_ADD', ['Approver', 'Editor']],
  ['SOURCE_SYSTEM_EDIT', ['Approver', 'Editor', 'Steward']],
  ['SOURCE_SYSTEM_DELETE', ['Approver', 'Editor']],
  ['MANAGED_TAG_ADD', ['Approver', 'Editor']],
  ['MANAGED_TAG_EDIT', ['Approver', 'Editor', 'Steward']],
  ['MANAGED_TAG_DELETE', ['Approver', 'Editor']],
  ['MANAGED_TAG_CHANGE_REQUEST_SUBMIT', ['Member']],
  ['MANAGED_TAG_CHANGE_REQUEST_APPROVE', ['Approver', 'Steward']],
  ['SEMANTIC_NAMESPACE_ADD', ['Approver', 'Editor']],
  ['SEMANTIC_NAMESPACE_EDIT', ['Approver', 'Editor', 'Steward']],
  ['SEMANTIC_NAMESPACE_DELETE', ['Approver', 'Editor']],
  ['SEMANTIC_NAMESPACE_GIT_CONNECT', ['Approver', 'Editor', 'Steward']],
  ['SEMANTIC_NAMESPACE_BRANCH_ADD', ['Approver', 'Editor', 'Steward']],
  ['POLICY_CHECK_RUN', ['Approver', 'Editor', 'Steward']],
  ['ACCESS_ADD', ['Approver']],
  ['ACCESS_EDIT', ['Approver', 'Editor']],
  ['ACCESS_DELETE', ['Approver']],
  ['ACCESS_REQUEST', ['Member']],
  ['ACCESS_APPROVE', ['Approver']],
  ['ACCESS_TERMINATE', ['Approver']],
  ['TEAM_ADD', []],
  ['TEAM_EDIT', []],
  ['TEAM_DELETE', []],
  ['TEAM_API_KEY_MANAGE', ['Approver', 'Editor']],
  ['TEAM_MEMBER_ADD', []],
  ['TEAM_MEMBER_EDIT', []],
  ['TEAM_MEMBER_DELETE', []],
  ['INGESTION_EDIT', ['Approver', 'Editor']],
] as const

/** The names of all permissions. */
export const PERMISSIONS = GRANTS.map(([permission]) => permission)

/** A permission on a team or on what it owns. */
export type Permission = (typeof PERMISSIONS)[number]

/** The permission of a resource for an action: `DATAPRODUCT_EDIT`. */
export type ResourcePermission = `${ResourcePermissions}_${'ADD' | 'EDIT' | 'DELETE'}`

/** The roles of organizations that have defined none. */
export const DEFAULT_ROLES = ['Owner', 'Approver', 'Editor', 'Steward', 'Member']
const MEMBER = new Set(selectGrants('Member'))
const BY_ROLE = new Map(DEFAULT_ROLES.map((role) => [role, new Set(selectGrants(role))]))

function selectGrants(role: string): Permission[] {
  const granting: readonly string[] = [role, 'Member']
  return GRANTS.flatMap(([permission, roles]) =>
    role === 'Owner' || roles.some((one) => granting.includes(one)) ? [permission] : [],
  )
}

/** Returns the permissions of a role; unknown roles have those of a Member. */
export function listGrants(role: string, customRoles?: CustomRoles): ReadonlySet<string> {
  if (customRoles === undefined) return BY_ROLE.get(role) ?? MEMBER
  return customRoles.get(role) ?? customRoles.get('Member') ?? MEMBER
}

/** Lists the roles that grant a permission. */
export function listRolesWith(permission: string, customRoles?: CustomRoles): string[] {
  const roles = customRoles === undefined ? DEFAULT_ROLES : [...customRoles.keys()]
  return roles.filter((role) => listGrants(role, customRoles).has(permission))
}

/**
 * Decides whether a caller has a permission on a team or on what it owns; all permission checks go through
 * here. `team` is the team's external id; undefined for resources without an owner, which only organization
 * owners may change.
 */
export function may(caller: Caller, permission: Permission, team: string | undefined): boolean {
  if (!mayUse(caller, permission)) return false
  if (caller.organizationOwner) return true
  if (team === undefined) return false
  const { roles, customRoles } = caller
  return roles.get(team)?.some((role) => listGrants(role, customRoles).has(permission)) ?? false
}

/** Returns whether the key of a caller has a permission at all; sessions and keys without a limit have each. */
export function mayUse(
  { readOnly, allowed }: Pick<Caller, 'readOnly' | 'allowed'>,
  permission: Permission,
): boolean {
  return !readOnly && (allowed === undefined || allowed.has(permission))
}

/**
 * Returns whether a caller has the rights of an owner of the organization. No permission covers them, so a limited key
 * does not have them.
 */
export function isOwner({ organizationOwner, allowed }: Caller): boolean {
  return organizationOwner && allowed === undefined
}

/** Returns whether a caller may change what only owners of the organization may change. */
export function mayOwn(caller: Caller): boolean {
  return isOwner(caller) && !caller.readOnly
}

/**
 * Returns whether a caller may read what only Owners of a team may read, which no permission covers. A limited key of a
 * team may not, because its creator need not be an Owner.
 */
export function isTeamOwner(caller: Caller, team: string): boolean {
  if (caller.allowed !== undefined) return false
  return caller.organizationOwner || caller.roles.get(team)?.includes('Owner') === true
}

/** Lists the permissions that a caller has on a team; undefined = on what only organization owners may change. */
export function listHeld(caller: Caller, team: string | undefined): Permission[] {
  return PERMISSIONS.filter((permission) => may(caller, permission, team))
}

/** Returns whether a caller has every permission on a team. */
export function mayEverything(caller: Caller, team: string | undefined): boolean {
  return PERMISSIONS.every((permission) => may(caller, permission, team))
}

/** Returns whether a caller has a permission on at least one team. */
export function maySomewhere(caller: Caller, permission: Permission): boolean {
  if (!mayUse(caller, permission)) return false
  if (caller.organizationOwner) return true
  return caller.roles.keys().some((team) => may(caller, permission, team))
}
