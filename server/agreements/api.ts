import { z } from '@hono/zod-openapi'
import {
  AGREEMENT_BYTES_MAX,
  AGREEMENT_SHAPE,
  CONSUMER_TYPES,
} from '../../formats/agreement/agreement.ts'
import { describeUnused } from '../../formats/settings/lookup.ts'
import { toFieldSchemas } from '../requests/http/document-schema.ts'
import { route } from '../requests/http/route.ts'
import { entityTag, isNotModified, readConditions } from '../requests/http/conditional.ts'
import {
  documentAnswer,
  documentAnswered,
  DOCUMENT_MEDIA_TYPES,
} from '../requests/http/document.ts'
import {
  chooseDraft,
  createDraftAnswer,
  describeDraft,
  draftParameter,
  type DraftSyntax,
} from '../requests/http/draft-form.ts'
import { createPageHeader, inThreads } from '../requests/http/endpoint.ts'
import type { Answer, Call, Endpoint, Route } from '../requests/http/endpoint.ts'
import { lossHeaders, writeSentences } from '../requests/http/losses.ts'
import { commonError, describeError } from '../requests/http/openapi.ts'
import { PAGE_ELEMENTS_MAX, pageParameter } from '../requests/http/paging.ts'
import type { Agreement } from './agreement.ts'
import { decideAgreement, type DecisionName } from './decision-service.ts'
import {
  getAgreement,
  listAgreements,
  presentDocument,
  presentOaas,
  toAnswerDigest,
} from './read-service.ts'
import { getAccessConnection } from './connection-api.ts'
import * as provisioning from './provisioning-api.ts'
import { accessProvisioning, REPORT_NAMES } from './provisioning.ts'
import { deleteAgreement, putAgreement } from './write-service.ts'

/** The two names of agreements in addresses: the current one, and that of older clients. */
type AgreementAlias = 'Access' | 'DataUsageAgreement'

/** An access agreement, as the OpenAPI document describes it: the members that clients send, and those of the catalog. */
const accessDocument = z
  .looseObject({
    ...toFieldSchemas(AGREEMENT_SHAPE),
    provisioning: accessProvisioning.optional().openapi({
      description: 'The reports of connectors; absent before the first one. Ignored in a PUT',
    }),
  })
  .openapi('Access', {
    description:
      'The catalog decides `info.status`, `info.active`, `provider.teamId`, `provider.dataContractId`, `provider.dataContractVersion`, `provisioning`, and the `consumer.teamId` of a data product; they are ignored in a PUT.',
  })

/** An access agreement of Bitol. */
const oaasDocument = z
  .looseObject({
    apiVersion: z.string(),
    kind: z.literal('AccessAgreement'),
    id: z.string(),
    status: z.enum(['requested', 'approved', 'rejected']),
    description: z.looseObject({ purpose: z.string() }),
    provider: z.looseObject({
      teamId: z.string(),
      dataProductId: z.string(),
      outputPortId: z.string(),
    }),
    consumer: z.looseObject({}),
  })
  .openapi('AccessAgreement')

const PAGES = 'access'
const PAGE_SIZE_MAX = 10_000

const pageSizeParameter = z
  .string()
  .regex(/^\d{1,5}$/, `must be a whole number from 2 to ${PAGE_SIZE_MAX}`)
  .default(String(PAGE_ELEMENTS_MAX))
  .transform(Number)
  .refine((size) => size >= 2 && size <= PAGE_SIZE_MAX, `must be from 2 to ${PAGE_SIZE_MAX}`)
  .openapi({ type: 'integer', minimum: 2, maximum: PAGE_SIZE_MAX, default: PAGE_ELEMENTS_MAX })

const listQuery = z.object({
  providerDataProductId: z.string().optional(),
  consumerDataProductId: z.string().optional(),
  consumerType: z
    .string()
    .transform((text) => text.toLowerCase())
    .pipe(z.enum(CONSUMER_TYPES, `must be one of ${CONSUMER_TYPES.join(', ')}`))
    .optional()
    .openapi({ type: 'string', enum: [...CONSUMER_TYPES], description: 'In any letter case' }),
  p: pageParameter,
  pageSize: pageSizeParameter,
  format: draftParameter('oaas'),
})

