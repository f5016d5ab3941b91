/** A receiver of webhooks of chat systems, with TLS. */

import { once } from 'node:events'
import type { IncomingHttpHeaders } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { text as readStream } from 'node:stream/consumers'
import { LOCALHOST_CERTIFICATE } from './certificate.ts'

/** A request that the receiver got. */
export interface ChatRequest {
  method: string
  path: string
  headers: IncomingHttpHeaders
  body: string
}

/** A running receiver. */
export interface ChatReceiver {
  /** Its origin: `https://localhost:1234`. */
  origin: string
  /** The certificate that clients must trust, as PEM. */
  certificate: string
  requests: ChatRequest[]
  /** Decides the answer; undefined = there is none. */
  answer: (
    request: ChatRequest,
  ) => { status: number; headers?: Record<string, string>; body?: string } | undefined
  close(): void
}

/** Starts a receiver that answers 200. */
export async function startChatReceiver(): Promise<ChatReceiver> {
  const { key, cert } = LOCALHOST_CERTIFICATE
  const server = createServer({ key, cert }, (incoming, response) => {
    void readStream(incoming).then((body) => {
      const { method = '', url: path = '', headers } = incoming
      const request = { method, path, headers, body }
      receiver.requests.push(request)
      const answer = receiver.answer(request)
      if (answer === undefined) return
      response.writeHead(answer.status, answer.headers).end(answer.body ?? '')
    })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const receiver: ChatReceiver = {
    origin: `https://localhost:${(server.address() as AddressInfo).port}`,
    certificate: cert,
    requests: [],
    answer: () => ({ status: 200, body: 'ok' }),
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
  return receiver
}
