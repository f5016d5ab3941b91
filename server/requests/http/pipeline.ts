import { randomUUIDv7 } from 'node:crypto'
import type { z } from '@hono/zod-openapi'
import { readSessionToken } from '../access/session.ts'
import { addErrorDetails } from '../access/error-details-service.ts'
import { ApiError, unknownAddress } from '../../platform/errors.ts'
import { StoreUnavailable } from '../../platform/kit/store-errors.ts'
import type { Allowance } from '../../platform/kit/rate-limit.ts'
import { asOneRequest } from '../../platform/kit/request-wait.ts'
import { holdResponse } from './admission.ts'
import { readBody, type Body } from './body.ts'
import { parseParams, getPath, getQuery, type HttpContext, type Pipeline } from './context.ts'
import type { Surface } from './credentials.ts'
import type { Answer, Route, UnreadCall } from './endpoint.ts'
import {
  admitRequester,
  authenticateCaller,
  toRequester,
  identifyForRoute,
  type Requester,
} from './identification.ts'
import { inTurns, type LaneTurn } from './lanes.ts'
import { inPieces, LARGE_CHARS_MIN } from './pieces.ts'
import { requireWithinKey } from './missing-permission.ts'
import { problemAnswer } from './problem.ts'
import { readSearch } from './query.ts'
import { account, noteDirectoryRequest } from './request-log.ts'
import { answerTraced } from './request-trace.ts'
import { reportStoreProblem } from './store-problem.ts'
import { answerOnStore, requireWritable } from './writes.ts'

const NO_BODY: Body = { text: '', mediaType: 'application/json' }
const REQUEST_ID = /^[\w.-]{1,64}$/

/**
 * Answers a request to a route. The order of the checks is fixed, so that an error reveals nothing that a
 * later check protects: credentials, overload, route and method, limits of the key, path ids, body, and then
 * those of the endpoint: permission, preconditions, content, state.
 */
export async function answerRouted(
  pipeline: Pipeline,
  context: HttpContext,
  surface: Surface,
  route: Route,
): Promise<Response> {
  const identified = (client: string): Promise<Requester> =>
    identifyForRoute(pipeline, context, surface, route, client)
  const asked = { pattern: route.path, identified }
  return await answerWho(pipeline, context, asked, async (who, requestId, headers) => {
    // Responses to pages are personal and must not be cached.
    if (surface === 'ui') headers['cache-control'] = 'no-store'
    return await answerRoute(pipeline, context, surface, { route, who, requestId })
  })
}

/**
 * Answers a request under `/api` or `/ui` that matches no route, after the same checks. `methods` are the
 * methods of the path, if it exists. `advice` is added to the error for another method.
 */
export async function answerUnrouted(
  pipeline: Pipeline,
  context: HttpContext,
  surface: Surface,
  methods: readonly string[],
  advice = '',
): Promise<Response> {
  const identified = async (client: string): Promise<Requester> =>
    toRequester(await authenticateCaller(pipeline, context, surface), client)
  const asked = { pattern: 'unmatched', identified }
  return await answerWho(pipeline, context, asked, async (_who, _id, headers) => {
    if (methods.length === 0) throw unknownAddress()
    headers['allow'] = methods.join(', ')
    throw new ApiError(
      'method_not_allowed',
      `This address takes ${headers['allow']}, not ${context.req.method}.${advice}`,
    )
  })
}

/** A request whose caller `identified` authenticates. */
interface Identifiable {
  pattern: string
  identified: (client: string) => Promise<Requester>
}

type Work = (who: Requester, requestId: string, headers: Record<string, string>) => Promise<Answer>

// Headers are set before the response is created: changing those of a finished response costs the adapter a
// copy.
async function answerWho(
  pipeline: Pipeline,
  context: HttpContext,
  asked: Identifiable,
  work: Work,
): Promise<Response> {
  return await answerTraced(pipeline, context, asked.pattern, () =>
    asOneRequest(() => answerAndAccount(pipeline, context, asked, work)),
  )
}

