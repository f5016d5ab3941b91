import type { Caller } from '../access/caller.ts'
import { missingEverywhere, missingPermission } from '../http/missing-permission.ts'
import { may, maySomewhere, type Permission } from '../access/permission.ts'
import { ApiError } from '../errors.ts'
import { permissionFor, requireOwners } from '../documents/access.ts'
import type { AccessRule } from '../documents/resource.ts'
import type { Ingestion } from './asset.ts'

/** The rule for assets, which may have no owner: then they belong to the organization's owners. */
export const ASSET_ACCESS: AccessRule = {
  requireWriter: (caller, state) => requireSomewhere(caller, permissionFor(state)),
  requireEdit: (caller, _, { owner }) => requirePermission(caller, 'RESOURCES_EDIT', owner),
  requireChange({ caller, state }, newOwner) {
    requireOwners(state, newOwner, (permission, team) =>
      requirePermission(caller, permission, team),
    )
  },
  requireDelete: (caller, _, { owner }) => requirePermission(caller, 'RESOURCES_DELETE', owner),
}

/**
 * Requires a permission from the owner of an asset; assets without an owner belong to the
 * organization's owners. Errors: permission_missing.
 */
export function requirePermission(
  caller: Caller,
  permission: Permission,
  owner: string | null,
): void {
  if (may(caller, permission, owner ?? undefined)) return
  throw missingPermission(permission, owner)
}

/**
 * Rejects callers who have a permission on no team, so that errors reveal no teams or assets to them.
 * Errors: permission_missing.
 */
export function requireSomewhere(caller: Caller, permission: Permission): void {
  if (maySomewhere(caller, permission)) return
  throw missingEverywhere(permission)
}

/** Creates the error for a change of a document that an integration maintains. */
export function createIngestedAssetError({ integrationExternalId }: Ingestion): ApiError {
  return new ApiError(
    'invalid_state',
    `The integration ${integrationExternalId} maintains this asset, and every run overwrites its document. Sign in and set a description, an owner or tags instead (PUT /ui/assets/{id}/annotation): they take precedence over the source, and no run changes them.`,
  )
}
