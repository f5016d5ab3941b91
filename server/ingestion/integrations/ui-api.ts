import { toViolations } from '../../platform/errors.ts'
import { readTime } from '../../platform/kit/clock.ts'
import { z } from '@hono/zod-openapi'
import { readConditions, entityTag } from '../../requests/http/conditional.ts'
import { invalidRequest, readDocument } from '../../requests/http/document.ts'
import {
  jsonAnswer,
  createPageHeader,
  type Answer,
  type Call,
  type Endpoint,
} from '../../requests/http/endpoint.ts'
import { formBody } from '../../requests/http/form.ts'
import { commonError, describeError } from '../../requests/http/openapi.ts'
import { FINDING_STATES } from '../../connectors/connector.ts'
import { CONNECTORS } from '../../connectors/connectors.ts'
import { TIME_ZONE_USUAL } from '../../../formats/schedule/cron.ts'
import { nextTimes, readSchedule } from './schedule.ts'
import * as change from './change-service.ts'
import { removeIntegration } from './deletion-service.ts'
import { draftBody } from './draft.ts'
import { integrationForm } from './integration.ts'
import { requireIntegrationEdit, showForm, TIMES_SHOWN } from './service.ts'
import { previewScopes, testIntegration } from './trial-service.ts'

const BODY_BYTES_MAX = 1024 * 1024
const NONE = z.object({})
const MAY_EDIT = {
  needs: ['INGESTION_EDIT'] as const,
  on: 'the owning team, old and new; without one, the organization',
}
const DRAFT = formBody(
  draftBody,
  'The integration. Of the secrets only those that change; null removes one.',
  BODY_BYTES_MAX,
)
const FORM = {
  description: 'The integration as it is now',
  schema: integrationForm,
  headers: { etag: 'Its version' },
}

// The owner that a draft names is checked later.
type FormCall = Pick<Call<never, unknown>, 'services' | 'caller'>

async function formAnswer(
  { services, caller }: FormCall,
  externalId: string,
  status = 200,
): Promise<Answer> {
  const form = await showForm(services, CONNECTORS, caller, externalId)
  const headers = {
    ...createPageHeader(services, 'integrations', externalId),
    etag: entityTag(String(form.version)),
  }
  return jsonAnswer(status, integrationForm, form, headers)
}

/** `POST /ui/integrations`: creates an integration. */
export const createIntegration: Endpoint = {
  operation: 'createIntegration',
  summary: 'Create an integration',
  permission: MAY_EDIT,
  query: NONE,
  body: DRAFT,
  answers: { 201: FORM, 409: describeError('The id is taken') },
  async handle({ services, caller, body, requestId }) {
    const { value } = readDocument(body)
    const create = change.createIntegration
    const externalId = await create(services, CONNECTORS, caller, value, requestId)
    return await formAnswer({ services, caller }, externalId, 201)
  },
}

/** `GET /ui/integrations/{externalId}`: returns an integration for editing. */
export const getIntegrationForm: Endpoint<'externalId'> = {
  operation: 'getIntegrationForm',
  summary: 'Read an integration for editing',
  permission: 'a session',
  query: NONE,
  answers: { 200: FORM },
  async handle({ services, caller, params: { externalId } }) {
    return await formAnswer({ services, caller }, externalId)
  },
}

/** `PUT /ui/integrations/{externalId}`: changes an integration. */
export const configureIntegration: Endpoint<'externalId'> = {
  operation: 'configureIntegration',
  summary: 'Replace the settings of an integration',
  permission: MAY_EDIT,
  requires: requireIntegrationEdit,
  query: NONE,
  body: DRAFT,
  answers: { 200: FORM, 412: commonError(412) },
  async handle({ services, caller, params: { externalId }, headers, body, requestId }) {
    const { value } = readDocument(body)
    const conditions = readConditions(headers)
    const configuring = { externalId, value, conditions, requestId }
    await change.configureIntegration(services, CONNECTORS, caller, configuring)
    return await formAnswer({ services, caller }, externalId)
  },
}

const deleteQuery = z.object({
  assets: z.enum(['keep', 'delete'], 'must be keep or delete').openapi({
    description: 'keep: its assets become ordinary ones; delete: they are deleted too',
  }),
})

/** `DELETE /ui/integrations/{externalId}`: deletes an integration. */
export const deleteIntegration: Endpoint<'externalId', z.infer<typeof deleteQuery>> = {
  operation: 'deleteIntegration',
  summary: 'Delete an integration with its secrets and its runs',
  lane: 'bulk',
  permission: MAY_EDIT,
  requires: requireIntegrationEdit,
  query: deleteQuery,
  answers: {
    200: { description: 'It is gone' },
    409: describeError('A run is in progress'),
    412: commonError(412),
  },
  async handle({
    services,
    caller,
    params: { externalId },
    query: { assets },
    headers,
    requestId,
  }) {
    const conditions = readConditions(headers)
    const removal = { externalId, assets, conditions, requestId }
    await removeIntegration(services, caller, removal)
    return { status: 200 }
  },
}

/** `POST /ui/integrations/{externalId}/enable`, or `disable`: enables or disables the schedule. */
export function setEnabledTo(enabled: boolean): Endpoint<'externalId'> {
  return {
    operation: enabled ? 'enableIntegration' : 'disableIntegration',
    summary: enabled
      ? 'Enable the schedule of an integration, and end its pause'
      : 'Disable the schedule of an integration',
    permission: MAY_EDIT,
    query: NONE,
    answers: { 200: FORM },
    async handle({ services, caller, params: { externalId }, requestId }) {
      await change.setEnabled(services, caller, externalId, enabled, requestId)
      return await formAnswer({ services, caller }, externalId)
    },
  }
}

