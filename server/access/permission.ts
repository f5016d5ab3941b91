import type { Caller } from './caller.ts'

/**
 * The permissions of roles. Roles are inherited down the tree of teams: an Owner of a domain is an Owner of
 * every team below it. Roles with other names are kept as text and grant what a Member has.
 */
export const PERMISSIONS = [
  'RESOURCES_ADD',
  'RESOURCES_EDIT',
  'RESOURCES_DELETE',
  'CHANGE_REQUEST_SUBMIT',
  'CHANGE_REQUEST_APPROVE',
  'ACCESS_ADD',
  'ACCESS_EDIT',
  'ACCESS_DELETE',
  'ACCESS_REQUEST',
  'ACCESS_APPROVE',
  'ACCESS_TERMINATE',
  'TEAM_ADD',
  'TEAM_EDIT',
  'TEAM_DELETE',
  'TEAM_MEMBER_ADD',
  'TEAM_MEMBER_EDIT',
  'TEAM_MEMBER_DELETE',
  'INGESTION_EDIT',
] as const

/** A permission on a team or on what it owns. */
export type Permission = (typeof PERMISSIONS)[number]

const RESOURCES: Permission[] = ['RESOURCES_ADD', 'RESOURCES_EDIT', 'RESOURCES_DELETE']
const CHANGE_REQUESTS: Permission[] = ['CHANGE_REQUEST_SUBMIT', 'CHANGE_REQUEST_APPROVE']
const ACCESS = PERMISSIONS.filter((permission) => permission.startsWith('ACCESS_'))
const MEMBER: ReadonlySet<Permission> = new Set(['CHANGE_REQUEST_SUBMIT', 'ACCESS_REQUEST'])

const GRANTS: ReadonlyMap<string, ReadonlySet<Permission>> = new Map<string, Set<Permission>>([
  ['Owner', new Set(PERMISSIONS)],
  ['Approver', new Set([...RESOURCES, ...CHANGE_REQUESTS, ...ACCESS, 'INGESTION_EDIT'])],
  [
    'Editor',
    new Set([
      ...RESOURCES,
      'CHANGE_REQUEST_SUBMIT',
      'ACCESS_REQUEST',
      'ACCESS_EDIT',
      'INGESTION_EDIT',
    ]),
  ],
  ['Steward', new Set(['RESOURCES_EDIT', ...CHANGE_REQUESTS, 'ACCESS_REQUEST'])],
])

/** Returns the permissions of a role; unknown roles have those of a Member. */
export function listGrants(role: string): ReadonlySet<Permission> {
  return GRANTS.get(role) ?? MEMBER
}

/** Lists the roles that grant a permission. */
export function listRolesWith(permission: string): string[] {
  return [...GRANTS].flatMap(([role, granted]) =>
    [...granted].some((one) => one === permission) ? [role] : [],
  )
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
  return caller.roles.get(team)?.some((role) => listGrants(role).has(permission)) ?? false
}

/** Returns whether a caller has a permission on at least one team. */
export function maySomewhere(caller: Caller, permission: Permission): boolean {
  if (caller.readOnly) return false
  if (caller.organizationOwner) return true
  return caller.roles.keys().some((team) => may(caller, permission, team))
}
