/** The frame of a scripted server. */

import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text as readStream } from 'node:stream/consumers'

/** An answer; its body is sent as it is. */
export interface ScriptedAnswer {
  status: number
  headers: Record<string, string>
  body: string | Buffer
}

/** A running server. */
export interface ScriptedServer {
  /** The URL without a slash at its end. */
  url: string
  close(): Promise<void>
}

/** The headers of a JSON body. */
export const JSON_HEADERS = { 'content-type': 'application/json' }

/** Starts a server on loopback. If `answer` fails, the connection is closed. */
export async function startScriptedServer(
  answer: (request: IncomingMessage, body: string) => Promise<ScriptedAnswer> | ScriptedAnswer,
): Promise<ScriptedServer> {
  const server = createServer((request, response) => {
    response.on('error', () => {})
    const handle = async (): Promise<void> => {
      const { status, headers, body } = await answer(request, await readStream(request))
      response.writeHead(status, headers)
      response.end(body)
    }
    handle().catch((error: unknown) => response.destroy(error as Error))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}
