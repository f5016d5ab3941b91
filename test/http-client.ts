/**
 * A plain HTTP client for tests with a listening server: it sends paths unchanged, reuses its connections,
 * and never waits longer than its timeout.
 */

import { Agent, request, type IncomingHttpHeaders } from 'node:http'
import { repeatWhileBusy } from './eventually.ts'

/** A complete response. */
export interface HttpAnswer {
  status: number
  headers: IncomingHttpHeaders
  text: string
  /** From the call to the last byte of the response. */
  durationMs: number
}

/** The options of a request. */
export interface HttpRequest {
  /** A key that replaces the client's own; null = none. */
  key?: string | null
  /** An object is sent as JSON; text and bytes are sent unchanged, also as JSON. */
  body?: unknown
  /** Text that is sent as YAML. */
  yaml?: string
  headers?: Record<string, string | string[]>
  timeoutMs?: number
}

/** A client of one server. */
export interface HttpClient {
  /**
   * Sends a request; rejects if the connection ends or the timeout is reached before the response is
   * complete.
   */
  send(method: string, path: string, options?: HttpRequest): Promise<HttpAnswer>
  /**
   * Sends a request, and throws unless the response is a 2xx. On a busy machine, a request that the server rejected
   * because of its database is sent again: such a 503 changed nothing.
   */
  ok(method: string, path: string, options?: HttpRequest): Promise<HttpAnswer>
  close(): void
}

const TIMEOUT_MS = 15_000

/** Creates a client; `connectionsMax` limits the number of concurrent requests. */
export function newHttpClient(
  url: string,
  key?: string,
  { connectionsMax = 64 }: { connectionsMax?: number } = {},
): HttpClient {
  const { hostname, port } = new URL(url)
  const agent = new Agent({ keepAlive: true, maxSockets: connectionsMax })
  const send: HttpClient['send'] = async (method, path, options = {}) => {
    const text = getBody(options)
    const secret = options.key === undefined ? key : (options.key ?? undefined)
    const headers = {
      ...(text === undefined ? {} : { 'content-length': String(Buffer.byteLength(text)) }),
      ...(text === undefined
        ? {}
        : { 'content-type': options.yaml === undefined ? 'application/json' : 'application/yaml' }),
      ...(secret === undefined ? {} : { 'x-api-key': secret }),
      ...options.headers,
    }
    const startedAtMs = performance.now()
    const signal = AbortSignal.timeout(options.timeoutMs ?? TIMEOUT_MS)
    return await new Promise((done, failed) => {
      const asked = request({ agent, hostname, port, method, path, headers, signal })
      asked.once('error', failed)
      asked.once('response', (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.once('error', failed)
        response.once('end', () =>
          done({
            status: response.statusCode ?? 0,
            headers: response.headers,
            text: Buffer.concat(chunks).toString('utf8'),
            durationMs: performance.now() - startedAtMs,
          }),
        )
      })
      asked.end(text)
    })
  }
  return {
    send,
    async ok(method, path, options) {
      const answer = await repeatWhileBusy(() => send(method, path, options), isBusy)
      if (answer.status < 200 || answer.status > 299) {
        throw new Error(`${method} ${path} answered ${answer.status}: ${answer.text}`)
      }
      return answer
    },
    close: () => agent.destroy(),
  }
}

/** Returns whether an answer only means that the machine is busy: tests of whole processes share it. */
function isBusy({ status, text }: HttpAnswer): boolean {
  return status === 503 && /"code":"(?:store_unavailable|overloaded)"/.test(text)
}

function getBody({ body, yaml }: HttpRequest): string | Buffer | undefined {
  if (yaml !== undefined) return yaml
  if (body === undefined || typeof body === 'string' || Buffer.isBuffer(body)) return body
  return JSON.stringify(body)
}
