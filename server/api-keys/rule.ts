import type { Caller, Scope } from '../access/caller.ts'

/** Whose powers a key has. */
export interface KeyPowers {
  scope: Scope
  /** External id of the team; null unless the key is a team's. */
  team: string | null
  /** The person's id; null unless the key is personal. */
  userId: string | null
}

/**
 * Says whether a person may make a key: nobody makes one that may do more than they do. A personal
 * key is made by its person, a team's by an Owner of the team or of one above it, the organization's
 * by an owner of the organization, who may do everything on every team.
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

/** Says whether a person sees a key in the list, and may delete it: who could make it, and owners. */
export function mayDeleteKey(caller: Caller, key: KeyPowers): boolean {
  return caller.organizationOwner || mayMakeKey(caller, key)
}

function ownsTeam(caller: Caller, team: string): boolean {
  return caller.roles.get(team)?.includes('Owner') ?? false
}
