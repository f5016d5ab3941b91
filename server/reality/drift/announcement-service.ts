import type { ChangeMetadata } from '../../ledger/history/revision.ts'
import type { EventName } from '../../ledger/events/event.ts'
import type { PromiseKey } from '../../ledger/promises/promise.ts'
import type { Clock } from '../../platform/kit/clock.ts'
import type { Database } from '../../platform/tables.ts'
import { openIncidents, resolveIncidents } from '../incidents/service.ts'
import * as store from './announcement-store.ts'
import type { DriftChange } from './finding-store.ts'

const RESOLVED_BECAUSE = 'No difference that breaks the contract is left, or all were accepted.'

/**
 * Records the events of the contracts whose breaking findings changed, one of each type for each contract, and opens and
 * resolves the incidents of the servers of all affected promises. Runs in the transaction of the change.
 */
export async function announce(
  db: Database,
  clock: Clock,
  change: ChangeMetadata,
  keys: readonly PromiseKey[],
  changes: readonly DriftChange[],
): Promise<void> {
  const { organizationId } = change
  const contractIds = [...new Set(keys.map(({ contractId }) => contractId))]
  const open = await store.listOpenBreaking(db, clock, organizationId, contractIds)
  const counts = new Map<string, number>()
  for (const { contractId, count } of open) {
    counts.set(contractId, (counts.get(contractId) ?? 0) + count)
  }
  const events = changes.flatMap(({ contractId, openedCount, resolvedCount }) => {
    const details = {
      drift: { opened: openedCount, resolved: resolvedCount, open: counts.get(contractId) ?? 0 },
    }
    const names: EventName[] = [
      ...(openedCount > 0 ? (['DataContractDriftDetectedEvent'] as const) : []),
      ...(resolvedCount > 0 ? (['DataContractDriftResolvedEvent'] as const) : []),
    ]
    return names.map((name) => ({ organizationId, subject: contractId, name, details }))
  })
  if (events.length > 0) await store.insertEvents(db, clock, change, events)
  await settleIncidents(db, clock, change, keys, open)
}

async function settleIncidents(
  db: Database,
  clock: Clock,
  change: ChangeMetadata,
  keys: readonly PromiseKey[],
  open: readonly store.OpenBreaking[],
): Promise<void> {
  const causes = open.flatMap(({ isProduction, contractId, server, count, since, first }) => {
    if (!isProduction) return []
    return [{ contractId, server, severity: 'error' as const, facts: { count, since, first } }]
  })
  const failing = new Set(causes.map(toPlaceKey))
  const places = new Map(keys.map((key) => [toPlaceKey(key), key]))
  const ended = [...places].flatMap(([place, { contractId, server }]) =>
    failing.has(place) ? [] : [{ contractId, server, because: RESOLVED_BECAUSE }],
  )
  await openIncidents(db, clock, change, 'drift', causes)
  await resolveIncidents(db, clock, change, 'drift', ended)
}

function toPlaceKey({ contractId, server }: Pick<PromiseKey, 'contractId' | 'server'>): string {
  return JSON.stringify([contractId, server])
}
