/** The product on a real socket, and a client that sends the exact bytes of a test. */

import { connect } from 'node:net'
import { createApp } from '../server/app.ts'
import type { AdmissionLimits } from '../server/requests/http/admission.ts'
import { newClientResolver } from '../server/requests/http/client-address.ts'
import { newPipeline, type Pipeline, getSecurityHeaders } from '../server/requests/http/context.ts'
import { listen, type ListenOptions } from '../server/requests/http/server.ts'
import type { UploadLimits } from '../server/requests/http/upload.ts'
import { newMetrics } from '../server/platform/kit/metrics.ts'
import { addServingMetrics } from '../server/process-metrics.ts'
import { getPagesDirectory } from './pages.ts'
import type { Product, World } from './world.ts'

/** A response as received from the socket. */
export interface RawAnswer {
  status: number
  /** Headers by lower-case name. */
  headers: Map<string, string>
  body: string
}

/** Limits that differ from those of an ordinary process. */
export interface RawServerOptions extends ListenOptions {
  admissionLimits?: AdmissionLimits
  uploadLimits?: UploadLimits
  trustedProxies?: readonly string[]
}

/** A listening server. */
export interface RawServer {
  url: string
  port: number
  pipeline: Pipeline
  /** Returns the number of open connections. */
  countConnections(): number
  /**
   * Writes bytes on a separate connection and reads until the server closes it. The request must end with
   * `Connection: close` or make the server close the connection.
   */
  exchange(...parts: readonly (string | Buffer)[]): Promise<RawAnswer[]>
  /** Sends one request with the organization's key; `target` is sent unchanged, byte for byte. */
  request(method: string, target: string | Buffer, more?: RawRequest): Promise<RawAnswer>
  close(): Promise<void>
}

/** The options of a raw request. */
export interface RawRequest {
  /** A key that replaces the organization's key; null = none. */
  key?: string | null
  /** Lines such as `If-Match: *`. */
  headers?: readonly string[]
  body?: string | Buffer
}

/** Serves a world's product on a free port. */
export async function serveRaw(
  world: Product & Pick<World, 'keys'>,
  options: RawServerOptions = {},
): Promise<RawServer> {
  const { services } = world
  const clients = newClientResolver(options.trustedProxies ?? [])
  const server = await listen('127.0.0.1', 0, {
    headers: getSecurityHeaders(services.baseUrl),
    resolveClient: (remoteAddress) => clients.resolvePeer(remoteAddress),
    ...options,
  })
  const { admissionLimits, uploadLimits } = options
  const metrics = newMetrics()
  addServingMetrics(metrics, server, services.offload)
  const limits = { requestsPerMinute: 1e9, admissionLimits, uploadLimits }
  const pipeline = newPipeline({ services, metrics, clients, ...limits })
  const pagesDirectory = getPagesDirectory()
  server.serve(createApp(pipeline, { metricsToken: undefined, pagesDirectory }).fetch)
  const port = Number(new URL(server.url).port)
  const exchange: RawServer['exchange'] = async (...parts) => answersIn(await converse(port, parts))
  return {
    url: server.url,
    port,
    pipeline,
    countConnections: () => server.countConnections(),
    exchange,
    async request(method, target, { key = world.keys.O ?? null, headers = [], body } = {}) {
      const lines = [
        'Host: portbook.test',
        'Connection: close',
        ...(key === null ? [] : [`x-api-key: ${key}`]),
        ...(body === undefined ? [] : [`Content-Length: ${Buffer.byteLength(body)}`]),
        ...headers,
      ]
      const [answer, ...more] = await exchange(
        `${method} `,
        target,
        ` HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`,
        body ?? '',
      )
      if (answer === undefined || more.length > 0) throw new Error('expected exactly one response')
      return answer
    },
    close: () => server.close(0),
  }
}

function converse(port: number, parts: readonly (string | Buffer)[]): Promise<Buffer> {
  return new Promise((done, failed) => {
    const socket = connect(port, '127.0.0.1')
    const chunks: Buffer[] = []
    socket.on('data', (chunk: Buffer) => chunks.push(chunk))
    // A server that rejects a body closes the connection while the body is being sent; its earlier response
    // counts.
    socket.on('error', (error) => (chunks.length > 0 ? done(Buffer.concat(chunks)) : failed(error)))
    socket.on('close', () => done(Buffer.concat(chunks)))
    for (const part of parts) socket.write(part)
  })
}

const NO_BODY = { body: '', length: 0 }

function answersIn(bytes: Buffer): RawAnswer[] {
  const answers: RawAnswer[] = []
  let rest = bytes.toString('latin1')
  while (rest !== '') {
    const end = rest.indexOf('\r\n\r\n')
    const [first = '', ...lines] = rest.slice(0, end).split('\r\n')
    const status = /^HTTP\/1\.1 (\d{3}) /.exec(first)?.[1]
    if (end === -1 || status === undefined) throw new Error(`not a response: ${rest}`)
    const headers = new Map(
      lines.map((line): [string, string] => {
        const colon = line.indexOf(':')
        return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
      }),
    )
    const after = rest.slice(end + 4)
    const { body, length } = Number(status) < 200 ? NO_BODY : bodyIn(after, headers)
    answers.push({
      status: Number(status),
      headers,
      body: Buffer.from(body, 'latin1').toString('utf8'),
    })
    rest = after.slice(length)
  }
  return answers
}

function bodyIn(text: string, headers: Map<string, string>): { body: string; length: number } {
  if (headers.get('transfer-encoding') !== 'chunked') {
    const length = Number(headers.get('content-length') ?? text.length)
    return { body: text.slice(0, length), length: Math.min(length, text.length) }
  }
  let body = ''
  let at = 0
  for (;;) {
    const lineEnd = text.indexOf('\r\n', at)
    const size = Number.parseInt(text.slice(at, lineEnd), 16)
    if (!(size > 0)) return { body, length: lineEnd + 4 }
    body += text.slice(lineEnd + 2, lineEnd + 2 + size)
    at = lineEnd + 4 + size
  }
}
