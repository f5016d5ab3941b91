import type { ResourcePermissions } from '../../formats/team/permission-names.ts'
import type { Caller } from '../requests/access/caller.ts'
import { may, mayOwn, maySomewhere } from '../requests/access/permission.ts'
import type { Permission, ResourcePermission } from '../requests/access/permission.ts'
import { ApiError } from '../platform/errors.ts'
import { missingEverywhere, missingPermission } from '../requests/http/missing-permission.ts'
import { getResourcePermissions, KINDS, type DocumentKind } from '../platform/kinds.ts'
import type { DocumentType } from './document-type.ts'
import type { AccessRule, NewOwner, ResourceState } from './resource.ts'

/**
 * Creates the rule for documents that a team owns: a change needs the kind's permission on the current and on the new
 * owner. Callers who can change nothing anywhere get an error without teams or documents. Documents of a kind without
 * permissions belong to the owners of the organization; `unownedRule` is the sentence for everyone else.
 */
export function newOwnerAccess(
  kind: DocumentKind,
  {
    unownedRule,
    ownerAdvice = 'Name the owning team in the document or with ?owner=.',
  }: Pick<DocumentType, 'unownedRule' | 'ownerAdvice'> = {},
): AccessRule {
  const permissions = getResourcePermissions(kind)
  const rule =
    unownedRule ??
    `Only organization owners and organization keys can change a ${KINDS[kind].called} without an owner.`
  if (permissions === undefined) return newOwnersAccess(rule)
  const requirePermission = (caller: Caller, permission: Permission, team: string | null): void => {
    if (may(caller, permission, team ?? undefined)) return
    if (team !== null) throw missing(permission, team)
    const advice = permission === `${permissions}_ADD` ? ` ${ownerAdvice}` : ''
    throw missingPermission(permission, null, `${rule}${advice}`)
  }
  return {
    requireWriter: (caller, state) => requireWriter(permissions, caller, state),
    requireEdit: (caller, _, { owner }) => requirePermission(caller, `${permissions}_EDIT`, owner),
    requireChange({ caller, state }, newOwner) {
      const needed = permissionFor(permissions, state)
      if (!maySomewhere(caller, needed)) throw missing(needed, newOwner.id ?? state.owner)
      requireOwners(permissions, state, newOwner, (permission, team) =>
        requirePermission(caller, permission, team),
      )
    },
    requireDelete: (caller, _, { owner }) =>
      requirePermission(caller, `${permissions}_DELETE`, owner),
  }
}

function newOwnersAccess(rule: string): AccessRule {
  const requireOwner = (caller: Caller): void => {
    if (mayOwn(caller)) return
    throw new ApiError('permission_missing', rule, { extensions: { team: null } })
  }
  return {
    requireWriter: requireOwner,
    requireEdit: requireOwner,
    requireChange: ({ caller }) => requireOwner(caller),
    requireDelete: requireOwner,
  }
}

/** Returns the permission that a PUT needs. */
export function permissionFor(
  permissions: ResourcePermissions,
  { version }: ResourceState,
): ResourcePermission {
  return version === null ? `${permissions}_ADD` : `${permissions}_EDIT`
}

/**
 * Checks a PUT on the current owner, and on the new one unless it is undefined because the document cannot be read.
 */
export function requireOwners(
  permissions: ResourcePermissions,
  state: ResourceState,
  { id, teamId }: NewOwner,
  requirePermission: (permission: Permission, team: string | null) => void,
): void {
  if (state.version !== null) requirePermission(`${permissions}_EDIT`, state.owner)
  if (id === undefined) return
  // An unknown team is reported later, as a problem of the document.
  const isUnknown = id !== null && teamId === null
  if (!isUnknown) requirePermission(permissionFor(permissions, state), id)
}

function requireWriter(
  permissions: ResourcePermissions,
  caller: Caller,
  state: ResourceState,
): void {
  const isWriter =
    maySomewhere(caller, `${permissions}_ADD`) || maySomewhere(caller, `${permissions}_EDIT`)
  if (!isWriter) throw missing(permissionFor(permissions, state), state.owner)
}

function missing(permission: Permission, team: string | null): ApiError {
  return team === null ? missingEverywhere(permission) : missingPermission(permission, team)
}
