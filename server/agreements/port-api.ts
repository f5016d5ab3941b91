import { ApiError, notFound } from '../platform/errors.ts'
import { jsonAnswer, type Endpoint } from '../requests/http/endpoint.ts'
import { formBody, readForm } from '../requests/http/form.ts'
import { describeError } from '../requests/http/openapi.ts'
import { findPort } from './party-service.ts'
import {
  accessStatus,
  evaluateAccess,
  evaluation,
  evaluationRequest,
  getAccessStatus,
  portRequest,
  portRequestAnswer,
  toLifecycleStatus,
} from './port-service.ts'
import { requestAccess } from './request-service.ts'

const EVALUATION_BYTES_MAX = 256 * 1024

/** `GET /api/dataproducts/{id}/outputports/{portId}/access-status`: the access of the caller to an output port. */
export const getPortAccessStatus: Endpoint<'id' | 'portId'> = {
  operation: 'getAccessStatus',
  summary: 'Read the access of the caller to an output port',
  description:
    'The agreement of the person, of a team of the person, or of one of its data products; an active one comes first. For agents, which send `x-internal-api: true`.',
  permission: 'any key',
  answers: { 200: { description: 'The access', schema: accessStatus } },
  async handle({ services, caller, params }) {
    const named = { productId: params.id, port: params.portId }
    return jsonAnswer(200, accessStatus, await getAccessStatus(services, caller, named))
  },
}

/** `POST /api/dataproducts/{id}/outputports/{portId}/request-access`: requests access for the caller. */
export const postPortRequest: Endpoint<'id' | 'portId'> = {
  operation: 'requestAccess',
  summary: 'Request access to an output port for oneself',
  description:
    'Needs a personal key or a session. An output port with the property `autoApprove` grants it at once. For agents, which send `x-internal-api: true`.',
  permission: 'any key',
  limitedKey: ['ACCESS_REQUEST'],
  body: formBody(portRequest, 'The purpose'),
  answers: {
    200: { description: 'The agreement', schema: portRequestAnswer },
    403: describeError('The key belongs to a team or an organization, not to a person'),
  },
  async handle({ services, caller, params, body, requestId }) {
    const named = { productId: params.id, port: params.portId }
    if ('unknown' in (await findPort(services, caller.organizationId, named))) throw notFound()
    const { purpose } = readForm(body, portRequest)
    const { userId } = caller
    if (userId === undefined) {
      throw new ApiError(
        'permission_missing',
        'Only people can request access for themselves. Use a personal API key.',
      )
    }
    const request = { ...named, purpose, consumer: { userId }, roles: [] }
    const requested = await requestAccess(services, caller, request, requestId)
    const status = toLifecycleStatus(requested.state)
    return jsonAnswer(200, portRequestAnswer, { accessId: requested.id, status })
  },
}

/** `POST /api/access/evaluation`: decides whether the caller may query an output port. */
export const postAccessEvaluation: Endpoint = {
  operation: 'evaluateAccess',
  summary: 'Decide whether the caller may query an output port',
  description:
    'Denied unless an active agreement grants it. The query is not examined. For agents, which send `x-internal-api: true`.',
  permission: 'any key',
  limitedKey: 'none',
  body: formBody(
    evaluationRequest,
    'The subject `current_user`, an output port as the resource, the action `query`',
    EVALUATION_BYTES_MAX,
  ),
  answers: { 200: { description: 'The decision and its reasons', schema: evaluation } },
  async handle({ services, caller, body }) {
    const question = readForm(body, evaluationRequest)
    return jsonAnswer(200, evaluation, await evaluateAccess(services, caller, question))
  },
}
