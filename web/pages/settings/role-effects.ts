import { PERMISSIONS } from '../../api/permission-groups.ts'
import type { EffectivePermission, Permission } from '../../api/permission-words.ts'

/** A team role. Fields that the page does not show are kept. */
export interface TeamRole {
  name: string
  description?: string | null
  rank?: number | null
  permissions: readonly Permission[]
}

/** The team roles of an organization: custom ones, or undefined for the default ones. */
export type CustomRoles = readonly TeamRole[] | undefined

/** A role and the number of members that have it. */
export interface RoleUse {
  role: string
  members: number
}

/** The change for the members who have a role. */
export interface RoleEffect {
  role: string
  members: number
  gains: readonly EffectivePermission[]
  losses: readonly EffectivePermission[]
  /** Whether the role no longer exists, so that the roles cannot be saved. */
  isMissing: boolean
}

/** Lists what changes for members with each role; roles without a change are left out. */
export function listRoleEffects(
  { before, after }: { before: CustomRoles; after: CustomRoles },
  defaults: readonly TeamRole[],
  uses: readonly RoleUse[],
): RoleEffect[] {
  const names = new Set((after ?? defaults).map(({ name }) => name))
  const effects = uses.map(({ role, members }) => {
    const old = listGrants(role, before, defaults)
    const next = listGrants(role, after, defaults)
    return {
      role,
      members,
      gains: PERMISSIONS.filter((one) => next.includes(one) && !old.includes(one)),
      losses: PERMISSIONS.filter((one) => old.includes(one) && !next.includes(one)),
      isMissing: !names.has(role) && (before ?? defaults).some(({ name }) => name === role),
    }
  })
  return effects.filter(({ gains, losses, isMissing }) => {
    return isMissing || gains.length > 0 || losses.length > 0
  })
}

// As the server decides it: a role that is not in the list has the permissions of a Member.
function listGrants(
  role: string,
  custom: CustomRoles,
  defaults: readonly TeamRole[],
): readonly Permission[] {
  const find = (roles: readonly TeamRole[], name: string) =>
    roles.find((one) => one.name === name)?.permissions
  const own = custom ?? defaults
  return find(own, role) ?? find(own, 'Member') ?? find(defaults, 'Member') ?? []
}

/** Returns why roles cannot be saved; undefined = they can. */
export function findRolesProblem(
  after: CustomRoles,
  effects: readonly RoleEffect[],
): string | undefined {
  if (after?.length === 0) return 'Add at least one role.'
  const missing = effects.filter(({ isMissing }) => isMissing)
  if (missing.length === 0) return undefined
  const names = missing.map(({ role }) => `"${role}"`).join(', ')
  return `Members have the ${missing.length === 1 ? 'role' : 'roles'} ${names}. Add it again, or give them another role in their teams.`
}

/** Returns why a role cannot have a name; undefined = it can. `others` are the names of the other roles. */
export function findNameProblem(name: string, others: readonly string[]): string | undefined {
  if (name.length < 3) return 'A name has at least three characters.'
  if (name.length > 1000) return 'A name has at most 1000 characters.'
  return others.includes(name) ? 'Another role has this name.' : undefined
}

/** Adds a permission to a role, or removes it. */
export function changePermission(
  permissions: readonly Permission[],
  permission: Permission,
  isOn: boolean,
): readonly Permission[] {
  const rest = permissions.filter((one) => one !== permission)
  return isOn ? [...rest, permission] : rest
}
