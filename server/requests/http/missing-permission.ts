import { KEY_SCOPES } from '../../../formats/team/key-scope.ts'
import { clip } from '../../../formats/text/value.ts'
import { ApiError } from '../../platform/errors.ts'
import type { Caller } from '../access/caller.ts'
import { isOwner, may, maySomewhere, mayUse, type Permission } from '../access/permission.ts'
import type { Route } from './endpoint.ts'

/**
 * Creates the error for a caller who lacks a permission on a team; null = on what only organization
 * owners may change. `detail` replaces the general sentence.
 */
export function missingPermission(
  permission: Permission,
  team: string | null,
  detail?: string,
): ApiError {
  const on = team === null ? 'the organization' : `team ${clip(team)}`
  return new ApiError('permission_missing', detail ?? `${permission} on ${on} is missing.`, {
    extensions: { permission, team: team === null ? null : { id: clip(team) } },
  })
}

/**
 * Asserts that the caller is an owner of the organization. `detail` replaces the general sentence. Errors:
 * permission_missing.
 */
export function requireOwner(
  caller: Caller,
  detail = 'Only owners of the organization can do this.',
): void {
  if (isOwner(caller)) return
  throw new ApiError('permission_missing', detail, {
    extensions: { team: null },
  })
}

/** Asserts that the caller is an organization's key that may write. Errors: permission_missing. */
export function requireOrganizationKey(caller: Caller): void {
  if (caller.scope === 'organization') return
  throw new ApiError('permission_missing', 'Only an organization key can do this.')
}

/** Asserts that the caller is a key of a directory or of the organization. Errors: permission_missing. */
export function requireDirectoryKey({ keyId, scope, opensOnly }: Caller): void {
  if (opensOnly !== undefined) return
  if (keyId !== undefined && KEY_SCOPES[scope].holder === 'organization') return
  throw new ApiError(
    'permission_missing',
    'Only keys of a directory and of the organization open this address. Owners create keys under Settings, Directory.',
  )
}

/** Asserts that the caller is an organization's key or a signed-in member. Errors: permission_missing. */
export function requireOrganizationKeyOrSession({ keyId, scope }: Caller): void {
  if (keyId === undefined || KEY_SCOPES[scope].holder === 'organization') return
  throw new ApiError(
    'permission_missing',
    'Only keys of the organization can read this. Team and personal keys cannot.',
  )
}

/** Creates the error for a caller who has a permission on no team; it reveals nothing about teams. */
export function missingEverywhere(permission: Permission): ApiError {
  return new ApiError('permission_missing', `${permission} on the owning team is missing.`, {
    extensions: { permission },
  })
}

/**
 * Requires a permission on a team, or on what only organization owners may change (null). `detail` replaces the
 * general sentence. Errors: permission_missing.
 */
export function requirePermission(
  caller: Caller,
  permission: Permission,
  team: string | null,
  detail?: string,
): void {
  if (!may(caller, permission, team ?? undefined)) throw missingPermission(permission, team, detail)
}

/**
 * Rejects callers who have a permission on no team, so that errors reveal nothing about teams to them. Errors:
 * permission_missing.
 */
export function requireSomewhere(caller: Caller, permission: Permission): void {
  if (!maySomewhere(caller, permission)) throw missingEverywhere(permission)
}

/**
 * Rejects callers who have none of these permissions on any team, so that errors reveal nothing about teams to them.
 * Errors: permission_missing.
 */
export function requireOneSomewhere(caller: Caller, permissions: readonly Permission[]): void {
  const [first] = permissions
  if (first === undefined || permissions.some((one) => maySomewhere(caller, one))) return
  throw missingEverywhere(first)
}

/**
 * Requires that the key of a caller may call a route: a key of a directory only opens its path, a read-only key only reads, and a limited key needs a permission that
 * the route accepts. A route without permissions is for owners or for people, which a limited key is not. Errors:
 * directory_key_elsewhere, read_only_key, permission_missing.
 */
export function requireWithinKey(caller: Caller, { method, path, described }: Route): void {
  const { opensOnly } = caller
  if (opensOnly !== undefined && !path.startsWith(`${opensOnly}/`)) {
    throw new ApiError(
      'directory_key_elsewhere',
      `This key belongs to a directory and opens only ${opensOnly}. Use an API key here.`,
    )
  }
  if (method === 'GET') return
  if (caller.readOnly) {
    throw new ApiError('read_only_key', 'This key is read-only: it may not change anything.')
  }
  if (caller.allowed === undefined) return
  const { permission, limitedKey } = described
  if (limitedKey === 'none') return
  const declared = typeof permission === 'object' ? permission.needs : []
  const needs = [...declared, ...(limitedKey ?? [])]
  if (needs.some((one) => mayUse(caller, one))) return
  const [missing] = needs
  throw new ApiError(
    'permission_missing',
    missing === undefined
      ? 'This API key is limited to some permissions, and none of them allows this. Use a key without a limit.'
      : `This API key is limited to some permissions. To do this, create one with ${needs.join(' or ')}.`,
    missing === undefined ? {} : { extensions: { permission: missing } },
  )
}
