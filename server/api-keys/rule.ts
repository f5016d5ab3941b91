import type { Caller, Scope } from '../access/caller.ts'

/** The scope and the owner of a key. */
export interface KeyPowers {
  scope: Scope
  /** External id of the team; null for other keys. */
  team: string | null
  /** The person's id; null unless the key is personal. */
  userId: string | null
}

/**
 * Returns whether a person may create a key, which never has more permissions than the person: personal keys
 * for themselves, team keys as an Owner of the team or of a team above it, organization keys as an owner of
 * the organization.
 */
export function mayMakeKey(caller: Caller, { scope, team, userId }: KeyPowers): boolean {
  switch (scope) {
    case 'user':
    case 'user_read':
      return userId !== null && caller.principal === `user:${userId}`
    case 'team':
    case 'team_read':
      return caller.organizationOwner || (team !== null && ownsTeam(caller, team))
    case 'organization':
    case 'organization_read':
      return caller.organizationOwner
  }
}

/** Returns whether a person may see and delete a key: if they could create it, or own the organization. */
export function mayDeleteKey(caller: Caller, key: KeyPowers): boolean {
  return caller.organizationOwner || mayMakeKey(caller, key)
}

function ownsTeam(caller: Caller, team: string): boolean {
  return caller.roles.get(team)?.includes('Owner') ?? false
}
