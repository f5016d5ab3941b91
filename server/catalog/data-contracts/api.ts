import { z } from '@hono/zod-openapi'
import { ODCS_VERSIONS } from '../../../formats/data-contract/odcs/write.ts'
import {
  DIALECTS,
  EXPORT_FORMATS,
  EXPORT_MEDIA_TYPES,
} from '../../../formats/data-contract/export.ts'
import type { FoundDocument } from '../../documents/document.ts'
import { getQuery, listQuery } from '../../documents/query.ts'
import { getDocument } from '../../documents/read-service.ts'
import { ApiError } from '../../platform/errors.ts'
import { asOfParameter } from '../../ledger/history/revision.ts'
import { DOCUMENT_MEDIA_TYPES, flagParameter } from '../../requests/http/document.ts'
import { jsonSchemaDocument } from '../../requests/http/document-schema.ts'
import { jsonAnswer, type Endpoint, type Services } from '../../requests/http/endpoint.ts'
import { describeError } from '../../requests/http/openapi.ts'
import { contractUse } from '../../ledger/ports/port.ts'
import { createRdfForms } from '../rdf/rdf.ts'
import { writeContract } from '../rdf/service.ts'
import { contractModel } from './model.ts'
import { findContractUse, exportStored, getModels } from './read-service.ts'
import { CONTRACTS } from './service.ts'
import { exportReport } from './task.ts'

const YAML_SUFFIX = '.yaml'

/** A data contract as it was sent; `{id}.yaml` is its YAML form. */
export const findDataContract = {
  query: getQuery,
  async find(
    { db }: Services,
    organizationId: string,
    id: string,
    { asOf }: z.infer<typeof getQuery>,
  ): Promise<FoundDocument> {
    const find = (name: string) => getDocument(db, CONTRACTS.kind, organizationId, name, asOf)
    try {
      const stored = await find(id)
      const forms = asOf === undefined ? {} : { forms: DOCUMENT_MEDIA_TYPES }
      return { stored, sentIn: stored.format, ...forms }
    } catch (error) {
      // An id may end like the suffix, so a contract with exactly this id comes first.
      const isAlias = id.endsWith(YAML_SUFFIX) && id !== YAML_SUFFIX
      if (!(error instanceof ApiError) || error.code !== 'not_found' || !isAlias) throw error
      const stored = await find(id.slice(0, -YAML_SUFFIX.length))
      return { stored, sentIn: stored.format, form: 'application/yaml' }
    }
  },
  alternatives: createRdfForms((services, request, id) => writeContract(services, request, id)),
}

/** A data contract as YAML. */
export const findDataContractYaml = {
  query: getQuery,
  only: 'application/yaml' as const,
  async find(
    { db }: Services,
    organizationId: string,
    id: string,
    { asOf }: z.infer<typeof getQuery>,
  ): Promise<FoundDocument> {
    const stored = await getDocument(db, CONTRACTS.kind, organizationId, id, asOf)
    return { stored, sentIn: stored.format, form: 'application/yaml' }
  },
}

/** Data contracts are listed by what all documents have. */
export const listDataContracts = { query: listQuery, getOwnFilters: () => ({}) }

const modelQuery = z.object({ asOf: asOfParameter })

/** `GET /api/datacontracts/{id}/model`: the models, in one shape for every schema language. */
export const getContractModel: Endpoint<'id', z.infer<typeof modelQuery>> = {
  operation: 'getContractModel',
  summary: 'Read the models of a data contract in one shape',
  permission: 'any key',
  query: modelQuery,
  answers: {
    200: { description: 'The models', schema: contractModel },
    422: describeError('Reading the document takes too much time or memory'),
  },
  async handle({ services, caller, params: { id }, query }) {
    const { text, mediaType } = await getModels(services, caller.organizationId, id, query.asOf)
    return { status: 200, mediaType, body: text }
  },
}

/** `GET /api/datacontracts/{id}/ports`: who provides and who consumes data under a contract. */
export const getContractUse: Endpoint<'id'> = {
  operation: 'getContractUse',
  summary: 'List the ports that name a data contract',
  lane: 'scan',
  permission: 'any key',
  answers: { 200: { description: 'Providers and consumers', schema: contractUse } },
  async handle({ services, caller, params: { id } }) {
    return jsonAnswer(200, contractUse, await findContractUse(services, caller.organizationId, id))
  },
}

const exportQuery = z.object({
  format: z.enum(EXPORT_FORMATS, `must be one of ${EXPORT_FORMATS.join(', ')}`),
  dialect: z
    .enum(DIALECTS, `must be one of ${DIALECTS.join(', ')}`)
    .optional()
    .openapi({ description: 'Of sql; absent = that of the first server, else postgresql' }),
  apiVersion: z
    .enum(ODCS_VERSIONS, `must be one of ${ODCS_VERSIONS.join(', ')}`)
    .optional()
    .openapi({
      description:
        'Of odcs; absent = v3.1.0 for DCS, and ODCS as it was sent. What v3.1.0 lacks becomes custom properties, from which v3.2.0 is restored',
    }),
  report: flagParameter(
    'Return only the complete list of information that the format cannot express',
  ),
})

const exportedSchema = z
  .looseObject({
    type: z.string().optional(),
    name: z.string().optional(),
    namespace: z.string().optional(),
    doc: z.string().optional(),
    fields: z.array(z.looseObject({ name: z.string() })).optional(),
    tableReference: z.looseObject({ tableId: z.string() }).optional(),
    schema: z.looseObject({}).optional(),
  })
  .openapi('ExportedSchema', { description: 'A schema of Avro or BigQuery' })

const OTHER_EXPORTS = Object.fromEntries(
  EXPORT_MEDIA_TYPES.filter((mediaType) => mediaType !== 'application/json').map((mediaType) => [
    mediaType,
    mediaType.endsWith('json') ? jsonSchemaDocument : z.string(),
  ]),
)

/** `GET /api/datacontracts/{id}/export`: the models in another format. */
export const exportDataContract: Endpoint<'id', z.infer<typeof exportQuery>> = {
  operation: 'exportDataContract',
  summary: 'Write a data contract in another format',
  permission: 'any key',
  query: exportQuery,
  answers: {
    200: {
      description: 'The contract in that format, or the report',
      schema: z.union([exportReport, CONTRACTS.schema, exportedSchema, z.array(exportedSchema)]),
      otherSchemas: OTHER_EXPORTS,
      headers: {
        'portbook-loss-count': 'The number of things that the format cannot express',
        'portbook-losses': 'The first of them, as a JSON array of sentences',
      },
    },
    422: describeError('Reading the document takes too much time or memory'),
  },
  async handle({ services, caller, params: { id }, query }) {
    const { text, headers, mediaType } = await exportStored(
      services,
      caller.organizationId,
      id,
      query,
    )
    return { status: 200, headers, mediaType, body: text }
  },
}
