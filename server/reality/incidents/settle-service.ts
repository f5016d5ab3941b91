import { INCIDENT_KINDS, type IncidentOrigin } from '../../ledger/incidents/incident.ts'
import { lockContracts } from '../../ledger/promises/lock.ts'
import type { Clock } from '../../platform/kit/clock.ts'
import type { RealityChange, TestsChange } from '../../platform/reality-change.ts'
import type { Database } from '../../platform/tables.ts'
import { openIncidents, resolveIncidents } from './service.ts'
import * as store from './settle-store.ts'

const EXCLUDED = {
  contract: 'The data contract was deleted.',
  server: 'The server is not a production server anymore.',
}

/**
 * Opens and resolves the incidents that follow from a change of test results or of contracts, in its transaction: those of
 * tests, and those of any kind on servers that do not count anymore.
 */
export async function settleIncidents(
  db: Database,
  clock: Clock,
  change: RealityChange | TestsChange,
): Promise<void> {
  if (change.kind === 'tests') await settleTests(db, clock, change, change.contracts)
  if (change.kind !== 'contracts') return
  await resolveExcluded(db, clock, change, change.ids)
  await settleTests(db, clock, change, change.ids)
}

async function settleTests(
  db: Database,
  clock: Clock,
  origin: IncidentOrigin,
  contractIds: readonly string[],
): Promise<void> {
  const { organizationId } = origin
  await lockContracts(db, 'tests', organizationId, contractIds)
  const servers = await store.listTestedServers(db, organizationId, contractIds)
  const causes = servers.flatMap(({ contractId, server, excludedBecause, failing }) =>
    failing === null || excludedBecause !== null
      ? []
      : [{ contractId, server, severity: 'error' as const, facts: failing }],
  )
  await openIncidents(db, clock, origin, 'test', causes)
  const ended = servers.flatMap(({ contractId, server, ...one }) => {
    if (!one.hasIncident || (one.failing !== null && one.excludedBecause === null)) return []
    return [{ contractId, server, because: describeEnd(one) }]
  })
  await resolveIncidents(db, clock, origin, 'test', ended)
}

function describeEnd({
  excludedBecause,
  isTested,
}: Pick<store.TestedServer, 'excludedBecause' | 'isTested'>): string {
  if (excludedBecause !== null) return EXCLUDED[excludedBecause]
  return isTested ? 'The newest test passed.' : 'The test results were deleted.'
}

async function resolveExcluded(
  db: Database,
  clock: Clock,
  origin: IncidentOrigin,
  contractIds: readonly string[],
): Promise<void> {
  const excluded = await store.listExcluded(db, origin.organizationId, contractIds)
  for (const kind of INCIDENT_KINDS) {
    const places = excluded
      .filter((one) => one.kind === kind)
      .map((one) => ({ ...one, because: EXCLUDED[one.excludedBecause] }))
    await resolveIncidents(db, clock, origin, kind, places)
  }
}
