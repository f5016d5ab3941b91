import { z } from '@hono/zod-openapi'
import { jsonAnswer, type Endpoint, type Route } from '../../requests/http/endpoint.ts'
import { formBody, readForm } from '../../requests/http/form.ts'
import { describeError } from '../../requests/http/openapi.ts'
import { createSizeParameter, nextPageLink, pageParameter } from '../../requests/http/paging.ts'
import { route } from '../../requests/http/route.ts'
import { INCIDENT_KINDS } from '../../ledger/incidents/incident.ts'
import {
  acknowledgeIncident,
  getIncident,
  listIncidents,
  requireIncidentEdit,
} from './read-service.ts'
import { incident, INCIDENT_STATUSES, NOTE_CHARACTERS_MAX } from './read.ts'

const INCIDENTS_ON_PAGE = 100

const query = z.object({
  status: z
    .enum(INCIDENT_STATUSES, `must be one of ${INCIDENT_STATUSES.join(', ')}`)
    .optional()
    .openapi({ description: 'open = without an acknowledgement' }),
  kind: z.enum(INCIDENT_KINDS, `must be one of ${INCIDENT_KINDS.join(', ')}`).optional(),
  teamId: z.string().optional().openapi({
    description: 'Of contracts that the team owns, or whose data it provides',
  }),
  dataContractId: z.string().optional(),
  dataProductId: z.string().optional().openapi({
    description: 'Of the contracts of the output ports of a data product',
  }),
  p: pageParameter,
  size: createSizeParameter(INCIDENTS_ON_PAGE),
})

/** `GET /api/incidents`: the incidents of contracts. */
const getIncidents: Endpoint<never, z.infer<typeof query>> = {
  operation: 'listIncidents',
  summary: 'List incidents of data contracts, open ones first',
  description:
    'An incident opens in the transaction of its cause and resolves by itself. A contract has at most one open incident of a kind on each production server. Resolved ones are kept for two years.',
  permission: 'any key',
  query,
  answers: {
    200: {
      description: 'At most `size` incidents',
      schema: z.array(incident),
      headers: { link: 'The next page, when there is one' },
    },
  },
  async handle({ services: { db }, caller, query: { p: page, size, ...filter }, path, search }) {
    const incidents = await listIncidents(db, caller.organizationId, filter, { page, size })
    const headers = incidents.hasMore ? { link: nextPageLink(path, search, page) } : {}
    return jsonAnswer(200, z.array(incident), incidents.elements, headers)
  },
}

/** `GET /api/incidents/{id}`: an incident, also one that is resolved. */
const getIncidentById: Endpoint<'id'> = {
  operation: 'getIncident',
  summary: 'Read an incident of a data contract',
  permission: 'any key',
  answers: { 200: { description: 'The incident', schema: incident } },
  async handle({ services: { db }, caller, params: { id } }) {
    return jsonAnswer(200, incident, await getIncident(db, caller.organizationId, id))
  },
}

const form = z
  .strictObject({
    note: z
      .string()
      .trim()
      .max(NOTE_CHARACTERS_MAX, `must have at most ${NOTE_CHARACTERS_MAX} characters`)
      .optional(),
  })
  .openapi('IncidentAcknowledgement')

/** `POST /api/incidents/{id}/acknowledge`: a person takes care of an incident. */
const postAcknowledgement: Endpoint<'id'> = {
  operation: 'acknowledgeIncident',
  summary: 'Acknowledge an incident of a data contract',
  description: 'Consumers see the note. Repeated, it replaces the note. The incident stays open.',
  permission: {
    needs: ['DATACONTRACT_EDIT', 'DATAPRODUCT_EDIT'],
    on: 'the team of the data contract, or the second on the team of a data product that provides it',
  },
  requires: ({ services, caller, params }) => requireIncidentEdit(services, caller, params.id),
  body: formBody(form, 'The note'),
  answers: {
    200: { description: 'The incident', schema: incident },
    422: describeError('The incident is resolved'),
  },
  async handle({ services, caller, params: { id }, body, requestId }) {
    const { note = '' } = readForm(body, form)
    const request = { id, note: note === '' ? null : note, requestId }
    return jsonAnswer(200, incident, await acknowledgeIncident(services, caller, request))
  },
}

/** The addresses of incidents. */
export const INCIDENT_ROUTES: readonly Route[] = [
  route('GET', '/api/incidents', getIncidents),
  route('GET', '/api/incidents/{id}', getIncidentById),
  route('POST', '/api/incidents/{id}/acknowledge', postAcknowledgement),
]
