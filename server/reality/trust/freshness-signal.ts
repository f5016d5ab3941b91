import { getFreshnessState, type UnknownReason } from '../freshness/freshness.ts'
import { summarizePortSignals } from './port-summary.ts'
import { selectCounted } from './facts.ts'
import type { FreshnessFacts, PromiseFacts } from './facts.ts'
import type { FreshnessSignal } from './trust.ts'

// Whether data are as fresh as a contract promises. Without a promise or without evidence that is unknown, never fresh.

/** Lists the times at which the freshness of promises changes by itself, in milliseconds since 1970. */
export function listLateTimes(promises: readonly PromiseFacts[]): number[] {
  return promises.flatMap(({ freshness }) =>
    freshness === null || freshness.lateAt === null ? [] : Date.parse(freshness.lateAt),
  )
}

/** Judges the freshness of the promises of a contract at a time: the worst table decides. */
export function judgeContractFreshness(
  promises: readonly PromiseFacts[],
  now: string,
  url: string,
): FreshnessSignal {
  return judgeFreshness(selectCounted(promises), now, url, 'It promises no freshness.')
}

/** Judges the freshness of promises at a time: the worst one decides. `url` shows it. */
export function judgeFreshness(
  promises: readonly PromiseFacts[],
  now: string,
  url: string,
  nothing = 'No data contract promises its freshness.',
): FreshnessSignal {
  const judged = promises.flatMap((promise) => judgePromise(promise, now))
  // A model without a promise keeps those of the other models.
  const promised = judged.filter(({ reason }) => reason !== 'no_promise')
  if (promised.length === 0) return unknown(nothing, null)
  const late = promised.filter(({ state }) => state === 'late')
  const missing = promised.filter(({ state }) => state === 'unknown')
  const [worst] = (late.length > 0 ? late : missing.length > 0 ? missing : promised).toSorted(
    (a, b) => compareAges(a.facts, b.facts),
  )
  if (worst === undefined) return unknown(nothing, null)
  const { evidence, evidenceAt, lateAt } = worst.facts
  const evident = { evidence, evidenceAt, url }
  if (late.length > 0) {
    const reason = `${describeTables(late, promised.length)} late${describePromise(worst)}.`
    return { state: 'critical', word: 'Late', since: lateAt, reason, ...evident }
  }
  if (missing.length > 0) {
    const because = `${worst.model}: ${UNKNOWN_REASONS[worst.reason ?? 'no_evidence']}`
    const reason =
      promised.length === 1
        ? `${because}.`
        : `${promised.length - missing.length} of ${promised.length} tables fresh. ${because}.`
    return { ...unknown(reason, url), evidence, evidenceAt }
  }
  const changed = evidence === 'any' ? 'Data or definition changed' : 'Data changed'
  const reason = `${changed} in time${describePromise(worst)}.`
  return { state: 'positive', word: 'Fresh', since: null, reason, ...evident }
}

interface JudgedPromise {
  model: string
  facts: FreshnessFacts
  state: 'fresh' | 'late' | 'unknown'
  reason: UnknownReason | null
}

function judgePromise({ model, freshness: facts }: PromiseFacts, now: string): JudgedPromise[] {
  return facts === null ? [] : [{ model, facts, ...getFreshnessState(facts, now) }]
}

// The one that is or will be late first, and then that of the oldest evidence.
function compareAges(a: FreshnessFacts, b: FreshnessFacts): number {
  const last = '9999'
  return (
    (a.lateAt ?? last).localeCompare(b.lateAt ?? last) ||
    (a.evidenceAt ?? '').localeCompare(b.evidenceAt ?? '')
  )
}

const UNKNOWN_REASONS: Readonly<Record<UnknownReason, string>> = {
  no_promise: 'its contract promises nothing',
  unreadable: 'the promise cannot be read',
  not_linked: 'it is not linked with a table',
  view: 'views show no changes',
  no_evidence: 'the source does not report changes',
  not_read: 'the source was not read since',
}

function describeTables(late: readonly JudgedPromise[], total: number): string {
  const [first] = late
  if (total === 1) return `${first?.model ?? 'The table'} is`
  return `${late.length} of ${total} tables`
}

function describePromise({ facts }: JudgedPromise): string {
  return facts.promised === null ? '' : `; promised: ${facts.promised}`
}

/** Summarizes the freshness of a product's output ports: the worst port decides. */
export function summarizePortFreshness(
  ports: readonly { name: string; signal: FreshnessSignal }[],
): FreshnessSignal {
  const [first] = ports
  if (ports.length === 1 && first !== undefined) return first.signal
  const words = { neutral: 'Unknown', participle: 'judged' }
  return summarizePortSignals(ports, words) ?? unknown('It has no output ports.', null)
}

/** Returns the signal of something about whose freshness nothing is known. */
export function unknown(reason: string, url: string | null): FreshnessSignal {
  const none = { since: null, evidence: null, evidenceAt: null }
  return { state: 'neutral', word: 'Unknown', reason, url, ...none }
}
