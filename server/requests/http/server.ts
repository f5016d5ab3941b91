import { createServer } from 'node:http'
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { ApiError } from '../../platform/errors.ts'
import { type ErrorCode } from '../../platform/error-codes.ts'
import {
  getConnectionLimits,
  superviseConnections,
  type ConnectionLimits,
  type Connections,
} from './connections.ts'
import { problemAnswer } from './problem.ts'
import { newTable } from '../../../formats/name/table.ts'

type Fetch = Parameters<typeof getRequestListener>[0]

/** A server that listens, and how to end it. */
export interface RunningServer {
  /** The address: `http://127.0.0.1:8080`. */
  url: string
  /** The port that it listens on, also when the system chose it. */
  port: number
  /** Starts to answer; until then connections wait. */
  serve(fetch: Fetch): void
  /** Open connections. */
  countConnections(): number
  /** Stops taking connections, lets requests finish for the given time, then cuts the rest. */
  close(graceMs: number): Promise<void>
}

/** Options of the listener. */
export interface ListenOptions {
  /** Headers of responses to requests that are not valid HTTP. */
  headers?: Record<string, string>
  /** Returns the client of a remote address; undefined if it may have any number of connections. */
  resolveClient?: (remoteAddress: string | undefined) => string | undefined
  /** Gets the client of each connection that was refused because the client has too many. */
  onRefused?: (client: string) => void
  connections?: ConnectionLimits
  /** The time limit for the headers of a request. */
  headersTimeoutMs?: number
}

const HEADER_BYTES_MAX = 16 * 1024
// A slow client must not hold a connection for long.
const HEADERS_TIMEOUT_MS = 10_000
// The pipeline rejects slow bodies earlier; this covers bodies that nothing reads.
const REQUEST_TIMEOUT_MS = 65_000
const KEEP_ALIVE_MS = 65_000
const IDLE_CHECK_MS = 50
const SLOW_CHECK_MS = 1000
// Connections that the operating system keeps until they are accepted; it may allow for fewer.
const BACKLOG = 4096

/** Listens on an address. Errors: those of the operating system, such as EADDRINUSE. */
export async function listen(
  host: string,
  port: number,
  {
    headers = {},
    resolveClient = (remoteAddress) => remoteAddress,
    onRefused,
    connections: limits = getConnectionLimits(),
    headersTimeoutMs = HEADERS_TIMEOUT_MS,
  }: ListenOptions = {},
): Promise<RunningServer> {
  const server = createServer({
    maxHeaderSize: HEADER_BYTES_MAX,
    headersTimeout: headersTimeoutMs,
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    connectionsCheckingInterval: Math.min(SLOW_CHECK_MS, headersTimeoutMs),
    // Reported below, with a body.
    requireHostHeader: false,
  })
  const connections = superviseConnections(server, limits, resolveClient, onRefused)
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    answerClientError(error, socket, connections, headers)
  })
  // Node drops a request that has no listener. Those that arrive before `serve` wait for it.
  const early: Parameters<RequestListener>[] = []
  let serving: RequestListener | undefined
  const accept: RequestListener = (request, response) => {
    connections.begin(request, response)
    if (serving === undefined) early.push([request, response])
    else serving(request, response)
  }
  server.on('request', accept)
  // An expectation other than 100-continue may be ignored (RFC 9110, 10.1.1).
  server.on('checkExpectation', accept)
  await new Promise<void>((done, failed) => {
    server.once('error', failed)
    server.listen({ port, host, backlog: BACKLOG }, done)
  })
  return {
    url: toUrl(host, getPort(server)),
    port: getPort(server),
    serve(fetch) {
      const answer = getRequestListener(fetch, { errorHandler: () => framingProblem(headers) })
      serving = (request, response) => {
        const fault = framingFault(request)
        void (fault === undefined ? answer(request, response) : refuse(response, fault, headers))
      }
      for (const [request, response] of early.splice(0)) serving(request, response)
    },
    countConnections: () => connections.count,
    close: (graceMs) => close(server, connections, graceMs),
  }
}

