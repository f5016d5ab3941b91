import type { KeyedCheck } from '../../../formats/reality/checks.ts'
import type { Database } from '../../platform/tables.ts'
import { keyChecks, type RuleServices } from './check-service.ts'
import * as store from './check-store.ts'
import type { TestResultRow } from './store.ts'
import { readResult } from './task.ts'

/** A result whose outcomes are written again. */
interface RemainingResult {
  result: TestResultRow
  checks: readonly KeyedCheck[]
}

/**
 * Reads the checks of the results that have the place and the time of another one: its removal also removes their outcomes.
 * Errors: document_too_costly, overloaded.
 */
export async function prepareRemoval(
  services: RuleServices,
  organizationId: string,
  removed: TestResultRow,
): Promise<RemainingResult[]> {
  const results = await store.listSimultaneous(services.db, organizationId, removed)
  const remaining: RemainingResult[] = []
  for (const result of results) {
    const { document: text, contractId } = result
    const texts = [{ document: text, mediaType: 'application/json' }]
    const input = { text, path: undefined, contractId }
    const { sent } = await services.offload.run(organizationId, readResult, input, texts)
    const checks = await keyChecks(services, organizationId, { ...sent, contractId })
    if (checks.length > 0) remaining.push({ result, checks })
  }
  return remaining
}

/** Removes the outcomes of a result from the history of its checks, and keeps those of the remaining results of its time. */
export async function removeOutcomes(
  transaction: Database,
  organizationId: string,
  removed: TestResultRow,
  remaining: readonly RemainingResult[] = [],
): Promise<void> {
  await store.removeOutcomes(transaction, organizationId, removed)
  for (const { result, checks } of remaining) {
    await store.restoreOutcomes(transaction, organizationId, result, checks)
  }
}
