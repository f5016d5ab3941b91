import { z } from '@hono/zod-openapi'
import { jsonAnswer, type Endpoint } from '../http/endpoint.ts'
import { formBody, readForm } from '../http/form.ts'
import { describeError } from '../http/openapi.ts'
import {
  decisionForm,
  decisionOutcomes,
  DECISIONS_MAX,
  decisionsForm,
  renewalForm,
  termsForm,
} from './decision.ts'
import { amendAgreementTerms, decideAgreement, decideAgreements } from './decision-service.ts'
import { getRequestFacts } from './facts-service.ts'
import { getAgreementPage, listInbox, listMyAgreements } from './inbox-service.ts'
import { agreementList, agreementPage, INBOX_STATES } from './listed-agreement.ts'
import { renewAgreement } from './renewal-service.ts'
import { accessRequest, PORTS_MAX, requestedAgreements, requestFacts } from './request.ts'
import { requestAccess } from './request-service.ts'
  accessSummary,
  agreementDetails,
  agreementPage,
  LISTED_MAX,
  LISTS,
  outcome,
  requestablePort,
  SUMMARIZED_MAX,
  VIEW_NAMES,
  type AgreementCursor,
  COUNTED_MAX,
} from './listed.ts'
import { CHANGED_MAX, decisionForm, requestForm, termsForm, toTermsPatch } from './form.ts'
import * as bulk from './bulk-service.ts'
import * as service from './listed-service.ts'
import { changeTerms } from './terms-service.ts'

const PAGE_MAX = 100
const PAGE_USUAL = 50

const after = z.string().max(400).optional().openapi({ description: 'The `next` of a page' })
const limit = z
  .string()
  .regex(/^[1-9]\d{0,2}$/, `must be a whole number from 1 to ${PAGE_MAX}`)
  .transform(Number)
  .refine((size) => size <= PAGE_MAX, `must be at most ${PAGE_MAX}`)
  .default(PAGE_USUAL)
const state = z.enum(INBOX_STATES, `must be one of ${INBOX_STATES.join(', ')}`)

const inboxQuery = z.object({ state: state.default('requested'), after, limit })
const mineQuery = z.object({
  state: state.optional().openapi({ description: 'Absent = requested, upcoming and active' }),
  after,
  limit,
})

/** `GET /ui/access/inbox`: the agreements that the caller decides on. */
export const getAccessInbox: Endpoint<never, z.infer<typeof inboxQuery>> = {
  operation: 'getAccessInbox',
  summary: 'List the access agreements that the caller decides on',
  description:
    'Those of the teams on which the caller has ACCESS_APPROVE; organization owners see all. Newest request first; `expiring` are active ones that end within 30 days, the next end first.',
  permission: 'a session',
  query: inboxQuery,
  answers: { 200: { description: 'A page', schema: agreementList } },
  async handle({ services, caller, query }) {
    const page = { states: [query.state], after: query.after, limit: query.limit }
    return jsonAnswer(200, agreementList, await listInbox(services, caller, page))
  },
}

/** `GET /ui/access/mine`: the agreements of the caller. */
export const getMyAccess: Endpoint<never, z.infer<typeof mineQuery>> = {
  operation: 'getMyAccess',
  summary: 'List the access of the caller, of its teams, and of their data products',
  permission: 'a session',
  query: mineQuery,
  answers: { 200: { description: 'A page', schema: agreementList } },
  async handle({ services, caller, query }) {
    const states =
      query.state === undefined ? (['requested', 'upcoming', 'active'] as const) : [query.state]
    const page = { states, after: query.after, limit: query.limit }
    return jsonAnswer(200, agreementList, await listMyAgreements(services, caller, page))
  },
}

/** `GET /ui/access/{id}/page`: an agreement with the timeline of its provisioning. */
export const getAccessPage: Endpoint<'id'> = {
  operation: 'getAccessPage',
  summary: 'Read an access agreement with the timeline of its provisioning',
  permission: 'a session',
  answers: { 200: { description: 'The agreement', schema: agreementPage } },
  async handle({ services, caller, params: { id } }) {
    return jsonAnswer(200, agreementPage, await getAgreementPage(services, caller, id))
  },
}

