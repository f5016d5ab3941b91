import type { Instant } from '../platform/kit/clock.ts'
import type { ProcessRole } from '../platform/processes/process.ts'

/**
 * The state of an installation: how far its background work is behind, in numbers without names of organizations,
 * people or documents. Metrics and the Health page show it, and `limits.ts` judges it.
 */

/** The work that waits, and for how long. All ages are in seconds on the clock of the database. */
export interface InstallationState {
  readAt: Instant
  followers: readonly FollowerState[]
  deliveries: readonly ChannelState[]
  runs: RunsState
  activity: ActivityState
  processes: readonly ProcessCount[]
  jobs: readonly JobState[]
  /** The size of each table with its indexes, the largest first. */
  tables: readonly TableSize[]
}

/** Reads the state of the installation again and again. */
export interface StateReader {
  /** Returns the latest state, or undefined if none was read recently: older values would look like current ones. */
  find(): InstallationState | undefined
  /** Returns when a state was last read, in seconds since 1970, even if it is too old; 0 = not yet. */
  getReadSeconds(): number
  stop(): Promise<void>
}

/** A follower of the event feed. */
export interface FollowerState {
  follower: string
  /** The age of the oldest event that it has not handled; 0 = it has handled all. */
  lagSeconds: number
}

/** The waiting deliveries of a channel. */
export interface ChannelState {
  channel: string
  /** The number of waiting deliveries, at most `WAITING_COUNTED_MAX`. */
  waitingCount: number
  /** The time since the oldest of them was queued; 0 = none waits. */
  oldestSeconds: number
}

/** The ingestion runs that have not ended. */
export interface RunsState {
  /** Runs that a worker could claim now. */
  waitingCount: number
  /** Runs that are repeated later because their source could not be reached. */
  postponedCount: number
  /** Runs that a worker has. */
  runningCount: number
  /** The time for which the first of the waiting runs could have been claimed; 0 = none waits. */
  oldestWaitingSeconds: number
}

/** The sealing of the activity. */
export interface ActivityState {
  /** The age of the oldest entry without a seal; 0 = all are sealed. */
  unsealedSeconds: number
}

/** The running processes of one role and version. */
export interface ProcessCount {
  role: ProcessRole
  version: string
  count: number
}

/** A job of the upkeep, or the command `backup` if it was ever used. */
export interface JobState {
  job: string
  /** Its last success, or its creation if it has not succeeded yet, in seconds since 1970. */
  succeededAtSeconds: number
  /** The time since then above which it is late. */
  lateAfterSeconds: number
}

/** The size of a table. */
export interface TableSize {
  table: string
  /** With indexes and long values. */
  bytes: number
}

/** The maximum number of waiting deliveries of a channel that are counted. */
export const WAITING_COUNTED_MAX = 50_000
