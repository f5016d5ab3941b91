import { z } from '@hono/zod-openapi'
import { jsonAnswer, type Endpoint } from '../../requests/http/endpoint.ts'
import { createSizeParameter, nextPageLink, pageParameter } from '../../requests/http/paging.ts'
import { contractCheck } from './check.ts'
import { listChecks } from './check-service.ts'

const CHECKS_ON_PAGE = 100

const query = z.object({
  server: z.string().optional().openapi({
    description: 'Only the checks on this server; empty = those of results that name none',
  }),
  p: pageParameter,
  size: createSizeParameter(CHECKS_ON_PAGE),
})

const answer = z.array(contractCheck)

/** `GET /api/datacontracts/{id}/checks`: the checks of a contract over time. */
export const listContractChecks: Endpoint<'id', z.infer<typeof query>> = {
  operation: 'listContractChecks',
  summary: 'List the checks of a data contract with their newest outcomes, the failing ones first',
  description:
    'One entry for each check, server and output port, of all programs that publish test results. `rulePointer` is the quality rule of the contract that the check is about. Results of branches and dry runs do not count.',
  permission: 'any key',
  query,
  answers: {
    200: {
      description: 'At most `size` checks, each with at most 60 outcomes',
      schema: answer,
      headers: { link: 'The next page, when there is one' },
    },
  },
  async handle({ services, caller, params: { id }, query: asked, path, search }) {
    const { p: page, size, server } = asked
    const filter = { contractId: id, server }
    const { checks, hasNext } = await listChecks(services, caller.organizationId, filter, {
      page,
      size,
    })
    const headers = hasNext ? { link: nextPageLink(path, search, page) } : {}
    return jsonAnswer(200, answer, checks, headers)
  },
}