const factsQuery = z.object({ dataProductId: z.string(), outputPortId: z.string() })

/** `GET /ui/access-requests/facts`: what to know before a request. */
export const getAccessRequestFacts: Endpoint<never, z.infer<typeof factsQuery>> = {
  operation: 'getAccessRequestFacts',
  summary: 'Read what to know before requesting access to an output port',
  permission: 'a session',
  query: factsQuery,
  answers: { 200: { description: 'Terms, classifications, who decides', schema: requestFacts } },
  async handle({ services, caller, query }) {
    const named = { productId: query.dataProductId, port: query.outputPortId }
    return jsonAnswer(200, requestFacts, await getRequestFacts(services, caller, named))
  },
}

/** `POST /ui/access-requests`: requests access to output ports. */
export const postAccessRequest: Endpoint = {
  operation: 'createAccessRequests',
  summary: 'Request access to output ports',
  description: `At most ${PORTS_MAX}; each becomes an agreement. If one cannot be requested, none is.`,
  permission: 'a session',
  body: formBody(accessRequest, 'The output ports, the purpose and the consumer'),
  answers: { 200: { description: 'The agreements', schema: requestedAgreements } },
  async handle({ services, caller, body, requestId }) {
    const request = readForm(body, accessRequest)
    const requested = await requestAccess(services, caller, { request, requestId })
    return jsonAnswer(200, requestedAgreements, requested)
  },
}

const INVALID = describeError('The agreement is in a state that does not allow it')

/** `POST /ui/access/{id}/decision`: decides on an agreement. */
export const postAccessDecision: Endpoint<'id'> = {
  operation: 'decideAccess',
  summary: 'Approve, reject or cancel an access agreement',
  description: 'An approval may change dates and roles.',
  permission: {
    needs: ['ACCESS_APPROVE', 'ACCESS_TERMINATE'],
    on: 'the team that owns the data product; the consumer can cancel, too',
  },
  body: formBody(decisionForm, 'The decision'),
  answers: { 200: { description: 'The agreement', schema: agreementPage }, 422: INVALID },
  async handle({ services, caller, params: { id }, body, requestId }) {
    const { decision: name, reason, ...terms } = readForm(body, decisionForm)
    await decideAgreement(services, caller, name, { id, requestId, reason, terms })
    return jsonAnswer(200, agreementPage, await getAgreementPage(services, caller, id))
  },
}

/** `POST /ui/access/decisions`: takes one decision on several agreements. */
export const postAccessDecisions: Endpoint = {
  operation: 'decideAccessInBulk',
  summary: 'Approve, reject or cancel several access agreements',
  description: `At most ${DECISIONS_MAX}. Each has an outcome of its own.`,
  permission: {
    needs: ['ACCESS_APPROVE', 'ACCESS_TERMINATE'],
    on: 'the teams that own the data products',
  },
  body: formBody(decisionsForm, 'The agreements and the decision'),
  answers: { 200: { description: 'The outcomes', schema: decisionOutcomes } },
  async handle({ services, caller, body, requestId }) {
    const { ids, decision: name, reason } = readForm(body, decisionsForm)
    const outcomes = await decideAgreements(services, caller, ids, { name, reason, requestId })
    return jsonAnswer(200, decisionOutcomes, outcomes)
  },
}

/** `POST /ui/access/{id}/terms`: changes the dates or roles of an agreement in force. */
export const postAccessTerms: Endpoint<'id'> = {
  operation: 'amendAccess',
  summary: 'Change the dates, the roles or the reassessment of an access agreement',
  permission: { needs: ['ACCESS_APPROVE'], on: 'the team that owns the data product' },
  body: formBody(termsForm, 'The new terms; members that are left out stay'),
  answers: { 200: { description: 'The agreement', schema: agreementPage }, 422: INVALID },
  async handle({ services, caller, params: { id }, body, requestId }) {
    const form = readForm(body, termsForm)
    await amendAgreementTerms(services, caller, { id, requestId, form })
    return jsonAnswer(200, agreementPage, await getAgreementPage(services, caller, id))
  },
}

