import type { Clock } from '../../platform/kit/clock.ts'
import type { RealityChange } from '../../platform/reality-change.ts'
import type { Database } from '../../platform/tables.ts'
import { openIncidents, resolveIncidents } from '../incidents/service.ts'
import * as store from './late-store.ts'

/**
 * Opens an incident for each production server of contracts with late data, and resolves those of servers without any, in
 * the caller's transaction.
 */
export async function settleLateIncidents(
  db: Database,
  clock: Clock,
  origin: Pick<RealityChange, 'organizationId' | 'principal' | 'requestId'>,
  contracts: readonly string[],
): Promise<void> {
  const servers = await store.listLateServers(db, clock, origin.organizationId, contracts)
  const causes = servers.flatMap(({ contractId, server, count, models }) =>
    count === 0
      ? []
      : [{ contractId, server, severity: 'error' as const, facts: { count, models } }],
  )
  const ended = servers.flatMap(({ contractId, server, count, hasFresh }) => {
    if (count > 0) return []
    const because = hasFresh ? 'New data arrived.' : 'Its freshness cannot be judged anymore.'
    return [{ contractId, server, because }]
  })
  await openIncidents(db, clock, origin, 'late', causes)
  await resolveIncidents(db, clock, origin, 'late', ended)
}
