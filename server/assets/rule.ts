import type { Caller } from '../access/caller.ts'
import { missingEverywhere, missingPermission } from '../http/missing-permission.ts'
import { may, maySomewhere, type Permission } from '../access/permission.ts'
import { Refusal } from '../errors.ts'
import type { Ingestion } from './asset.ts'

/**
 * Refuses whom the owner of an asset gives no permission; what no team owns is the organization
 * owners'. Errors: permission_missing.
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
 * Refuses who has a permission nowhere: whoever may change nothing learns nothing of teams and
 * assets from a refusal. Errors: permission_missing.
 */
export function requireSomewhere(caller: Caller, permission: Permission): void {
  if (maySomewhere(caller, permission)) return
  throw missingEverywhere(permission)
}

/** The refusal of a change of what an integration writes. */
export function belongsToIntegration({ integrationExternalId }: Ingestion): Refusal {
  return new Refusal(
    'document_invalid',
    `The asset belongs to the integration ${integrationExternalId}, which writes it in every run. Sign in and give it a description, an owner or tags instead (PUT /ui/assets/{id}/annotation): they win over what the source says, and no run touches them.`,
  )
}
