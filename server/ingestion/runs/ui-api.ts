import { z } from '@hono/zod-openapi'
import { ApiError } from '../../platform/errors.ts'
import { jsonAnswer, type Endpoint } from '../../requests/http/endpoint.ts'
import { formBody, readForm } from '../../requests/http/form.ts'
import { describeError } from '../../requests/http/openapi.ts'
import { confirmHeld, rejectHeld, undoRun } from './correction-service.ts'
import { ingestionRun, type IngestionRun } from '../integrations/run.ts'
import {
  listRunChanges,
  listRunLog,
  listRunScopes,
  requireRunnable,
  triggerRun,
} from './service.ts'

// Actions for people: inspect runs, preview, decide about held deletes, undo.

const CHANGES_MAX = 1000
const NONE = z.object({})
const MAY_RUN = { needs: ['INGESTION_EDIT'] as const, on: "the integration's team" }

const runWish = z.strictObject({
  kind: z.enum(['ingest', 'preview']).default('ingest'),
  /**
   * Confirms that an empty source, or one that no longer lists a scope, is right: missing assets
   * are deleted at once, or held if they are too many.
   */
  force: z.boolean().default(false),
})

const scopeAnswered = z.object({
  scope: z.array(z.string()),
  kind: z.string(),
  state: z.string(),
  objects: z.int(),
  message: z.string().nullable(),
})

const changeAnswered = z.object({
  assetId: z.string(),
  action: z.enum(['created', 'updated', 'deleted', 'revived']),
  heldBecause: z.enum(['brake', 'filter', 'unproven']).nullable(),
  pathBefore: z.array(z.string()).nullable(),
  pathAfter: z.array(z.string()).nullable(),
  versionBefore: z.int().nullable(),
  versionAfter: z.int().nullable(),
})

const logLineAnswered = z.object({ at: z.string(), level: z.string(), text: z.string() })

const changesQuery = z.object({
  after: z.string().default('').openapi({ description: 'The last assetId of the page before' }),
  limit: z
    .string()
    .regex(/^[1-9]\d{0,8}$/, 'must be a whole number from 1')
    .transform((text) => Math.min(Number(text), CHANGES_MAX))
    .default(CHANGES_MAX),
})

/** `POST /ui/integrations/{externalId}/run`: starts a run or a preview. */
export const startRun: Endpoint<'externalId'> = {
  operation: 'startRun',
  summary: 'Start an ingestion run or a preview',
  permission: MAY_RUN,
  requires: ({ services, caller, params }) =>
    requireRunnable(services.db, caller, params.externalId),
  query: NONE,
  body: formBody(runWish, 'What kind of run'),
  answers: {
    202: { description: 'The run was created as RUNNING', schema: ingestionRun },
    409: describeError('A run is in progress'),
  },
  async handle({ services, caller, params, body, requestId }) {
    const { kind, force } = readForm(body, runWish)
    const trigger = { kind, forced: force, requestId }
    const run = await triggerRun(services, caller, params.externalId, trigger)
    if (run === undefined) {
      throw new ApiError(
        'run_in_progress',
        'A run is in progress. Wait until it ends, or cancel it.',
      )
    }
    return jsonAnswer(202, ingestionRun, run)
  },
}

type RunName = 'externalId' | 'ingestionRunId'

/** `GET …/runs/{ingestionRunId}/scopes`: lists the ledger. */
export const listScopes: Endpoint<RunName> = {
  operation: 'listRunScopes',
  summary: 'List the scopes of a run with their states',
  permission: 'a session',
  query: NONE,
  answers: { 200: { description: 'The ledger', schema: z.array(scopeAnswered) } },
  async handle({ services, caller, params }) {
    const { externalId, ingestionRunId } = params
    const scopes = await listRunScopes(services.db, caller, externalId, ingestionRunId)
    return jsonAnswer(200, z.array(scopeAnswered), scopes)
  },
}

/** `GET …/runs/{ingestionRunId}/log`: lists the log lines. */
export const listLog: Endpoint<RunName> = {
  operation: 'listRunLog',
  summary: 'List the lines of a run’s log',
  permission: 'a session',
  query: NONE,
  answers: { 200: { description: 'The lines', schema: z.array(logLineAnswered) } },
  async handle({ services, caller, params }) {
    const { externalId, ingestionRunId } = params
    const lines = await listRunLog(services.db, caller, externalId, ingestionRunId)
    return jsonAnswer(200, z.array(logLineAnswered), lines)
  },
}

/** `GET …/runs/{ingestionRunId}/changes`: lists a page of its changes. */
export const listChanges: Endpoint<RunName, z.infer<typeof changesQuery>> = {
  operation: 'listRunChanges',
  summary: 'List the changes of a run, a preview, and held deletes',
  permission: 'a session',
  query: changesQuery,
  answers: { 200: { description: 'A page of changes', schema: z.array(changeAnswered) } },
  async handle({ services, caller, params, query }) {
    const { externalId, ingestionRunId } = params
    const page = { afterId: query.after, limit: query.limit }
    const changes = await listRunChanges(services.db, caller, externalId, ingestionRunId, page)
    return jsonAnswer(200, z.array(changeAnswered), changes)
  },
}

type Correction = (...given: Parameters<typeof undoRun>) => Promise<IngestionRun>

function createCorrection(
  operation: string,
  summary: string,
  correct: Correction,
): Endpoint<RunName> {
  return {
    operation,
    summary,
    lane: 'bulk',
    permission: MAY_RUN,
    query: NONE,
    answers: {
      200: { description: 'The correction, which is a separate run', schema: ingestionRun },
      409: describeError('A run is in progress'),
      422: describeError('The run has nothing to correct'),
    },
    async handle({ services, caller, params, requestId }) {
      const { externalId, ingestionRunId } = params
      const run = await correct(services, caller, externalId, ingestionRunId, requestId)
      return jsonAnswer(200, ingestionRun, run)
    },
  }
}

/** `POST …/runs/{ingestionRunId}/undo`: undoes its changes. */
export const undo = createCorrection('undoRun', 'Undo the changes of a run', undoRun)

/** `POST …/runs/{ingestionRunId}/confirm`: deletes the assets that it held. */
export const confirm = createCorrection(
  'confirmHeld',
  'Delete the assets held by a run',
  confirmHeld,
)

/** `POST …/runs/{ingestionRunId}/reject`: keeps the assets that it held. */
export const reject = createCorrection('rejectHeld', 'Keep the assets held by a run', rejectHeld)
