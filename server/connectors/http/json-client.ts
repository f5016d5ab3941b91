import type { z } from 'zod'
import { omitEmpty } from '../asset-parts.ts'
import { SourceFailure } from '../connector.ts'
import type { Credentials, Headers } from './credentials.ts'
import type { SourceAnswer, Transport } from './transport.ts'

/** A client of a source that answers requests with JSON. */
export interface JsonClient {
  /**
   * Sends a request, with a new token if the source rejects the one it has. Errors: SourceFailure auth,
   * unreachable, rate_limited, too_large, protocol, cancelled.
   */
  ask<Shape extends z.ZodType>(
    request: JsonRequest,
    shape: Shape,
  ): Promise<JsonResult<z.infer<Shape>>>
}

/** A request. */
export interface JsonRequest {
  /** POST if it has a body, otherwise GET. */
  url: URL
  /** The URL of repeated attempts, if it differs. */
  retryUrl?: URL
  /** Sent as JSON. */
  body?: unknown
  /** Sent as it is, instead of `body`; its content type is one of the headers. */
  text?: string
  /** The name for messages: `GetTables`; by default, the path. */
  name?: string
  /** Further headers, such as one that a signature covers. */
  headers?: Headers
  acceptsGzip?: boolean
}

/**
 * The parsed answer with its entity tag, or the status with which the source rejected the request, and its
 * body.
 */
export type JsonResult<T> = { value: T; etag?: string } | { status: number; body: unknown }

/** The parts of a client. */
export interface JsonClientOptions {
  /** The subject of messages: `The catalog`. */
  service: string
  transport: Transport
  credentials: Credentials
  /** Recognizes an answer that rejects the credentials; by default, by status 401. */
  isUnauthorized?(answer: SourceAnswer): boolean
  /** Returns the reason why the credentials are rejected; undefined if the answer has none. */
  describeRejection?(answer: SourceAnswer): string | undefined
  /** Whether an answer has the requested value; by default, one with status 200. */
  isSuccess?(answer: SourceAnswer): boolean
}

/** Creates the client of one session. */
export function newJsonClient(access: JsonClientOptions): JsonClient {
  return { ask: async (request, shape) => await ask(access, request, shape) }
}

async function ask<Shape extends z.ZodType>(
  access: JsonClientOptions,
  request: JsonRequest,
  shape: Shape,
): Promise<JsonResult<z.infer<Shape>>> {
  const { service, isSuccess = ({ status }) => status === 200 } = access
  const answer = await sendAuthenticated(access, request)
  if (!isSuccess(answer)) return { status: answer.status, body: answer.json }
  const read = shape.safeParse(answer.json)
  if (read.success) {
    return { value: read.data, ...(answer.etag === undefined ? {} : { etag: answer.etag }) }
  }
  const { name = request.url.pathname } = request
  const message = `${service} does not follow its protocol in the answer to ${name}`
  throw new SourceFailure('protocol', message, { cause: read.error })
}

async function sendAuthenticated(
  {
    service,
    transport,
    credentials,
    isUnauthorized = ({ status }) => status === 401,
    describeRejection = () => undefined,
  }: JsonClientOptions,
  { url, retryUrl, body, text, headers = {}, acceptsGzip = false }: JsonRequest,
): Promise<SourceAnswer> {
  let sent: Headers = {}
  const json = body === undefined ? undefined : JSON.stringify(body)
  const content = omitEmpty({ body: text ?? json })
  const method = content.body === undefined ? 'GET' : 'POST'
  const contentType = omitEmpty({ 'content-type': json && 'application/json' })
  const send = async () =>
    await transport.send({
      method,
      url,
      retryUrl,
      ...content,
      acceptsGzip,
      headers: async () => {
        sent = await credentials.headers({ method, url, headers, ...content })
        return { accept: 'application/json', ...contentType, ...headers, ...sent }
      },
    })
  let answer = await send()
  if (isUnauthorized(answer) && credentials.renew(sent)) answer = await send()
  if (isUnauthorized(answer)) {
    const reason = describeRejection(answer) ?? `${service} does not accept the credentials`
    throw new SourceFailure('auth', reason)
  }
  return answer
}
