import { sql, type Kysely } from 'kysely'
import {
  isFullFailure,
  isOutage,
  isReadOnlyFailure,
  STORE_ERROR_KINDS,
  type StoreErrorKind,
  type StoreUnavailable,
} from './store-errors.ts'

/** Why a database accepts no writes. */
export type WriteObstacle = 'store_read_only' | 'store_full'

/** The kinds of failures that are counted: those of statements, and changes that may have been saved. */
type CountedFailure = StoreErrorKind | 'outcome_unknown'

/**
 * The health of the database as the connections of a process see it. All pools of a process share it, so that a
 * failover that one of them notices makes the others connect again.
 */
export interface StoreHealth {
  /** Records that the database failed a statement. */
  failed(error: StoreUnavailable): void
  /** Records that a change may have been saved. */
  lostOutcome(): void
  /** Returns how often each kind of failure was recorded. */
  countFailures(): ReadonlyMap<CountedFailure, number>
  /** Records that the database committed a change. */
  changed(): void
  /** Records that the database accepts no writes. */
  markReadOnly(): void
  /** Whether a statement found no space on the disk of the database, recently and since the last change. */
  isFull(): boolean
  /** Records that the database was checked and accepts writes. */
  markWritable(): void
  /** Whether the database has just failed, so that other work should wait until it is checked. */
  isSuspect(): boolean
  /** Whether connections that were opened at an instant may lead to a server that has been replaced. */
  isStale(openedAtMs: number): boolean
}

// With many failing writes, each new connection would otherwise be closed before its first statement.
const STALE_PERIOD_MS = 1000
// A little longer than until the next check.
const SUSPECT_MS = 1500
// A statement without much to write may succeed on a full disk, and nothing may be written for a while.
const FULL_MS = 30_000

/** Creates the health of a database of which nothing is known yet. */
export function newStoreHealth(): StoreHealth {
  let fullUntilMs = 0
  let suspectUntilMs = 0
  let staleBeforeMs = Number.NEGATIVE_INFINITY
  const kinds: readonly CountedFailure[] = [...STORE_ERROR_KINDS, 'outcome_unknown']
  const failures = new Map(kinds.map((kind) => [kind, 0]))
  const count = (kind: CountedFailure): void => {
    failures.set(kind, (failures.get(kind) ?? 0) + 1)
  }
  const markReadOnly = (): void => {
    const nowMs = performance.now()
    if (nowMs - staleBeforeMs >= STALE_PERIOD_MS) staleBeforeMs = nowMs
  }
  return {
    failed(error) {
      count(error.rule.kind)
      if (isReadOnlyFailure(error)) markReadOnly()
      if (isOutage(error)) suspectUntilMs = performance.now() + SUSPECT_MS
      if (isFullFailure(error)) fullUntilMs = performance.now() + FULL_MS
    },
    lostOutcome: () => count('outcome_unknown'),
    countFailures: () => failures,
    changed() {
      fullUntilMs = 0
    },
    markReadOnly,
    markWritable() {
      suspectUntilMs = 0
    },
    isSuspect: () => performance.now() < suspectUntilMs,
    isFull: () => performance.now() < fullUntilMs,
    isStale: (openedAtMs) => openedAtMs < staleBeforeMs,
  }
}

/** The statement that asks whether a session can write; its only column is `isReadOnly`. */
export const IS_READ_ONLY = `
  select pg_is_in_recovery() or current_setting('transaction_read_only')::boolean as "isReadOnly"`

/** Returns whether the database accepts no writes: a standby, a demoted primary, or one that was set to read-only. */
export async function isReadOnly<Tables>(db: Kysely<Tables>): Promise<boolean> {
  const { rows } = await sql.raw<{ isReadOnly: boolean }>(IS_READ_ONLY).execute(db)
  return rows[0]?.isReadOnly === true
}