async function answerAndAccount(
  pipeline: Pipeline,
  context: HttpContext,
  { pattern, identified }: Identifiable,
  work: Work,
): Promise<Response> {
  const startedAtMs = performance.now()
  const requestId = getRequestId(context)
  const headers: Record<string, string> = { ...pipeline.headers, 'x-request-id': requestId }
  let who: Requester | undefined
  let response: Response
  let refusal: ApiError | undefined
  try {
    who = await admitRequester(pipeline, context, identified)
    const allowance = pipeline.rateLimit(who.name)
    headers['ratelimit-policy'] = `"key";q=${pipeline.requestsPerMinute};w=60`
    headers['ratelimit'] = `"key";r=${allowance.remaining};t=${allowance.resetSeconds}`
    refuseExcess(allowance)
    pipeline.admission.assertRoom(who.pot, who.name)
    const answer = await work(who, requestId, headers)
    holdResponse(pipeline.admission, context.env?.outgoing, [who.name, who.client], answer.body)
    response = toResponse(answer, context, headers)
  } catch (error) {
    const apiError = await explain(pipeline, who, toApiError(error, pipeline, requestId), requestId)
    const isFlood = apiError.code === 'upload_budget_exceeded' && pipeline.uploads.isFlooded
    if (isFlood) headers['connection'] = 'close'
    response = problemAnswer(apiError, getPath(context), headers)
    pipeline.metrics.countProblem(apiError.code)
    refusal = apiError
  }
  if (who?.caller !== undefined) {
    noteDirectoryRequest(pipeline, context, who.caller, { requestId, error: refusal })
  }
  const caller = who?.caller?.principal ?? (who?.person === undefined ? undefined : who.name)
  account(pipeline, { context, pattern, status: response.status, startedAtMs, requestId, caller })
  return response
}

/**
 * Answers a request outside of the API that needs no key, with the same log line, metrics and problem
 * answers.
 */
export async function answerPublic(
  pipeline: Pipeline,
  context: HttpContext,
  pattern: string,
  work: (requestId: string) => Promise<Response>,
): Promise<Response> {
  return await answerTraced(pipeline, context, pattern, () =>
    answerOpenly(pipeline, context, pattern, work),
  )
}

async function answerOpenly(
  pipeline: Pipeline,
  context: HttpContext,
  pattern: string,
  work: (requestId: string) => Promise<Response>,
): Promise<Response> {
  const startedAtMs = performance.now()
  const requestId = getRequestId(context)
  const response = await asOneRequest(async () => {
    try {
      return await work(requestId)
    } catch (error) {
      const apiError = toApiError(error, pipeline, requestId)
      pipeline.metrics.countProblem(apiError.code)
      return problemAnswer(apiError, getPath(context))
    }
  })
  const { headers } = response
  for (const [name, value] of Object.entries(pipeline.headers)) headers.set(name, value)
  headers.set('x-request-id', requestId)
  account(pipeline, { context, pattern, status: response.status, startedAtMs, requestId })
  return response
}

/** A request to a route by an authenticated caller. */
interface RoutedRequest {
  route: Route
  who: Requester
  requestId: string
}

async function answerRoute(
  pipeline: Pipeline,
  context: HttpContext,
  surface: Surface,
  asked: RoutedRequest,
): Promise<Answer> {
  const { services } = pipeline
  const { route, who } = asked
  const { caller } = who
  if (caller !== undefined) requireWithinKey(caller, route)
  if (route.method !== 'GET') requireWritable(services)
  const path = getPath(context)
  const params = parseParams(route, path)
  const rule = route.described.body
  if (rule === undefined)
    return await workOn(pipeline, context, surface, { ...asked, params, path })
  const { uploads } = pipeline
  const reservation = uploads.reserve([who.name, who.client])
  try {
    const source = { request: context.req.raw, incoming: context.env?.incoming }
    const body = await readBody(source, rule, uploads, reservation)
    return await workOn(pipeline, context, surface, { ...asked, params, path, body })
  } finally {
    reservation.release()
  }
}

/** A request with its complete body. */
interface CompleteRequest extends RoutedRequest {
  params: Record<string, string>
  path: string
  body?: Body
}

