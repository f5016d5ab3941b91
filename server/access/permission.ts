import type { Caller } from './caller.ts'

/**
 * What a role lets people do. The roles of a team reach down the tree of teams: an Owner of a
 * domain is an Owner of every team below it. Roles that an organization makes up itself are kept as
 * text and grant what a Member may do.
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

/** One thing that may be done to what a team owns, or to the team. */
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

/** What a role grants; a role with another name grants what a Member may do. */
export function grantsOf(role: string): ReadonlySet<Permission> {
  return GRANTS.get(role) ?? MEMBER
}

/** Lists the roles that grant a permission. */
export function listRolesWith(permission: string): string[] {
  return [...GRANTS].flatMap(([role, granted]) =>
    [...granted].some((one) => one === permission) ? [role] : [],
  )
}

/**
 * Decides, everywhere and alone, whether a caller may do a thing to a team or to what it owns.
 * `team` is the team's external id; undefined = what no team owns, which is the organization
 * owners' alone.
 */
export function may(caller: Caller, permission: Permission, team: string | undefined): boolean {
  if (caller.readOnly) return false
  if (caller.organizationOwner) return true
  if (team === undefined) return false
  return caller.roles.get(team)?.some((role) => grantsOf(role).has(permission)) ?? false
}

/** Says whether a caller may do a thing to at least one team. */
export function maySomewhere(caller: Caller, permission: Permission): boolean {
  if (caller.readOnly) return false
  if (caller.organizationOwner) return true
  return caller.roles.keys().some((team) => may(caller, permission, team))
}
