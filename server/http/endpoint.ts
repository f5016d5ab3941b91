import type { z } from '@hono/zod-openapi'
import type { Authenticator } from '../access/authenticate.ts'
import type { Caller } from '../access/caller.ts'
import type { Permission } from '../access/permission.ts'
import type { Clock } from '../kit/clock.ts'
import type { Dialer } from '../kit/dialer.ts'
import type { Log } from '../kit/log.ts'
import type { SecretBox } from '../kit/secret-box.ts'
import type { Signals } from '../kit/signals.ts'
import type { Database } from '../tables.ts'
import type { Body, BodyRule } from './body.ts'

/** What handlers work with: opened once at start, the same for every request. */
export interface Services {
  db: Database
  /** For the few statements that may take long: no request that must be quick waits for its connections. */
  bulkDb: Database
  clock: Clock
  authenticator: Authenticator
  /** Runs work on one key one at a time in this process. */
  inTurn: <T>(key: string, work: () => Promise<T>) => Promise<T>
  log: Log
  /** Seals the credentials of sources. */
  secretBox: SecretBox
  /** Makes every connection to a source. */
  dialer: Dialer
  /** Tells the workers of this process at once what the store tells all of them a moment later. */
  runSignals: Signals
  /** The public address, without a slash at its end. */
  baseUrl: string
  /** The last days on which documents in the formats that end are taken, `YYYY-MM-DD` in UTC. */
  dpsUntil: string
  dcsUntil: string
  eventTypePrefix: string
}

/** One request that got through every check that does not need its meaning. */
export interface Call<Name extends string, Query> {
  services: Services
  caller: Caller
  /** The decoded ids of the path. */
  params: Readonly<Record<Name, string>>
  query: Query
  /** The query as it was sent, for links to the next page. */
  search: URLSearchParams
  headers: Headers
  /** Empty for endpoints that take none. */
  body: Body
  /** The raw path, without the query. */
  path: string
  requestId: string
}

/** What an endpoint answers: a text that is ready, or a stream of pieces of one. */
export interface Answer {
  status: number
  headers?: Record<string, string>
  mediaType?: string
  body?: string | ReadableStream<Uint8Array>
}

/** One answer as the documentation tells it. */
export interface DescribedAnswer {
  description: string
  mediaTypes?: readonly string[]
  schema?: z.ZodType
  /** The names of its headers, each with what it says. */
  headers?: Readonly<Record<string, string>>
}

/**
 * Who may call an endpoint: any key, an organization's key, anybody who is signed in, or a permission
 * on something.
 */
export type PermissionRule =
  | 'any key'
  | 'a session'
  | 'an organization key'
  | { needs: readonly Permission[]; on: string }

/** An endpoint without its address: what it takes, who may call it, what it answers. */
export interface Endpoint<Name extends string, Query> {
  /** The name of the operation, a verb and a noun, for generated clients. */
  operation: string
  summary: string
  description?: string
  permission: PermissionRule
  params: readonly Name[]
  query: z.ZodType<Query>
  body?: BodyRule & { schema: z.ZodType; description: string }
  answers: Readonly<Record<number, DescribedAnswer>>
  handle(call: Call<Name, Query>): Promise<Answer>
}

/** The methods that the API uses. */
export type Method = 'GET' | 'PUT' | 'POST' | 'DELETE'

/** What a route hands to its endpoint once the path has matched. */
export type UnreadCall = Omit<Call<string, unknown>, 'query' | 'params'> & {
  params: Readonly<Record<string, string>>
}

/** A row of the endpoint table: an address and its endpoint, whose own types are closed over. */
export interface Route {
  method: Method
  /** With the ids in braces: `/api/teams/{id}`. */
  path: string
  described: Omit<Endpoint<string, unknown>, 'handle'>
  /** Reads the query; undefined when it is right. Errors: Refusal query_invalid. */
  answer(call: UnreadCall, readQuery: <Q>(schema: z.ZodType<Q>) => Q): Promise<Answer>
}

/**
 * Makes a row of the endpoint table. It throws when the path's names are not the endpoint's, or
 * when no permission is declared: such a route must not come into being.
 */
export function route<Name extends string, Query>(
  method: Method,
  path: string,
  endpoint: Endpoint<Name, Query>,
): Route {
  const names = path.matchAll(/\{(\w+)\}/g).map((match) => match[1])
  if ([...names].join() !== endpoint.params.join()) {
    throw new Error(`${method} ${path} and its endpoint name different parameters`)
  }
  if (endpoint.permission === undefined) throw new Error(`${method} ${path} declares no permission`)
  return {
    method,
    path,
    described: endpoint,
    answer(call, readQuery) {
      // The names were compared above, so every one of them is in what the path gave.
      const params = call.params as Readonly<Record<Name, string>>
      return endpoint.handle({ ...call, params, query: readQuery(endpoint.query) })
    },
  }
}

/** Answers with what a schema names of a value: nothing else can leave. */
export function jsonAnswer<T>(
  status: number,
  schema: z.ZodType<T>,
  value: T,
  headers: Record<string, string> = {},
): Answer {
  const body = JSON.stringify(schema.parse(value))
  return { status, headers, mediaType: 'application/json', body }
}

/** The header that programs print for people: where the resource's page is. */
export function pageOf(services: Services, room: string, id: string): Record<string, string> {
  return { 'location-html': `${services.baseUrl}/${room}/${encodeURIComponent(id)}` }
}
