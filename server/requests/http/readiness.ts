import { ApiError } from '../../platform/errors.ts'
import type { Services } from './endpoint.ts'
import { newStoreProblem } from './store-problem.ts'
import { requireSameSchema } from './writes.ts'

/**
 * Answers whether this process answers reads, and whether it accepts writes; with `for=writes`, it is only ready if it
 * accepts writes. Reads are answered on a database that accepts no writes: if no process were ready then, a load
 * balancer would end them.
 *
 * Errors: query_invalid, schema_newer, schema_older, store_read_only, store_full, StoreUnavailable.
 */
export async function answerReadiness(
  services: Services,
  search: URLSearchParams,
): Promise<Response> {
  const purpose = search.get('for')
  if (purpose !== null && purpose !== 'writes') {
    throw new ApiError('query_invalid', 'The query parameter for must be "writes", or absent.')
  }
  const reason = await services.guard.findObstacle(services.db)
  requireSameSchema(services)
  if (purpose === 'writes' && reason !== undefined) throw newStoreProblem(reason)
  const body = { status: 'ready', writable: reason === undefined, reason }
  return new Response(JSON.stringify(body), { headers: { 'content-type': 'application/json' } })
}
