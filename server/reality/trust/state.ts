import type { Instant } from '../../platform/kit/clock.ts'
import type { SignalName } from '../../ledger/trust/signal.ts'
import type { OpenPeriod } from './kept.ts'
import type { TrustSignals } from './trust.ts'

/**
 * The signals of a resource are stored with the times at which they change by themselves: results become stale, data become
 * late, acceptances end. So a reader finds them at any time, and no process has to change them in time.
 */

/** The kinds of resources whose signals are stored. */
export type TrustedKind = 'data-product' | 'output-port' | 'data-contract' | 'asset'

/** The key of stored signals. */
export interface TrustKey {
  kind: TrustedKind
  /** The id; of an output port the JSON list of the data product and the position of the port, from 1. */
  subject: string
}

/** A signal from an instant on, or from the beginning (null). Its `url` is an address without the host. */
type TimedSignal<Name extends SignalName = SignalName> = TrustSignals[Name] & {
  from: Instant | null
}

/** The signals of a resource over time: each a list in the order of time, of which the first one has begun. */
export type TimedSignals = { [Name in SignalName]: TimedSignal<Name>[] }

/** The stored signals of a resource. */
export interface TrustState extends TrustKey {
  signals: TimedSignals
  /** When incidents were open, in the last 30 days; empty for output ports and assets. */
  periods: OpenPeriod[]
  /** The first time at which a signal may change by itself; null = never. */
  nextDueAt: Instant | null
}

/** Returns the key of an output port by its position in the data product, from 1. */
export function toPortSubject(productId: string, position: number): string {
  return JSON.stringify([productId, position])
}

/** Returns the beginning of the keys of all output ports of a data product, which a position follows. */
export function toPortPrefix(productId: string): string {
  return `[${JSON.stringify(productId)},`
}

// Later changes are found when the state is settled again, which the first change makes due.
const TIMES_MAX = 12
const CHANGES_MAX = 100
const INSTANT_LAST_MS = Date.parse('9999-12-31T23:59:59Z')

/** Lists the next times of some, in order, after a time; all in milliseconds since 1970. At most 100. */
export function listNextChanges(nowMs: number, changesMs: readonly number[]): number[] {
  const later = changesMs.filter((ms) => ms > nowMs && ms <= INSTANT_LAST_MS)
  return [...new Set(later)].toSorted((a, b) => a - b).slice(0, CHANGES_MAX)
}

/**
 * Judges a signal at a time, and at the later times at which it may change, all in milliseconds since 1970. Returns the
 * signals that differ from the one before, at most 12.
 */
export function judgeOverTime<Signal extends object>(
  nowMs: number,
  changesMs: readonly number[],
  judge: (atMs: number) => Signal,
): (Signal & { from: Instant | null })[] {
  const first = judge(nowMs)
  const times: (Signal & { from: Instant | null })[] = [{ ...first, from: null }]
  let last = JSON.stringify(first)
  for (const ms of changesMs) {
    if (times.length === TIMES_MAX) break
    const signal = judge(ms)
    const text = JSON.stringify(signal)
    if (text !== last) times.push({ ...signal, from: new Date(ms).toISOString() })
    last = text
  }
  return times
}
