import { z } from '@hono/zod-openapi'
import { plan } from '../ledger/history/plan.ts'
import { readConditions } from '../requests/http/conditional.ts'
import { documentAnswer, documentAnswered } from '../requests/http/document.ts'
import { DOCUMENT_MEDIA_TYPES, putQuery } from '../requests/http/document.ts'
import { inThreads, createPageHeader } from '../requests/http/endpoint.ts'
import type { DescribedAnswer, Endpoint, CallerRule } from '../requests/http/endpoint.ts'
import { requireOwner } from '../requests/http/missing-permission.ts'
import { negotiate } from '../requests/http/negotiation.ts'
import { commonError, describeError } from '../requests/http/openapi.ts'
import { PAGE_ELEMENTS_MAX } from '../requests/http/paging.ts'
import { getResourcePermissions, KINDS } from '../platform/kinds.ts'
import { createFormAnswer, describeForms } from './alternative-form.ts'
import { describeDecisions } from './deciding-members.ts'
import type { RegisteredDocument } from './document.ts'
import type { DocumentLookup, DocumentType } from './document-type.ts'
import type { leveledPutQuery, ListQuery } from './query.ts'
import { listDocuments } from './read-service.ts'
import { newDocumentResource } from './service.ts'
import { deprecationHeaders } from './sunset.ts'
import { answerDelete, answerPut, toPut } from './answer-service.ts'

// The endpoints that data products, data contracts and records share. Each kind supplies its own paths and
// descriptions.

/** The formats of a kind of document, and the query parameters of its PUT. */
export interface PutParameters<Query> {
  /** The beginning of a sentence. */
  formats: string
  query: z.ZodType<Query>
  /** Sentences about the body. */
  notes?: readonly string[]
}

/** `PUT …/{id}`: registers or replaces a document. */
export function createPutRoute<Query extends z.infer<typeof leveledPutQuery>>(
  type: DocumentType,
  operation: string,
  { formats, query, notes = [] }: PutParameters<Query>,
): Endpoint<'id', Query> {
  const resource = newDocumentResource(type)
  const { called } = KINDS[type.kind]
  const { schema } = type
  return {
    operation,
    summary: `Register or replace a ${called}`,
    description: [
      `${formats}, as JSON or YAML. The document comes back byte for byte; one of equal meaning changes nothing.`,
      ...describeDecisions(type.kind),
    ].join(' '),
    permission: describeWriters(type, ['ADD', 'EDIT'], 'the owning team, old and new'),
    ...(getResourcePermissions(type.kind) === undefined && {
      requires: ({ caller }) => requireOwner(caller, type.unownedRule),
    }),
    query,
    body: {
      content: 'document',
      mediaTypes: DOCUMENT_MEDIA_TYPES,
      bytesMax: type.bytesMax,
      schema,
      description: ['The document, whole: what is left out is removed', ...notes].join('. '),
    },
    answers: {
      200: {
        ...withHeaders(documentAnswered('The document as stored, or the plan of a dry run'), {
          ...OWNER_HEADER,
          'portbook-warnings': 'What is missing, as a JSON array of sentences: an owner',
        }),
        schema: z.union([schema, plan]),
      },
      409: describeError('failOn was requested, and the change is what it refuses'),
      412: commonError(412),
    },
    handle: async (call) =>
      await answerPut(call, resource, toPut(call), ({ format, stored, drift }) => {
        const deprecation = {
          ...deprecationHeaders(format, call.services),
          ...(drift && { 'portbook-drift': drift }),
        }
        return stored === undefined
          ? deprecation
          : { ...deprecation, ...ownerHeaders(stored), ...ownerWarnings(type, stored) }
      }),
  }
}

function ownerWarnings(
  { unownedWarning }: DocumentType,
  { ownerId }: RegisteredDocument,
): Record<string, string> {
  if (unownedWarning === undefined || ownerId !== null) return {}
  return { 'portbook-warnings': JSON.stringify([unownedWarning]) }
}

const OWNER_HEADER = {
  'portbook-owner':
    'The id of the owning team, percent-encoded; absent = no team owns the document',
}

function ownerHeaders({ ownerId }: RegisteredDocument): Record<string, string> {
  return ownerId === null ? {} : { 'portbook-owner': encodeURIComponent(ownerId) }
}

