import type { PromiseKey } from '../../ledger/promises/promise.ts'
import type { Clock } from '../../platform/kit/clock.ts'
import type { RealityChange } from '../../platform/reality-change.ts'
import type { Database } from '../../platform/tables.ts'
import type { AffectedPromise } from '../links/link.ts'
import { announce } from './announcement-service.ts'
import * as comparisons from './comparison-store.ts'
import { compareDue, compareHere } from './comparison-service.ts'
import type { FindingCause } from './drift.ts'
import * as findings from './finding-store.ts'
import type { DriftChange, UnlinkCause } from './finding-store.ts'

/**
 * The limits of one transaction: about 50 ms, because it holds locks and the event loop. The upkeep compares the rest.
 */
const IN_PLACE = { pairsMax: 500, charactersMax: 1024 * 1024 }

/**
 * Brings findings up to date after a change, in its transaction: those of promises whose asset, version or link changed.
 * Returns the affected promises, with those that are gone.
 */
export async function settleDrift(
  db: Database,
  clock: Clock,
  change: RealityChange,
  affected: readonly AffectedPromise[],
): Promise<PromiseKey[]> {
  const { organizationId } = change
  const gone =
    change.kind === 'contracts' ? await findings.listGone(db, organizationId, change.ids) : []
  const keys = [...affected, ...gone]
  if (keys.length === 0) return keys
  await comparisons.lockLinks(db, organizationId, keys)
  const changes = [
    ...(change.kind === 'run'
      ? await findings.applyStaged(db, clock, organizationId, change.runId)
      : []),
    ...(await findings.applyUnlinked(db, clock, organizationId, keys, toCause(change))),
    ...(await applyInPlace(db, clock, organizationId, keys, toCause(change).because)),
  ]
  await announce(db, clock, change, keys, sumChanges(changes))
  return keys
}

async function applyInPlace(
  db: Database,
  clock: Clock,
  organizationId: string,
  keys: readonly PromiseKey[],
  linkedBecause: FindingCause,
): Promise<DriftChange[]> {
  const compared = await compareDue(db, organizationId, keys, {
    limits: IN_PLACE,
    compare: compareHere,
    linkedBecause,
  })
  if (compared.length === 0) return []
  const changes = await findings.applyComparisons(db, clock, organizationId, compared)
  await comparisons.markComparing(db, clock, organizationId, keys)
  return changes
}

function toCause(change: RealityChange): UnlinkCause {
  switch (change.kind) {
    case 'run':
      return { because: 'run', runId: change.runId }
    case 'assets':
      return { because: 'asset', runId: null }
    case 'contracts':
      return { because: 'contract', runId: null }
    case 'products':
    case 'choice':
    case 'address':
      return { because: 'link', runId: null }
  }
}

// Adds up what several statements changed, by contract.
function sumChanges(changes: readonly DriftChange[]): DriftChange[] {
  return [...Map.groupBy(changes, ({ contractId }) => contractId)].map(([contractId, some]) => ({
    contractId,
    openedCount: some.reduce((sum, { openedCount }) => sum + openedCount, 0),
    resolvedCount: some.reduce((sum, { resolvedCount }) => sum + resolvedCount, 0),
  }))
}
