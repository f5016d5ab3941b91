import { z } from '@hono/zod-openapi'
import { toArchetype } from '../../../formats/data-product/odps.ts'
import { ODPS_VERSIONS } from '../../../formats/data-product/versions.ts'
import type { FoundDocument } from '../../documents/document.ts'
import { RDF_MEDIA_TYPES } from '../../../formats/rdf/syntax.ts'
import { ApiError } from '../../platform/errors.ts'
import { DOCUMENT_MEDIA_TYPES } from '../../requests/http/document.ts'
import { createRdfForms } from '../rdf/rdf.ts'
import { writeProduct } from '../rdf/service.ts'
import { getQuery, listQuery } from '../../documents/query.ts'
import { getDocument } from '../../documents/read-service.ts'
import { jsonAnswer, type Endpoint, type Services } from '../../requests/http/endpoint.ts'
import { customFilters } from '../../documents/search/custom-field.ts'
import { portContract } from '../../ledger/ports/port.ts'
import { getOdpsForm, listContractPorts, PRODUCTS } from './service.ts'

const findQuery = getQuery.extend({
  apiVersion: z
    .enum(ODPS_VERSIONS, `must be one of ${ODPS_VERSIONS.join(', ')}`)
    .optional()
    .openapi({
      description:
        'Returns ODPS of this version; without it, DPS is converted to v1.0.0, and ODPS is as it was sent',
    }),
  format: z.enum(['odps', 'dprod'], 'must be odps or dprod').optional().openapi({
    description:
      '`odps` converts a DPS document to ODPS; `dprod` (a draft) returns RDF as JSON-LD, or as Turtle by `Accept`',
  }),
})

/** A data product as it was sent, or as ODPS. */
export const findDataProduct = {
  query: findQuery,
  async find(
    { db, offload }: Services,
    organizationId: string,
    id: string,
    { asOf, apiVersion, ...query }: z.infer<typeof findQuery>,
  ): Promise<FoundDocument> {
    const format = query.format ?? (apiVersion === undefined ? undefined : 'odps')
    if (apiVersion !== undefined && format === 'dprod') throw rejectRdfVersion()
    if (asOf !== undefined && format === 'dprod') throw rejectFormerRdf()
    const found = await getDocument(db, PRODUCTS.kind, organizationId, id, asOf)
    const stored =
      format === 'odps' ? await getOdpsForm(offload, organizationId, found, id, apiVersion) : found
    return { stored, sentIn: found.format, ...getForms(asOf, format) }
  },
  alternatives: createRdfForms((services, request, id) => writeProduct(services, request, id)),
}

// RDF shows the present; a document of a format is neither.
function getForms(
  asOf: string | undefined,
  format: 'odps' | 'dprod' | undefined,
): Pick<FoundDocument, 'forms'> {
  if (format === 'dprod') return { forms: RDF_MEDIA_TYPES }
  return asOf === undefined && format === undefined ? {} : { forms: DOCUMENT_MEDIA_TYPES }
}

function rejectRdfVersion(): ApiError {
  return rejectRdf('cannot be combined with apiVersion, a version of ODPS; omit one of them')
}

function rejectFormerRdf(): ApiError {
  return rejectRdf('cannot be combined with asOf: RDF shows the present state; omit one of them')
}

function rejectRdf(message: string): ApiError {
  return new ApiError('query_invalid', `The query parameter format=dprod ${message}.`, {
    violations: [{ field: 'format', message }],
  })
}

const productsQuery = listQuery
  .extend({
    type: z.string().optional().openapi({
      description: 'The archetype, as documents write it: `consumer-aligned`, `consumerAligned`',
    }),
    archetype: z
      .string()
      .optional()
      .openapi({
        description: 'The same as `type`, from older clients',
        param: { deprecated: true },
      }),
    custom: customFilters,
  })
  .refine(({ type, archetype }) => type === undefined || archetype === undefined, {
    path: ['archetype'],
    message: 'is the same filter as type; send only one of them',
  })

/** Data products can also be listed by their archetype and their custom fields. */
export const listDataProducts = {
  query: productsQuery,
  getOwnFilters: ({ type, archetype }: z.infer<typeof productsQuery>) => ({
    archetype: type === undefined ? archetype : toArchetype(type.trim()),
  }),
}

/** `GET /api/dataproducts/{id}/contracts`: its ports and the contracts that they name. */
export const listPortContracts: Endpoint<'id'> = {
  operation: 'listPortContracts',
  summary: 'List the contracts that the ports of a data product name',
  description: 'A contract that does not exist yet is null; the link comes about when it does.',
  permission: 'any key',
  answers: {
    200: { description: 'The ports that name a contract', schema: z.array(portContract) },
  },
  async handle({ services, caller, params: { id } }) {
    const ports = await listContractPorts(services, caller.organizationId, id)
    return jsonAnswer(200, z.array(portContract), ports)
  },
}