async function workOn(
  pipeline: Pipeline,
  context: HttpContext,
  surface: Surface,
  { route, who, requestId, params, path, body = NO_BODY }: CompleteRequest,
): Promise<Answer> {
  const { services } = pipeline
  const { caller, person, client } = who
  const search = new URLSearchParams(getQuery(context))
  const { headers } = context.req.raw
  const call: UnreadCall = {
    services,
    caller,
    person,
    params,
    search,
    headers,
    body,
    path,
    requestId,
    client,
    sessionToken: readSessionToken(headers),
  }
  const readQuery = <Q>(schema: z.ZodType<Q>): Q => readSearch(schema, search)
  const attempt = (asked: UnreadCall): Promise<Answer> =>
    answerOnStore(services, { isRead: route.method === 'GET' }, () =>
      route.answer(asked, readQuery),
    )
  const answer = async (): Promise<Answer> => {
    try {
      return await attempt(call)
    } catch (error) {
      // Permissions may be cached for a moment; a rejection is checked without the cache.
      if (!(error instanceof ApiError) || error.code !== 'permission_missing') throw error
      if (caller === undefined) throw error
      const uncached = await authenticateCaller(pipeline, context, surface, true)
      return await attempt({ ...call, caller: uncached })
    }
  }
  const turn = toTurn(route, who, call)
  const leave = pipeline.admission.enter(who.pot, who.name)
  try {
    const complete = await services.lanes.run(turn, answer)
    if (!(complete.body instanceof ReadableStream)) return complete
    return { ...complete, body: inTurns(services.lanes, turn, complete.body) }
  } finally {
    leave()
  }
}

// An organization is one flow, with any number of keys and people; all visitors together are another one.
function toTurn(route: Route, who: Requester, { search, body }: UnreadCall): LaneTurn {
  const { caller, person, name } = who
  const visitors = person === undefined ? 'public' : name
  const lane = typeof route.lane === 'function' ? route.lane(search) : route.lane
  return {
    lane: body.text.length < LARGE_CHARS_MIN ? lane : 'bulk',
    flow: [caller?.organizationId ?? visitors, name],
    route: `${route.method} ${route.path}`,
    isWrite: route.method !== 'GET',
    isShort: route.described.isShort === true,
  }
}

function refuseExcess(allowance: Allowance): void {
  if (allowance.allowed) return
  throw new ApiError(
    'too_many_requests',
    'This key, person or client has used up the requests of this minute.',
    { retryAfterSeconds: allowance.resetSeconds },
  )
}

function toResponse(answer: Answer, context: HttpContext, more: Record<string, string>): Response {
  const headers: Record<string, string> = { ...answer.headers, ...more }
  if (answer.mediaType !== undefined) headers['content-type'] = answer.mediaType
  const body = context.req.method === 'HEAD' ? null : (answer.body ?? null)
  const { status } = answer
  if (typeof body !== 'string' || body.length < LARGE_CHARS_MIN) {
    return new Response(body, { status, headers })
  }
  headers['content-length'] = String(Buffer.byteLength(body))
  return new Response(inPieces(body), { status, headers })
}

function toApiError(error: unknown, { services }: Pipeline, requestId: string): ApiError {
  if (error instanceof ApiError) return error
  if (error instanceof StoreUnavailable) {
    return reportStoreProblem(services.log, requestId, error)
  }
  services.log.error({ requestId, err: error }, 'a request failed unexpectedly')
  return new ApiError('internal', `Something went wrong here, not with the request ${requestId}.`)
}

// Returns the error unchanged if the database has nothing to add.
async function explain(
  { services }: Pipeline,
  who: Requester | undefined,
  apiError: ApiError,
  requestId: string,
): Promise<ApiError> {
  try {
    return await addErrorDetails(services.db, who?.caller, apiError)
  } catch (error) {
    services.log.warn({ requestId, err: error }, 'an error could not be explained')
    return apiError
  }
}

function getRequestId(context: HttpContext): string {
  const sent = context.req.raw.headers.get('x-request-id')
  return sent !== null && REQUEST_ID.test(sent) ? sent : randomUUIDv7()
}
