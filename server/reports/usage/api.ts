import { z } from '@hono/zod-openapi'
import { jsonAnswer, type Endpoint } from '../../requests/http/endpoint.ts'
import {
  createSizeParameter,
  PAGE_ELEMENTS_MAX,
  pageParameter,
} from '../../requests/http/paging.ts'
import { createPeriodParameters } from '../../requests/http/period.ts'
import { deleteTraces, getProductUsage, listTraces, receiveTraces } from './service.ts'
import { COUNTED_MONTHS, SPAN_DAYS, TRACE_LIMITS } from './span.ts'
import { productUsage } from './usage.ts'

const filterQuery = z.object({
  scopeName: z.string().optional().openapi({ description: 'The name of the scope of the spans' }),
  dataProductId: z
    .string()
    .optional()
    .openapi({ description: 'The resource attribute `dataproduct.id`' }),
  dataContractId: z.string().optional().openapi({ description: 'The attribute `datacontract.id`' }),
})

const listQuery = filterQuery
  .extend({
    ...createPeriodParameters('Only spans that started'),
    p: pageParameter,
    size: createSizeParameter(PAGE_ELEMENTS_MAX),
    limit: z
      .string()
      .regex(/^[1-9]\d{0,8}$/, 'must be a whole number, 1 or more')
      .transform((digits) => Math.min(Number(digits), PAGE_ELEMENTS_MAX))
      .optional()
      .openapi({
        type: 'integer',
        description: 'The same as `size`; more than 1000 means 1000',
        param: { deprecated: true },
      }),
    after: z
      .string()
      .optional()
      .openapi({ description: 'The id of the last span of the previous page, from its `Link`' }),
  })
  .refine(({ p, after }) => after === undefined || p === 0, {
    path: ['after'],
    message: 'cannot be combined with p; follow Link',
  })

const deleteQuery = filterQuery.extend({ spanId: z.string().optional() })

const attributes = z
  .array(
    z.looseObject({
      key: z.string(),
      value: z.looseObject({
        stringValue: z.string().optional(),
        boolValue: z.boolean().optional(),
        intValue: z.union([z.string(), z.int()]).optional(),
        doubleValue: z.number().optional(),
        arrayValue: z.looseObject({ values: z.array(z.unknown()).optional() }).optional(),
      }),
    }),
  )
  .optional()

const span = z.looseObject({
  traceId: z.string().optional(),
  spanId: z.string(),
  name: z.string().optional(),
  kind: z.union([z.string(), z.int()]).optional(),
  startTimeUnixNano: z.union([z.string(), z.int()]),
  endTimeUnixNano: z.union([z.string(), z.int()]).optional(),
  attributes,
})

const scopeSpans = z.looseObject({
  scope: z.looseObject({ name: z.string().optional(), version: z.string().optional() }).optional(),
  spans: z.array(span).optional(),
})

const otlpDocument = z
  .object({
    resourceSpans: z
      .array(
        z.looseObject({
          resource: z.looseObject({ attributes }).optional(),
          scopeSpans: z.array(scopeSpans).optional(),
        }),
      )
      .optional(),
  })
  .openapi('OtlpTraces', {
    description: 'Traces in the JSON form of OTLP: `resourceSpans`, `scopeSpans`, `spans`',
  })

const exportAnswer = z
  .object({
    partialSuccess: z
      .object({
        rejectedSpans: z.string().openapi({ description: 'A 64-bit integer, as text' }),
        errorMessage: z.string(),
      })
      .optional()
      .openapi({ description: 'Absent if every span was stored' }),
  })
  .openapi('OtlpTracesResponse')

const deletion = z.object({ deletedCount: z.int() }).openapi('DeletedSpans')

