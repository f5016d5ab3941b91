import { z } from '@hono/zod-openapi'
import { jsonAnswer, type Endpoint } from '../../requests/http/endpoint.ts'
import { listLatestOfContract, listLatestOfProduct } from './service.ts'
import { testResultSummary } from './test-result.ts'

const latest = z.array(testResultSummary)

/** `GET /ui/datacontracts/{id}/test-results`: the newest result for each server of a contract. */
export const getContractTests: Endpoint<'id'> = {
  operation: 'getContractTests',
  summary: 'List the newest test result for each server of a data contract',
  permission: 'a session',
  answers: {
    200: {
      description: 'The results, newest first; none of branches and dry runs',
      schema: latest,
    },
  },
  async handle({ services, caller, params: { id } }) {
    const results = await listLatestOfContract(services.db, caller.organizationId, id)
    return jsonAnswer(200, latest, results)
  },
}

/** `GET /ui/dataproducts/{id}/test-results`: the newest results for the output ports of a product. */
export const getProductTests: Endpoint<'id'> = {
  operation: 'getProductTests',
  summary: 'List the newest test results for the output ports of a data product',
  description:
    'For each contract: the newest result that names no data product, and the newest one for each output port of this product.',
  permission: 'a session',
  answers: {
    200: {
      description: 'The results, newest first; none of branches and dry runs',
      schema: latest,
    },
  },
  async handle({ services, caller, params: { id } }) {
    const results = await listLatestOfProduct(services.db, caller.organizationId, id)
    return jsonAnswer(200, latest, results)
  },
}
