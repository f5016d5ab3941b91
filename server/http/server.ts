import { createServer, type Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { Refusal, type RefusalCode } from '../errors.ts'
import { problemAnswer } from './problem.ts'

type Fetch = Parameters<typeof getRequestListener>[0]

/** A server that listens, and how to end it. */
export interface RunningServer {
  /** Where it listens: `http://127.0.0.1:8080`. */
  url: string
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
  })
  server.on('clientError', answerClientError)
  await new Promise<void>((done, failed) => {
    server.once('error', failed)
    server.listen(port, host, done)
  })
  return {
    url: urlOf(host, server.address()),
    serve(fetch) {
      const answer = getRequestListener(fetch, { errorHandler: framingProblem })
      server.on('request', (request, response) => void answer(request, response))
    },
    close: (graceMs) => close(server, graceMs),
  }
}

function urlOf(host: string, address: AddressInfo | string | null): string {
  const port = typeof address === 'object' && address !== null ? address.port : 0
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

/** Answers a request that the adapter could not make sense of: its target or its Host header. */
function framingProblem(): Response {
  const refusal = new Refusal(
    'request_malformed',
    'The request line or the Host header is not HTTP.',
  )
  return problemAnswer(refusal, '/')
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
