import { z } from '@hono/zod-openapi'
import { asOfParameter } from '../ledger/history/revision.ts'
import { jsonAnswer, type Endpoint } from '../requests/http/endpoint.ts'
import { formBody, readForm } from '../requests/http/form.ts'
import { describeError } from '../requests/http/openapi.ts'
import {
  CHANGED_MAX,
  decisionForm,
  idField as id,
  listRequests,
  requestForm,
  termsForm,
  toTermsPatch,
} from './ui-form.ts'
import {
  accessSummary,
  agreementDetails,
  agreementPage,
  COUNTED_MAX,
  LISTED_MAX,
  LISTS,
  outcome,
  requestablePort,
  SUMMARIZED_MAX,
  VIEW_NAMES,
  type AgreementCursor,
} from './ui-schema.ts'
import { changeTerms, decideAgreement } from './decision-service.ts'
import { requireReporter } from './provisioning-service.ts'
import * as service from './read-service.ts'
import { requestAccess } from './request-service.ts'
import { collectOutcomes } from './write-service.ts'

const CURSOR = /^(?<at>\S{10,40}) (?<id>[^]+)$/
const DAY = /^\d{4}-\d{2}-\d{2}$/

const cursor = id
  .transform((text, context): AgreementCursor => {
    const { at = '', id: agreementId = '' } = CURSOR.exec(text)?.groups ?? {}
    // A day is the instant at which it begins.
    const instant = asOfParameter.safeParse(DAY.test(at) ? `${at}T00:00:00Z` : at)
    if (instant.success && agreementId !== '') return { at, id: agreementId }
    context.addIssue('must be the `next` of a page')
    return z.NEVER
  })
  .optional()
  .openapi({ type: 'string', description: 'The `next` of the page before' })

const pageQuery = z.object({
  list: z.enum(LISTS),
  view: z.enum(VIEW_NAMES).default('requested'),
  team: id.optional().openapi({ description: 'The deciding team, or the consuming one' }),
  product: id.optional().openapi({ description: 'Only on this data product' }),
  after: cursor,
})

/** `GET /ui/access`: lists agreements for a page. */
export const listAgreementPage: Endpoint<never, z.infer<typeof pageQuery>> = {
  operation: 'listAgreementPage',
  summary: 'List the agreements that you decide on, your own ones, or those of a product or team',
  description: `The newest requests first, and of those that expire, the next one. Pages have ${LISTED_MAX} agreements.`,
  lane: 'scan',
  permission: 'a session',
  query: pageQuery,
  answers: { 200: { description: 'A page', schema: agreementPage } },
  async handle({ services, caller, query }) {
    return jsonAnswer(200, agreementPage, await service.listAgreementPage(services, caller, query))
  },
}

const openRequests = z.object({
  count: z
    .int()
    .min(0)
    .max(COUNTED_MAX + 1),
})

/** `GET /ui/access/open-requests`: counts the requests that the caller decides on. */
export const countOpenRequests: Endpoint = {
  operation: 'countOpenRequests',
  summary: 'Count the requests that you decide on',
  lane: 'scan',
  permission: 'a session',
  answers: {
    200: { description: `At most ${COUNTED_MAX + 1}: there are more`, schema: openRequests },
  },
  async handle({ services, caller }) {
    const count = await service.countOpenRequests(services, caller)
    return jsonAnswer(200, openRequests, { count })
  },
}

const summaryQuery = z.object({
  productId: z
    .union([id.transform((one) => [one]), z.array(id).max(SUMMARIZED_MAX)])
    .openapi({ type: 'array', items: { type: 'string' }, maxItems: SUMMARIZED_MAX }),
})

const summaries = z.array(accessSummary)

/** `GET /ui/access/summaries`: summarizes the access to data products. */
export const listAccessSummaries: Endpoint<never, z.infer<typeof summaryQuery>> = {
  operation: 'listAccessSummaries',
  summary: 'Get the readers of data products, and your own access to them',
  permission: 'a session',
  query: summaryQuery,
  answers: { 200: { description: 'One for each id, in their order', schema: summaries } },
  async handle({ services, caller, query }) {
    const list = await service.summarizeAccess(services.db, caller, query.productId)
    return jsonAnswer(200, summaries, list)
  },
}

