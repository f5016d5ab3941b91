import type { Caller } from '../../requests/access/caller.ts'
import { mayEverything } from '../../requests/access/permission.ts'
import { KEY_SCOPES, type KeyScope } from '../../../formats/team/key-scope.ts'

/** The scope of a key and its team or person. */
export interface KeyPowers {
  scope: KeyScope
  /** The external ID of the team; null unless it is a team key. */
  team: string | null
  /** The ID of the person; null unless it is a personal key. */
  userId: string | null
}

/**
 * Returns whether a person may create a key. A key never has more permissions than its creator: a personal key is
 * created by its person, a team key by an Owner of the team or of a team above it, and an organization key by an
 * owner of the organization, who may do everything in all teams.
 */
export function mayCreateKey(caller: Caller, { scope, team, userId }: KeyPowers): boolean {
  switch (KEY_SCOPES[scope].holder) {
    case 'user':
      return userId !== null && caller.principal === `user:${userId}`
    case 'team':
      // An organization may have defined an Owner with fewer permissions than a team key has.
      return caller.organizationOwner || (team !== null && mayEverything(caller, team))
    case 'organization':
      return caller.organizationOwner
  }
}

/** Returns whether a person may see and delete a key: those who could create it, and owners. */
export function mayDeleteKey(caller: Caller, key: KeyPowers): boolean {
  return caller.organizationOwner || mayCreateKey(caller, key)
}
