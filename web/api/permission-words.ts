import type { components } from './openapi.ts'

type ProblemAnswer = components['schemas']['Problem']

/** One thing that may be done to a team or to what it owns. */
export type Permission = NonNullable<ProblemAnswer['permission']>

/** The kind of resource that a sentence is about; undefined = not known. */
export type ResourceKind = 'data product' | 'data contract' | 'asset' | undefined

interface Deed {
  /** The least role that has the permission. */
  role: 'owner' | 'approver' | 'editor' | 'steward' | 'member'
  describe: (kind: ResourceKind) => string
}

const MANAGE_ACCESS: Deed = { role: 'approver', describe: () => 'manage access to its data' }
const MANAGE_MEMBERS: Deed = { role: 'owner', describe: () => 'change its members' }

/** The role that every permission needs, and what it lets people do. */
export const DEEDS: Readonly<Record<Permission, Deed>> = {
  RESOURCES_ADD: {
    role: 'editor',
    describe: (kind) =>
      kind === undefined ? 'add data products and data contracts' : `add ${kind}s`,
  },
  RESOURCES_EDIT: { role: 'editor', describe: (kind) => `edit ${nameThis(kind)}` },
  RESOURCES_DELETE: { role: 'editor', describe: (kind) => `delete ${nameThis(kind)}` },
  CHANGE_REQUEST_SUBMIT: { role: 'member', describe: () => 'propose changes' },
  CHANGE_REQUEST_APPROVE: { role: 'approver', describe: () => 'approve changes' },
  ACCESS_ADD: MANAGE_ACCESS,
  ACCESS_EDIT: MANAGE_ACCESS,
  ACCESS_DELETE: MANAGE_ACCESS,
  ACCESS_REQUEST: { role: 'member', describe: () => 'use its data' },
  ACCESS_APPROVE: MANAGE_ACCESS,
  ACCESS_TERMINATE: MANAGE_ACCESS,
  TEAM_ADD: { role: 'owner', describe: () => 'create teams below it' },
  TEAM_EDIT: { role: 'owner', describe: () => 'edit the team' },
  TEAM_DELETE: { role: 'owner', describe: () => 'delete the team' },
  TEAM_MEMBER_ADD: MANAGE_MEMBERS,
  TEAM_MEMBER_EDIT: MANAGE_MEMBERS,
  TEAM_MEMBER_DELETE: MANAGE_MEMBERS,
  INGESTION_EDIT: { role: 'editor', describe: () => 'change and run its integrations' },
}

/** Permissions that belong together, each with what it allows. */
export interface PermissionGroup {
  title: string
  permissions: readonly { permission: Permission; label: string }[]
}

/** All permissions in the order in which people look for them. */
export const PERMISSION_GROUPS: readonly PermissionGroup[] = [
  {
    title: 'Resources',
    permissions: [
      { permission: 'RESOURCES_ADD', label: 'Add data products, data contracts and assets' },
      { permission: 'RESOURCES_EDIT', label: 'Edit what the team owns' },
      { permission: 'RESOURCES_DELETE', label: 'Delete what the team owns' },
      { permission: 'INGESTION_EDIT', label: 'Change and run integrations of the team' },
    ],
  },
  {
    title: 'Change requests',
    permissions: [
      { permission: 'CHANGE_REQUEST_SUBMIT', label: 'Propose changes' },
      { permission: 'CHANGE_REQUEST_APPROVE', label: 'Approve proposed changes' },
    ],
  },
  {
    title: 'Access to data',
    permissions: [
      { permission: 'ACCESS_REQUEST', label: 'Request access for the team' },
      { permission: 'ACCESS_APPROVE', label: 'Approve or reject requests' },
      { permission: 'ACCESS_ADD', label: 'Grant access without a request' },
      { permission: 'ACCESS_EDIT', label: 'Edit access' },
      { permission: 'ACCESS_TERMINATE', label: 'End access' },
      { permission: 'ACCESS_DELETE', label: 'Delete access' },
    ],
  },
  {
    title: 'Team',
    permissions: [
      { permission: 'TEAM_ADD', label: 'Create teams below the team' },
      { permission: 'TEAM_EDIT', label: 'Edit the team' },
      { permission: 'TEAM_DELETE', label: 'Delete the team' },
      { permission: 'TEAM_MEMBER_ADD', label: 'Add members' },
      { permission: 'TEAM_MEMBER_EDIT', label: 'Change the roles of members' },
      { permission: 'TEAM_MEMBER_DELETE', label: 'Remove members' },
    ],
  },
]

/** Every permission. */
export const PERMISSIONS = PERMISSION_GROUPS.flatMap(({ permissions }) =>
  permissions.map(({ permission }) => permission),
)

/** Returns what a permission allows: `Edit the team`. */
export function labelPermission(permission: Permission): string {
  const labels = PERMISSION_GROUPS.flatMap(({ permissions }) => permissions)
  return labels.find((one) => one.permission === permission)?.label ?? permission
}

/** The reason for everything that only owners of the organization may do. */
export const OWNERS_ONLY = 'Only owners of the organization can do this.'

const ROLES_NAMED_MAX = 3

/**
 * Describes who has a permission: `Only editors of Wagon Fleet can add data products`; `teamName` null
 * = nothing that a team owns, undefined = on no team at all. `roles` are the custom roles that grant the
 * permission; undefined = the organization has the default roles.
 */
export function describePermission(
  permission: Permission,
  teamName: string | null | undefined,
  kind?: ResourceKind,
  roles?: readonly string[],
): string {
  const { role, describe } = DEEDS[permission]
  if (teamName === null) {
    const deed =
      permission === 'TEAM_ADD' ? 'create a team at the top' : `${describe(kind)} without a team`
    return `Only owners of the organization can ${deed}`
  }
  const deed = describe(kind)
  if (roles !== undefined) {
    const own = teamName === undefined ? deed.replace(/ its /, ' ') : deed
    if (roles.length === 0) return `Only owners of the organization can ${own}`
    const named = roles.slice(0, ROLES_NAMED_MAX).map((one) => `“${one}”`)
    const names = joinWithOr(roles.length > named.length ? [...named, 'another role'] : named)
    return `Only members of ${teamName ?? 'a team'} with the role ${names} can ${own}`
  }
  if (teamName === undefined) return `Only ${role}s of a team can ${deed.replace(/ its /, ' ')}`
  return `Only ${role}s of ${teamName} can ${deed}`
}

/** Joins names into a request: `Ask Ada Lindqvist or Jonas Weber.` */
export function askPeople(names: readonly string[]): string {
  return names.length === 0 ? 'Ask an owner of the organization.' : `Ask ${joinWithOr(names)}.`
}

function joinWithOr(names: readonly string[]): string {
  const first = names.slice(0, -1).join(', ')
  const last = names.at(-1) ?? ''
  return first === '' ? last : `${first} or ${last}`
}

function nameThis(kind: ResourceKind): string {
  return kind === undefined ? 'this' : `this ${kind}`
}
