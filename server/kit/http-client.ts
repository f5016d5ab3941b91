import {
  Agent,
  request,
  type ClientRequest,
  type ClientRequestArgs,
  type IncomingMessage,
} from 'node:http'
import { Agent as SecureAgent, request as requestSecurely } from 'node:https'
import { isIP } from 'node:net'
import type { Duplex } from 'node:stream'
import { connect, getCACertificates } from 'node:tls'
import { DialRefused, type Dialer } from './dialer.ts'

/** Sends requests to servers of third parties, and validates everything that they return. */
export interface HttpClient {
  /**
   * Sends one request and waits for the whole answer, of any status but a redirect. Errors:
   * HttpFailure.
   */
  send(asked: HttpRequest): Promise<HttpAnswer>
  /** Ends the connections that are kept. */
  close(): void
}

/** A request. Only these headers and those that HTTP requires are sent. */
export interface HttpRequest {
  method: 'GET' | 'POST'
  /** http or https, without a user. */
  url: URL
  headers?: Readonly<Record<string, string>>
  body?: string
  signal: AbortSignal
}

/** A whole answer. */
export interface HttpAnswer {
  status: number
  /** By name in lower case; of one that came more than once, as HTTP joins them. */
  headers: Readonly<Record<string, string>>
  text: string
}

/** The limits of size and time for a response. */
export interface HttpLimits {
  bodyBytesMax: number
  /** Between two bytes, of the answer and on the way to it. */
  idleTimeoutMs: number
  /** For a whole request: a body that drips is never idle. */
  totalTimeoutMs: number
  connectionsMax: number
}

/** The reason for a missing response. */
export type HttpFailureKind =
  /** The dialer rejected the address, or the URL is not supported. */
  | 'refused'
  /** No connection, or no name. */
  | 'unreachable'
  /** The certificate is not valid for the host. */
  | 'certificate'
  /** A connection that ended before the answer was whole, or an answer that is not HTTP. */
  | 'broken'
  | 'timeout'
  | 'too_large'
  | 'redirect'
  | 'cancelled'

/** A request without an answer. The message is our own sentence; the cause has the system's words. */
export class HttpFailure extends Error {
  override readonly name = 'HttpFailure'
  readonly kind: HttpFailureKind

  constructor(kind: HttpFailureKind, message: string, cause?: unknown) {
    super(message, { cause })
    this.kind = kind
  }
}

const MEBIBYTE = 1024 * 1024

const LIMITS: HttpLimits = {
  bodyBytesMax: 64 * MEBIBYTE,
  idleTimeoutMs: 30_000,
  totalTimeoutMs: 300_000,
  connectionsMax: 8,
}

/**
 * Creates a client that connects through the dialer. Certificates are verified against the system's
 * authorities and those in `authorities` (PEM); redirects are not followed; nothing is decompressed.
 */
export function newHttpClient(
  dialer: Dialer,
  limits: Partial<HttpLimits> = {},
  authorities?: readonly string[],
): HttpClient {
  const all = { ...LIMITS, ...limits }
  const plain = new DialingAgent(dialer, all.connectionsMax)
  const secure = new DialingSecureAgent(dialer, all.connectionsMax, authorities)
  return {
    async send(asked) {
      const open = opener(asked, plain, secure)
      try {
        return await sendOnce(asked, open, all)
      } catch (error) {
        // The server may end a kept connection at the very moment in which it is used again.
        if (!(error instanceof StaleConnection)) throw error
        return await sendOnce(asked, open, all)
      }
    },
    close() {
      plain.destroy()
      secure.destroy()
    },
  }
}

/** A kept connection that ended before it answered. */
class StaleConnection extends HttpFailure {}

type Connected = (error: Error | null, stream: Duplex) => void

class DialingAgent extends Agent {
  readonly #dialer: Dialer

  constructor(dialer: Dialer, connectionsMax: number) {
    super({ keepAlive: true, maxSockets: connectionsMax })
    this.#dialer = dialer
  }

  override createConnection(options: ClientRequestArgs): Duplex {
    return this.#dialer.socket().connect(Number(options.port), String(options.host))
  }
}

class DialingSecureAgent extends SecureAgent {
  readonly #dialer: Dialer
  readonly #authorities: string[] | undefined

  constructor(dialer: Dialer, connectionsMax: number, authorities: readonly string[] | undefined) {
    super({ keepAlive: true, maxSockets: connectionsMax })
    this.#dialer = dialer
    this.#authorities = authorities && [...getCACertificates('default'), ...authorities]
  }

