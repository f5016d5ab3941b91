import { z } from '@hono/zod-openapi'
import type { Instant } from '../../platform/kit/clock.ts'

/**
 * An ingestion run reads a source platform once and publishes the changes atomically. It is RUNNING
 * from the moment it is requested, and ends once: SUCCESS, FAILED or CANCELLED.
 */

/** The states of a run on the wire. */
export const RUN_STATUSES = ['RUNNING', 'SUCCESS', 'FAILED', 'CANCELLED'] as const

/** The state of a run. */
export type RunStatus = (typeof RUN_STATUSES)[number]

/** The current phase of a run, or its last one. */
export type RunPhase = 'waiting' | 'checking' | 'listing' | 'publishing'

/**
 * The kinds of runs: import, preview without publishing, undo of another run, deletion of held
 * assets.
 */
export const RUN_KINDS = ['ingest', 'preview', 'undo', 'confirm'] as const

/** The kind of a run. */
export type RunKind = (typeof RUN_KINDS)[number]

/** The maximum and the default number of runs in a list. */
export const RUNS_MAX = 200
export const RUNS_USUAL = 50

/** The duration of a claim without a beat. */
export const LEASE_MS = 30_000

/**
 * The number of runs that a process works on while all of its workers are busy, of organizations that it works for on no
 * other run. So a long run of one organization does not block the others.
 */
export const GUEST_RUNS_MAX = 1

/** The maximum number of claims of a run. */
export const ATTEMPTS_MAX = 3

/**
 * The time after which a claimed run without progress is abandoned, and the maximum duration of a
 * run.
 */
export const STALL_MS = 15 * 60_000
export const RUN_MS_MAX = 6 * 60 * 60_000

/** The maximum number of lines in a run's log, and the time for which they are kept. */
export const LOG_LINES_MAX = 2000
export const LOG_DAYS = 90

/** The grace period for data that is gone from its source: deleted assets, unlisted scopes. */
export const GRACE_DAYS = 14

/** The number of latest runs that can be undone. */
export const UNDO_RUNS_MAX = 10

const instant = z.string().openapi({ format: 'date-time' })
const count = z.int().min(0)

/** A run in the API. */
export const ingestionRun = z
  .object({
    ingestionRunId: z.uuid(),
    integrationExternalId: z.string(),
    status: z.enum(RUN_STATUSES),
    message: z.string().nullable().openapi({
      description: 'The progress, the result, or the reason of the failure; null = none',
    }),
    assetsProcessed: count.openapi({ description: 'Containers and tables read, not columns' }),
    assetsCreated: count,
    assetsUpdated: count,
    assetsDeleted: count,
    startedAt: instant,
    completedAt: instant.nullable().openapi({ description: 'null while RUNNING' }),
    kind: z.enum(RUN_KINDS),
    phase: z.enum(['waiting', 'checking', 'listing', 'publishing']),
    attempt: count,
    assetsHeld: count.openapi({ description: 'Held deletes, which a person must confirm' }),
    heldState: z.enum(['pending', 'confirmed', 'rejected', 'superseded']).nullable(),
    startedBy: z.string().openapi({
      description:
        'The principal that started it: `user:…`, `api-key:…`, or `system` for the schedule',
    }),
  })
  .openapi('IngestionRun')

/** A run in the API. */
export type IngestionRun = z.infer<typeof ingestionRun>

/** A run in the database: the columns that the API shows. */
export interface RunRow {
  id: string
  kind: RunKind
  status: RunStatus
  phase: RunPhase
  message: string | null
  assets_processed: number
  assets_created: number
  assets_updated: number
  assets_deleted: number
  held_count: number
  held_state: IngestionRun['heldState']
  attempt: number
  principal: string
  started_at: Instant
  completed_at: Instant | null
}

/** The columns of a RunRow, for statements that join the table under its own name. */
export const RUN_COLUMNS = [
  'id',
  'kind',
  'status',
  'phase',
  'message',
  'assets_processed',
  'assets_created',
  'assets_updated',
  'assets_deleted',
  'held_count',
  'held_state',
  'attempt',
  'principal',
  'started_at',
  'completed_at',
] as const satisfies readonly (keyof RunRow)[]

/** Converts a row to a run of the API. */
export function toIngestionRun(row: RunRow, integrationExternalId: string): IngestionRun {
  return {
    ingestionRunId: row.id,
    integrationExternalId,
    status: row.status,
    message: row.message,
    assetsProcessed: row.assets_processed,
    assetsCreated: row.assets_created,
    assetsUpdated: row.assets_updated,
    assetsDeleted: row.assets_deleted,
    startedAt: row.started_at,
    completedAt: row.completed_at,
    kind: row.kind,
    phase: row.phase,
    attempt: row.attempt,
    assetsHeld: row.held_count,
    heldState: row.held_state,
    startedBy: row.principal,
  }
}
