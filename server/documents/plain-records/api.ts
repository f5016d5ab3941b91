import { randomUUID } from 'node:crypto'
import { z } from '@hono/zod-openapi'
import { EXAMPLE_DATA } from '../../../formats/record/plain-kinds/example-data.ts'
import { PRODUCT_FIELD, type PlainRecordKind } from '../../../formats/record/plain-record-kind.ts'
import { readConditions } from '../../requests/http/conditional.ts'
import {
  documentAnswer,
  documentAnswered,
  DOCUMENT_MEDIA_TYPES,
} from '../../requests/http/document.ts'
import { createPageHeader, inThreads, jsonAnswer } from '../../requests/http/endpoint.ts'
import type {
  Answer,
  Call,
  DescribedAnswer,
  Endpoint,
  Services,
} from '../../requests/http/endpoint.ts'
import { commonError, describeError } from '../../requests/http/openapi.ts'
import { writeSentences } from '../../requests/http/losses.ts'
import { pageParameter } from '../../requests/http/paging.ts'
import { toDocumentSchema } from '../../requests/http/document-schema.ts'
import { listWarnings } from './example-service.ts'
import type { PlainRecordAddress, SeenPlainRecord } from './plain-record.ts'
import {
  deletePlainRecord,
  getPlainRecord,
  listPlainRecords,
  listPortExamples,
  putPlainRecord,
  requireScope,
} from './service.ts'

/** The endpoints of a kind of plain record. Its records have an address below their list, or below a team. */
interface PlainRecordEndpoints {
  list: Endpoint<string, Record<string, string | number | undefined>>
  get: Endpoint<string>
  put: Endpoint<string>
  post: Endpoint<string>
  remove: Endpoint<string>
}

/** Creates the endpoints of a kind, which share their schema. */
export function createPlainRecordEndpoints(kind: PlainRecordKind): PlainRecordEndpoints {
  const type = { kind, schema: toDocumentSchema(kind.shape).openapi(kind.schemaName) }
  return {
    list: createListRoute(type),
    get: createGetRoute(type),
    put: createPutRoute(type),
    post: createPostRoute(type),
    remove: createDeleteRoute(type),
  }
}

interface PlainRecordType {
  kind: PlainRecordKind
  schema: z.ZodType
}

function toAddress(
  { holder }: PlainRecordKind,
  { id = '', channelId = '' }: Readonly<Record<string, string>>,
): PlainRecordAddress {
  return holder.by === 'team' ? { scope: id, id: channelId } : { scope: '', id }
}

// All records, or those of a filter.
function createListRoute({ kind, schema }: PlainRecordType): PlainRecordEndpoints['list'] {
  return {
    operation: `list${kind.listName}`,
    summary: `List ${kind.calledMany}`,
    description: 'In the order of their creation. All of them are on page 0.',
    permission: 'any key',
    query: toListQuery(kind),
    answers: { 200: { description: 'The documents', schema: z.array(schema) } },
    async handle({ services, caller, params, query: { p: page, ...filters } }) {
      const { [PRODUCT_FIELD]: productId, ...values } = selectTexts(filters)
      const { scope } = toAddress(kind, params)
      const filter = { scope, productId, values, isPastEnd: page !== 0 }
      return await listPlainRecords(services, caller, kind, filter)
    },
  }
}

// Clients that request further pages get empty ones.
function toListQuery({ holder, filters, needsProduct = false }: PlainRecordKind) {
  const product = needsProduct ? z.string('is required') : z.string().optional()
  const parameters: Record<string, typeof product | typeof pageParameter> = Object.fromEntries(
    filters.map((name) => [name, z.string().optional()]),
  )
  if (holder.by === 'product') parameters[PRODUCT_FIELD] = product
  return z.object({ ...parameters, p: pageParameter })
}

function selectTexts(values: Record<string, string | number | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) =>
      typeof value === 'string' ? [[name, value]] : [],
    ),
  )
}

function createGetRoute(type: PlainRecordType): Endpoint<string> {
  const { kind } = type
  return {
    operation: `get${kind.schemaName}`,
    summary: `Read a ${kind.called} as it was sent`,
    ...describeSecret(kind),
    isShort: true,
    permission: 'any key',
    answers: {
      200: describeRecord(type, `The ${kind.called}`),
      304: { description: 'The client has it already' },
    },
    async handle({ services, caller, params, headers }) {
      const address = toAddress(kind, params)
      const stored = await getPlainRecord(services, caller, kind, address)
      const request = { headers, conditions: readConditions(headers) }
      const document = toDocument(stored)
      const more = toHeaders(services, kind, address, stored)
      return await documentAnswer(inThreads(services, caller), document, request, more)
    },
  }
}

function describeSecret({ secretAddress }: PlainRecordKind): { description?: string } {
  if (secretAddress === undefined) return {}
  return {
    description: `Callers who may not change it see only the origin of \`${secretAddress}\`.`,
  }
}

function createPutRoute(type: PlainRecordType): Endpoint<string> {
  const { kind } = type
  return {
    operation: `put${kind.schemaName}`,
    summary: `Create or replace a ${kind.called}`,
    description:
      'GET returns the JSON text byte for byte; an id is added if it has none. Versions and events are not recorded.',
    ...describeWrite(type, 'The document, whole: what is left out is removed'),
    requires: ({ services, caller, params }) =>
      requireScope(services, caller, kind, toAddress(kind, params).scope),
    answers: {
      200: describeWritten(type, `The ${kind.called} as stored`),
      409: describeError(`There are ${kind.countMax} ${kind.calledMany}`),
      412: commonError(412),
    },
    handle: async (call) => await answerWrite(call, type, toAddress(kind, call.params)),
  }
}