const portQuery = z.object({
  productId: id,
  port: id.openapi({ description: 'The id of the output port, or its name' }),
  consumerTeam: id.optional().openapi({ description: 'The team for which it is requested' }),
  consumerProduct: id.optional().openapi({
    description: 'The data product for which it is requested; without both, the caller',
  }),
})

/** `GET /ui/access/port`: an output port for which access can be requested. */
export const getRequestablePort: Endpoint<never, z.infer<typeof portQuery>> = {
  operation: 'getRequestablePort',
  summary: 'Get an output port for a request of access, and who decides',
  lane: 'point',
  permission: 'a session',
  query: portQuery,
  answers: {
    200: { description: 'The port', schema: requestablePort },
    404: describeError('The data product has no such output port, or does not exist'),
  },
  async handle({ services, caller, query }) {
    return jsonAnswer(
      200,
      requestablePort,
      await service.getRequestablePort(services, caller, query),
    )
  },
}

/** `GET /ui/access/{id}`: an agreement with what its page shows. */
export const getAgreementDetails: Endpoint<'id'> = {
  operation: 'getAgreementDetails',
  summary: 'Get an access agreement with its parties, history and contract',
  permission: 'a session',
  answers: { 200: { description: 'The agreement', schema: agreementDetails } },
  async handle({ services, caller, params }) {
    const details = await service.getAgreementDetails(services, caller, params.id)
    return jsonAnswer(200, agreementDetails, details)
  },
}

const DECISION_BYTES_MAX = 128 * 1024

// Each port may have a purpose of the maximum length.
const REQUEST_BYTES_MAX = 1024 * 1024

const outcomes = z.array(outcome)

/** `POST /ui/access-requests`: requests access to output ports. */
export const postAccessRequests: Endpoint = {
  operation: 'postAccessRequests',
  summary: 'Request access to output ports',
  description:
    'Each port becomes an agreement of its own. One that fails does not affect the others.',
  lane: 'bulk',
  permission: {
    needs: ['ACCESS_ADD'],
    on: 'the team that owns the data product; or the consumer, as for `PUT /api/access/{id}`',
    hasAlternative: true,
  },
  body: formBody(
    requestForm,
    `The ports, at most ${CHANGED_MAX}, and what they share`,
    REQUEST_BYTES_MAX,
  ),
  answers: {
    200: { description: 'An outcome for each port, in their order', schema: outcomes },
    422: describeError('The form is invalid'),
  },
  async handle({ services, caller, body, requestId }) {
    const requests = listRequests(readForm(body, requestForm))
    const results = await collectOutcomes(requests, (request) =>
      requestAccess(services, caller, request, requestId),
    )
    return jsonAnswer(200, outcomes, results)
  },
}

/** `POST /ui/access-decisions`: decides on agreements. */
export const postAccessDecisions: Endpoint = {
  operation: 'postAccessDecisions',
  summary: 'Approve, reject or cancel access agreements',
  description: 'Each agreement is decided by itself. One that fails does not affect the others.',
  lane: 'bulk',
  permission: {
    needs: ['ACCESS_APPROVE', 'ACCESS_TERMINATE'],
    on: 'the team that owns the data product; to cancel, also the consumer',
    hasAlternative: true,
  },
  body: formBody(
    decisionForm,
    `The agreements, at most ${CHANGED_MAX}, and the decision`,
    DECISION_BYTES_MAX,
  ),
  answers: {
    200: { description: 'An outcome for each agreement, in their order', schema: outcomes },
    422: describeError('The form is invalid'),
  },
  async handle({ services, caller, body, requestId }) {
    const { ids, versions, decision, reason, terms } = readForm(body, decisionForm)
    const patch = toTermsPatch(terms)
    const results = await collectOutcomes(ids, (agreementId, at) => {
      const version = versions?.[at]
      const each = { id: agreementId, requestId, reason, patch, version }
      return decideAgreement(services, caller, decision, each)
    })
    return jsonAnswer(200, outcomes, results)
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
  requires: ({ services, caller, params }) => requireReporter(services, caller, params.id),
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
