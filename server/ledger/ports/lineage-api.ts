import { z } from '@hono/zod-openapi'
import { jsonAnswer, type Endpoint } from '../../requests/http/endpoint.ts'
import { lineage, LINEAGE_DEPTH_MAX } from './lineage.ts'
import { findLineage } from './lineage-service.ts'

const lineageQuery = z.object({
  depth: z
    .enum(['1', '2', '3'], `must be 1 to ${LINEAGE_DEPTH_MAX}`)
    .default('1')
    .transform(Number)
    .openapi({
      type: 'integer',
      minimum: 1,
      maximum: LINEAGE_DEPTH_MAX,
      default: 1,
      description: 'Steps upstream and downstream',
    }),
})

/** `GET /api/dataproducts/{id}/lineage`: where its data comes from, and where it goes. */
export const getLineage: Endpoint<'id', z.infer<typeof lineageQuery>> = {
  operation: 'getDataProductLineage',
  summary: 'Show what is upstream and downstream of a data product',
  description:
    'Edges run from provider to consumer. A consumer is a product with an input port that names a contract, or an asset, that an output port provides.',
  lane: 'scan',
  permission: 'any key',
  query: lineageQuery,
  answers: { 200: { description: 'At most 200 nodes', schema: lineage } },
  async handle({ services, caller, params: { id }, query: { depth } }) {
    return jsonAnswer(200, lineage, await findLineage(services, caller.organizationId, id, depth))
  },
}
