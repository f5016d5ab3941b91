import { z } from '@hono/zod-openapi'
import { HIDEABLE_MEMBERS } from '../../../formats/reality/check-detail.ts'
import { CHECK_OUTCOMES } from '../../../formats/reality/check-outcome.ts'
import { jsonAnswer, type Endpoint } from '../../requests/http/endpoint.ts'
import { createSizeParameter, nextPageLink, pageParameter } from '../../requests/http/paging.ts'
import { listResultChecks } from './read-service.ts'

const CHECKS_ON_PAGE = 100

const query = z.object({ p: pageParameter, size: createSizeParameter(CHECKS_ON_PAGE) })

const resultCheck = z
  .object({
    name: z.string(),
    outcome: z.enum(CHECK_OUTCOMES),
    subject: z.string().nullable().openapi({
      description: 'The model and field, such as `orders.order_id`; null = the whole contract',
    }),
    reason: z.string().nullable(),
    measured: z.string().nullable().openapi({
      description: 'The measured value with its limits, such as `3 rows; must be 0`',
    }),
    labels: z.array(z.string()).openapi({ description: 'Its category, dimension and engine' }),
    failedCount: z.number().nullable().openapi({ description: 'The number of rows that failed' }),
    totalCount: z.number().nullable().openapi({ description: 'The number of all rows' }),
    hidden: z.array(z.enum(HIDEABLE_MEMBERS)).openapi({
      description:
        'The members that are null because they may contain data of columns that the caller may not see',
    }),
  })
  .openapi('TestResultCheck')

const answer = z.array(resultCheck)

/** `GET /api/test-results/{id}/checks`: the checks of a test result in one form. */
export const getTestResultChecks: Endpoint<'id', z.infer<typeof query>> = {
  operation: 'listTestResultChecks',
  summary: 'List the checks of a test result, those that did not pass first',
  description:
    'The checks in one form, equal for all programs that send results: clients of this API, datacontract-cli, dbt, Soda, Great Expectations, and observability results of Bitol.',
  permission: 'any key',
  query,
  answers: {
    200: {
      description: 'At most `size` checks',
      schema: answer,
      headers: { link: 'The next page, when there is one' },
    },
  },
  async handle({ services, caller, params: { id }, query: { p: page, size }, path, search }) {
    const { checks, hasNext } = await listResultChecks(services, caller, id, { page, size })
    const headers = hasNext ? { link: nextPageLink(path, search, page) } : {}
    return jsonAnswer(200, answer, checks, headers)
  },
}
