/** A receiver of webhooks: a real HTTP server whose answers tests choose. */

import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A request as it arrived. */
export interface ReceivedRequest {
  path: string
  headers: IncomingHttpHeaders
  body: string
}

/** Answers a request; it may also never do so. */
export type Answering = (response: ServerResponse, request: ReceivedRequest) => void

/** A running receiver. */
export interface WebhookReceiver {
  url: string
  /** The requests so far, in the order of their arrival. */
  requests: ReceivedRequest[]
  /** Chooses the answers from now on. */
  answer(answering: Answering): void
  /** Closes the server with its connections. */
  close(): Promise<void>
}

/** Answers with a status and a text. */
export function respond(
  status: number,
  text = '',
  headers: Record<string, string> = {},
): Answering {
  return (response) => response.writeHead(status, headers).end(text)
}

/** Starts a receiver on this machine that accepts everything. */
export async function startReceiver(port = 0): Promise<WebhookReceiver> {
  const requests: ReceivedRequest[] = []
  let answering = respond(204)
  const server = createServer((message, response) => {
    const chunks: Buffer[] = []
    message.on('data', (chunk: Buffer) => chunks.push(chunk))
    message.on('error', () => undefined)
    message.on('end', () => {
      const request = {
        path: message.url ?? '',
        headers: message.headers,
        body: Buffer.concat(chunks).toString('utf8'),
      }
      requests.push(request)
      answering(response, request)
    })
  })
  await new Promise<void>((done) => server.listen(port, '127.0.0.1', done))
  const { port: chosen } = server.address() as AddressInfo
  const close = async (): Promise<void> => {
    server.closeAllConnections()
    await new Promise<void>((done) => server.close(() => done()))
  }
  return {
    url: `http://127.0.0.1:${chosen}`,
    requests,
    answer(next) {
      answering = next
    },
    close,
  }
}