/** `POST /api/v1/traces`: the usage of data products, by OTLP. */
export const postTraces: Endpoint = {
  operation: 'postTraces',
  summary: 'Report the usage of data products as OpenTelemetry traces',
  description: `OTLP/HTTP with JSON. A span is one query of an output port. The resource attribute \`dataproduct.id\` is required; \`outputport.name\` and \`datacontract.id\` are optional. Attributes of a span: \`user\`, \`role\` and \`access.id\` name the consumer, \`rows\` is the number of rows that the query returned; all other attributes are kept. The data product need not exist.

A span with the id of a stored one replaces it, so sending a request again counts nothing twice; this needs the permission on both data products. Spans are stored for ${SPAN_DAYS} days after they were received; their counts by day remain for ${COUNTED_MONTHS} months. Spans without an id, a start within the last ${COUNTED_MONTHS} months or a data product are rejected; the response reports them in \`partialSuccess\`.

Limits: ${TRACE_LIMITS.spansMax} spans in a request, ${TRACE_LIMITS.attributesMax} attributes of a span or resource, ${TRACE_LIMITS.spanCharactersMax} characters for a span as JSON, ${TRACE_LIMITS.resourceCharactersMax} for its resource and scope, and ${TRACE_LIMITS.nameCharactersMax} for each name of a port or consumer.`,
  permission: { needs: ['DATAPRODUCT_EDIT'], on: 'the owners of the data products that exist' },
  body: {
    content: 'document',
    mediaTypes: ['application/json'],
    bytesMax: TRACE_LIMITS.bodyBytesMax,
    acceptsGzip: true,
    schema: otlpDocument,
    description: 'The traces',
  },
  answers: {
    200: { description: 'Stored, except the spans in `partialSuccess`', schema: exportAnswer },
  },
  async handle({ services, caller, body }) {
    const { count, message } = await receiveTraces(services, caller, body.text)
    const answer =
      count === 0 ? {} : { partialSuccess: { rejectedSpans: String(count), errorMessage: message } }
    return jsonAnswer(200, exportAnswer, answer)
  },
}

/** `GET /api/v1/traces`: the stored spans. */
export const getTraces: Endpoint<never, z.infer<typeof listQuery>> = {
  operation: 'getTraces',
  summary: 'Read the spans of the last 30 days as one OTLP document',
  description:
    'Spans are sorted by id, and grouped by resource and scope; in a large page, a group may repeat. 64-bit integers are texts, as OTLP prescribes.',
  lane: 'scan',
  permission: 'any key',
  query: listQuery,
  isFiltered: true,
  answers: {
    200: {
      description: 'The spans that match all filters',
      schema: otlpDocument,
      headers: { link: 'The next page, if any' },
    },
  },
  async handle({ services, caller, query, path, search }) {
    const { p: page, size: sent, limit, after, ...filter } = query
    const paging = { page, size: limit ?? sent, after, path, search }
    return await listTraces(services, caller, filter, paging)
  },
}

/** `DELETE /api/v1/traces`: deletes spans and their counts. */
export const deleteTracesByFilter: Endpoint<never, z.infer<typeof deleteQuery>> = {
  operation: 'deleteTraces',
  summary: 'Delete spans, and subtract them from the usage',
  description:
    'Spans must match all filters; without filters, all spans of the organization are deleted. Only `dataProductId`, or no filter, also deletes the counts of spans that are no longer stored. Without `dataProductId`, or if that data product does not exist, only owners of the organization may delete.',
  lane: 'bulk',
  permission: { needs: ['DATAPRODUCT_DELETE'], on: 'the owner of the data product' },
  query: deleteQuery,
  isFiltered: true,
  answers: { 200: { description: 'The number of deleted spans', schema: deletion } },
  async handle({ services, caller, query, requestId }) {
    const deletedCount = await deleteTraces(services, caller, query, requestId)
    return jsonAnswer(200, deletion, { deletedCount })
  },
}

/** `GET /api/dataproducts/{id}/usage`: the usage of a data product. */
export const getDataProductUsage: Endpoint<'id'> = {
  operation: 'getDataProductUsage',
  summary: 'Show the queries, rows and readers of a data product by month',
  description: `The current month and the ${COUNTED_MONTHS - 1} before it, with the consumers that sent the most queries. Clients report usage with \`POST /api/v1/traces\`.`,
  lane: 'scan',
  permission: 'any key',
  answers: { 200: { description: 'The usage', schema: productUsage } },
  async handle({ services, caller, params: { id } }) {
    return jsonAnswer(200, productUsage, await getProductUsage(services, caller, id))
  },
}
