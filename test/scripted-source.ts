/**
 * A scripted source: an Iceberg REST catalog on a model in memory, which the test changes between runs. It
 * fails, returns wrong or partial data, drips or stalls at requests that the test selects.
 *
 *     const source = await startScriptedSource()
 *     source.state.table('sales', 'orders', { id: 'long required', note: 'string' })
 *     source.fail('table sales.orders', { status: 500 }, 1)
 *     const stalled = source.stall('tables sales')
 *     …
 *     await stalled.reached
 *     stalled.release()
 *
 * Requests have names: `config`, `token`, `namespaces`, `namespaces sales` (those below it),
 * `namespace sales`, `tables sales`, `table sales.orders`, `views sales`, `view sales.paid`; nested
 * namespaces are named with dots. `*` matches any text: `table sales.*`.
 */

import { hash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text as readStream } from 'node:stream/consumers'
import {
  describeConfig,
  errorReply,
  takePage,
  sendReply,
  type How,
  type Reply,
} from './scripted-reply.ts'
import { getRoute, type ScriptedRoute } from './scripted-route.ts'
import { newScriptedState, type ScriptedState } from './scripted-state.ts'

/** A received request. */
export interface ScriptedRequest {
  /** Its name, as described above. */
  name: string
  /** The page of a listing, from 0. */
  page: number
  method: string
  /** The target as sent, with its query. */
  target: string
  headers: IncomingMessage['headers']
  body: string
}

/** Selects requests: by name, with `*` for any text, or with a function. */
export type When = string | ((request: ScriptedRequest) => boolean)

/** The credentials that the source requires. */
export type ScriptedAccess =
  | { kind: 'none' }
  | { kind: 'token'; token: string }
  | { kind: 'oauth2'; clientId: string; clientSecret: string; expiresInSeconds?: number }

/** A running source. */
export interface ScriptedSource {
  /** The URL without a slash at its end. */
  url: string
  state: ScriptedState
  /** The required credentials; none at first. */
  access: ScriptedAccess
  /** The number of objects on a page of a listing. */
  pageSize: number
  /** The part between the version and the rest of every path, as returned by `config`. */
  prefix: string | undefined
  /** Whether `config` lists the endpoints of views. */
  offersViews: boolean
  /** Returns the entity tag of a loaded table; undefined = none. */
  getEntityTag: (body: object) => string | undefined
  /** Dotted names of tables that listings do not show, and that may not be loaded. */
  hidden: Set<string>
  /** All received requests. */
  requests: ScriptedRequest[]
  /** Returns the number of received requests. */
  count(when: When): number
  /**
   * Fails the next `times` requests that match; the latest call takes precedence. The returned function
   * ends it.
   */
  fail(when: When, how: How, times?: number): () => void
  /** Ends all failures and stalls. */
  heal(): void
  /** Stalls matching requests until they are released; the first one resolves `reached`. */
  stall(when: When): { reached: Promise<ScriptedRequest>; release(): void }
  /** Invalidates all issued tokens. */
  expireTokens(): void
  close(): Promise<void>
}

interface Fault {
  when: When
  how: How
  left: number
}

interface Stall {
  when: When
  reach(request: ScriptedRequest): void
  released: Promise<void>
  release(): void
}

/** The state of a source between requests. */
interface Stage {
  source: ScriptedSource
  faults: Fault[]
  stalls: Stall[]
  tokens: Set<string>
}

