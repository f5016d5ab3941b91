import { lockContracts } from '../../ledger/promises/lock.ts'
import type { Clock } from '../../platform/kit/clock.ts'
import type { Database } from '../../platform/tables.ts'
import { openIncidents, resolveIncidents } from '../incidents/service.ts'
import { settleTrust } from '../trust/settle-service.ts'
import { countByContract, listOpenContracts, type ContractFindings } from './contract-store.ts'
import { replaceFindings, type ComparisonCause } from './finding-store.ts'
import type { IntegrationKey } from './grants.ts'
import { refreshIdentities } from './identity-store.ts'
import { judgeAccess } from './judge-service.ts'
import { parsePattern } from './pattern.ts'
import { describePorts } from './scope-service.ts'
import * as readings from './reading-store.ts'
import { listPortTables } from './table-store.ts'

/** A comparison of an integration's grants, and who caused it. */
interface ComparisonRequest extends IntegrationKey {
  cause: ComparisonCause
  principal: string
  requestId: string
}

/**
 * Compares the grants of an integration with agreements, and stores the findings, in the transaction of the caller. Without
 * grants that were read it does nothing.
 */
export async function compareIntegration(
  db: Database,
  clock: Clock,
  request: ComparisonRequest,
): Promise<void> {
  const { organizationId, integrationId, cause } = request
  const key = { organizationId, integrationId }
  const state = await readings.lockState(db, key)
  if (state === undefined || !state.enabled || state.readAt === null) return
  const tables = await listPortTables(db, key)
  const ports = await describePorts(db, key, tables, state.membersBecause === null)
  const pattern = state.pattern === null ? undefined : parsePattern(state.pattern)
  await refreshIdentities(db, clock, key, { ports, pattern })
  const { readAt } = state
  const reading = { ...state, readAt, tables, ports }
  const { result, sharesPorts } = await judgeAccess(db, clock, key, reading)
  const runId = cause === 'run' ? state.runId : null
  const former = await listOpenContracts(db, key)
  await replaceFindings(db, clock, key, { ...result, ports, cause, runId, sharesPorts })
  const contracts = ports.flatMap(({ contractId }) => contractId ?? [])
  await settleIncidents(db, clock, request, [...new Set([...contracts, ...former])])
}

/**
 * Opens and resolves the incidents of data contracts by their open findings. Facts have the numbers of findings, never names
 * of the platform.
 */
export async function settleIncidents(
  db: Database,
  clock: Clock,
  { organizationId, principal, requestId }: Omit<ComparisonRequest, 'cause'>,
  contractIds: readonly string[],
): Promise<void> {
  if (contractIds.length === 0) return
  await lockContracts(db, 'access', organizationId, contractIds)
  const rows = await countByContract(db, clock, organizationId, contractIds)
  const origin = { organizationId, principal, requestId }
  await openIncidents(db, clock, origin, 'access', rows.map(toCause))
  const isOpen = new Set(rows.map(({ contractId }) => contractId))
  const places = contractIds
    .filter((contractId) => !isOpen.has(contractId))
    .map((contractId) => ({ contractId, server: '', because: 'Access is as agreed.' }))
  await resolveIncidents(db, clock, origin, 'access', places)
  await settleTrust(db, clock, organizationId, { products: [], contracts: contractIds, assets: [] })
}

function toCause({ contractId, counts }: ContractFindings): {
  contractId: string
  server: string
  severity: 'warning' | 'error'
  facts: object
} {
  const { wider_than_agreed: _, ...serious } = counts
  const severity = Object.keys(serious).length === 0 ? 'warning' : 'error'
  return { contractId, server: '', severity, facts: { counts } }
}

/**
 * Changes findings of an integration with `change`, in turns with its comparisons and in the caller's transaction, and settles
 * the incidents of their contracts.
 */
export async function changeFindings(
  db: Database,
  clock: Clock,
  request: Omit<ComparisonRequest, 'cause'>,
  change: (db: Database) => Promise<void>,
): Promise<void> {
  await readings.lockState(db, request)
  await change(db)
  await settleIncidents(db, clock, request, await listOpenContracts(db, request))
}