/** `POST /ui/access/{id}/renewal`: renews an agreement before its end, or requests it. */
export const postAccessRenewal: Endpoint<'id'> = {
  operation: 'renewAccess',
  summary: 'Renew an access agreement before its end',
  description:
    'Those who approve set a new end. The consumer requests an agreement that begins when this one ends.',
  permission: {
    needs: ['ACCESS_APPROVE'],
    on: 'the team that owns the data product; or the consumer, who requests it',
  },
  body: formBody(renewalForm, 'The new end'),
  answers: {
    200: { description: 'The agreement that was renewed, or requested', schema: agreementPage },
    422: INVALID,
  },
  async handle({ services, caller, params: { id }, body, requestId }) {
    const form = readForm(body, renewalForm)
    const renewedId = await renewAgreement(services, caller, { id, requestId, form })
    return jsonAnswer(200, agreementPage, await getAgreementPage(services, caller, renewedId))
  },
}

const REQUEST_BYTES_MAX = 128 * 1024

const outcomes = z.array(outcome)

/** `POST /ui/access-requests`: requests access to output ports. */
export const postAccessRequests: Endpoint = {
  operation: 'postAccessRequests',
  summary: 'Request access to output ports',
  description:
    'Each port becomes an agreement of its own. One that fails does not affect the others.',
  permission: {
    needs: ['ACCESS_ADD'],
    on: 'the team that owns the data product; or the consumer, as for `PUT /api/access/{id}`',
  },
  body: {
    ...formBody(requestForm, `The ports, at most ${CHANGED_MAX}, and what they share`),
    bytesMax: REQUEST_BYTES_MAX,
  },
  answers: {
    200: { description: 'An outcome for each port, in their order', schema: outcomes },
    422: describeError('The form is invalid'),
  },
  async handle({ services, caller, body, requestId }) {
    const form = readForm(body, requestForm)
    return jsonAnswer(200, outcomes, await bulk.requestPorts(services, caller, form, requestId))
  },
}

/** `POST /ui/access-decisions`: decides on agreements. */
export const postAccessDecisions: Endpoint = {
  operation: 'postAccessDecisions',
  summary: 'Approve, reject or cancel access agreements',
  description: 'Each agreement is decided by itself. One that fails does not affect the others.',
  permission: {
    needs: ['ACCESS_APPROVE', 'ACCESS_TERMINATE'],
    on: 'the team that owns the data product; to cancel, also the consumer',
  },
  body: {
    ...formBody(decisionForm, `The agreements, at most ${CHANGED_MAX}, and the decision`),
    bytesMax: REQUEST_BYTES_MAX,
  },
  answers: {
    200: { description: 'An outcome for each agreement, in their order', schema: outcomes },
    422: describeError('The form is invalid'),
  },
  async handle({ services, caller, body, requestId }) {
    const { terms, ...form } = readForm(body, decisionForm)
    const decision = { ...form, terms: toTermsPatch(terms) }
    return jsonAnswer(200, outcomes, await bulk.decideAll(services, caller, decision, requestId))
  },
}

/** `PUT /ui/access/{id}/terms`: changes the terms of an agreement. */
export const putAgreementTerms: Endpoint<'id'> = {
  operation: 'putAgreementTerms',
  summary: 'Change the dates, the roles or the reassessment of an access agreement',
  description: 'Members that are absent stay. The document that was sent stays as it is.',
  permission: {
    needs: ['ACCESS_EDIT', 'ACCESS_APPROVE'],
    on: 'the team that owns the data product; ACCESS_APPROVE for dates and roles of an approved one',
  },
  body: formBody(termsForm, 'The members to change'),
  answers: {
    200: { description: 'The agreement as it is now', schema: outcome },
    422: describeError('The form is invalid, or the agreement has ended'),
  },
  async handle({ services, caller, params, body, requestId }) {
    const patch = toTermsPatch(readForm(body, termsForm))
    const { id: agreementId, state } = await changeTerms(services, caller, {
      id: params.id,
      patch,
      requestId,
    })
    return jsonAnswer(200, outcome, { id: agreementId, state, problem: null })
  },
}
