import { z } from '@hono/zod-openapi'
import type { Instant } from '../kit/clock.ts'

/**
 * An ingestion run reads a source platform once and publishes what changed, whole or not at all. It
 * is RUNNING from the moment it is asked for, and ends once: SUCCESS, FAILED or CANCELLED.
 */

/** The states of a run on the wire. */
export const RUN_STATUSES = ['RUNNING', 'SUCCESS', 'FAILED', 'CANCELLED'] as const

/** One of them. */
export type RunStatus = (typeof RUN_STATUSES)[number]

/** Where a run is, or was when it ended. */
export type RunPhase = 'waiting' | 'checking' | 'listing' | 'publishing'

/** What a run is for: to ingest, to show what it would do, to take one back, to delete what was held. */
export const RUN_KINDS = ['ingest', 'preview', 'undo', 'confirm'] as const

/** One of them. */
export type RunKind = (typeof RUN_KINDS)[number]

/** Runs that a list shows at most, and unless told otherwise. */
export const RUNS_MAX = 200
export const RUNS_USUAL = 50

/** How long a claim holds without a beat, and how often one is made. */
export const LEASE_MS = 30_000
export const BEAT_MS = 5000

/** How often a run is claimed at most before it is given up. */
export const ATTEMPTS_MAX = 3

/** A claimed run that makes no progress for so long is given up, and one that takes so long in all. */
export const STALL_MS = 15 * 60_000
export const RUN_MS_MAX = 6 * 60 * 60_000

/** Lines of a run's log at most, and for how long they are kept. */
export const LOG_LINES_MAX = 2000
export const LOG_DAYS = 90

/** How long what is gone from its source is kept: a deleted asset, a scope that is not listed. */
export const GRACE_DAYS = 14

/** Runs back from the last that can be undone. */
export const UNDO_RUNS_MAX = 10

const instant = z.string().openapi({ format: 'date-time' })
const count = z.int().min(0)

/** A run as the API shows it. */
export const ingestionRun = z
  .object({
    ingestionRunId: z.uuid(),
    integrationExternalId: z.string(),
    status: z.enum(RUN_STATUSES),
    message: z.string().nullable().openapi({
      description: 'What is going on, how it ended, or why it failed; null = nothing to say',
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
    assetsHeld: count.openapi({ description: 'Deletes that wait for a person to confirm them' }),
    heldState: z.enum(['pending', 'confirmed', 'rejected', 'superseded']).nullable(),
    startedBy: z.string().openapi({
      description:
        'The principal that started it: `user:…`, `api-key:…`, or `system` for the schedule',
    }),
  })
  .openapi('IngestionRun')

/** A run as the API shows it. */
export type IngestionRun = z.infer<typeof ingestionRun>

/** A run as statements give it: the columns of the table that the API shows. */
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

/** Gives a run in the shape of the wire. */
export function runOf(row: RunRow, integrationExternalId: string): IngestionRun {
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
