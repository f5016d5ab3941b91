import type { Caller, CustomRoles } from './caller.ts'

/**
 * The permissions, each with the roles that grant it. An Owner has all of them. Every other role, also one of an
 * organization's own, has at least those of a Member. Roles are inherited down the tree of teams: an Owner of a
 * domain is an Owner of every team below it.
 */
const GRANTS = [
  ['RESOURCES_ADD', ['Approver', 'Editor']],
  ['RESOURCES_EDIT', ['Approver', 'Editor', 'Steward']],
  ['RESOURCES_DELETE', ['Approver', 'Editor']],
  ['CHANGE_REQUEST_SUBMIT', ['Member']],
  ['CHANGE_REQUEST_APPROVE', ['Approver', 'Steward']],
  ['ACCESS_ADD', ['Approver']],
  ['ACCESS_EDIT', ['Approver', 'Editor']],
  ['ACCESS_DELETE', ['Approver']],
  ['ACCESS_REQUEST', ['Member']],
  ['ACCESS_APPROVE', ['Approver']],
  ['ACCESS_TERMINATE', ['Approver']],
  ['TEAM_ADD', []],
  ['TEAM_EDIT', []],
  ['TEAM_DELETE', []],
  ['TEAM_MEMBER_ADD', []],
  ['TEAM_MEMBER_EDIT', []],
  ['TEAM_MEMBER_DELETE', []],
  ['INGESTION_EDIT', ['Approver', 'Editor']],
] as const

/** The names of all permissions. */
export const PERMISSIONS = GRANTS.map(([permission]) => permission)

/** A permission on a team or on what it owns. */
export type Permission = (typeof PERMISSIONS)[number]

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
  if (caller.readOnly) return false
  if (caller.organizationOwner) return true
  if (team === undefined) return false
  const { roles, customRoles } = caller
  return roles.get(team)?.some((role) => listGrants(role, customRoles).has(permission)) ?? false
}

/** Returns whether a caller has a permission on at least one team. */
export function maySomewhere(caller: Caller, permission: Permission): boolean {
  if (caller.readOnly) return false
  if (caller.organizationOwner) return true
  return caller.roles.keys().some((team) => may(caller, permission, team))
}
