import { readActual } from '../../../formats/reality/actual.ts'
import { comparePromise } from '../../../formats/reality/compare.ts'
import { SIDE_CHARACTERS_MAX, type DriftDifference } from '../../../formats/reality/difference.ts'
import type { PromisedModel } from '../../../formats/reality/promise.ts'
import type { ClassificationTiers } from '../../../formats/reality/tiers.ts'
import { readStored } from '../../requests/http/document.ts'
import type { Task } from '../../requests/http/offload.ts'

/** The two sides of a comparison: a promise as JSON, and the document of the asset that it is linked with. */
export interface ComparedTexts {
  promise: string
  document: string
  mediaType: string
}

/** The differences of a promise, breaking ones first, and what cannot be compared. */
export interface ComparedPromise {
  differences: DriftDifference[]
  omittedCount: number
  unverifiable: { field: string; reason: string }[]
}

/** The result of a comparison that was given up. */
export const TOO_COSTLY: ComparedPromise = {
  differences: [],
  omittedCount: 0,
  unverifiable: [{ field: '', reason: 'Comparing takes too much time or memory.' }],
}

/** Pairs to compare, and the classification schemes of their organization. */
export interface ComparisonInput {
  pairs: readonly ComparedTexts[]
  tiers: ClassificationTiers
}

/** Compares promises with assets, in their order. */
export const comparePairs: Task<ComparisonInput, ComparedPromise[]> = {
  name: 'reality/comparePairs',
  run({ pairs, tiers }) {
    // Several contracts promise the same table.
    const actuals = new Map<string, ReturnType<typeof readActual>>()
    return pairs.map(({ promise, document, mediaType }) => {
      const actual = actuals.get(document) ?? readActual(readStored({ document, mediaType }).value)
      actuals.set(document, actual)
      return toCompared(comparePromise(parsePromise(promise), actual, tiers))
    })
  },
}

// Portbook wrote it when it read the contract.
function parsePromise(json: string): PromisedModel {
  return JSON.parse(json)
}

function toCompared({
  findings,
  omittedCount,
  unverifiable,
}: ReturnType<typeof comparePromise>): ComparedPromise {
  const differences = findings.map((one) => ({
    ...one,
    promised: clipText(one.promised),
    actual: clipText(one.actual),
  }))
  return { differences, omittedCount, unverifiable }
}

function clipText(text: string | null): string | null {
  if (text === null || text.length <= SIDE_CHARACTERS_MAX) return text
  return `${text.slice(0, SIDE_CHARACTERS_MAX - 1).toWellFormed()}…`
}
