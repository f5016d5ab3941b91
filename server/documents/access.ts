import type { Caller } from '../access/caller.ts'
import { may, maySomewhere, type Permission } from '../access/permission.ts'
import type { ApiError } from '../errors.ts'
import { missingEverywhere, missingPermission } from '../http/missing-permission.ts'
import type { DocumentType } from './document-type.ts'
import type { AccessRule, NewOwner, ResourceState } from './resource.ts'

/**
 * Creates the rule for documents that a team owns: a change needs permission on the current and on the new owner.
 * Callers who can change nothing anywhere get an error without teams or documents. `unownedRule` replaces the sentence
 * about documents without an owner.
 */
export function newOwnerAccess(
  called: string,
  {
    unownedRule,
    ownerAdvice = 'Name the owning team in the document or with ?owner=.',
  }: Pick<DocumentType, 'unownedRule' | 'ownerAdvice'> = {},
): AccessRule {
  const requirePermission = (caller: Caller, permission: Permission, team: string | null): void => {
    if (may(caller, permission, team ?? undefined)) return
    if (team !== null) throw missing(permission, team)
    const advice = permission === 'RESOURCES_ADD' ? ` ${ownerAdvice}` : ''
    const rule =
      unownedRule ??
      `Only organization owners and organization keys can change a ${called} without an owner.${advice}`
    throw missingPermission(permission, null, rule)
  }
  return {
    requireWriter,
    requireEdit: (caller, _, { owner }) => requirePermission(caller, 'RESOURCES_EDIT', owner),
    requireChange({ caller, state }, newOwner) {
      const needed = permissionFor(state)
      if (!maySomewhere(caller, needed)) throw missing(needed, newOwner.id ?? state.owner)
      requireOwners(state, newOwner, (permission, team) =>
        requirePermission(caller, permission, team),
      )
    },
    requireDelete: (caller, _, { owner }) => requirePermission(caller, 'RESOURCES_DELETE', owner),
  }
}

/** Returns the permission that a PUT needs. */
export function permissionFor({ version }: ResourceState): Permission {
  return version === null ? 'RESOURCES_ADD' : 'RESOURCES_EDIT'
}

/**
 * Checks a PUT on the current owner, and on the new one unless it is undefined because the document cannot be read.
 */
export function requireOwners(
  state: ResourceState,
  { id, teamId }: NewOwner,
  requirePermission: (permission: Permission, team: string | null) => void,
): void {
  if (state.version !== null) requirePermission('RESOURCES_EDIT', state.owner)
  if (id === undefined) return
  // An unknown team is reported later, as a problem of the document.
  const isUnknown = id !== null && teamId === null
  if (!isUnknown) requirePermission(permissionFor(state), id)
}

function requireWriter(caller: Caller, state: ResourceState): void {
  const needed = permissionFor(state)
  const other = needed === 'RESOURCES_ADD' ? 'RESOURCES_EDIT' : 'RESOURCES_ADD'
  const isWriter = maySomewhere(caller, needed) || maySomewhere(caller, other)
  if (!isWriter) throw missing(needed, state.owner)
}

function missing(permission: Permission, team: string | null): ApiError {
  return team === null ? missingEverywhere(permission) : missingPermission(permission, team)
}
