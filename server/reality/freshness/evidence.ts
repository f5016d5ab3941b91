import type { FreshnessPromise } from '../../../formats/reality/freshness.ts'
import type { PromiseKey } from '../../ledger/promises/promise.ts'
import type { Instant } from '../../platform/kit/clock.ts'
import {
  judgeFreshness,
  toUnknown,
  type Evidence,
  type EvidenceKind,
  type Judgement,
  type UnknownReason,
} from './freshness.ts'

// The evidence of a promise as it is stored, and its judgement.

/** A promise with all evidence of its asset, and its stored judgement. */
export interface FreshnessRow extends PromiseKey {
  now: Instant
  isProduction: boolean
  /** Null = the contract promises no freshness of the model. */
  promise: FreshnessPromise | null
  /** The id of the linked asset; null = none. */
  assetId: string | null
  isView: boolean
  /** When the asset was last read completely, or measured; null = never. */
  readAt: Instant | null
  changedAt: Instant | null
  changedMeans: string | null
  countChangedAt: Instant | null
  countChangedAfter: Instant | null
  writtenAt: Instant | null
  /** Whether a pipeline wrote the asset since the promise was judged. */
  isWritten: boolean
  checkedAt: Instant | null
  latestAt: Instant | null
  stored: StoredJudgement | null
}

/** The stored judgement of a promise, with times in milliseconds since 1970. */
interface StoredJudgement {
  promised: FreshnessPromise
  evidence: EvidenceKind | null
  evidenceAt: number | null
  lateAt: number | null
  isConfirmed: boolean
  unknownBecause: UnknownReason | null
  /** Whether it was judged before the time from which it is late, which is over. */
  isDue: boolean | null
}

/** Judges a promise by the evidence in its row; undefined if the contract promises no freshness. */
export function judgeRow(row: FreshnessRow): Judgement | undefined {
  const { promise, assetId, isView } = row
  if (promise === null) return undefined
  const judgement = judgeFreshness(promise, listEvidence(row), Date.parse(row.now))
  if (judgement.unknownBecause !== 'no_evidence') return judgement
  if (assetId === null) return toUnknown('not_linked')
  return isView ? toUnknown('view') : judgement
}

function listEvidence(row: FreshnessRow): Evidence[] {
  const now = Date.parse(row.now)
  const readAt = toTime(row.readAt)
  const changedBy = toChangeKind(row)
  return [
    ...toEvidence('check', toTime(row.latestAt), toTime(row.checkedAt)),
    // A pipeline reports at once, so its newest event is the newest until now.
    ...toEvidence('lineage', toTime(row.writtenAt), now),
    // The change of a view is that of its definition.
    ...(changedBy === undefined || row.isView
      ? []
      : toEvidence(changedBy, toTime(row.changedAt), readAt)),
    ...toEvidence('counter', toTime(row.countChangedAt), readAt, toTime(row.countChangedAfter)),
  ]
}

// The time of a definition proves nothing about data.
function toChangeKind({ changedMeans }: FreshnessRow): EvidenceKind | undefined {
  return changedMeans === 'data' || changedMeans === 'any' ? changedMeans : undefined
}

function toEvidence(
  kind: EvidenceKind,
  at: number | undefined,
  seenAt: number | undefined,
  since?: number,
): Evidence[] {
  if (at === undefined || seenAt === undefined) return []
  return [{ kind, at, since, seenAt }]
}

function toTime(instant: string | null): number | undefined {
  return instant === null ? undefined : Date.parse(instant)
}
