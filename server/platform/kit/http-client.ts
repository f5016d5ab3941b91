import type { buildConnector, Dispatcher } from 'undici'
import { getCACertificates } from 'node:tls'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { DialRefused, type Dialer } from './dialer.ts'
import { findNetworkSentence } from './network-error.ts'
import { withoutSlot } from './held-slot.ts'

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
interface HttpRequest {
  method: 'GET' | 'POST'
  /** An http or https URL without credentials. */
  url: URL
  headers?: Readonly<Record<string, string>>
  body?: string
  /** Whether the response may be compressed with gzip. */
  acceptsGzip?: boolean
  /**
   * Reads at most this many bytes of the response, and ignores the rest and its encoding: for receivers of which only the
   * status matters. Invalid characters are replaced.
   */
  excerptBytesMax?: number
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
  /** The target of a redirect, as the other server sent it; absent without one. */
  readonly location: string | undefined

  constructor(kind: HttpFailureKind, message: string, cause?: unknown, location?: string) {
    super(message, { cause })
    this.kind = kind
    this.location = location
  }
}

const decompress = promisify(gunzip)

const MEBIBYTE = 1024 * 1024

const LIMITS: HttpLimits = {
  bodyBytesMax: 64 * MEBIBYTE,
  idleTimeoutMs: 30_000,
  totalTimeoutMs: 300_000,
  connectionsMax: 8,
}

/**
 * Creates a client that connects through a dialer. It verifies certificates with the system's authorities and
 * those in `authorities` (PEM), and does not follow redirects. The limit of bytes also applies to a
 * decompressed response.
 */
export async function openHttpClient(
  dialer: Dialer,
  limits: Partial<HttpLimits> = {},
  authorities?: readonly string[],
): Promise<HttpClient> {
  // Loaded on first use: most processes never send a request, and would start 80 ms later.
  const { Agent, buildConnector } = await import('undici')
  const { bodyBytesMax, idleTimeoutMs, totalTimeoutMs, connectionsMax } = { ...LIMITS, ...limits }
  const agent = new Agent({
    connect: connectThrough(
      dialer,
      buildConnector({
        ...(authorities && { ca: [...getCACertificates('default'), ...authorities] }),
        allowH2: false,
        timeout: idleTimeoutMs,
      }),
    ),
    allowH2: false,
    connections: connectionsMax,
    headersTimeout: idleTimeoutMs,
    bodyTimeout: idleTimeoutMs,
    maxResponseSize: bodyBytesMax,
  })
  return {
    async send(input) {
      const deadline = AbortSignal.timeout(totalTimeoutMs)
      const signal = AbortSignal.any([input.signal, deadline])
      try {
        // A request that waits for another server holds no slot.
        return await withoutSlot(() => sendOnce(agent, input, signal, bodyBytesMax))
      } catch (error) {
        if (input.signal.aborted) throw new HttpFailure('cancelled', 'The request was cancelled')
        if (deadline.aborted) {
          const message = `${input.url.host} did not complete its response in time`
          throw new HttpFailure('timeout', message, error)
        }
        throw toFailure(error, input.url, bodyBytesMax)
      }
    },
    close() {
      void agent.destroy()
    },
  }
}

/** Opens connections with sockets of the dialer; `secure` adds TLS to a connected socket. */
function connectThrough(
  dialer: Dialer,
  secure: buildConnector.connector,
): buildConnector.connector {
  return (target, callback) => {
    const isSecure = target.protocol === 'https:'
    const socket = dialer.socket()
    const fail = (error: Error) => callback(error, null)
    socket.once('error', fail)
    // TLS begins only on a connected socket, because a socket that still tries addresses replaces its handle.
    socket.once('connect', () => {
      socket.off('error', fail).setNoDelay(true)
      if (isSecure) secure({ ...target, httpSocket: socket }, callback)
      else callback(null, socket)
    })
    socket.connect(Number(target.port) || (isSecure ? 443 : 80), target.hostname)
  }
}

