import { requirePermission, requireSomewhere } from '../../requests/http/missing-permission.ts'
import { ApiError } from '../../platform/errors.ts'
import { permissionFor, requireOwners } from '../../documents/access.ts'
import type { AccessRule } from '../../documents/resource.ts'
import type { Ingestion } from './asset.ts'

/** The rule for assets, which may have no owner: then they belong to the organization's owners. */
export const ASSET_ACCESS: AccessRule = {
  requireWriter: (caller, state) => requireSomewhere(caller, permissionFor('ASSET', state)),
  requireEdit: (caller, _, { owner }) => requirePermission(caller, 'ASSET_EDIT', owner),
  requireChange({ caller, state }, newOwner) {
    requireOwners('ASSET', state, newOwner, (permission, team) =>
      requirePermission(caller, permission, team),
    )
  },
  requireDelete: (caller, _, { owner }) => requirePermission(caller, 'ASSET_DELETE', owner),
}

/** Creates the error for a change of a document that an integration maintains. */
export function createIngestedAssetError({ integrationExternalId }: Ingestion): ApiError {
  return new ApiError(
    'invalid_state',
    `The integration ${integrationExternalId} maintains this asset, and every run overwrites its document. Sign in and set a description, an owner or tags instead (PUT /ui/assets/{id}/annotation): they take precedence over the source, and no run changes them.`,
  )
}
