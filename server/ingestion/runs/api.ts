import { z } from '@hono/zod-openapi'
import { jsonAnswer, type Endpoint } from '../../requests/http/endpoint.ts'
import {
  ingestionRun,
  RUN_STATUSES,
  RUNS_MAX,
  RUNS_USUAL,
  type RunStatus,
} from '../integrations/run.ts'
import { cancelRun, getLatestRun, getRun, listRuns, triggerRun } from './service.ts'

// The same endpoints exist under /api/integrations and /api/integrations/ingest: newer clients use
// only the second. Each is created twice, with different operation names.

const MAY_RUN = { needs: ['INGESTION_EDIT'] as const, on: "the integration's team" }
const NONE = z.object({})

const runsQuery = z.object({
  status: z.enum(RUN_STATUSES, `must be one of ${RUN_STATUSES.join(', ')}`).optional(),
  limit: z
    .string()
    .regex(/^[1-9]\d{0,8}$/, 'must be a whole number from 1')
    .transform((text) => Math.min(Number(text), RUNS_MAX))
    .default(RUNS_USUAL)
    .openapi({
      type: 'integer',
      minimum: 1,
      default: RUNS_USUAL,
      description: `More than ${RUNS_MAX} counts as ${RUNS_MAX}`,
    }),
})

const scheduledRun = z
  .object({
    integrationExternalId: z.string(),
    scheduledAt: z.string().openapi({ format: 'date-time' }),
    deferred: z.boolean(),
    message: z.string(),
    ingestionRunId: z.uuid(),
  })
  .openapi('ScheduledRun')

const runInProgress = z
  .object({ status: z.literal('already_running'), message: z.string() })
  .openapi('RunInProgress')

type RunsQuery = { status?: RunStatus | undefined; limit: number }

/** Creates `GET …/{externalId}/runs`, which lists the runs of an integration, newest first. */
export function createListRuns(operation: string): Endpoint<'externalId', RunsQuery> {
  return {
    operation,
    summary: 'List the ingestion runs of an integration, newest first',
    permission: 'any key',
    query: runsQuery,
    answers: { 200: { description: 'The runs', schema: z.array(ingestionRun) } },
    async handle({ services, caller, params, query }) {
      const runs = await listRuns(services.db, caller, params.externalId, query)
      return jsonAnswer(200, z.array(ingestionRun), runs)
    },
  }
}

/** Creates `GET …/{externalId}/runs/latest`, which returns the last run. */
export function createGetLatestRun(operation: string): Endpoint<'externalId'> {
  return {
    operation,
    summary: 'Get the last ingestion run of an integration, without previews and corrections',
    permission: 'any key',
    query: NONE,
    answers: { 200: { description: 'The run', schema: ingestionRun } },
    async handle({ services, caller, params }) {
      const run = await getLatestRun(services.db, caller, params.externalId)
      return jsonAnswer(200, ingestionRun, run)
    },
  }
}

/** Creates `GET …/{externalId}/runs/{ingestionRunId}`, which returns a run. */
export function createGetRun(operation: string): Endpoint<'externalId' | 'ingestionRunId'> {
  return {
    operation,
    summary: 'Get an ingestion run',
    permission: 'any key',
    query: NONE,
    answers: { 200: { description: 'The run', schema: ingestionRun } },
    async handle({ services, caller, params }) {
      const run = await getRun(services.db, caller, params.externalId, params.ingestionRunId)
      return jsonAnswer(200, ingestionRun, run)
    },
  }
}

/** Creates `POST …/{externalId}/run`, which starts a run. */
export function createTriggerRun(operation: string): Endpoint<'externalId'> {
  return {
    operation,
    summary: 'Start an ingestion run',
    permission: MAY_RUN,
    query: NONE,
    answers: {
      202: { description: 'The run was created as RUNNING', schema: scheduledRun },
      409: { description: 'A run is in progress', schema: runInProgress },
    },
    async handle({ services, caller, params: { externalId }, requestId }) {
      const trigger = { kind: 'ingest' as const, forced: false, requestId }
      const run = await triggerRun(services, caller, externalId, trigger)
      if (run === undefined) {
        return jsonAnswer(409, runInProgress, {
          status: 'already_running',
          message: `A run of ${externalId} is in progress. Wait until it ends, or cancel it.`,
        })
      }
      return jsonAnswer(202, scheduledRun, {
        integrationExternalId: externalId,
        scheduledAt: run.startedAt,
        deferred: false,
        message: `Run ${run.ingestionRunId} has started.`,
        ingestionRunId: run.ingestionRunId,
      })
    },
  }
}

/** Creates `POST …/{externalId}/cancel`, which ends the run in progress. */
export function createCancelRun(operation: string): Endpoint<'externalId'> {
  return {
    operation,
    summary: 'Cancel the ingestion run in progress',
    permission: MAY_RUN,
    query: NONE,
    answers: {
      204: { description: 'The run ends within seconds; also when none was in progress' },
    },
    async handle({ services, caller, params, requestId }) {
      await cancelRun(services, caller, params.externalId, requestId)
      return { status: 204 }
    },
  }
}