async function sendOnce(
  agent: Dispatcher,
  { method, url, headers, body, acceptsGzip = false, excerptBytesMax }: HttpRequest,
  signal: AbortSignal,
  bodyBytesMax: number,
): Promise<HttpAnswer> {
  if (!/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') {
    throw new HttpFailure('refused', 'Only http and https URLs without credentials are supported')
  }
  const answer = await agent.request({
    origin: url.origin,
    path: `${url.pathname}${url.search}`,
    method,
    headers: { ...headers, 'accept-encoding': acceptsGzip ? 'gzip' : 'identity' },
    body: body ?? null,
    signal,
  })
  try {
    if (excerptBytesMax !== undefined) {
      assertNoRedirect(answer, url)
      const text = await readExcerpt(answer, excerptBytesMax)
      return { status: answer.statusCode, headers: joinValues(answer.headers), text }
    }
    const isCompressed = assertReadable(answer, url, acceptsGzip)
    const sent = await answer.body.arrayBuffer()
    const bytes = isCompressed ? await decompress(sent, { maxOutputLength: bodyBytesMax }) : sent
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return { status: answer.statusCode, headers: joinValues(answer.headers), text }
  } finally {
    // An error without a listener would end the process.
    answer.body.on('error', () => {}).destroy()
  }
}

const NOT_MODIFIED = 304

/** Throws for a redirect. Errors: HttpFailure redirect. */
function assertNoRedirect({ statusCode, headers }: Dispatcher.ResponseData, { host }: URL): void {
  if (statusCode >= 300 && statusCode < 400 && statusCode !== NOT_MODIFIED) {
    throw new HttpFailure(
      'redirect',
      `${host} responded with a redirect, and redirects are not followed`,
      undefined,
      [headers.location].flat()[0],
    )
  }
}

/** Returns whether the response is compressed. Errors: HttpFailure redirect, broken. */
function assertReadable(answer: Dispatcher.ResponseData, url: URL, acceptsGzip: boolean): boolean {
  assertNoRedirect(answer, url)
  const { headers } = answer
  const encoding = String(headers['content-encoding'] ?? 'identity').toLowerCase()
  if (acceptsGzip && encoding === 'gzip') return true
  if (encoding === 'identity') return false
  throw new HttpFailure('broken', `${url.host} responded with an encoding that was not requested`)
}

/** Reads the beginning of a response; a response that breaks off has only a beginning. */
async function readExcerpt({ body }: Dispatcher.ResponseData, bytesMax: number): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    for await (const chunk of body) {
      if (!(chunk instanceof Uint8Array)) break
      chunks.push(chunk)
      size += chunk.byteLength
      if (size >= bytesMax) break
    }
  } catch (error) {
    if (error instanceof Error && error.name === 'AbortError') throw error
  }
  return new TextDecoder('utf-8').decode(Buffer.concat(chunks).subarray(0, bytesMax))
}

function joinValues(headers: Dispatcher.ResponseData['headers']): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, [value ?? ''].flat().join(', ')]),
  )
}

// OpenSSL's codes for certificate errors, and Node's for a host name mismatch.
const CERTIFICATE =
  /CERT|^UNABLE_TO_|^(?:HOSTNAME_MISMATCH|INVALID_CA|PATH_LENGTH_EXCEEDED|INVALID_PURPOSE)$/

const TIMEOUT = /^UND_ERR_(?:CONNECT|HEADERS|BODY)_TIMEOUT$/

function toFailure(error: unknown, { host }: URL, bodyBytesMax: number): unknown {
  if (error instanceof HttpFailure) return error
  if (error instanceof DialRefused) return new HttpFailure('refused', error.message, error)
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const fail = (kind: HttpFailureKind, message: string) =>
    new HttpFailure(kind, `${host} ${message}`, error)
  if (TIMEOUT.test(code)) return fail('timeout', 'stopped responding')
  const unreachable = findNetworkSentence(code)?.(host)
  if (unreachable !== undefined) return new HttpFailure('unreachable', unreachable, error)
  if (code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE' || code === 'ERR_BUFFER_TOO_LARGE') {
    return fail('too_large', `responded with more than ${bodyBytesMax} bytes`)
  }
  if (CERTIFICATE.test(code)) {
    const message = `The certificate of ${host} is not trusted (${code})`
    return new HttpFailure('certificate', message, error)
  }
  if (code === 'UND_ERR_SOCKET') {
    return fail('broken', 'closed the connection before its response was complete')
  }
  const message = `The response of ${host} is incomplete or not HTTP`
  return new HttpFailure('broken', message, error)
}
