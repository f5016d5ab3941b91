import type { z } from '@hono/zod-openapi'
import { AGREEMENT_BYTES_MAX } from '../../formats/agreement/agreement.ts'
import { ApiError } from '../platform/errors.ts'
import type { Body } from '../requests/http/body.ts'
import { readDocument } from '../requests/http/document.ts'
import { createPageHeader, jsonAnswer } from '../requests/http/endpoint.ts'
import type { Endpoint, PathCall, Services } from '../requests/http/endpoint.ts'
import { formBody, readForm } from '../requests/http/form.ts'
import { describeError } from '../requests/http/openapi.ts'
import { getField } from '../../formats/text/value.ts'
import {
  accessProvisioning,
  applyReport,
  PROVISIONING_STATUSES,
  provisioningReport,
  type ReportName,
} from './provisioning.ts'
import { changeProvisioning, getProvisioning, requireReporter } from './provisioning-service.ts'

const EDIT = { needs: ['ACCESS_EDIT'], on: 'the team that owns the data product' } as const

const ANSWER = {
  description: 'The provisioning',
  schema: accessProvisioning,
  headers: { 'location-html': "The address of the agreement's page" },
}

function requirePathReporter({ services, caller, params: { id } }: PathCall<'id'>): Promise<void> {
  return requireReporter(services, caller, id)
}

function toPage(services: Services, id: string): Record<string, string> {
  return createPageHeader(services, 'access', id)
}

function toBody(schema: z.ZodType, description: string) {
  return formBody(schema, description, AGREEMENT_BYTES_MAX)
}

/** `GET /api/access/{id}/provisioning`: the provisioning of an agreement. */
export const getAccessProvisioning: Endpoint<'id'> = {
  operation: 'getAccessProvisioning',
  summary: 'Read the provisioning of an access agreement',
  description: '404 before the first report.',
  permission: 'any key',
  answers: { 200: ANSWER },
  async handle({ services, caller, params: { id } }) {
    const provisioning = await getProvisioning(services, caller.organizationId, id)
    return jsonAnswer(200, accessProvisioning, provisioning, toPage(services, id))
  },
}

/** `PUT /api/access/{id}/provisioning`: replaces the provisioning of an agreement. */
export const putAccessProvisioning: Endpoint<'id'> = {
  operation: 'putAccessProvisioning',
  summary: 'Replace the provisioning of an access agreement',
  description: 'The same status again makes no event.',
  permission: EDIT,
  requires: requirePathReporter,
  body: toBody(accessProvisioning, 'The provisioning, whole'),
  answers: { 200: ANSWER, 400: describeError('The status is unknown') },
  async handle({ services, caller, params: { id }, body, requestId }) {
    rejectUnknownStatus(body)
    const sent = readForm(body, accessProvisioning)
    const target = { id, requestId }
    const provisioning = await changeProvisioning(services, caller, target, () => sent)
    return jsonAnswer(200, accessProvisioning, provisioning, toPage(services, id))
  },
}

/** `POST /api/access/{id}/provisioning/…`: reports a step of the provisioning. */
export function createReportProvisioning(name: ReportName): Endpoint<'id'> {
  const words = name.split('-').map((word) => `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`)
  return {
    operation: `report${words.join('')}`,
    summary: `Report that ${words.join(' ').toLowerCase()}`,
    description:
      'Reports are accepted in any order. Members that are left out keep their value. The same status again makes no event.',
    permission: EDIT,
    requires: requirePathReporter,
    body: toBody(provisioningReport, 'What is known about the step; may be empty'),
    answers: { 200: ANSWER },
    async handle({ services, caller, params: { id }, body, requestId }) {
      const filled = body.text.trim() === '' ? { ...body, text: '{}' } : body
      const report = readForm(filled, provisioningReport)
      const target = { id, requestId }
      const provisioning = await changeProvisioning(services, caller, target, (before, now) =>
        applyReport(before, name, report, now),
      )
      return jsonAnswer(200, accessProvisioning, provisioning, toPage(services, id))
    },
  }
}

// Clients expect 400 for a status, unlike for other fields.
function rejectUnknownStatus(body: Body): void {
  const status = getField(readDocument(body).value, 'status')
  if (PROVISIONING_STATUSES.some((known) => known === status)) return
  const message = `must be one of ${PROVISIONING_STATUSES.join(', ')}`
  throw new ApiError('request_malformed', `The status ${message}.`, {
    violations: [{ field: 'status', message }],
  })
}
