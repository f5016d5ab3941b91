import type { Caller } from '../access/caller.ts'
import { missingEverywhere, missingPermission } from '../http/missing-permission.ts'
import { may, maySomewhere, type Permission } from '../access/permission.ts'
import type { ApiError } from '../errors.ts'
import type { DocumentState } from './store.ts'

/** A kind of document as it appears in messages. */
interface Named {
  called: string
}

/**
 * Checks the permission to write a document: on the current owner, and on the new one unless it is undefined
 * because the document cannot be read. Callers who can change nothing anywhere get an error without teams or
 * documents. Errors: permission_missing.
 */
export function checkPermission(
  { caller, type }: { caller: Caller; type: Named },
  state: DocumentState,
  newOwner: { id: string | null | undefined; teamId: string | null },
): void {
  const needed = permissionFor(state)
  if (!maySomewhere(caller, needed)) throw missing(needed, newOwner.id ?? state.owner)
  if (state.version !== null) requirePermission(caller, 'RESOURCES_EDIT', state.owner, type)
  if (newOwner.id === undefined) return
  // An unknown team is reported later, as a problem of the document.
  const isUnknown = newOwner.id !== null && newOwner.teamId === null
  if (!isUnknown) requirePermission(caller, needed, newOwner.id, type)
}

/** Checks that the caller may write documents of some team, before the document is parsed. */
export function requireWriter(caller: Caller, state: DocumentState): void {
  const needed = permissionFor(state)
  const other = needed === 'RESOURCES_ADD' ? 'RESOURCES_EDIT' : 'RESOURCES_ADD'
  const isWriter = maySomewhere(caller, needed) || maySomewhere(caller, other)
  if (!isWriter) throw missing(needed, state.owner)
}

function permissionFor({ version }: DocumentState): Permission {
  return version === null ? 'RESOURCES_ADD' : 'RESOURCES_EDIT'
}

/** Checks a permission on a team, or on what no team owns. Errors: permission_missing. */
export function requirePermission(
  caller: Caller,
  permission: Permission,
  team: string | null,
  { called }: Named,
): void {
  if (may(caller, permission, team ?? undefined)) return
  if (team !== null) throw missing(permission, team)
  const advice =
    permission === 'RESOURCES_ADD' ? ' Name the owning team in the document or with ?owner=.' : ''
  throw missingPermission(
    permission,
    null,
    `Only organization owners and organization keys can change a ${called} without an owner.${advice}`,
  )
}

function missing(permission: Permission, team: string | null): ApiError {
  return team === null ? missingEverywhere(permission) : missingPermission(permission, team)
}
