import { z } from '@hono/zod-openapi'
import { isCalendarDate } from '../../platform/kit/clock.ts'
import { jsonAnswer, type Endpoint } from '../../requests/http/endpoint.ts'
import { getStatistics, listFreshness } from './read-service.ts'
import { assetStatistics, contractFreshness } from './statistics.ts'

const date = z
  .string()
  .refine(isCalendarDate, 'must be a date, YYYY-MM-DD')
  .optional()
  .openapi({ format: 'date' })

const period = z.object({ from: date, to: date })

/** `GET /api/assets/{id}/statistics`: the size and the changes of an asset over time. */
export const getAssetStatistics: Endpoint<'id', z.infer<typeof period>> = {
  operation: 'getAssetStatistics',
  summary: 'Get the size and the changes of an asset over time',
  description:
    'The values that its source reports with each run. Days are kept for assets that a data contract is linked with, or a data product names.',
  permission: 'any key',
  query: period,
  answers: { 200: { description: 'The values', schema: assetStatistics } },
  async handle({ services, caller, params: { id }, query: { from, to } }) {
    const statistics = await getStatistics(services, caller.organizationId, id, { from, to })
    return jsonAnswer(200, assetStatistics, statistics)
  },
}

/** `GET /api/datacontracts/{id}/freshness`: whether the data of a contract are as fresh as it promises. */
export const getDataContractFreshness: Endpoint<'id'> = {
  operation: 'getDataContractFreshness',
  summary: 'Compare the age of data with what a data contract promises',
  description:
    'One entry for each model and server whose freshness the contract promises. Times of a change are those that tests, pipelines and sources report.',
  permission: 'any key',
  answers: { 200: { description: 'The models, by server', schema: contractFreshness } },
  async handle({ services, caller, params: { id } }) {
    const freshness = await listFreshness(services, caller.organizationId, id)
    return jsonAnswer(200, contractFreshness, freshness)
  },
}
