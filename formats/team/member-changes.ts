import type { TeamMember } from './team.ts'

/**
 * The changes of the members of a team. A member is a person by the address in lower case.
 */

/** The roles of people in a team, by the address in lower case. */
export type RolesByAddress = ReadonlyMap<string, readonly string[]>

/** The addresses of members that a change of a team affects. */
export interface MemberChanges {
  added: readonly string[]
  changed: readonly string[]
  removed: readonly string[]
}

/** Groups the roles of members by their addresses; a person may be listed twice. */
export function groupRoles(members: readonly TeamMember[]): Map<string, string[]> {
  const roles = new Map<string, string[]>()
  for (const { emailAddress, role } of members) {
    const address = emailAddress.toLowerCase()
    roles.set(address, [...(roles.get(address) ?? []), role])
  }
  return roles
}

/** Compares the members before and after a change. */
export function compareMembers(before: RolesByAddress, after: RolesByAddress): MemberChanges {
  const isSame = (address: string): boolean =>
    new Set(before.get(address)).symmetricDifference(new Set(after.get(address))).size === 0
  return {
    added: [...after.keys()].filter((address) => !before.has(address)),
    changed: [...after.keys()].filter((address) => before.has(address) && !isSame(address)),
    removed: [...before.keys()].filter((address) => !after.has(address)),
  }
}

/** A permission on the members of a team. */
type MemberPermission = 'TEAM_MEMBER_ADD' | 'TEAM_MEMBER_EDIT' | 'TEAM_MEMBER_DELETE'

/** Lists the permissions that a change of members requires. */
export function listMemberPermissions({
  added,
  changed,
  removed,
}: MemberChanges): MemberPermission[] {
  return [
    ...(added.length > 0 ? ['TEAM_MEMBER_ADD' as const] : []),
    ...(changed.length > 0 ? ['TEAM_MEMBER_EDIT' as const] : []),
    ...(removed.length > 0 ? ['TEAM_MEMBER_DELETE' as const] : []),
  ]
}