function getPort(server: Server): number {
  const address: AddressInfo | string | null = server.address()
  return typeof address === 'object' && address !== null ? address.port : 0
}

/** Returns the URL of a server that listens on an address. */
export function toUrl(host: string, port: number): string {
  const everywhere = host === '0.0.0.0' || host === '::'
  const name = everywhere ? 'localhost' : host.includes(':') ? `[${host}]` : host
  return `http://${name}:${port}`
}

async function close(server: Server, connections: Connections, graceMs: number): Promise<void> {
  const closed = new Promise<void>((done) => {
    server.close(() => done())
  })
  // Connections kept alive end as soon as their last request is answered.
  const sweeping = setInterval(() => server.closeIdleConnections(), IDLE_CHECK_MS)
  const cut = setTimeout(() => connections.destroyAll(), graceMs)
  await closed
  clearInterval(sweeping)
  clearTimeout(cut)
}

/** Returns what is wrong with the framing of a request that the parser accepted; undefined if nothing is. */
function framingFault({ headers, rawHeaders }: IncomingMessage): string | undefined {
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    if (rawHeaders[at]?.toLowerCase() === 'host') hosts += 1
  }
  if (hosts !== 1) return 'A request has exactly one Host header.'
  // The parser rejects encodings that do not end in chunked. Other encodings are not decoded here, and two
  // programs that decode a body differently can be made to see different requests.
  if (headers['transfer-encoding']?.includes(',') === true) {
    return 'The only transfer coding that is read here is chunked.'
  }
  return undefined
}

async function refuse(
  response: ServerResponse,
  fault: string,
  more: Record<string, string>,
): Promise<void> {
  const problem = framingProblem(more, fault)
  const headers = { ...Object.fromEntries(problem.headers), connection: 'close' }
  response.writeHead(problem.status, headers).end(await problem.text())
}

/** Answers a request with invalid framing: its target, its headers, or the declared body. */
function framingProblem(
  headers: Record<string, string>,
  fault = 'The request line or the Host header is not HTTP.',
): Response {
  return problemAnswer(new ApiError('request_malformed', fault), '/', headers)
}

interface ClientError {
  reason: string
  code: ErrorCode
  detail: string
}

const CLIENT_ERRORS = newTable<ClientError>({
  HPE_HEADER_OVERFLOW: {
    reason: 'Request Header Fields Too Large',
    code: 'headers_too_large',
    detail: `The headers may have ${HEADER_BYTES_MAX / 1024} KiB at most.`,
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    reason: 'Request Timeout',
    code: 'request_too_slow',
    detail: 'The request took too long to arrive.',
  },
})

const MALFORMED: ClientError = {
  reason: 'Bad Request',
  code: 'request_malformed',
  detail: 'The request is not HTTP.',
}

function answerClientError(
  error: NodeJS.ErrnoException,
  socket: Socket,
  connections: Connections,
  headers: Record<string, string>,
): void {
  // After the beginning of a response, another one would be read as part of it.
  if (!socket.writable || error.code === 'ECONNRESET' || connections.isResponding(socket)) {
    socket.destroy()
    return
  }
  connections.closeSoon(socket)
  void writeProblem(socket, CLIENT_ERRORS[error.code ?? ''] ?? MALFORMED, headers)
}

async function writeProblem(
  socket: Socket,
  { reason, code, detail }: ClientError,
  more: Record<string, string>,
): Promise<void> {
  const problem = problemAnswer(new ApiError(code, detail), '/', more)
  const body = await problem.text()
  const headers = {
    ...Object.fromEntries(problem.headers),
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  socket.end(`HTTP/1.1 ${problem.status} ${reason}\r\n${lines.join('\r\n')}\r\n\r\n${body}`)
}
