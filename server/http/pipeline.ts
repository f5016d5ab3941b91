import type { Context } from 'hono'
import { randomUUIDv7 } from 'node:crypto'
import type { z } from '@hono/zod-openapi'
import type { Person } from '../access/authenticate.ts'
import type { Caller } from '../access/caller.ts'
import { sessionTokenOf } from '../access/session.ts'
import { Refusal, type Violation } from '../errors.ts'
import { StoreUnavailable } from '../kit/connection.ts'
import type { Metrics } from '../kit/metrics.ts'
import type { Allowance } from '../kit/rate-limit.ts'
import { readBody, type Body } from './body.ts'
import { clientOf } from './client-address.ts'
import { identify, identifyPerson, requireVisitor, type Door } from './credentials.ts'
import type { Answer, Route, Services, UnreadCall } from './endpoint.ts'
import { idOf, rawPath } from './path.ts'
import { problemAnswer } from './problem.ts'
import { answerOnStore, requireWritable } from './writes.ts'

/** What the pipeline adds to the server's own parts of a request. */
export interface HttpEnvironment {
  Bindings: { incoming?: { url?: string; socket?: { remoteAddress?: string } } }
}

type HttpContext = Context<HttpEnvironment>

/** What every request of the API goes through, and how it is accounted for. */
export interface Pipeline {
  services: Services
  metrics: Metrics
  rateLimit: (caller: string) => Allowance
  requestsPerMinute: number
}

/** Requests that one process works on at once; one more is told to come back. */
const IN_FLIGHT_MAX = 1000
const STORE_RETRY_SECONDS = 2
const NO_BODY: Body = { text: '', mediaType: 'application/json' }
const REQUEST_ID = /^[\w.-]{1,64}$/

let inFlightCount = 0

/**
 * Answers a request of the API, or of the pages' own endpoints. The checks come in one order, so that
 * a code tells nothing that a later check would have hidden: credentials, overload, route and method,
 * read-only key, path ids, body, and then the endpoint's own: permission, preconditions, meaning,
 * state.
 */
export async function answerRouted(
  pipeline: Pipeline,
  context: HttpContext,
  door: Door,
  route: Route,
): Promise<Response> {
  const identified = (): Promise<Who> => whoMakes(pipeline, context, door, route)
  const asked = { pattern: route.path, identified }
  return await answerWho(pipeline, context, asked, async (who, requestId, headers) => {
    // What the pages read is somebody's own: no cache may keep it for the next one.
    if (door === 'ui') headers['cache-control'] = 'no-store'
    return await answerRoute(pipeline, context, door, { route, who, requestId })
  })
}

/**
 * Answers a request under `/api` or `/ui` that no route is for, with the same checks before it says
 * so. `methods` are those that the path has; none = there is no such path.
 */
export async function answerUnrouted(
  pipeline: Pipeline,
  context: HttpContext,
  door: Door,
  methods: readonly string[],
): Promise<Response> {
  const identified = async (): Promise<Who> => whoIs(await callerOf(pipeline, context, door))
  const asked = { pattern: 'unmatched', identified }
  return await answerWho(pipeline, context, asked, async (_who, _id, headers) => {
    if (methods.length === 0) {
      throw new Refusal(
        'not_found',
        'There is no such address. /openapi.json lists all that there are.',
      )
    }
    headers['allow'] = methods.join(', ')
    throw new Refusal(
      'method_not_allowed',
      `This address takes ${headers['allow']}, not ${context.req.method}.`,
    )
  })
}

/** Who makes a request, as its route's rule found out. */
interface Who {
  caller?: Caller
  person?: Person
  /** What requests are counted by: the key or person, or where the request comes from. */
  name: string
}

type Work = (who: Who, requestId: string, headers: Record<string, string>) => Promise<Answer>

function whoIs(caller: Caller): Who {
  return { caller, name: caller.principal }
}

async function whoMakes(
  pipeline: Pipeline,
  context: HttpContext,
  door: Door,
  { described }: Route,
): Promise<Who> {
  const { authenticator, baseUrl } = pipeline.services
  const request = context.req.raw
  if (described.permission === 'anybody') {
    requireVisitor(request, baseUrl)
    return { name: `client:${clientIn(context)}` }
  }
  if (described.permission === 'anybody who is signed in') {
    const person = await identifyPerson(authenticator, request, baseUrl)
    return { person, name: `user:${person.userId}` }
  }
  return whoIs(await callerOf(pipeline, context, door))
}

