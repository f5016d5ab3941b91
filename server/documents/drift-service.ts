import { ApiError } from '../platform/errors.ts'
import type { RealitySubject } from '../platform/reality-change.ts'
import type { ChangeMetadata } from '../ledger/history/revision.ts'
import { NO_DRIFT, type DriftPlan, type DriftState } from '../ledger/drift/drift-plan.ts'
import { listLinkedContracts, readContractGate, readDriftPlan } from '../ledger/drift/service.ts'
import type { Clock } from '../platform/kit/clock.ts'
import type { Database } from '../platform/tables.ts'
import type { RealityWork } from './resource.ts'
import { settleAfter, type DriftCheck } from './settle-service.ts'

/** The plan of a change, and the result of its check. */
interface PlannedDrift {
  /** Absent = the change concerns no contract. */
  plan?: DriftPlan | undefined
  drift?: DriftState | undefined
}

// Ends the transaction of a plan, so that nothing of it is stored.
class PlanReady extends Error {
  readonly planned: PlannedDrift

  constructor(planned: PlannedDrift) {
    super('The transaction was a plan.')
    this.planned = planned
  }
}

/**
 * Returns what a change would do to the differences between contracts and assets: it makes the change in a transaction that is
 * rolled back. Undefined = it has lost a race.
 */
export async function planDrift<Work extends RealityWork>(
  work: Work,
  metadata: ChangeMetadata,
  subject: RealitySubject,
  write: (work: Work) => Promise<unknown>,
  check?: DriftCheck,
): Promise<PlannedDrift | undefined> {
  if (!mayDrift(subject)) return { plan: toEmptyPlan(subject), drift: await check?.(work) }
  const { organizationId } = metadata
  const plan = async (db: Database): Promise<undefined> => {
    const before = await listContracts(db, organizationId, subject)
    const { done, drift } = await settleAfter({ ...work, db }, metadata, subject, write, check)
    if (done === undefined || done === false) return undefined
    const after = await listContracts(db, organizationId, subject)
    const contracts = [...new Set([...before, ...after])]
    throw new PlanReady({ plan: await readPlan(db, work.clock, organizationId, contracts), drift })
  }
  try {
    return await work.db.transaction().execute(plan)
  } catch (error) {
    if (error instanceof PlanReady) return error.planned
    throw error
  }
}

/** Returns the state of the contracts that a change concerns, without one. */
export async function readDrift(
  { db, clock }: Pick<RealityWork, 'db' | 'clock'>,
  organizationId: string,
  subject: RealitySubject,
): Promise<DriftPlan | undefined> {
  if (!mayDrift(subject)) return toEmptyPlan(subject)
  const contracts = await listContracts(db, organizationId, subject)
  return await readPlan(db, clock, organizationId, contracts)
}

async function readPlan(
  db: Database,
  clock: Clock,
  organizationId: string,
  contracts: readonly string[],
): Promise<DriftPlan | undefined> {
  if (contracts.length === 0) return undefined
  return await readDriftPlan(db, clock, organizationId, contracts)
}

function toEmptyPlan({ kind }: RealitySubject): DriftPlan | undefined {
  return kind === 'contracts' ? NO_DRIFT : undefined
}

function mayDrift(subject: RealitySubject): boolean {
  if (subject.kind === 'contracts') return subject.makesPromises
  if (subject.kind === 'products') return subject.namingContracts.length > 0
  return true
}

async function listContracts(
  db: Database,
  organizationId: string,
  subject: RealitySubject,
): Promise<readonly string[]> {
  if (subject.kind === 'contracts') return subject.ids
  if (subject.kind === 'products') return subject.namingContracts
  return subject.kind === 'assets' ? await listLinkedContracts(db, organizationId, subject.ids) : []
}

/**
 * Asserts that no asset of production breaks a contract, as it is now in the transaction. Returns the state: one that is
 * `unknown` passes. Errors: drift.
 */
export async function assertNoDrift(
  db: Database,
  clock: Clock,
  organizationId: string,
  contractId: string,
): Promise<DriftState> {
  const { state, count, findings } = await readContractGate(db, clock, organizationId, contractId)
  const [first] = findings
  if (first === undefined) return state
  const { server, model, field, aspect, promised, actual } = first
  const place = field === null ? model : `${model}.${field}`
  const rest = count > 1 ? ` (and ${count - 1} more)` : ''
  throw new ApiError(
    'drift',
    `An asset breaks the contract. ${place} on ${server} (${aspect}): promised ${promised ?? 'nothing'}, found ${actual ?? 'nothing'}.${rest}`,
    { jsonExtensions: { findings: JSON.stringify(findings) } },
  )
}