const findings = z.object({
  ok: z.boolean().openapi({ description: 'No finding is an error' }),
  findings: z.array(
    z.object({
      state: z.enum(FINDING_STATES),
      what: z.string(),
      hint: z.string().optional(),
      fix: z
        .object({ title: z.string(), field: z.string(), value: z.string() })
        .optional()
        .openapi({ description: 'A change of one field of the configuration that resolves it' }),
    }),
  ),
})

/** `POST /ui/integrations/test`: tests a draft of a new integration. */
export const testDraft: Endpoint = {
  operation: 'testIntegrationDraft',
  summary: 'Test the connection to a source with a draft',
  permission: MAY_EDIT,
  query: NONE,
  body: DRAFT,
  answers: { 200: { description: 'What works, and what does not', schema: findings } },
  async handle({ services, caller, body }) {
    const { value } = readDocument(body)
    const trial = { externalId: undefined, value }
    return findingsAnswer(await testIntegration(services, CONNECTORS, caller, trial))
  },
}

/**
 * `POST /ui/integrations/{externalId}/test`: tests an integration, as stored or with the changes of
 * a draft.
 */
export const testStored: Endpoint<'externalId'> = {
  operation: 'testIntegration',
  summary: 'Test the connection to the source of an integration',
  description: 'Without a body the stored settings are used, otherwise those of the draft.',
  permission: MAY_EDIT,
  requires: requireIntegrationEdit,
  query: NONE,
  body: DRAFT,
  answers: { 200: { description: 'What works, and what does not', schema: findings } },
  async handle({ services, caller, params: { externalId }, body }) {
    const value = body.text === '' ? undefined : readDocument(body).value
    const trial = { externalId, value }
    return findingsAnswer(await testIntegration(services, CONNECTORS, caller, trial))
  },
}

function findingsAnswer(found: Awaited<ReturnType<typeof testIntegration>>): Answer {
  return jsonAnswer(200, findings, {
    ok: found.every(({ state }) => state !== 'error'),
    findings: found,
  })
}

const preview = z.object({
  scopes: z.array(
    z.object({
      path: z.array(z.string()),
      kind: z.string(),
      decision: z.enum(['included', 'excluded', 'denied']),
      message: z.string().optional(),
    }),
  ),
  counts: z.object({ included: z.int(), excluded: z.int(), denied: z.int() }),
  problem: z.string().nullable(),
})

/**
 * `POST /ui/integrations/scopes`: lists the scopes that the filters of a draft include and exclude.
 */
export const previewDraft: Endpoint = {
  operation: 'previewIntegrationDraft',
  summary: 'List the scopes that the filters of a draft include and exclude',
  permission: MAY_EDIT,
  query: NONE,
  body: DRAFT,
  answers: { 200: { description: 'At most 1000 scopes, and how many there are', schema: preview } },
  async handle({ services, caller, body }) {
    const { value } = readDocument(body)
    const trial = { externalId: undefined, value }
    return jsonAnswer(200, preview, await previewScopes(services, CONNECTORS, caller, trial))
  },
}

/**
 * `POST /ui/integrations/{externalId}/scopes`: lists the scopes that the filters of an integration
 * include and exclude.
 */
export const previewStored: Endpoint<'externalId'> = {
  operation: 'previewIntegration',
  summary: 'List the scopes that the filters of an integration include and exclude',
  description: 'Without a body the stored settings are used, otherwise those of the draft.',
  permission: MAY_EDIT,
  requires: requireIntegrationEdit,
  query: NONE,
  body: DRAFT,
  answers: { 200: { description: 'At most 1000 scopes, and how many there are', schema: preview } },
  async handle({ services, caller, params: { externalId }, body }) {
    const value = body.text === '' ? undefined : readDocument(body).value
    const trial = { externalId, value }
    return jsonAnswer(200, preview, await previewScopes(services, CONNECTORS, caller, trial))
  },
}

const scheduleBody = z.strictObject({
  scheduleExpression: z.string(),
  timeZone: z.string().nullish(),
})
const times = z.object({ nextTimes: z.array(z.string().openapi({ format: 'date-time' })) })

/** `POST /ui/integrations/schedule`: checks a schedule. */
export const explainSchedule: Endpoint = {
  operation: 'explainSchedule',
  summary: 'Check a schedule, and return its next three times',
  permission: 'a session',
  query: NONE,
  body: formBody(scheduleBody, 'A cron expression and a time zone', BODY_BYTES_MAX),
  answers: { 200: { description: 'When it fires next', schema: times } },
  async handle({ services, body }) {
    const read = scheduleBody.safeParse(readDocument(body).value)
    if (!read.success) {
      throw invalidRequest(toViolations(read.error.issues))
    }
    const { scheduleExpression, timeZone } = read.data
    const reading = readSchedule(scheduleExpression, timeZone ?? TIME_ZONE_USUAL)
    if (!reading.ok) throw invalidRequest([reading])
    const now = await readTime(services.db, services.clock)
    return jsonAnswer(200, times, { nextTimes: nextTimes(reading.schedule, now, TIMES_SHOWN) })
  },
}
