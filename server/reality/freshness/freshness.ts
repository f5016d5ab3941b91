import { getLateAt, type FreshnessPromise } from '../../../formats/reality/freshness.ts'
import type { Instant } from '../../platform/kit/clock.ts'

/**
 * The freshness of the data behind a promise: whether it changed as recently as its contract promises. What the source
 * reports is evidence of a change, not the change itself, so every state has the evidence that it rests on.
 */

/** Fresh before `late_at`, late from it on, and unknown with a reason. */
export const FRESHNESS_STATES = ['fresh', 'late', 'unknown'] as const

/** The state of a promise at a time. */
export type FreshnessState = (typeof FRESHNESS_STATES)[number]

/** The kinds of evidence, the best first. */
export const EVIDENCE = [
  /** The newest timestamp in the data, found by a test. */
  'check',
  /** A pipeline reported that it completed and wrote the asset. */
  'lineage',
  /** The time at which the source changed rows. */
  'data',
  /** The source counted more changes than at the reading before. */
  'counter',
  /** The time at which the source changed rows, or only the definition: it proves that data is late, not that it is fresh. */
  'any',
] as const

/** A kind of evidence. */
export type EvidenceKind = (typeof EVIDENCE)[number]

/** The reasons why a state is unknown. */
export const UNKNOWN_REASONS = [
  'no_promise',
  'unreadable',
  'not_linked',
  'view',
  'no_evidence',
  /** The source was not read since the data should have changed, or is read too seldom for the promise. */
  'not_read',
] as const

/** The reason why a state is unknown. */
export type UnknownReason = (typeof UNKNOWN_REASONS)[number]

/** Evidence of the last change of an asset. Instants are in milliseconds since 1970. */
export interface Evidence {
  kind: EvidenceKind
  /** The last change, or the latest time at which it can have been. */
  at: number
  /** The earliest time at which it can have been; only if it is between two readings. */
  since?: number | undefined
  /** When this was found. Pipelines report each change, so their evidence is always current. */
  seenAt: number
}

/** A judged promise: the columns of `promise_freshness`. */
export interface Judgement {
  evidence: EvidenceKind | null
  evidenceAt: number | null
  lateAt: number | null
  isConfirmed: boolean
  unknownBecause: UnknownReason | null
}

const DAY_MS = 24 * 60 * 60 * 1000
// The time of a source may be local time that is read as UTC, or its clock may be ahead.
const AHEAD_MS_MAX = DAY_MS
const INSTANT_MS_MIN = Date.parse('0001-01-01T00:00:00Z')
const INSTANT_MS_MAX = Date.parse('9999-12-31T23:59:59Z')
// Readings that are further apart than this multiple of a limit cannot show that it is kept.
const READING_FACTOR_MAX = 1.5

/** Returns what is unknown, for a reason. */
export function toUnknown(unknownBecause: UnknownReason): Judgement {
  return { evidence: null, evidenceAt: null, lateAt: null, isConfirmed: false, unknownBecause }
}

/**
 * Judges a promise by all evidence of its asset at `now`. The best kind of evidence decides, with two exceptions: evidence
 * that was found before the data became due proves neither state, and data that changed after a late finding is not late.
 */
export function judgeFreshness(
  promise: FreshnessPromise | undefined,
  evidence: readonly Evidence[],
  now: number,
): Judgement {
  if (promise === undefined) return toUnknown('no_promise')
  if ('unreadable' in promise) return toUnknown('unreadable')
  const judged = EVIDENCE.flatMap((kind) => evidence.filter((one) => one.kind === kind))
    .flatMap((one) => clampToSeen(one))
    .map((one) => judgeBy(promise, one, now))
  const late = judged.find(({ state }) => state === 'late')
  const fresh = judged.find(
    (one) => one.state === 'fresh' && (late === undefined || isBetter(one, late)),
  )
  const best = fresh ?? late ?? judged.find(({ state }) => state === 'outdated') ?? judged[0]
  return best?.judgement ?? toUnknown('no_evidence')
}

interface Judged {
  state: 'fresh' | 'late' | 'outdated' | 'unknown'
  judgement: Judgement
  source: Evidence
}

// Evidence of a better kind always, other evidence only of data that changed after the late finding.
function isBetter({ source }: Judged, late: Judged): boolean {
  if (EVIDENCE.indexOf(source.kind) < EVIDENCE.indexOf(late.source.kind)) return true
  return source.kind !== 'any' && source.at > late.source.seenAt
}

// A change in the future is a value and not a time: a booking, or an unset date such as 9999-12-31.
function clampToSeen(one: Evidence): Evidence[] {
  if (!(one.at >= INSTANT_MS_MIN && one.at <= one.seenAt + AHEAD_MS_MAX)) return []
  return [{ ...one, at: Math.min(one.at, one.seenAt) }]
}

function judgeBy(
  promise: Exclude<FreshnessPromise, { unreadable: string }>,
  source: Evidence,
  now: number,
): Judged {
  const { kind, at, since, seenAt } = source
  const due = getLateAt(promise, at)
  const lateAt = due === undefined ? null : Math.min(due, INSTANT_MS_MAX)
  const judgement = {
    evidence: kind,
    evidenceAt: at,
    lateAt,
    isConfirmed: lateAt !== null && seenAt >= lateAt,
    unknownBecause: null,
  }
  if (lateAt === null || now < lateAt) {
    const isVague = since !== undefined && at - since > promise.seconds * 1000 * READING_FACTOR_MAX
    // A schedule has no shorter period to compare with than its own.
    if (isVague && !('cron' in promise)) {
      const unknown = { ...toUnknown('not_read'), evidence: kind, evidenceAt: at }
      return { state: 'unknown', judgement: unknown, source }
    }
    return { state: 'fresh', judgement, source }
  }
  const isLate = judgement.isConfirmed || kind === 'lineage'
  return { state: isLate ? 'late' : 'outdated', judgement, source }
}

/** The stored columns from which the state at a time follows. */
interface StoredFreshness {
  evidence: string | null
  lateAt: Instant | null
  isConfirmed: boolean
  unknownBecause: UnknownReason | null
}

/** Returns the state of a stored promise at an instant, with the reason if it is unknown. */
export function getFreshnessState(
  { evidence, lateAt, isConfirmed, unknownBecause }: StoredFreshness,
  now: Instant,
): { state: FreshnessState; reason: UnknownReason | null } {
  if (unknownBecause !== null) return { state: 'unknown', reason: unknownBecause }
  if (lateAt === null || now < lateAt) return { state: 'fresh', reason: null }
  if (isConfirmed || evidence === 'lineage') return { state: 'late', reason: null }
  return { state: 'unknown', reason: 'not_read' }
}