/** `GET /api/access`: access agreements. */
const listPage: Endpoint<never, z.infer<typeof listQuery>> = {
  operation: 'list',
  summary: 'List access agreements',
  description: 'In the order of their creation.',
  permission: 'any key',
  query: listQuery,
  answers: {
    200: describeDraft(
      'oaas',
      {
        description: 'The agreements',
        schema: z.array(accessDocument),
        headers: { link: 'The next page, when there is one' },
      },
      z.array(oaasDocument),
    ),
  },
  async handle({ services, caller, query, path, search, headers }) {
    const { p: page, pageSize: elementsMax } = query
    const syntax = chooseDraft('oaas', query.format, headers)
    const filter = {
      productId: query.providerDataProductId,
      consumerProduct: query.consumerDataProductId,
      consumerType: query.consumerType,
    }
    const request = { filter, syntax, page, elementsMax, path, search }
    const answer = await listAgreements(services, caller.organizationId, request)
    if (syntax === undefined) return answer
    return createDraftAnswer('oaas', syntax, answer.body ?? '[]', answer.headers)
  },
}

const answered = documentAnswered('The agreement with the members of the catalog')
const AGREEMENT_ANSWER = {
  ...answered,
  schema: accessDocument,
  headers: {
    etag: 'Changes with the terms and with every decision',
    'location-html': "The address of the agreement's page",
  },
}

const formQuery = z.object({ format: draftParameter('oaas') })

/** `GET /api/access/{id}`: an access agreement. */
const getOne: Endpoint<'id', z.infer<typeof formQuery>> = {
  operation: 'get',
  isShort: true,
  summary: 'Read an access agreement',
  description:
    'As it was sent, with the members that the catalog decides: `info.status`, `info.active`, `provider.dataContractId`, `provider.dataContractVersion` and `provisioning`, and with the dates and roles that were approved.',
  permission: 'any key',
  query: formQuery,
  answers: {
    200: describeDraft('oaas', AGREEMENT_ANSWER, oaasDocument),
    304: { description: 'The client has it already' },
  },
  async handle(call) {
    const { services, caller, params, query, headers } = call
    const agreement = await getAgreement(services, caller.organizationId, params.id)
    const syntax = chooseDraft('oaas', query.format, headers)
    if (syntax !== undefined) return await answerOaas(call, agreement, syntax)
    return await answerAgreement(call, agreement, true)
  },
}

/** `PUT /api/access/{id}`: requests access, or changes an agreement. */
const putOne: Endpoint<'id'> = {
  operation: 'put',
  summary: 'Request access, or change an access agreement',
  description:
    'A new agreement is a request. The decision on an existing one stays. Members that the catalog decides are ignored. An access agreement of Bitol (`kind: AccessAgreement`, OAAS) is read, too: experimental. Dates and roles of an approved agreement need ACCESS_APPROVE.',
  permission: {
    needs: ['ACCESS_ADD', 'ACCESS_EDIT', 'ACCESS_REQUEST'],
    on: 'the team that owns the data product: ACCESS_ADD for a new agreement, else ACCESS_EDIT; or the consumer: the person, or ACCESS_REQUEST on the consuming team or on the team that owns the consuming data product',
    hasAlternative: true,
  },
  body: {
    content: 'document',
    mediaTypes: DOCUMENT_MEDIA_TYPES,
    bytesMax: AGREEMENT_BYTES_MAX,
    schema: accessDocument,
    description: `The agreement with \`info.purpose\`, \`provider\` and \`consumer\`. ${describeUnused('access')}`,
  },
  answers: {
    200: {
      ...AGREEMENT_ANSWER,
      headers: {
        ...AGREEMENT_ANSWER.headers,
        'portbook-warnings': 'Remarks about an OAAS document, as a JSON array of sentences',
        'portbook-loss-count': 'How much of an OAAS document the agreement keeps differently',
        'portbook-losses': 'The first of it, as a JSON array of sentences',
      },
    },
    412: commonError(412),
  },
  async handle(call) {
    const { services, caller, params, body, headers, requestId } = call
    const put = { id: params.id, body, conditions: readConditions(headers), requestId }
    const { agreement, warnings, losses } = await putAgreement(services, caller, put)
    const answer = await answerAgreement(call, agreement)
    const remarks = {
      ...lossHeaders(losses),
      ...(warnings.length === 0 ? {} : { 'portbook-warnings': writeSentences(warnings) }),
    }
    return { ...answer, headers: { ...answer.headers, ...remarks } }
  },
}

/** `DELETE /api/access/{id}`: deletes an access agreement. */
const deleteOne: Endpoint<'id'> = {
  operation: 'delete',
  summary: 'Delete an access agreement',
  description: 'An active one is deactivated by it.',
  permission: { needs: ['ACCESS_DELETE'], on: 'the team that owns the data product' },
  answers: { 200: { description: 'The agreement is deleted' }, 412: commonError(412) },
  async handle({ services, caller, params, headers, requestId }) {
    const removal = { id: params.id, conditions: readConditions(headers), requestId }
    await deleteAgreement(services, caller, removal)
    return { status: 200 }
  },
}

