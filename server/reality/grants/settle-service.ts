import type { Clock } from '../../platform/kit/clock.ts'
import type { RealityChange, TestsChange } from '../../platform/reality-change.ts'
import type { Database } from '../../platform/tables.ts'
import { compareIntegration } from './compare-service.ts'

/**
 * Compares grants after a run has read them, in the transaction of its publication. Other changes are compared by the upkeep.
 */
export async function settleGrants(
  db: Database,
  clock: Clock,
  change: RealityChange | TestsChange,
): Promise<void> {
  if (change.kind !== 'run') return
  const { organizationId, principal, requestId, integrationId } = change
  const request = { organizationId, principal, requestId, integrationId }
  await compareIntegration(db, clock, { ...request, cause: 'run' })
}