  // TLS begins on a connected socket: one that still tries addresses would replace the connection below it.
  override createConnection(options: ClientRequestArgs, connected?: Connected): undefined {
    const host = String(options.host)
    const socket = this.#dialer.socket()
    const failed = (error: Error) => connected?.(error, socket)
    socket.once('error', failed)
    socket.once('connect', () => {
      socket.off('error', failed)
      const secure = connect({
        socket,
        host,
        // Only for names (RFC 6066, section 3).
        ...(isIP(host) === 0 ? { servername: host } : {}),
        ...(this.#authorities === undefined ? {} : { ca: this.#authorities }),
        ALPNProtocols: ['http/1.1'],
      })
      connected?.(null, secure)
    })
    socket.connect(Number(options.port), host)
  }
}

type Open = () => ClientRequest

/** Starts the request, also for a retry. Errors: HttpFailure refused. */
function opener({ method, url, headers, body }: HttpRequest, plain: Agent, secure: Agent): Open {
  const isSecure = url.protocol === 'https:'
  if ((!isSecure && url.protocol !== 'http:') || url.username !== '' || url.password !== '') {
    throw new HttpFailure('refused', 'Only http and https addresses without a user are asked')
  }
  const options = {
    method,
    host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: url.port === '' ? (isSecure ? 443 : 80) : Number(url.port),
    path: `${url.pathname}${url.search}`,
    headers: {
      ...headers,
      'accept-encoding': 'identity',
      ...(body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }),
    },
  }
  return () =>
    isSecure
      ? requestSecurely({ ...options, agent: secure })
      : request({ ...options, agent: plain })
}

async function sendOnce(asked: HttpRequest, open: Open, limits: HttpLimits): Promise<HttpAnswer> {
  if (asked.signal.aborted) throw cancelled()
  const outgoing = open()
  const ends = new AbortController()
  let reason: HttpFailure | undefined
  // The request's own error only reports that it was destroyed.
  const stop = (failure: HttpFailure) => {
    reason ??= failure
    outgoing.destroy(failure)
  }
  const timer = setTimeout(() => {
    stop(new HttpFailure('timeout', `${host(asked)} did not end its answer in time`))
  }, limits.totalTimeoutMs)
  asked.signal.addEventListener('abort', () => stop(cancelled()), { signal: ends.signal })
  outgoing.setTimeout(limits.idleTimeoutMs, () => {
    stop(new HttpFailure('timeout', `${host(asked)} fell silent`))
  })
  let answer: IncomingMessage | undefined
  try {
    answer = await responseOf(outgoing, asked.body)
    assertReadable(answer, asked)
    return await read(answer, asked, limits.bodyBytesMax)
  } catch (error) {
    const failure = reason ?? failureOf(error, asked)
    outgoing.destroy()
    const isStale = failure.kind === 'broken' && outgoing.reusedSocket && answer === undefined
    throw isStale ? new StaleConnection(failure.kind, failure.message, failure.cause) : failure
  } finally {
    clearTimeout(timer)
    ends.abort()
  }
}

async function responseOf(
  outgoing: ClientRequest,
  body: string | undefined,
): Promise<IncomingMessage> {
  return await new Promise((done, failed) => {
    // Stays attached, because an unhandled error would end the process.
    outgoing.on('error', failed)
    outgoing.once('response', done)
    outgoing.end(body)
  })
}

function assertReadable({ statusCode = 0, headers }: IncomingMessage, asked: HttpRequest): void {
  if (statusCode >= 300 && statusCode < 400) {
    throw new HttpFailure(
      'redirect',
      `${host(asked)} answered with a redirect, and redirects are not followed`,
    )
  }
  const encoding = headers['content-encoding']
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    throw new HttpFailure('broken', `${host(asked)} answered in an encoding that was not asked for`)
  }
}

async function read(
  answer: IncomingMessage,
  asked: HttpRequest,
  bodyBytesMax: number,
): Promise<HttpAnswer> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of answer) {
    if (!Buffer.isBuffer(chunk)) continue
    bytes += chunk.length
    if (bytes > bodyBytesMax) {
      throw new HttpFailure('too_large', `${host(asked)} answered more than ${bodyBytesMax} bytes`)
    }
    chunks.push(chunk)
  }
  const text = new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks))
  const headers = Object.entries(answer.headers).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.join(', ') : (value ?? ''),
  ])
  return { status: answer.statusCode ?? 0, headers: Object.fromEntries(headers), text }
}

function cancelled(): HttpFailure {
  return new HttpFailure('cancelled', 'The request was cancelled')
}

function host({ url }: HttpRequest): string {
  return url.host
}

const UNREACHABLE =
  /^(?:ENOTFOUND|EAI_\w+|ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EHOSTDOWN|ETIMEDOUT|EADDRNOTAVAIL)$/

// OpenSSL's codes for invalid certificates, and Node's for a name that is not in it.
const CERTIFICATE =
  /CERT|^UNABLE_TO_|^(?:HOSTNAME_MISMATCH|INVALID_CA|PATH_LENGTH_EXCEEDED|INVALID_PURPOSE)$/

function failureOf(error: unknown, asked: HttpRequest): HttpFailure {
  if (error instanceof HttpFailure) return error
  if (error instanceof DialRefused) return new HttpFailure('refused', error.message, error)
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (UNREACHABLE.test(code)) {
    return new HttpFailure('unreachable', `${host(asked)} cannot be reached (${code})`, error)
  }
  if (CERTIFICATE.test(code)) {
    const message = `The certificate of ${host(asked)} is not trusted (${code})`
    return new HttpFailure('certificate', message, error)
  }
  return new HttpFailure('broken', `The answer of ${host(asked)} broke off or is not HTTP`, error)
}
