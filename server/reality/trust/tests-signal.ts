import { findStaleness, getStaleMs } from '../../../formats/reality/stale.ts'
import type { Instant } from '../../platform/kit/clock.ts'
import { findWorstSignal, summarizePortSignals } from './port-summary.ts'
import type { TestsSignal } from './trust.ts'

// What the newest test results report of a contract, an output port and a data product.

/** The newest result that counts for one server of a contract. */
export interface ServerResult {
  /** Null = the contract has no servers. */
  server: string | null
  /** Null = this server was never tested. */
  result: NewestResult | null
}

/** A test result, as far as a signal shows it. */
export interface NewestResult {
  id: string
  outcome: string
  testedAt: Instant
  /** The version of the contract that was tested; null = the result names none. */
  version: string | null
  checkCount: number | null
  passedCount: number | null
}

/** When a test result of a contract is out of date. */
export interface Validity {
  now: Instant
  /** The version of the contract now; null = it has none. */
  version: string | null
  /** The time for which a result counts; null = the usual time. */
  validSeconds: number | null
}

/** Returns the page of a test result. */
type ToResultUrl = (id: string) => string

/** Lists the times at which results become stale, in milliseconds since 1970. */
export function listStaleTimes(
  results: readonly ServerResult[],
  { validSeconds }: Pick<Validity, 'validSeconds'>,
): number[] {
  return results.flatMap(({ result }) =>
    result === null ? [] : getStaleMs({ testedAtMs: Date.parse(result.testedAt), validSeconds }),
  )
}

/** Judges the newest results of a contract's servers: the worst one decides. */
export function judgeTests(
  results: readonly ServerResult[],
  validity: Validity,
  toUrl: ToResultUrl,
): TestsSignal {
  const signals = results.map((one) => judgeServer(one, validity, results.length > 1, toUrl))
  return findWorstSignal(signals) ?? notTested('No test results yet.')
}

function judgeServer(
  { server, result }: ServerResult,
  validity: Validity,
  namesServer: boolean,
  toUrl: ToResultUrl,
): TestsSignal {
  const where = namesServer && server !== null ? ` on server ${server}` : ''
  if (result === null) return notTested(`No test results${where} yet.`)
  const common = { since: result.testedAt, url: toUrl(result.id) }
  if (result.outcome === 'failed' || result.outcome === 'error') {
    const reason = describeChecks(result, where, 'The test ended with an error')
    return { state: 'critical', word: 'Failing', reason, ...common }
  }
  if (result.outcome !== 'passed' && result.outcome !== 'warning') {
    const reason = `The newest result${where} has no outcome.`
    return { state: 'neutral', word: 'Not tested', reason, ...common }
  }
  const stale = describeStale(result, validity, where)
  if (stale !== undefined) return { state: 'caution', word: 'Stale', reason: stale, ...common }
  const reason = describeChecks(result, where, 'The test ended without counts')
  return result.outcome === 'warning'
    ? { state: 'caution', word: 'Warnings', reason, ...common }
    : { state: 'positive', word: 'Passed', reason, ...common }
}

function describeChecks(
  { checkCount, passedCount }: NewestResult,
  where: string,
  uncounted: string,
): string {
  if (checkCount === null || checkCount === 0 || passedCount === null)
    return `${uncounted}${where}.`
  const all = passedCount === checkCount
  const checks = `${checkCount} check${checkCount === 1 ? '' : 's'}`
  return `${all ? checks : `${passedCount} of ${checks}`} passed${where}.`
}

function describeStale(
  { testedAt, version }: NewestResult,
  validity: Validity,
  where: string,
): string | undefined {
  const staleness = findStaleness({
    testedAtMs: Date.parse(testedAt),
    testedVersion: version,
    nowMs: Date.parse(validity.now),
    version: validity.version,
    validSeconds: validity.validSeconds,
  })
  if (staleness === undefined) return undefined
  return staleness.because === 'version'
    ? `Version ${version} was tested${where}; the contract is now ${validity.version}.`
    : `The last test${where} is more than ${describeSeconds(staleness.validSeconds)} old.`
}

const UNITS = [
  ['day', 24 * 60 * 60],
  ['hour', 60 * 60],
  ['minute', 60],
] as const

function describeSeconds(seconds: number): string {
  const [noun, length] = UNITS.find(([, one]) => seconds >= one) ?? (['second', 1] as const)
  const count = Math.round(seconds / length)
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

/** Summarizes the tests of a product's output ports: the worst port decides. */
export function summarizePortTests(
  ports: readonly { name: string; signal: TestsSignal }[],
): TestsSignal {
  const words = { neutral: 'Not tested', participle: 'tested' }
  const summary = summarizePortSignals(ports, words)
  if (summary === undefined) return notTested('It has no output ports.')
  // No single result is the reason.
  return ports.every(({ signal }) => signal.word === 'Not tested')
    ? notTested(summary.reason)
    : summary
}

/** Returns the signal of something that was not tested. */
export function notTested(reason: string): TestsSignal {
  return { state: 'neutral', word: 'Not tested', since: null, reason, url: null }
}
