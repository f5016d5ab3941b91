import { judgeDriftState } from '../../ledger/drift/drift-plan.ts'
import { summarizePortSignals } from './port-summary.ts'
import { selectCounted, type PromiseFacts } from './facts.ts'
import type { DriftSignal } from './trust.ts'

// Whether tables differ from what a contract promises. A table that was not compared is never as promised.

/** Lists the times at which an acceptance ends, in milliseconds since 1970. */
export function listAcceptanceEnds(promises: readonly PromiseFacts[]): number[] {
  return promises.flatMap(({ acceptedUntil }) =>
    acceptedUntil === null ? [] : Date.parse(acceptedUntil),
  )
}

/** Judges the differences of the promises of a contract at a time in milliseconds since 1970: the worst table decides. */
export function judgeContractDrift(
  promises: readonly PromiseFacts[],
  nowMs: number,
  url: string,
): DriftSignal {
  if (promises.length === 0) return notCompared('It has no models on servers to compare.', null)
  return judgeDrift(selectCounted(promises), nowMs, url)
}

/** Judges the differences of promises at a time in milliseconds since 1970: the worst one decides. `url` shows them. */
export function judgeDrift(
  promises: readonly PromiseFacts[],
  nowMs: number,
  url: string,
): DriftSignal {
  if (promises.length === 0) return notCompared('No data contract promises it.', null)
  const judged = promises.map((promise) => judgePromise(promise, nowMs))
  const breaking = judged.reduce((sum, one) => sum + one.breaking, 0)
  const unverifiable = promises.reduce((sum, one) => sum + one.unverifiable, 0)
  const compared = judged.filter(({ word }) => word !== 'Not compared').length
  const acceptedBreaking = judged.filter(({ word }) => word === 'Accepted differences').length
  const state = judgeDriftState({ breaking, acceptedBreaking, promised: judged.length, compared })
  const common = { breaking, unverifiable, url }
  if (state === 'drift') {
    const differing = judged.filter(({ word }) => word === 'Differs')
    const since = toOldest(differing.map(({ since }) => since))
    const reason = `${toCount(breaking, 'difference')} ${breaking === 1 ? 'breaks' : 'break'} the promise: ${listModels(differing)}.`
    return { state: 'critical', word: 'Differs', since, reason, ...common }
  }
  if (state === 'accepted') {
    const accepted = judged.filter(({ word }) => word === 'Accepted differences')
    const since = toOldest(accepted.map(({ since }) => since))
    const count = promises.reduce((sum, one) => sum + one.accepted, 0)
    const reason = `${toCount(count, 'difference')} accepted: ${listModels(accepted)}.`
    return { state: 'caution', word: 'Accepted differences', since, reason, ...common }
  }
  if (state === 'unknown') {
    const reason = describeMissing(judged, compared)
    return { ...notCompared(reason, url), unverifiable }
  }
  const reason =
    judged.length === 1 ? 'Its table is as promised.' : `${judged.length} tables are as promised.`
  return { state: 'positive', word: 'As promised', since: null, reason, ...common }
}

interface JudgedPromise {
  word: DriftSignal['word']
  model: string
  because: string
  breaking: number
  since: string | null
}

function judgePromise(promise: PromiseFacts, nowMs: number): JudgedPromise {
  const { model, acceptedUntil, breaking, accepted } = promise
  const base = { model, because: REASONS[promise.state] ?? '', breaking: 0, since: null }
  // The acceptances that end later are counted when they are settled again.
  const ended = acceptedUntil !== null && Date.parse(acceptedUntil) <= nowMs ? 1 : 0
  const open = breaking - accepted + ended
  if (open > 0) {
    const since = ended > 0 ? promise.openSince : promise.differsSince
    return { ...base, word: 'Differs', breaking: open, since }
  }
  if (accepted > 0) return { ...base, word: 'Accepted differences', since: promise.openSince }
  return { ...base, word: promise.isCompared ? 'As promised' : 'Not compared' }
}

// Why a promise is not compared, by the state of its link.
const REASONS: Readonly<Record<PromiseFacts['state'], string>> = {
  linked: 'its comparison is not finished',
  ambiguous: 'several tables match',
  other_address: 'the table is on another address',
  not_found: 'its comparison is not finished',
  not_read: 'the source is not read completely',
  no_source: 'no connected source has it',
  unplaced: 'the contract does not give its place',
  excluded: 'it is excluded',
  not_applicable: 'the server has no tables',
}

function describeMissing(judged: readonly JudgedPromise[], count: number): string {
  const [first] = judged.filter(({ word }) => word === 'Not compared')
  const cause = first === undefined ? '' : ` ${first.model}: ${first.because}.`
  const total = judged.length
  if (total === 1) return `Its table is not compared.${cause}`
  return `${count} of ${total} tables compared.${cause}`
}

function listModels(judged: readonly JudgedPromise[]): string {
  const models = [...new Set(judged.map(({ model }) => model))]
  const [first = ''] = models
  return models.length > 1 ? `${first} and ${models.length - 1} more` : first
}

function toOldest(times: readonly (string | null)[]): string | null {
  return times.filter((time) => time !== null).toSorted()[0] ?? null
}

function toCount(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

/** Summarizes the differences of a product's output ports: the worst port decides. */
export function summarizePortDrift(
  ports: readonly { name: string; signal: DriftSignal }[],
): DriftSignal {
  const words = { neutral: 'Not compared', participle: 'compared' }
  const summary = summarizePortSignals(ports, words)
  if (summary === undefined) return notCompared('It has no output ports.', null)
  const sum = (name: 'breaking' | 'unverifiable'): number =>
    ports.reduce((total, { signal }) => total + signal[name], 0)
  return { ...summary, breaking: sum('breaking'), unverifiable: sum('unverifiable') }
}

/** Returns the signal of something that was not compared. */
export function notCompared(reason: string, url: string | null): DriftSignal {
  const none = { since: null, breaking: 0, unverifiable: 0 }
  return { state: 'neutral', word: 'Not compared', reason, url, ...none }
}
