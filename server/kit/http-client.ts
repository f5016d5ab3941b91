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

/** Sends requests to untrusted servers. */
export interface HttpClient {
  /**
   * Sends a request and returns the complete response, of any status except redirects. Errors:
   * HttpFailure.
   */
  send(request: HttpRequest): Promise<HttpAnswer>
  /** Closes the idle connections. */
  close(): void
}

/** A request. Only these values are sent, and the headers that HTTP requires. */
export interface HttpRequest {
  method: 'GET' | 'POST'
  /** An http or https URL without credentials. */
  url: URL
  headers?: Readonly<Record<string, string>>
  body?: string
  signal: AbortSignal
}

/** A complete response. */
export interface HttpAnswer {
  status: number
  /** The headers by lower-case name; repeated ones are joined with commas. */
  headers: Readonly<Record<string, string>>
  text: string
}

/** The limits of a client. */
export interface HttpLimits {
  bodyBytesMax: number
  /** The timeout between two bytes, also before the first. */
  idleTimeoutMs: number
  /** The timeout of a whole request, which also ends a body that arrives slowly. */
  totalTimeoutMs: number
  connectionsMax: number
}

/** The reason why a request failed. */
export type HttpFailureKind =
  /** The dialer rejected the address, or the URL is not supported. */
  | 'refused'
  /** The host was not found, or the connection failed. */
  | 'unreachable'
  /** The certificate is not valid for that host. */
  | 'certificate'
  /** The connection ended before the response was complete, or the response is not HTTP. */
  | 'broken'
  | 'timeout'
  | 'too_large'
  | 'redirect'
  | 'cancelled'

/** A failed request. The cause is the error of the system. */
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
 * Creates a client that connects through a dialer. It verifies certificates with the system's authorities and
 * those in `authorities` (PEM), and does not follow redirects or decompress responses.
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
    async send(input) {
      const open = opener(input, plain, secure)
      try {
        return await sendOnce(input, open, all)
      } catch (error) {
        // The server may close an idle connection just when it is reused.
        if (!(error instanceof StaleConnection)) throw error
        return await sendOnce(input, open, all)
      }
    },
    close() {
      plain.destroy()
      secure.destroy()
    },
  }
}

/** A reused connection that ended before a response. */
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

  // TLS begins only on a connected socket, because a socket that still tries addresses replaces its handle.
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
        // SNI allows only names: RFC 6066, section 3.
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

/** Returns a function that starts the request. Errors: HttpFailure refused. */
function opener({ method, url, headers, body }: HttpRequest, plain: Agent, secure: Agent): Open {
  const isSecure = url.protocol === 'https:'
  if ((!isSecure && url.protocol !== 'http:') || url.username !== '' || url.password !== '') {
    throw new HttpFailure('refused', 'Only http and https URLs without credentials are supported')
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

async function sendOnce(input: HttpRequest, open: Open, limits: HttpLimits): Promise<HttpAnswer> {
  if (input.signal.aborted) throw cancelled()
  const outgoing = open()
  const ends = new AbortController()
  let reason: HttpFailure | undefined
  // The request's own error contains no reason.
  const stop = (failure: HttpFailure) => {
    reason ??= failure
    outgoing.destroy(failure)
  }
  const timer = setTimeout(() => {
    stop(new HttpFailure('timeout', `${host(input)} did not complete its response in time`))
  }, limits.totalTimeoutMs)
  input.signal.addEventListener('abort', () => stop(cancelled()), { signal: ends.signal })
  outgoing.setTimeout(limits.idleTimeoutMs, () => {
    stop(new HttpFailure('timeout', `${host(input)} stopped responding`))
  })
  let answer: IncomingMessage | undefined
  try {
    answer = await readResponse(outgoing, input.body)
    assertReadable(answer, input)
    return await read(answer, input, limits.bodyBytesMax)
  } catch (error) {
    const failure = reason ?? toFailure(error, input)
    outgoing.destroy()
    const isStale = failure.kind === 'broken' && outgoing.reusedSocket && answer === undefined
    throw isStale ? new StaleConnection(failure.kind, failure.message, failure.cause) : failure
  } finally {
    clearTimeout(timer)
    ends.abort()
  }
}

async function readResponse(
  outgoing: ClientRequest,
  body: string | undefined,
): Promise<IncomingMessage> {
  return await new Promise((done, failed) => {
    // Never removed: an error without a listener would end the process.
    outgoing.on('error', failed)
    outgoing.once('response', done)
    outgoing.end(body)
  })
}

function assertReadable({ statusCode = 0, headers }: IncomingMessage, input: HttpRequest): void {
  if (statusCode >= 300 && statusCode < 400) {
    throw new HttpFailure(
      'redirect',
      `${host(input)} responded with a redirect, and redirects are not followed`,
    )
  }
  const encoding = headers['content-encoding']
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    throw new HttpFailure(
      'broken',
      `${host(input)} responded with an encoding that was not requested`,
    )
  }
}

async function read(
  answer: IncomingMessage,
  input: HttpRequest,
  bodyBytesMax: number,
): Promise<HttpAnswer> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of answer) {
    if (!Buffer.isBuffer(chunk)) continue
    bytes += chunk.length
    if (bytes > bodyBytesMax) {
      throw new HttpFailure(
        'too_large',
        `${host(input)} responded with more than ${bodyBytesMax} bytes`,
      )
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

// OpenSSL's codes for certificate errors, and Node's for a host name mismatch.
const CERTIFICATE =
  /CERT|^UNABLE_TO_|^(?:HOSTNAME_MISMATCH|INVALID_CA|PATH_LENGTH_EXCEEDED|INVALID_PURPOSE)$/

function toFailure(error: unknown, input: HttpRequest): HttpFailure {
  if (error instanceof HttpFailure) return error
  if (error instanceof DialRefused) return new HttpFailure('refused', error.message, error)
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (UNREACHABLE.test(code)) {
    return new HttpFailure('unreachable', `${host(input)} cannot be reached (${code})`, error)
  }
  if (CERTIFICATE.test(code)) {
    const message = `The certificate of ${host(input)} is not trusted (${code})`
    return new HttpFailure('certificate', message, error)
  }
  return new HttpFailure(
    'broken',
    `The response of ${host(input)} is incomplete or not HTTP`,
    error,
  )
}
