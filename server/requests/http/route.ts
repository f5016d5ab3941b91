import { z } from '@hono/zod-openapi'
import type { Caller } from '../access/caller.ts'
import type {
  Answer,
  Described,
  Endpoint,
  Method,
  OpenEndpoint,
  PersonEndpoint,
  Route,
  UnreadCall,
} from './endpoint.ts'
import { getDefaultLane } from './lanes.ts'
import { requireOneSomewhere, requireOrganizationKey, requireOwner } from './missing-permission.ts'
import { PAGE_PARAMETERS, rejectUnknownParameters } from './query.ts'
import { findStrippingPath } from './strictness.ts'

/** The rows of the endpoint table: an endpoint at its address, with the checks that it declares. */

/** The names in the braces of a path: `'id'` for `/api/teams/{id}`. */
type PathParameters<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PathParameters<Rest>
  : never

/** Creates a row of the endpoint table. The path must have the parameters of the endpoint. */
export function route<Path extends string, Query>(
  method: Method,
  path: Path,
  endpoint: Endpoint<PathParameters<Path>, Query>,
): Route {
  type Named = Readonly<Record<PathParameters<Path>, string>>
  const row = getRow(method, path, endpoint, ({ params, ...call }, query) =>
    // The path has each of them.
    endpoint.handle({ ...call, caller: found(call.caller), params: params as Named, query }),
  )
  const { requires } = endpoint
  const requireRule = newRuleCheck(endpoint)
  return {
    ...row,
    async answer(call, readQuery) {
      const caller = found(call.caller)
      const { services } = call
      // A check of the path also hides the resources that do not exist for the caller.
      if (requires === undefined) requireRule(caller)
      else await requires({ services, caller, params: call.params })
      return await row.answer(call, readQuery)
    },
  }
}

/** Creates a row for an endpoint that requires a signed-in person but no organization. */
export function personRoute<Path extends string>(
  method: Method,
  path: Path,
  endpoint: PersonEndpoint<PathParameters<Path>>,
): Route {
  type Named = Readonly<Record<PathParameters<Path>, string>>
  return getRow(method, path, endpoint, ({ params, ...call }, query) =>
    // The path has each of them.
    endpoint.handle({ ...call, person: found(call.person), params: params as Named, query }),
  )
}

/** Creates a row for a public endpoint. */
export function openRoute<Query>(
  method: Method,
  path: string,
  endpoint: OpenEndpoint<Query>,
): Route {
  return getRow(method, path, endpoint, (call, query) => endpoint.handle({ ...call, query }))
}

function getRow<Query>(
  method: Method,
  path: string,
  described: Described<Query>,
  handle: (call: UnreadCall, query: Query) => Promise<Answer>,
): Route {
  if (described.permission === undefined) {
    throw new Error(`${method} ${path} declares no permission`)
  }
  const { body } = described
  const stripping = body?.content === 'command' ? findStrippingPath(body.schema) : undefined
  if (stripping !== undefined) {
    throw new Error(`${method} ${path} takes a command whose schema drops members at ${stripping}`)
  }
  const lane = described.lane ?? getDefaultLane(method, path, { isList: isList(described) })
  if (lane === undefined) throw new Error(`${method} ${path} declares no lane`)
  // An endpoint without a schema of its query reads nothing of it.
  const schema = described.query ?? z.preprocess(() => ({}), z.custom<Query>())
  const { isFiltered = isList(described) } = described
  const ignored = method === 'GET' ? PAGE_PARAMETERS : []
  const names = isFiltered ? getParameterNames(described) : undefined
  return {
    method,
    path,
    described,
    lane,
    answer(call, readQuery) {
      if (names !== undefined) rejectUnknownParameters(call.search, names, ignored)
      return handle(call, readQuery(schema))
    },
  }
}

/**
 * Returns the check of an endpoint's rule that needs neither its body nor its query: a caller who has none of the needed
 * permissions anywhere is rejected. It does nothing for requests that cannot lack anything, neither a body nor a required
 * parameter: their handlers check the permission first.
 */
function newRuleCheck({ permission, body, query }: Described<unknown>): (caller: Caller) => void {
  const mayBeIncomplete = body !== undefined || query?.safeParse({}).success === false
  if (!mayBeIncomplete) return () => {}
  if (permission === 'an owner of the organization') return (caller) => requireOwner(caller)
  if (permission === 'an organization key') return requireOrganizationKey
  if (typeof permission === 'string' || permission.hasAlternative === true) return () => {}
  return (caller) => requireOneSomewhere(caller, permission.needs)
}

function isList({ answers }: Described<unknown>): boolean {
  return answers[200]?.schema instanceof z.ZodArray
}

function getParameterNames({ query }: Described<unknown>): string[] {
  return query instanceof z.ZodObject ? Object.keys(query.shape) : []
}

function found<Who>(who: Who | undefined): Who {
  if (who === undefined) throw new Error('a request came to an endpoint without its caller')
  return who
}