// The server creates the id.
function createPostRoute(type: PlainRecordType): Endpoint<string> {
  const { kind } = type
  return {
    operation: `create${kind.schemaName}`,
    summary: `Create a ${kind.called}`,
    description: 'The server creates the id, a UUID; an id in the body is ignored.',
    ...describeWrite(type, 'The document without an id'),
    answers: {
      200: describeRecord(type, `The ${kind.called} with its id`),
      409: describeError(`There are ${kind.countMax} ${kind.calledMany}`),
      412: commonError(412),
    },
    handle: async (call) => await answerWrite(call, type, { scope: '', id: randomUUID() }),
  }
}

function createDeleteRoute({ kind }: PlainRecordType): Endpoint<string> {
  return {
    operation: `delete${kind.schemaName}`,
    summary: `Delete a ${kind.called}`,
    permission: describePermission(kind),
    answers: { 200: { description: `The ${kind.called} is deleted` }, 412: commonError(412) },
    async handle({ services, caller, params, headers, requestId }) {
      const removal = { ...toAddress(kind, params), conditions: readConditions(headers), requestId }
      await deletePlainRecord(services, caller, kind, removal)
      return { status: 200 }
    },
  }
}

async function answerWrite(
  { services, caller, headers, body, requestId }: Call<string, object>,
  { kind }: PlainRecordType,
  address: PlainRecordAddress,
): Promise<Answer> {
  const put = { ...address, body, conditions: readConditions(headers), requestId }
  const stored = await putPlainRecord(services, caller, kind, put)
  const warnings = await listWarnings(services, caller.organizationId, kind, stored)
  const more = {
    ...toHeaders(services, kind, address, stored),
    ...(warnings.length === 0 ? {} : { 'portbook-warnings': writeSentences(warnings) }),
  }
  return await documentAnswer(inThreads(services, caller), toDocument(stored), { headers }, more)
}

function describeWrite({ kind, schema }: PlainRecordType, description: string) {
  return {
    permission: describePermission(kind),
    body: {
      content: 'document' as const,
      mediaTypes: DOCUMENT_MEDIA_TYPES,
      bytesMax: kind.bytesMax,
      schema,
      description,
    },
  }
}

function describePermission({ holder }: PlainRecordKind): {
  needs: readonly [typeof holder.permission]
  on: string
} {
  const on = {
    key: 'the team of the key that created it',
    product: 'the team that owns the data product, old and new',
    team: 'the team',
  }[holder.by]
  return { needs: [holder.permission], on }
}

function describeRecord({ schema }: PlainRecordType, description: string): DescribedAnswer {
  const answer = documentAnswered(description)
  const { etag = '', 'location-html': page = '' } = answer.headers ?? {}
  return { ...answer, schema, headers: { etag, 'location-html': page, ...OWNER_HEADER } }
}

function describeWritten(type: PlainRecordType, description: string): DescribedAnswer {
  const answer = describeRecord(type, description)
  if (type.kind.kind !== EXAMPLE_DATA.kind) return answer
  return { ...answer, headers: { ...answer.headers, ...WARNINGS_HEADER } }
}

const WARNINGS_HEADER = {
  'portbook-warnings':
    'How the rows differ from the models of the data contract, as a JSON array of sentences; absent = they fit',
}

function toDocument({ document, digest }: SeenPlainRecord) {
  return { document, mediaType: 'application/json', digest }
}

const OWNER_HEADER = {
  'portbook-owner':
    'The id of the team whose permission decides, percent-encoded; absent = organization owners only',
}

function toHeaders(
  services: Services,
  kind: PlainRecordKind,
  address: PlainRecordAddress,
  stored: SeenPlainRecord,
): Record<string, string> {
  const { team } = stored
  const owner = team === null ? {} : { 'portbook-owner': encodeURIComponent(team) }
  return { ...toPageHeader(services, kind, address, stored), ...owner }
}

function toPageHeader(
  services: Services,
  { holder, collection }: PlainRecordKind,
  { scope, id }: PlainRecordAddress,
  { productId }: SeenPlainRecord,
): Record<string, string> {
  if (holder.by === 'team') return createPageHeader(services, 'teams', scope)
  if (holder.by === 'product') return createPageHeader(services, 'data-products', productId ?? '')
  return createPageHeader(services, collection, id)
}

const portExamples = z
  .array(
    z.object({
      id: z.string(),
      outputPortId: z.string().nullable(),
      dataContractId: z.string().nullable(),
      bytes: z.int(),
    }),
  )
  .openapi('PortExamples')

const examplesQuery = z.object({ dataProductId: z.string('is required') })

/** `GET /ui/example-data`: lists the example data of a data product without the data. */
export const getPortExamples: Endpoint<never, z.infer<typeof examplesQuery>> = {
  operation: 'getPortExamples',
  summary: 'List the example data of a data product without the data',
  permission: 'a session',
  query: examplesQuery,
  answers: { 200: { description: 'The example data of each port', schema: portExamples } },
  async handle({ services, caller, query }) {
    const examples = await listPortExamples(services, caller, query.dataProductId)
    return jsonAnswer(200, portExamples, examples)
  },
}