/** Starts an empty source on loopback. */
export async function startScriptedSource(
  options: { pageSize?: number; prefix?: string } = {},
): Promise<ScriptedSource> {
  const server = createServer((request, response) => {
    response.on('error', () => {})
    answer(stage, request, response).catch((error: unknown) => {
      response.destroy(error instanceof Error ? error : new Error(String(error)))
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const stage: Stage = {
    faults: [],
    stalls: [],
    tokens: new Set(),
    source: {
      url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      state: newScriptedState(),
      access: { kind: 'none' },
      pageSize: options.pageSize ?? 100,
      getEntityTag: (body) => `"${hash('sha256', JSON.stringify(body))}"`,
      prefix: options.prefix,
      offersViews: true,
      hidden: new Set(),
      requests: [],
      count: (when) => stage.source.requests.filter((each) => isMeant(when, each)).length,
      fail(when, how, times = Infinity) {
        const fault = { when, how, left: times }
        stage.faults.unshift(fault)
        return () => void (fault.left = 0)
      },
      heal() {
        stage.faults.length = 0
        for (const { release } of stage.stalls.splice(0)) release()
      },
      stall: (when) => stallAt(stage, when),
      expireTokens: () => stage.tokens.clear(),
      async close() {
        stage.source.heal()
        if (!server.listening) return
        server.close()
        server.closeAllConnections()
        await once(server, 'close')
      },
    },
  }
  return stage.source
}

function stallAt(stage: Stage, when: When): ReturnType<ScriptedSource['stall']> {
  const reached = Promise.withResolvers<ScriptedRequest>()
  const released = Promise.withResolvers<void>()
  const stall: Stall = {
    when,
    reach: reached.resolve,
    released: released.promise,
    release() {
      stage.stalls = stage.stalls.filter((other) => other !== stall)
      released.resolve()
    },
  }
  stage.stalls.push(stall)
  return { reached: reached.promise, release: stall.release }
}

function isMeant(when: When, request: ScriptedRequest): boolean {
  if (typeof when === 'function') return when(request)
  const pattern = when.split('*').map((part) => part.replaceAll(/[.?+^$()[\]{}|\\]/g, '\\$&'))
  return new RegExp(`^${pattern.join('.*')}$`, 's').test(request.name)
}

async function answer(
  stage: Stage,
  incoming: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { source } = stage
  const url = new URL(incoming.url ?? '', source.url)
  const route = getRoute(url, source.prefix)
  const request: ScriptedRequest = {
    name: route.name,
    page: Number(/^\D?(\d+)\//.exec(url.searchParams.get('pageToken') ?? '')?.[1] ?? 0),
    method: incoming.method ?? '',
    target: incoming.url ?? '',
    headers: incoming.headers,
    body: await readStream(incoming),
  }
  source.requests.push(request)
  const stall = stage.stalls.find(({ when }) => isMeant(when, request))
  stall?.reach(request)
  await stall?.released
  if (response.destroyed) return
  const fault = stage.faults.find(({ when, left }) => left > 0 && isMeant(when, request))
  if (fault) fault.left -= 1
  const rejection = route.kind === 'token' ? undefined : rejectUnauthorized(stage, request)
  const reply = rejection ?? replyTo(stage, route, request, url, fault?.how)
  await sendReply(response, reply, fault?.how)
}

function rejectUnauthorized(
  { source, tokens }: Stage,
  { headers }: ScriptedRequest,
): Reply | undefined {
  const { access } = source
  const sent = /^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1] ?? ''
  const isKnown =
    access.kind === 'none' || (access.kind === 'token' ? sent === access.token : tokens.has(sent))
  return isKnown ? undefined : errorReply(401, 'NotAuthorizedException')
}

function replyTo(
  stage: Stage,
  route: ScriptedRoute,
  request: ScriptedRequest,
  url: URL,
  how: How | undefined,
): Reply {
  const { source } = stage
  switch (route.kind) {
    case 'unknown':
      return errorReply(404, 'NotFoundException')
    case 'token':
      return tokenReply(stage, request)
    case 'config':
      return { status: 200, body: describeConfig(source) }
    case 'namespace': {
      const found = source.state.findNamespace(route.namespace)
      return found === undefined
        ? errorReply(404, 'NoSuchNamespaceException')
        : { status: 200, body: { namespace: route.namespace, properties: found.properties } }
    }
    case 'load': {
      if (source.hidden.has([...route.namespace, route.object].join('.'))) {
        return errorReply(403, 'ForbiddenException')
      }
      const metadata = source.state.getMetadata(route.namespace, route.collection, route.object)
      return metadata === undefined
        ? errorReply(
            404,
            route.collection === 'tables' ? 'NoSuchTableException' : 'NoSuchViewException',
          )
        : tagReply(source, request, {
            'metadata-location': 's3://scripted/metadata',
            metadata,
            config: {},
          })
    }
    case 'namespaces':
    case 'list':
      return listReply(source, route, url.searchParams.get('pageToken') ?? '', how)
  }
}

// Only the replies for tables have entity tags in the protocol.
function tagReply(
  { getEntityTag }: ScriptedSource,
  { headers, target }: ScriptedRequest,
  body: object,
): Reply {
  const etag = target.includes('/views/') ? undefined : getEntityTag(body)
  if (etag === undefined) return { status: 200, body }
  return headers['if-none-match'] === etag
    ? { status: 304, headers: { etag }, text: '' }
    : { status: 200, headers: { etag }, body }
}

function listReply(
  source: ScriptedSource,
  route: ScriptedRoute,
  token: string,
  how: How | undefined,
): Reply {
  const isOfNamespaces = route.kind === 'namespaces'
  const isRoot = isOfNamespaces && route.namespace.length === 0
  if (!isRoot && source.state.findNamespace(route.namespace) === undefined) {
    return errorReply(404, 'NoSuchNamespaceException')
  }
  const all = isOfNamespaces
    ? source.state
        .getChildren(route.namespace)
        .map((name) => ({ name, entry: name.split('\u001F') as unknown }))
    : source.state
        .getNames(route.namespace, route.collection)
        .filter((name) => !source.hidden.has([...route.namespace, name].join('.')))
        .map((name) => ({ name, entry: { namespace: route.namespace, name } as unknown }))
  const { things, next } = takePage(all, source.pageSize, token, how)
  const entries = things.map(({ entry }) => entry)
  return {
    status: 200,
    body: {
      [isOfNamespaces ? 'namespaces' : 'identifiers']: entries,
      ...(next === undefined ? {} : { 'next-page-token': next }),
    },
  }
}

function tokenReply({ source, tokens }: Stage, { body }: ScriptedRequest): Reply {
  const { access } = source
  const form = new URLSearchParams(body)
  const isKnown =
    access.kind === 'oauth2' &&
    form.get('grant_type') === 'client_credentials' &&
    form.get('client_id') === access.clientId &&
    form.get('client_secret') === access.clientSecret
  if (!isKnown) return { status: 401, body: { error: 'invalid_client' } }
  const token = randomBytes(16).toString('hex')
  tokens.add(token)
  const { expiresInSeconds } = access
  return {
    status: 200,
    body: {
      access_token: token,
      token_type: 'bearer',
      ...(expiresInSeconds === undefined ? {} : { expires_in: expiresInSeconds }),
    },
  }
}
