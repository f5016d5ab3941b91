import type { Caller } from '../../requests/access/caller.ts'
import { requirePermission } from '../../requests/http/missing-permission.ts'
import type { Database } from '../../platform/tables.ts'
import { listLastDeliveries, type LastDelivery } from './last-delivery-store.ts'

/** Lists the last message to each channel of a team that got one. Errors: permission_missing. */
export async function getLastDeliveries(
  db: Database,
  caller: Caller,
  team: string,
): Promise<LastDelivery[]> {
  requirePermission(caller, 'TEAM_EDIT', team)
  return await listLastDeliveries(db, caller.organizationId, team)
}
