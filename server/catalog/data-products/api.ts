import { z } from '@hono/zod-openapi'
import { toArchetype } from '../../../formats/data-product/odps.ts'
import type { FoundDocument } from '../../documents/document.ts'
import { getQuery, listQuery } from '../../documents/query.ts'
import { getDocument } from '../../documents/read-service.ts'
import { jsonAnswer, type Endpoint, type Services } from '../../requests/http/endpoint.ts'
import { customFilters } from '../../documents/search/custom-field.ts'
import { portContract } from '../../ledger/ports/port.ts'
import { getOdpsForm, listContractPorts, PRODUCTS } from './service.ts'

const findQuery = getQuery.extend({
  format: z
    .enum(['odps'], 'must be odps')
    .optional()
    .openapi({ description: 'Converts a DPS document to ODPS' }),
})

/** A data product as it was sent, or as ODPS. */
export const findDataProduct = {
  query: findQuery,
  async find(
    { db, offload }: Services,
    organizationId: string,
    id: string,
    { asOf, format }: z.infer<typeof findQuery>,
  ): Promise<FoundDocument> {
    const found = await getDocument(db, PRODUCTS.kind, organizationId, id, asOf)
    const stored = format === 'odps' ? await getOdpsForm(offload, organizationId, found, id) : found
    return { stored, sentIn: found.format }
  },
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
