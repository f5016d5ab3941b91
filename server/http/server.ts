import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { Refusal, type RefusalCode } from '../errors.ts'
import { problemAnswer } from './problem.ts'

type Fetch = Parameters<typeof getRequestListener>[0]

/** A server that listens, and how to end it. */
export interface RunningServer {
  /** Where it listens: `http://127.0.0.1:8080`. */
  url: string
  /** The port that it listens on, also when the system chose it. */
  port: number
  /** Starts to answer; until then connections wait. */
  serve(fetch: Fetch): void
  /** Stops taking connections, lets requests finish for the given time, then cuts the rest. */
  close(graceMs: number): Promise<void>
}

const HEADER_BYTES_MAX = 16 * 1024
// A client that sends slowly must not hold a connection for long.
const HEADERS_TIMEOUT_MS = 10_000
const REQUEST_TIMEOUT_MS = 60_000
const KEEP_ALIVE_MS = 65_000
const IDLE_CHECK_MS = 50

/** Listens on an address. Errors: those of the operating system, such as EADDRINUSE. */
export async function listen(host: string, port: number): Promise<RunningServer> {
  const server = createServer({
    maxHeaderSize: HEADER_BYTES_MAX,
    headersTimeout: HEADERS_TIMEOUT_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    connectionsCheckingInterval: 2000,
    // Told below, with a body that says so.
    requireHostHeader: false,
  })
  server.on('clientError', answerClientError)
  await new Promise<void>((done, failed) => {
    server.once('error', failed)
    server.listen(port, host, done)
  })
  return {
    url: urlOf(host, portOf(server)),
    port: portOf(server),
    serve(fetch) {
      const answer = getRequestListener(fetch, { errorHandler: () => framingProblem() })
      const listen = (request: IncomingMessage, response: ServerResponse): void => {
        const fault = framingFault(request)
        void (fault === undefined ? answer(request, response) : refuse(response, fault))
      }
      server.on('request', listen)
      // An expectation other than 100-continue may be ignored (RFC 9110, 10.1.1).
      server.on('checkExpectation', listen)
    },
    close: (graceMs) => close(server, graceMs),
  }
}

function portOf(server: Server): number {
  const address: AddressInfo | string | null = server.address()
  return typeof address === 'object' && address !== null ? address.port : 0
}

/** Returns the URL of a server that listens on an address. */
export function urlOf(host: string, port: number): string {
  const everywhere = host === '0.0.0.0' || host === '::'
  const name = everywhere ? 'localhost' : host.includes(':') ? `[${host}]` : host
  return `http://${name}:${port}`
}

async function close(server: Server, graceMs: number): Promise<void> {
  const closed = new Promise<void>((done) => {
    server.close(() => done())
  })
  // Connections kept alive end as soon as their last request is answered.
  const sweeping = setInterval(() => server.closeIdleConnections(), IDLE_CHECK_MS)
  const cut = setTimeout(() => server.closeAllConnections(), graceMs)
  await closed
  clearInterval(sweeping)
  clearTimeout(cut)
}

/** What is wrong with the framing of a request that the parser let through; undefined = nothing. */
function framingFault({ headers, rawHeaders }: IncomingMessage): string | undefined {
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    if (rawHeaders[at]?.toLowerCase() === 'host') hosts += 1
  }
  if (hosts !== 1) return 'A request has exactly one Host header.'
  // The parser refuses what does not end in chunked. Of more codings none is decoded here, and two
  // programs that decode a body differently can be made to see different requests.
  if (headers['transfer-encoding']?.includes(',') === true) {
    return 'The only transfer coding that is read here is chunked.'
  }
  return undefined
}

async function refuse(response: ServerResponse, fault: string): Promise<void> {
  const problem = framingProblem(fault)
  const headers = { ...Object.fromEntries(problem.headers), connection: 'close' }
  response.writeHead(problem.status, headers).end(await problem.text())
}

/** Answers a request whose framing is wrong: its target, its headers, or what its body is said to be. */
function framingProblem(fault = 'The request line or the Host header is not HTTP.'): Response {
  return problemAnswer(new Refusal('request_malformed', fault), '/')
}

const CLIENT_ERRORS: Record<string, { line: string; code: RefusalCode; detail: string }> = {
  HPE_HEADER_OVERFLOW: {
    line: '431 Request Header Fields Too Large',
    code: 'headers_too_large',
    detail: `The headers may have ${HEADER_BYTES_MAX / 1024} KiB at most.`,
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    line: '408 Request Timeout',
    code: 'request_too_slow',
    detail: 'The request took too long to arrive.',
  },
}

const MALFORMED = {
  line: '400 Bad Request',
  code: 'request_malformed',
  detail: 'The request is not HTTP.',
} as const

function answerClientError(error: NodeJS.ErrnoException, socket: Socket): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy()
    return
  }
  void writeProblem(socket, CLIENT_ERRORS[error.code ?? ''] ?? MALFORMED)
}

async function writeProblem(
  socket: Socket,
  { line, code, detail }: { line: string; code: RefusalCode; detail: string },
): Promise<void> {
  const body = await problemAnswer(new Refusal(code, detail), '/').text()
  socket.end(
    `HTTP/1.1 ${line}\r\ncontent-type: application/problem+json\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  )
}
