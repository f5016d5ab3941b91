import type { Instant } from '../../platform/kit/clock.ts'
import type { RunEndStatus } from '../../platform/kit/work-observer.ts'
import type { RunKind, RunPhase } from '../integrations/run.ts'

/** A run claimed by a worker. Every statement of the worker checks the fence of its claim. */
export interface Claim {
  organizationId: string
  runId: string
  integrationId: string
  kind: RunKind
  principal: string
  forced: boolean
  attempt: number
  /** The number of times the run was postponed because of its source. */
  sourceFailures: number
  fence: number
}

/** The progress of a run. */
export interface Progress {
  phase: RunPhase
  message: string
  processedCount: number
}

/** The final state of a run. */
export interface RunEnd {
  status: RunEndStatus
  message: string
  counts: RunCounts
}

/** The counters of a run. */
interface RunCounts {
  processed: number
  created: number
  updated: number
  deleted: number
  held: number
}

/** A line for a run's log. */
export interface NewLogLine {
  at: Instant
  level: 'info' | 'warn'
  text: string
}
