// The words with which programs report the outcome of a check or of a whole test.

import type { Value } from '../text/value.ts'

/** The outcomes of a check. */
export const CHECK_OUTCOMES = [
  'passed',
  'warning',
  'failed',
  'error',
  'info',
  'skipped',
  'unknown',
] as const

/** The outcome of a check. */
export type CheckOutcome = (typeof CHECK_OUTCOMES)[number]

/** The outcomes that break the promise of a rule. */
export const FAILING: readonly CheckOutcome[] = ['failed', 'error']

// The words of datacontract-cli, Soda 4, Great Expectations 1, dbt and OORS, in lower case.
const WORDS: ReadonlyMap<string, CheckOutcome> = new Map([
  ['passed', 'passed'],
  ['pass', 'passed'],
  ['success', 'passed'],
  ['true', 'passed'],
  ['warning', 'warning'],
  ['warn', 'warning'],
  ['failed', 'failed'],
  ['fail', 'failed'],
  ['false', 'failed'],
  ['error', 'error'],
  ['runtime error', 'error'],
  ['info', 'info'],
  ['skipped', 'skipped'],
  ['skip', 'skipped'],
  ['excluded', 'skipped'],
  ['unevaluated', 'skipped'],
  ['not_evaluated', 'skipped'],
  ['no-op', 'skipped'],
])

/** Reads the outcome of a check or a test; a word that no program of the table has is `unknown`. */
export function readOutcome(value: Value | undefined): CheckOutcome {
  if (typeof value !== 'string' && typeof value !== 'boolean') return 'unknown'
  return WORDS.get(String(value).toLowerCase()) ?? 'unknown'
}

const ORDER: readonly CheckOutcome[] = ['error', 'failed', 'warning', 'passed']

/** Returns the outcome of a test that reports only its checks: the worst one, or `unknown` if none counts. */
export function getWorstOutcome(outcomes: Iterable<CheckOutcome>): CheckOutcome {
  const all = new Set(outcomes)
  return ORDER.find((outcome) => all.has(outcome)) ?? 'unknown'
}
