/**
 * A PostgreSQL server that behaves like another product: a proxy in front of a real server that rewrites
 * statements. Log-ins, transactions, errors and cancel requests are those of the real server.
 */

import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

/** Replaces a statement, or several that are separated by `;`. */
export type Rewrite = (statements: string) => string

/** A running proxy. */
export interface RewritingProxy {
  readonly port: number
  /** The statements as the client sent them. */
  readonly statements: readonly string[]
  /** The number of cancel requests. */
  readonly cancelCount: number
  /** Replaces the rules. */
  use(rewrite: Rewrite): void
  close(): Promise<void>
}

const CANCEL_REQUEST = 80_877_102
const QUERY = 'Q'.charCodeAt(0)

/** Starts a proxy in front of a server. */
export async function startRewritingProxy(url: URL, rewrite: Rewrite): Promise<RewritingProxy> {
  const statements: string[] = []
  const sockets = new Set<Socket>()
  let cancelCount = 0
  let rules = rewrite
  const server = createServer((client) => {
    const upstream = connect(Number(url.port), url.hostname)
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', () => undefined)
      socket.once('close', () => {
        sockets.delete(socket)
        client.destroy()
        upstream.destroy()
      })
    }
    upstream.pipe(client)
    const frontend = new Frontend(
      (text) => {
        statements.push(text)
        return rules(text)
      },
      () => (cancelCount += 1),
    )
    client.on('data', (chunk: Buffer) => void upstream.write(frontend.push(chunk)))
    client.once('end', () => upstream.end())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    statements,
    get cancelCount() {
      return cancelCount
    },
    use: (next) => void (rules = next),
    async close() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

/** Rewrites the messages of a client: https://www.postgresql.org/docs/18/protocol-message-formats.html. */
class Frontend {
  #bytes = Buffer.alloc(0)
  #hasStarted = false
  readonly #rewrite: Rewrite
  readonly #onCancel: () => void

  constructor(rewrite: Rewrite, onCancel: () => void) {
    this.#rewrite = rewrite
    this.#onCancel = onCancel
  }

  /** Returns the complete messages, rewritten. */
  push(chunk: Buffer): Buffer {
    this.#bytes = Buffer.concat([this.#bytes, chunk])
    const messages: Buffer[] = []
    for (;;) {
      const at = this.#hasStarted ? 1 : 0
      if (this.#bytes.length < at + 4) break
      const end = at + this.#bytes.readUInt32BE(at)
      if (this.#bytes.length < end) break
      messages.push(this.#convert(this.#bytes.subarray(0, end)))
      this.#bytes = this.#bytes.subarray(end)
    }
    return Buffer.concat(messages)
  }

  #convert(message: Buffer): Buffer {
    if (!this.#hasStarted) {
      if (message.readUInt32BE(4) === CANCEL_REQUEST) this.#onCancel()
      this.#hasStarted = true
      return message
    }
    if (message[0] !== QUERY) return message
    const body = Buffer.from(`${this.#rewrite(message.toString('utf8', 5, message.length - 1))}\0`)
    const head = Buffer.alloc(5)
    head[0] = QUERY
    head.writeUInt32BE(body.length + 4, 1)
    return Buffer.concat([head, body])
  }
}
