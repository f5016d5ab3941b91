import { z } from '@hono/zod-openapi'
import type { DocumentKind } from '../../platform/kinds.ts'
import type { Instant } from '../../platform/kit/clock.ts'

/**
 * Trust is whether consumers can rely on data. Its signals are the outcome of its tests, whether it is as fresh as its
 * contract promises, whether the tables differ from the contract, and its standing. Each has one of four levels. What is
 * unknown is neutral, never positive.
 */

/** The levels of a signal, the worst first. */
export const LEVELS = ['critical', 'caution', 'neutral', 'positive'] as const

/** A level of a signal. */
export type Level = (typeof LEVELS)[number]

/** The words of each signal, in the order in which all pages show the signals. */
export const WORDS = {
  tests: ['Passed', 'Warnings', 'Stale', 'Failing', 'Not tested'],
  freshness: ['Fresh', 'Late', 'Unknown'],
  drift: ['As promised', 'Accepted differences', 'Differs', 'Not compared'],
  standing: ['Certified', 'Deprecated', 'Acknowledged incident', 'Open incident', 'Not certified'],
} as const

/** The name of a signal. */
export type SignalName = keyof typeof WORDS

/** The names of the signals, in the order in which all pages show them. */
export const SIGNALS = ['tests', 'freshness', 'drift', 'standing'] as const satisfies SignalName[]

/** The words of signals that have nothing to report. */
const NEUTRAL_WORDS = {
  tests: 'Not tested',
  freshness: 'Unknown',
  drift: 'Not compared',
  standing: 'Not certified',
} as const satisfies { [Name in SignalName]: (typeof WORDS)[Name][number] }

/** The part of a signal that lists show: its level and its word. */
interface BriefSignal<Name extends SignalName = SignalName> {
  state: Level
  word: (typeof WORDS)[Name][number]
}

/** A signal as it is stored: from an instant on, or from the beginning (null). */
interface StoredSignal {
  from: Instant | null
  state: Level
  word: string
}

/** The signals of a resource over time, as they are stored: each a list in the order of time. */
export type SignalTimes<Signal extends StoredSignal = StoredSignal> = Partial<
  Record<SignalName, readonly Signal[]>
>

/** Returns the stored signal that holds at a time in milliseconds since 1970; undefined = nothing is stored. */
export function findSignalAt<Signal extends StoredSignal>(
  times: readonly Signal[] | undefined,
  nowMs: number,
): Signal | undefined {
  return times?.findLast(({ from }) => from === null || Date.parse(from) <= nowMs)
}

/** Returns the worst of some levels; neutral without any. */
export function findWorst(levels: readonly Level[]): Level {
  return LEVELS.find((one) => levels.includes(one)) ?? 'neutral'
}

/** Returns the rank of a level as it is stored: 3 = critical, 2 = caution, 1 = neutral, 0 = positive. */
export function toRank(level: Level): number {
  return LEVELS.length - 1 - LEVELS.indexOf(level)
}

function newBrief<const Words extends readonly [string, ...string[]]>(words: Words) {
  return z.object({ state: z.enum(LEVELS), word: z.enum(words) })
}

/** The signals of a resource in a list. */
export const trustSummary = z
  .object({
    tests: newBrief(WORDS.tests),
    freshness: newBrief(WORDS.freshness),
    drift: newBrief(WORDS.drift),
    standing: newBrief(WORDS.standing),
    worst: z.enum(LEVELS).openapi({ description: 'The worst level of the signals' }),
  })
  .openapi('TrustSummary', {
    description: 'The signals of trust, as `GET /api/trust` explains them',
  })

/** The signals of a resource in a list, parsed. */
export type TrustSummary = z.infer<typeof trustSummary>

/** Returns the summary of stored signals at a time in milliseconds since 1970. What is not stored is neutral. */
export function summarizeSignals(times: SignalTimes | null, nowMs: number): TrustSummary {
  const read = <Name extends SignalName>(name: Name): BriefSignal<Name> => {
    const stored = findSignalAt(times?.[name], nowMs)
    const words: readonly (typeof WORDS)[Name][number][] = WORDS[name]
    const word = words.find((one) => one === stored?.word)
    return stored === undefined || word === undefined
      ? { state: 'neutral', word: NEUTRAL_WORDS[name] }
      : { state: stored.state, word }
  }
  const signals = {
    tests: read('tests'),
    freshness: read('freshness'),
    drift: read('drift'),
    standing: read('standing'),
  }
  return { ...signals, worst: findWorst(Object.values(signals).map(({ state }) => state)) }
}

/** A document that a list shows. */
export interface ListedDocument {
  kind: DocumentKind
  id: string
}
