import type { PromiseKey } from '../../ledger/promises/promise.ts'
import { ApiError } from '../../platform/errors.ts'
import { splitBySize } from '../../platform/kit/batches.ts'
import type { Database } from '../../platform/tables.ts'
import type { Offload } from '../../requests/http/offload.ts'
import {
  comparePairs,
  TOO_COSTLY,
  type ComparedPromise,
  type ComparisonInput,
} from './comparison-task.ts'
import * as store from './comparison-store.ts'
import type { FindingCause } from './drift.ts'
import type { PromiseComparison } from './finding-store.ts'

/** Compares texts, in this thread or in another one. Returns a result for each pair, in their order. */
type Compare = (input: ComparisonInput) => Promise<ComparedPromise[]> | ComparedPromise[]

/** Compares in this thread: only for the little that a transaction compares in place. */
export const compareHere: Compare = (input) => comparePairs.run(input)

/** The characters that one task compares: it stays far below the limits of tasks. */
const TASK_CHARACTERS_MAX = 512 * 1024

/**
 * Compares in threads. A pair that takes too much time or memory has no differences, and nothing of it is verifiable.
 * Errors: overloaded.
 */
export function compareInThreads(offload: Offload, organizationId: string): Compare {
  const run = async ({ pairs, tiers }: ComparisonInput): Promise<ComparedPromise[]> => {
    const texts = pairs.flatMap(({ promise, document, mediaType }) => [
      { document: promise, mediaType: 'application/json' },
      { document, mediaType },
    ])
    try {
      return await offload.run(organizationId, comparePairs, { pairs, tiers }, texts)
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'document_too_costly') throw error
      if (pairs.length === 1) return [TOO_COSTLY]
      const results: ComparedPromise[] = []
      for (const pair of pairs) results.push(...(await run({ pairs: [pair], tiers })))
      return results
    }
  }
  return async ({ pairs, tiers }) => {
    const sent = pairs.map(({ promise, document, mediaType }) => ({ promise, document, mediaType }))
    const batches = splitBySize(
      sent,
      TASK_CHARACTERS_MAX,
      ({ promise, document }) => promise.length + document.length,
    )
    const results = await Promise.all(batches.map((batch) => run({ pairs: batch, tiers })))
    return results.flat()
  }
}

/** Limits, comparison and cause of due comparisons. */
interface DueOptions {
  limits: store.PairLimits
  compare: Compare
  /** The cause of links that no run has made. */
  linkedBecause: FindingCause
}

/**
 * Compares the first of some promises whose comparison is not current, within limits. Returns nothing if all are.
 */
export async function compareDue(
  db: Database,
  organizationId: string,
  keys: readonly PromiseKey[],
  { limits, compare, linkedBecause }: DueOptions,
): Promise<PromiseComparison[]> {
  const pairs = await store.listDuePairs(db, organizationId, keys, limits, linkedBecause)
  if (pairs.length === 0) return []
  const tiers = await store.listTiers(db, organizationId)
  const results = await compare({ pairs, tiers })
  return pairs.flatMap((pair, at) => {
    const result = results[at]
    return result === undefined ? [] : [{ ...pair, ...result }]
  })
}