// A kind with a rule of its own has no owners.
function describeWriters(
  { kind }: DocumentType,
  actions: readonly ('ADD' | 'EDIT' | 'DELETE')[],
  on: string,
): CallerRule {
  const permissions = getResourcePermissions(kind)
  if (permissions === undefined) return 'an owner of the organization'
  return { needs: actions.map((action) => `${permissions}_${action}` as const), on }
}

function withHeaders(answer: DescribedAnswer, headers: Record<string, string>): DescribedAnswer {
  return { ...answer, headers: { ...answer.headers, ...headers } }
}

/** `GET …/{id}`: a document as it was sent. */
export function createGetRoute<Query>(
  type: DocumentType,
  operation: string,
  { query, find, only, alternatives = [] }: DocumentLookup<Query>,
): Endpoint<'id', Query> {
  const { called, pages } = KINDS[type.kind]
  const { schema } = type
  const own = only === undefined ? DOCUMENT_MEDIA_TYPES : ([only] as const)
  const [usual, ...others] = own
  const further = alternatives.map(({ mediaType }) => mediaType)
  const mediaTypes = [usual, ...others, ...further] as const
  return {
    operation,
    summary: `Read a ${called} as it was sent`,
    isShort: true,
    permission: 'any key',
    query,
    answers: {
      200: describeForms(
        { ...withHeaders(documentAnswered('The document'), OWNER_HEADER), schema, mediaTypes: own },
        alternatives,
      ),
      304: { description: 'The client has it already' },
    },
    async handle({ services, caller, params: { id }, query: asked, headers }) {
      const { organizationId } = caller
      const { stored, sentIn, form, forms } = await find(services, organizationId, id, asked)
      const mediaType = form ?? negotiate<string>(headers.get('accept'), forms ?? mediaTypes)
      const alternative = alternatives.find((one) => one.mediaType === mediaType)
      if (alternative !== undefined) {
        const body = await alternative.write(services, organizationId, stored, id)
        return createFormAnswer(alternative, body, createPageHeader(services, pages, id))
      }
      const request = {
        headers,
        form,
        conditions: readConditions(headers),
      }
      const more = { ...deprecationHeaders(sentIn, services), ...ownerHeaders(stored) }
      const all = { ...createPageHeader(services, pages, id), ...more }
      return await documentAnswer(inThreads(services, caller), stored, request, all)
    },
  }
}

const deleteQuery = z.object({ dryRun: putQuery.shape.dryRun })

/** `DELETE …/{id}`: deletes a document; its versions stay. */
export function createDeleteRoute(
  type: DocumentType,
  operation: string,
): Endpoint<'id', z.infer<typeof deleteQuery>> {
  const resource = newDocumentResource(type)
  const { called } = KINDS[type.kind]
  return {
    operation,
    summary: `Delete a ${called}; its versions stay`,
    permission: describeWriters(type, ['DELETE'], 'the owning team'),
    query: deleteQuery,
    answers: {
      200: {
        description: `The ${called} is deleted; the plan is returned by a dry run only`,
        schema: plan,
      },
      412: commonError(412),
      422: describeError('Another resource refers to it'),
    },
    handle: async (call) => await answerDelete(call, resource, call.query.dryRun),
  }
}

/** The query parameters of a list, and the filters on columns of this kind only. */
export interface ListParameters<Query> {
  query: z.ZodType<Query>
  getOwnFilters(query: Query): Record<string, string | undefined>
  /** The maximum number of elements in a page. Absent = 1000. */
  elementsMax?: number
}

/** `GET` of a list: whole documents, in pages. */
export function createListRoute<Query extends ListQuery>(
  type: DocumentType,
  operation: string,
  { query, getOwnFilters, elementsMax = PAGE_ELEMENTS_MAX }: ListParameters<Query>,
): Endpoint<never, Query> {
  const { label } = KINDS[type.kind]
  return {
    operation,
    summary: `List ${label.charAt(0).toLowerCase()}${label.slice(1)}`,
    permission: 'any key',
    query,
    answers: {
      200: {
        description: `At most ${elementsMax} documents`,
        schema: z.array(type.schema),
        headers: { link: 'The next page, when there is one' },
      },
    },
    async handle({ services, caller, query: asked, path, search }) {
      return await listDocuments(
        services,
        {
          ...asked,
          organizationId: caller.organizationId,
          kind: type.kind,
          own: getOwnFilters(asked),
          elementsMax,
        },
        { path, search },
        (format) => deprecationHeaders(format, services),
      )
    },
  }
}
