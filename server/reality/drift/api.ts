import { z } from '@hono/zod-openapi'
import { FINDING_LEVELS } from '../../ledger/drift/drift-plan.ts'
import { jsonAnswer, type Endpoint } from '../../requests/http/endpoint.ts'
import { formBody, readForm } from '../../requests/http/form.ts'
import { describeError } from '../../requests/http/openapi.ts'
import { nextPageLink, pageParameter } from '../../requests/http/paging.ts'
import { acceptFinding, endAcceptance, requireFindingEdit } from './acceptance-service.ts'
import { getContractDrift } from './contract-service.ts'
import { contractDrift, finding, FINDING_STATUSES, REASON_CHARACTERS_MAX } from './drift.ts'
import { listFindings, readFinding } from './list-service.ts'

/** `GET /api/datacontracts/{id}/drift`: how the assets of a contract differ from it. */
export const getDrift: Endpoint<'id'> = {
  operation: 'getDataContractDrift',
  summary: 'Compare a data contract with its assets',
  description:
    'Every model on every server is linked with at most one asset. The comparison is that of the last change of either: nothing is read from a source.',
  permission: 'any key',
  answers: {
    200: { description: 'The differences', schema: contractDrift },
    422: describeError('Reading the document takes too much time or memory'),
  },
  async handle({ services, caller, params: { id } }) {
    const drift = await getContractDrift(services, caller.organizationId, id)
    return jsonAnswer(200, contractDrift, drift)
  },
}

const TEAMS_MAX = 100

const listQuery = z.object({
  teamId: z
    .union([z.string().transform((text) => [text]), z.array(z.string()).max(TEAMS_MAX)])
    .optional()
    .openapi({
      type: 'array',
      items: { type: 'string' },
      description: 'Of contracts that one of these teams owns',
    }),
  dataContractId: z.string().optional(),
  assetId: z.string().optional(),
  integration: z
    .string()
    .optional()
    .openapi({ description: 'The external id of the integration that maintains the asset' }),
  level: z.enum(FINDING_LEVELS, `must be one of ${FINDING_LEVELS.join(', ')}`).optional(),
  status: z
    .enum(FINDING_STATUSES, `must be one of ${FINDING_STATUSES.join(', ')}`)
    .optional()
    .openapi({ description: 'Absent = open and accepted ones' }),
  p: pageParameter,
})

/** `GET /api/drift`: the differences between all contracts and their assets. */
export const listDrift: Endpoint<never, z.infer<typeof listQuery>> = {
  operation: 'listDrift',
  summary: 'List differences between data contracts and assets, newest first',
  permission: 'any key',
  query: listQuery,
  answers: {
    200: {
      description: 'At most 1000 differences',
      schema: z.array(finding),
      headers: { link: 'The next page, when there is one' },
    },
  },
  async handle({ services: { db, clock }, caller, query, path, search }) {
    const { p: page, teamId: teamIds, ...filter } = query
    const { organizationId } = caller
    const found = await listFindings(db, clock, organizationId, { ...filter, teamIds }, page)
    const headers = found.hasMore ? { link: nextPageLink(path, search, page) } : {}
    return jsonAnswer(200, z.array(finding), found.elements, headers)
  },
}

/** `GET /api/drift/{id}`: a difference, also one that is resolved. */
export const getFinding: Endpoint<'id'> = {
  operation: 'getDrift',
  summary: 'Read a difference between a data contract and an asset',
  permission: 'any key',
  answers: { 200: { description: 'The difference', schema: finding } },
  async handle({ services: { db }, caller, params: { id } }) {
    return jsonAnswer(200, finding, await readFinding(db, caller.organizationId, id))
  },
}

const acceptanceForm = z
  .strictObject({
    reason: z
      .string()
      .trim()
      .min(1, 'must not be empty')
      .max(REASON_CHARACTERS_MAX, `must have at most ${REASON_CHARACTERS_MAX} characters`),
    until: z.string().optional().openapi({
      description:
        'An instant, or a day at whose end the acceptance ends; at most one year from now. Absent = one year',
    }),
  })
  .openapi('NewDriftAcceptance')

const FINDING_EDIT = {
  needs: ['DATACONTRACT_EDIT'],
  on: 'the team of the data contract',
} as const

/** `PUT /api/drift/{id}/acceptance`: accepts a difference for a time. */
export const putAcceptance: Endpoint<'id'> = {
  operation: 'acceptDrift',
  summary: 'Accept a difference between a data contract and an asset',
  description:
    'An accepted difference neither counts as drift nor opens an incident. The acceptance ends at its time, and as soon as the difference becomes another one.',
  permission: FINDING_EDIT,
  requires: ({ services, caller, params }) => requireFindingEdit(services, caller, params.id),
  body: formBody(acceptanceForm, 'Why it is accepted, and until when'),
  answers: {
    200: { description: 'The difference', schema: finding },
    422: describeError('The difference is resolved'),
  },
  async handle({ services, caller, params: { id }, body, requestId }) {
    const { reason, until } = readForm(body, acceptanceForm)
    const changed = await acceptFinding(services, caller, { id, reason, until, requestId })
    return jsonAnswer(200, finding, changed)
  },
}

/** `DELETE /api/drift/{id}/acceptance`: ends the acceptance of a difference. */
export const deleteAcceptance: Endpoint<'id'> = {
  operation: 'endDriftAcceptance',
  summary: 'End the acceptance of a difference',
  permission: FINDING_EDIT,
  requires: ({ services, caller, params }) => requireFindingEdit(services, caller, params.id),
  answers: { 200: { description: 'The difference', schema: finding } },
  async handle({ services, caller, params: { id }, requestId }) {
    const changed = await endAcceptance(services, caller, { id, requestId })
    return jsonAnswer(200, finding, changed)
  },
}
