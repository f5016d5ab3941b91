import { z } from '@hono/zod-openapi'
import { plan } from '../history/plan.ts'
import { asOfParameter } from '../history/revision.ts'
import { conditionsOf } from '../http/conditional.ts'
import {
  anyDocument,
  DOCUMENT_MEDIA_TYPES,
  documentAnswer,
  documentAnswered,
  putQuery,
} from '../http/document.ts'
import { jsonAnswer, pageOf, type Endpoint } from '../http/endpoint.ts'
import { refusalAnswer } from '../http/openapi.ts'
import { pageParameter } from '../http/paging.ts'
import { SORTS } from './list-store.ts'
import * as reads from './read-service.ts'
import * as service from './service.ts'
import { deprecationHeaders } from './sunset.ts'

const BODY_BYTES_MAX = 1024 * 1024
const PAGES = 'data-products'

/** `PUT /api/dataproducts/{id}`: registers or replaces a data product. */
export const putDataProduct: Endpoint<'id', z.infer<typeof putQuery>> = {
  operation: 'putDataProduct',
  summary: 'Register or replace a data product',
  description:
    'ODPS or DPS, as JSON or YAML. The document comes back byte for byte; one of equal meaning changes nothing.',
  permission: { needs: ['RESOURCES_ADD', 'RESOURCES_EDIT'], on: 'the owning team, old and new' },
  params: ['id'],
  query: putQuery,
  body: {
    mediaTypes: DOCUMENT_MEDIA_TYPES,
    bytesMax: BODY_BYTES_MAX,
    schema: anyDocument,
    description: 'The document, whole: what is left out is removed',
  },
  answers: {
    200: {
      ...documentAnswered('The document as stored, or the plan of a dry run'),
      schema: z.union([anyDocument, plan]),
    },
    412: refusalAnswer(412),
  },
  async handle({ services, caller, params: { id }, query, headers, body, requestId }) {
    const conditions = conditionsOf(headers)
    const put = { id, body, conditions, ...query, requestId }
    const { stored, plan: planned } = await service.putProduct(services, caller, put)
    const deprecation = deprecationHeaders(stored.format, services)
    if (query.dryRun) return jsonAnswer(200, plan, planned, deprecation)
    return documentAnswer(stored, { headers }, { ...pageOf(services, PAGES, id), ...deprecation })
  },
}

const getQuery = z.object({
  format: z
    .enum(['odps'], 'must be odps')
    .optional()
    .openapi({ description: 'Converts a DPS document to ODPS' }),
  asOf: asOfParameter,
})

/** `GET /api/dataproducts/{id}`: the document as it was sent. */
export const getDataProduct: Endpoint<'id', z.infer<typeof getQuery>> = {
  operation: 'getDataProduct',
  summary: 'Read a data product as it was sent',
  permission: 'any key',
  params: ['id'],
  query: getQuery,
  answers: {
    200: documentAnswered('The document'),
    304: { description: 'The client has it already' },
  },
  async handle({ services, caller, params: { id }, query, headers }) {
    const found = await reads.getProduct(services.db, caller.organizationId, id, query.asOf)
    const stored = query.format === 'odps' ? reads.odpsFormOf(found, id) : found
    const request = { headers, conditions: conditionsOf(headers) }
    const more = deprecationHeaders(found.format, services)
    return documentAnswer(stored, request, { ...pageOf(services, PAGES, id), ...more })
  },
}

const deleteQuery = z.object({})

/** `DELETE /api/dataproducts/{id}`: deletes a data product; its versions stay. */
export const deleteDataProduct: Endpoint<'id', object> = {
  operation: 'deleteDataProduct',
  summary: 'Delete a data product; its versions stay',
  permission: { needs: ['RESOURCES_DELETE'], on: 'the owning team' },
  params: ['id'],
  query: deleteQuery,
  answers: { 200: { description: 'The data product is gone' }, 412: refusalAnswer(412) },
  async handle({ services, caller, params, headers, requestId }) {
    const conditions = conditionsOf(headers)
    await service.removeProduct(services, caller, { ...params, conditions, requestId })
    return { status: 200 }
  },
}

/** A parameter that may repeat: any of its values will do. */
const anyOf = (description: string) =>
  z
    .union([z.string().transform((text) => [text]), z.array(z.string())])
    .optional()
    .openapi({ type: 'array', items: { type: 'string' }, description })

const listQuery = z.object({
  q: z
    .string()
    .optional()
    .openapi({ description: 'Words, all of which begin a word of id, name or description' }),
  teamId: anyOf('Owned by one of these teams'),
  domainId: anyOf('In one of these domains'),
  archetype: z.string().optional(),
  status: z.string().optional(),
  tag: z.string().optional(),
  sort: z
    .enum(SORTS, `must be one of ${SORTS.join(', ')}`)
    .default('createdAt')
    .openapi({ description: 'A leading dash reverses; the id breaks ties' }),
  p: pageParameter,
  asOf: asOfParameter,
})

/** `GET /api/dataproducts`: whole documents, a page at a time. */
export const listDataProducts: Endpoint<never, z.infer<typeof listQuery>> = {
  operation: 'listDataProducts',
  summary: 'List data products',
  permission: 'any key',
  params: [],
  query: listQuery,
  answers: {
    200: {
      description: 'At most 1000 documents',
      schema: z.array(anyDocument),
      headers: { link: 'The next page, when there is one' },
    },
  },
  async handle({ services, caller, query, path, search }) {
    const headersFor = (format: string): Record<string, string> =>
      deprecationHeaders(format, services)
    const { organizationId } = caller
    return await reads.listProducts(
      services.db,
      organizationId,
      query,
      { path, search },
      headersFor,
    )
  },
}