function clientIn(context: HttpContext): string {
  return clientOf(context.env?.incoming?.socket?.remoteAddress, context.req.raw.headers)
}

// Headers are complete before a response is made of them: to touch those of a finished response
// costs the adapter a second set of them.
async function answerWho(
  pipeline: Pipeline,
  context: HttpContext,
  { pattern, identified }: { pattern: string; identified: () => Promise<Who> },
  work: Work,
): Promise<Response> {
  const startedAtMs = performance.now()
  const requestId = requestIdOf(context)
  const headers: Record<string, string> = { 'x-request-id': requestId }
  let who: Who | undefined
  let response: Response
  inFlightCount += 1
  try {
    who = await identified()
    const allowance = pipeline.rateLimit(who.name)
    headers['ratelimit-policy'] = `"key";q=${pipeline.requestsPerMinute};w=60`
    headers['ratelimit'] = `"key";r=${allowance.remaining};t=${allowance.resetSeconds}`
    refuseOverload(allowance)
    response = responseOf(await work(who, requestId, headers), context, headers)
  } catch (error) {
    response = problemAnswer(refusalOf(error, pipeline, requestId), pathOf(context), headers)
  } finally {
    inFlightCount -= 1
  }
  const { status } = response
  const caller = who?.caller?.principal ?? (who?.person === undefined ? undefined : who.name)
  account(pipeline, { context, pattern, status, startedAtMs, requestId, caller })
  return response
}

/**
 * Answers a request outside of the API, which needs no key, with the same accounting: a line in the
 * log, a number in the metrics, a problem when it fails.
 */
export async function answerPublic(
  pipeline: Pipeline,
  context: HttpContext,
  pattern: string,
  work: () => Promise<Response>,
): Promise<Response> {
  const startedAtMs = performance.now()
  const requestId = requestIdOf(context)
  let response: Response
  try {
    response = await work()
  } catch (error) {
    response = problemAnswer(refusalOf(error, pipeline, requestId), pathOf(context))
  }
  response.headers.set('x-request-id', requestId)
  account(pipeline, { context, pattern, status: response.status, startedAtMs, requestId })
  return response
}

async function answerRoute(
  pipeline: Pipeline,
  context: HttpContext,
  door: Door,
  { route, who, requestId }: { route: Route; who: Who; requestId: string },
): Promise<Answer> {
  const { services } = pipeline
  const { caller, person } = who
  if (caller?.readOnly === true && route.method !== 'GET') {
    throw new Refusal('read_only_key', 'This key is read-only: it may not change anything.')
  }
  if (route.method !== 'GET') requireWritable(services)
  const path = pathOf(context)
  const params = paramsOf(route, path)
  const search = new URLSearchParams(queryOf(context))
  const rule = route.described.body
  const body = rule === undefined ? NO_BODY : await readBody(context.req.raw, rule)
  const headers = context.req.raw.headers
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
    client: clientIn(context),
    sessionToken: sessionTokenOf(headers),
  }
  const readQuery = <Q>(schema: z.ZodType<Q>): Q => readSearch(schema, search)
  try {
    return await answerOnStore(services, () => route.answer(call, readQuery))
  } catch (error) {
    // A refusal is never made from memory: what was granted a moment ago counts.
    if (!(error instanceof Refusal) || error.code !== 'permission_missing') throw error
    if (caller === undefined) throw error
    const afresh = await callerOf(pipeline, context, door, true)
    return await route.answer({ ...call, caller: afresh }, readQuery)
  }
}

function callerOf(
  { services }: Pipeline,
  context: HttpContext,
  door: Door,
  afresh = false,
): Promise<Caller> {
  const { baseUrl, authenticator } = services
  return identify(authenticator, door, context.req.raw, { baseUrl, afresh })
}

function refuseOverload(allowance: Allowance): void {
  if (!allowance.allowed) {
    throw new Refusal(
      'too_many_requests',
      'This key, person or client has used up the requests of this minute.',
      {
        retryAfterSeconds: allowance.resetSeconds,
      },
    )
  }
  if (inFlightCount > IN_FLIGHT_MAX) {
    throw new Refusal('overloaded', 'Too many requests at once. Try again shortly.', {
      retryAfterSeconds: 1,
    })
  }
}

