import { z } from '@hono/zod-openapi'
import { jsonAnswer, type Endpoint } from '../../requests/http/endpoint.ts'
import { formBody, readForm } from '../../requests/http/form.ts'
import { describeError } from '../../requests/http/openapi.ts'
import { nextPageLink, pageParameter } from '../../requests/http/paging.ts'
import { acceptanceForm, FINDING_STATUSES } from '../acceptance.ts'
import {
  acceptAccessFinding,
  endAccessAcceptance,
  requireAcceptable,
} from './acceptance-service.ts'
import { accessFinding, portGrants } from './access-finding.ts'
import { FINDING_KINDS } from './grants.ts'
import { listAccessFindings, readAccessFinding } from './list-service.ts'
import { getPortGrants } from './port-service.ts'

const listQuery = z.object({
  dataProductId: z.string().optional(),
  outputPortId: z.string().optional(),
  kind: z.enum(FINDING_KINDS, `must be one of ${FINDING_KINDS.join(', ')}`).optional(),
  status: z
    .enum(FINDING_STATUSES, `must be one of ${FINDING_STATUSES.join(', ')}`)
    .optional()
    .openapi({ description: 'Absent = open and accepted ones' }),
  p: pageParameter,
})

/** `GET /api/access-findings`: the deviations of grants from access agreements. */
export const listFindings: Endpoint<never, z.infer<typeof listQuery>> = {
  operation: 'listAccessFindings',
  summary: 'List deviations of grants from access agreements, newest first',
  description:
    'Names of the platform and people are visible to owners of the organization, to those who approve access for the providing team, and to the person concerned. Others get the findings without them.',
  permission: 'any key',
  query: listQuery,
  answers: {
    200: {
      description: 'At most 1000 findings',
      schema: z.array(accessFinding),
      headers: { link: 'The next page, when there is one' },
    },
  },
  async handle({ services, caller, query, path, search }) {
    const { p: page, ...filter } = query
    const findings = await listAccessFindings(services, caller, filter, page)
    const headers = findings.hasMore ? { link: nextPageLink(path, search, page) } : {}
    return jsonAnswer(200, z.array(accessFinding), findings.elements, headers)
  },
}

/** `GET /api/access-findings/{id}`: a deviation, also one that is resolved. */
export const getFinding: Endpoint<'id'> = {
  operation: 'getAccessFinding',
  summary: 'Read a deviation of grants from access agreements',
  permission: 'any key',
  answers: { 200: { description: 'The finding', schema: accessFinding } },
  async handle({ services, caller, params: { id } }) {
    return jsonAnswer(200, accessFinding, await readAccessFinding(services, caller, id))
  },
}

const MAY_ACCEPT = { needs: ['ACCESS_APPROVE'], on: 'the providing team' } as const

/** `PUT /api/access-findings/{id}/acceptance`: accepts a deviation for a time. */
export const putAcceptance: Endpoint<'id'> = {
  operation: 'acceptAccessFinding',
  summary: 'Accept a deviation of grants from access agreements',
  description:
    'An accepted finding opens no incident. The acceptance ends at its time, and as soon as the grants become other ones.',
  permission: MAY_ACCEPT,
  requires: ({ services, caller, params }) => requireAcceptable(services, caller, params.id),
  body: formBody(acceptanceForm, 'Why it is accepted, and until when'),
  answers: {
    200: { description: 'The finding', schema: accessFinding },
    422: describeError('The finding is resolved, or has changed'),
  },
  async handle({ services, caller, params: { id }, body, requestId }) {
    const form = readForm(body, acceptanceForm)
    const changed = await acceptAccessFinding(services, caller, { ...form, id, requestId })
    return jsonAnswer(200, accessFinding, changed)
  },
}

/** `DELETE /api/access-findings/{id}/acceptance`: ends the acceptance of a deviation. */
export const deleteAcceptance: Endpoint<'id'> = {
  operation: 'endAccessFindingAcceptance',
  summary: 'End the acceptance of a deviation of grants from access agreements',
  permission: MAY_ACCEPT,
  requires: ({ services, caller, params }) => requireAcceptable(services, caller, params.id),
  answers: { 200: { description: 'The finding', schema: accessFinding } },
  async handle({ services, caller, params: { id }, requestId }) {
    const changed = await endAccessAcceptance(services, caller, { id, requestId })
    return jsonAnswer(200, accessFinding, changed)
  },
}

/** `GET /api/dataproducts/{id}/outputports/{portId}/grants`: who can read the tables of an output port. */
export const getGrants: Endpoint<'id' | 'portId'> = {
  operation: 'getOutputPortGrants',
  summary: 'Show the grants on the tables of an output port',
  description:
    'Grants are those of the last run that read them, where an integration allows it. Names of the platform are visible to owners of the organization, to those who approve access for the providing team, and to the person concerned; others get numbers.',
  lane: 'scan',
  permission: 'any key',
  answers: { 200: { description: 'The grants, by integration', schema: portGrants } },
  async handle({ services, caller, params: { id, portId } }) {
    const grants = await getPortGrants(services, caller, { productId: id, port: portId })
    return jsonAnswer(200, portGrants, grants)
  },
}
