import { clip } from '../../../formats/text/value.ts'
import { KEY_SCOPES, type KeyScope } from '../../../formats/team/key-scope.ts'
import type { Caller } from '../../requests/access/caller.ts'
import { isOwner, listHeld, mayEverything, PERMISSIONS } from '../../requests/access/permission.ts'
import { missingPermission } from '../../requests/http/missing-permission.ts'

/** A key to create: its scope and team, and the permissions that the client named. */
interface KeyWish {
  scope: KeyScope
  /** The external ID of the team; null unless it is a team key. */
  team: string | null
  /** Undefined = all that the caller can give. */
  permissions: readonly string[] | undefined
}

/**
 * Returns the permissions to which a new key is limited, so that it never has more than its creator. Undefined = it is not
 * limited. The caller must be allowed to create a key of this scope. Errors: permission_missing.
 */
export function toKeyLimit(
  caller: Caller,
  { scope, team, permissions }: KeyWish,
): readonly string[] | undefined {
  if (mayGiveAll(caller, scope, team)) return permissions
  // It acts for the team, so even a read-only key must be limited: others read what only Owners may.
  if (KEY_SCOPES[scope].isReadOnly) return []
  const held: readonly string[] = listHeld(caller, team ?? undefined)
  if (permissions === undefined) return held
  const missing = PERMISSIONS.find((one) => permissions.includes(one) && !held.includes(one))
  if (missing === undefined) return permissions
  const on = team === null ? 'the organization' : `team ${clip(team)}`
  throw missingPermission(
    missing,
    team,
    `An API key has at most the permissions of its creator, and ${missing} on ${on} is missing. Leave it out.`,
  )
}

// A personal key follows its person, and an organization key is created by an owner.
function mayGiveAll(caller: Caller, scope: KeyScope, team: string | null): boolean {
  if (caller.allowed !== undefined) return false
  if (KEY_SCOPES[scope].holder !== 'team') return true
  return isOwner(caller) || (team !== null && mayEverything(caller, team))
}