/** The raw target of a request: what the client wrote, or the URL when there was no socket. */
export function targetOf(request: Request, incoming: { url?: string } | undefined): string {
  return incoming?.url ?? request.url
}

function pathOf(context: HttpContext): string {
  return rawPath(targetOf(context.req.raw, context.env?.incoming))
}

function queryOf(context: HttpContext): string {
  const target = targetOf(context.req.raw, context.env?.incoming)
  const start = target.indexOf('?')
  return start === -1 ? '' : (target.slice(start + 1).split('#')[0] ?? '')
}

function paramsOf({ described, path: pattern }: Route, path: string): Record<string, string> {
  if (described.params.length === 0) return {}
  const segments = path.split('/')
  const names = pattern.split('/')
  const params: Record<string, string> = {}
  for (let at = 0; at < names.length; at += 1) {
    const name = names[at]
    if (name?.startsWith('{') === true) params[name.slice(1, -1)] = idOf(segments[at] ?? '')
  }
  return params
}

/** Reads a query by its schema: a parameter that may repeat is a list. Errors: query_invalid. */
function readSearch<Q>(schema: z.ZodType<Q>, search: URLSearchParams): Q {
  const values = new Map<string, string | string[]>()
  for (const name of new Set(search.keys())) {
    const all = search.getAll(name)
    // No store can hold a NUL, nor look for one.
    if (all.some((value) => value.includes('\0'))) throw invalidQuery(name, 'holds a NUL character')
    values.set(name, all.length === 1 ? (all[0] ?? '') : all)
  }
  const read = schema.safeParse(Object.fromEntries(values))
  if (read.success) return read.data
  const [first, ...more] = read.error.issues.map(({ path, message }) => ({
    field: path.join('.'),
    message,
  }))
  throw invalidQuery(first?.field ?? '', first?.message ?? 'is wrong', more)
}

function invalidQuery(field: string, message: string, more: readonly Violation[] = []): Refusal {
  return new Refusal('query_invalid', `The query parameter ${field} ${message}.`, {
    violations: [{ field, message }, ...more],
  })
}

function responseOf(answer: Answer, context: HttpContext, more: Record<string, string>): Response {
  const headers: Record<string, string> = {
    'x-content-type-options': 'nosniff',
    ...answer.headers,
    ...more,
  }
  if (answer.mediaType !== undefined) headers['content-type'] = answer.mediaType
  const body = context.req.method === 'HEAD' ? null : (answer.body ?? null)
  return new Response(body, { status: answer.status, headers })
}

function refusalOf(error: unknown, { services }: Pipeline, requestId: string): Refusal {
  if (error instanceof Refusal) return error
  if (error instanceof StoreUnavailable) {
    services.log.warn({ requestId, err: error }, 'the store did not answer')
    return new Refusal('store_unavailable', 'The store cannot be reached. Try again shortly.', {
      retryAfterSeconds: STORE_RETRY_SECONDS,
    })
  }
  services.log.error({ requestId, err: error }, 'a request failed unexpectedly')
  return new Refusal('internal', `Something went wrong here, not with the request ${requestId}.`)
}

function requestIdOf(context: HttpContext): string {
  const sent = context.req.raw.headers.get('x-request-id')
  return sent !== null && REQUEST_ID.test(sent) ? sent : randomUUIDv7()
}

interface Answered {
  context: HttpContext
  /** The route's pattern, never the path itself: it has few values and no one's ids. */
  pattern: string
  status: number
  startedAtMs: number
  requestId: string
  /** The key or person by its principal; undefined = nobody is known. */
  caller?: string | undefined
}

function account({ metrics, services }: Pipeline, answered: Answered): void {
  const { context, pattern, status, requestId, caller } = answered
  const milliseconds = performance.now() - answered.startedAtMs
  const { method } = context.req
  metrics.observe(method, pattern, status, milliseconds / 1000)
  const ms = Math.round(milliseconds * 100) / 100
  services.log.info({ method, route: pattern, status, ms, caller, requestId })
}