type Decision = Pick<Endpoint, 'summary' | 'permission' | 'limitedKey'> & { description: string }

const DECISIONS: Readonly<Record<DecisionName, Decision>> = {
  approve: {
    summary: 'Approve an access agreement',
    description:
      'It is active from its first day. People cannot approve their own requests, unless they are approvers of the consumer, too.',
    permission: { needs: ['ACCESS_APPROVE'], on: 'the team that owns the data product' },
  },
  reject: {
    summary: 'Reject an access agreement',
    description: 'The approval of an agreement that has not ended is withdrawn.',
    permission: { needs: ['ACCESS_APPROVE'], on: 'the team that owns the data product' },
  },
  cancel: {
    summary: 'Cancel an access agreement',
    description: 'It ends today. A request is withdrawn. One that has ended stays as it is.',
    permission: {
      needs: ['ACCESS_TERMINATE'],
      on: 'the team that owns the data product; or the consumer, as for a request',
      hasAlternative: true,
    },
    limitedKey: ['ACCESS_REQUEST'],
  },
}

/** `POST /api/access/{id}/(approve|reject|cancel)`: decides on an access agreement. */
function createDecision(name: DecisionName): Endpoint<'id'> {
  const { description, ...declared } = DECISIONS[name]
  return {
    ...declared,
    operation: name,
    description: `${description} Repeating it changes nothing.`,
    answers: {
      200: AGREEMENT_ANSWER,
      412: commonError(412),
      422: describeError('The agreement is in a state that does not allow it'),
    },
    async handle(call) {
      const { services, caller, params, headers, requestId } = call
      const conditions = readConditions(headers)
      const decision = { id: params.id, requestId, reason: null, conditions }
      return await answerAgreement(call, await decideAgreement(services, caller, name, decision))
    },
  }
}

async function answerAgreement(
  { services, caller, headers }: Pick<Call<'id', object>, 'services' | 'caller' | 'headers'>,
  agreement: Agreement,
  isConditional = false,
): Promise<Answer> {
  const document = await presentDocument(services, agreement)
  const request = isConditional ? { headers, conditions: readConditions(headers) } : { headers }
  const more = createPageHeader(services, PAGES, agreement.id)
  return await documentAnswer(inThreads(services, caller), document, request, more)
}

async function answerOaas(
  { services, headers }: Pick<Call<'id', object>, 'services' | 'headers'>,
  agreement: Agreement,
  syntax: DraftSyntax,
): Promise<Answer> {
  const etag = entityTag(toAnswerDigest(agreement), `oaas-${syntax}`)
  const own = { etag, ...createPageHeader(services, PAGES, agreement.id) }
  if (isNotModified(readConditions(headers), etag)) {
    return { status: 304, headers: { ...own, vary: 'accept' } }
  }
  const { text, losses } = await presentOaas(services, agreement, syntax)
  return createDraftAnswer('oaas', syntax, text, { ...own, ...lossHeaders(losses) })
}

/** The addresses of access agreements, also under the name that older clients use. */
export const AGREEMENT_ROUTES: readonly Route[] = [
  ...agreementRoutes('/api/access', 'Access'),
  route('GET', '/api/access/{id}/connection', getAccessConnection),
  route('GET', '/api/access/{id}/provisioning', provisioning.getAccessProvisioning),
  route('PUT', '/api/access/{id}/provisioning', provisioning.putAccessProvisioning),
  ...REPORT_NAMES.map((name) =>
    route(
      'POST',
      `/api/access/{id}/provisioning/${name}`,
      provisioning.createReportProvisioning(name),
    ),
  ),
  ...agreementRoutes('/api/datausageagreements', 'DataUsageAgreement'),
]

// The operations have the name of the alias at their end.
function agreementRoutes(path: `/api/${string}`, alias: AgreementAlias): Route[] {
  const at = `${path}/{id}` as const
  const rename = <Params extends string, Query>(
    endpoint: Endpoint<Params, Query>,
  ): Endpoint<Params, Query> => ({ ...endpoint, operation: `${endpoint.operation}${alias}` })
  return [
    route('GET', path, rename(listPage)),
    route('GET', at, rename(getOne)),
    route('PUT', at, rename(putOne)),
    route('DELETE', at, rename(deleteOne)),
    ...(['approve', 'reject', 'cancel'] as const).map((name) =>
      route('POST', `${at}/${name}`, rename(createDecision(name))),
    ),
  ]
}
