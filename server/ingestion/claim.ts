import type { Instant } from '../kit/clock.ts'
import type { RunKind, RunPhase, RunStatus } from '../integrations/run.ts'

/** A run that a worker holds. Every statement of the worker names the fence of its claim. */
export interface Claim {
  organizationId: string
  runId: string
  integrationId: string
  kind: RunKind
  principal: string
  forced: boolean
  attempt: number
  /** How often the run was postponed because of its source. */
  sourceFailures: number
  fence: number
}

/** How far a run is. */
export interface Progress {
  phase: RunPhase
  message: string
  processedCount: number
}

/** How a run ends. */
export interface RunEnd {
  status: Exclude<RunStatus, 'RUNNING'>
  message: string
  counts: RunCounts
}

/** What a run counts. */
export interface RunCounts {
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
