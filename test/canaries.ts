/**
 * Secrets that tests can find wherever they leak, sources that repeat what they receive, and ports that
 * count connections.
 */

import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net'

/** A secret that can be found in any text, even if it was encoded or cut. */
export interface Canary {
  secret: string
  /** Returns whether a text or bytes contain it: plain, or encoded as URL, JSON, hexadecimal or base64. */
  isIn(text: string): boolean
}

/**
 * Creates a secret with characters that encodings change; `isPlain`: only characters that a header may
 * contain.
 */
export function newCanary({ isPlain = false }: { isPlain?: boolean } = {}): Canary {
  const marker = `canary${randomBytes(9).toString('hex')}`
  // If a text was cut, either end may remain.
  const parts = [marker.slice(0, 14), marker.slice(-14)]
  const forms = [...parts, Buffer.from(marker).toString('hex'), ...base64Parts(marker)]
  return {
    secret: isPlain ? `p@ss:w/ord%20-${marker}~` : `p@ss:w/ord%20é-${marker}"\\end`,
    isIn: (text) => forms.some((form) => text.toLowerCase().includes(form.toLowerCase())),
  }
}

// A text has three base64 forms, depending on the number of preceding bytes; characters that it shares with
// its neighbours are ignored.
function base64Parts(text: string): string[] {
  return [0, 1, 2].map((before) => {
    const encoded = Buffer.concat([Buffer.alloc(before), Buffer.from(text)]).toString('base64')
    return encoded.slice(before === 0 ? 0 : before + 1, -4)
  })
}

/** A port that counts connections. */
export interface ListeningPort {
  port: number
  /** The number of connections so far. */
  count(): number
  close(): Promise<void>
}

/** Listens on every address of this machine, IPv4 and IPv6, and counts connections. */
export async function startListener(answer: (socket: Socket) => void): Promise<ListeningPort> {
  let count = 0
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    count += 1
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.once('close', () => sockets.delete(socket))
    answer(socket)
  }).listen(0)
  await once(server, 'listening')
  return {
    port: getPort(server),
    count: () => count,
    async close() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

function getPort(server: Server): number {
  const address = server.address() as AddressInfo
  return address.port
}

/** Starts a PostgreSQL server that requests the password in clear text and repeats it in its error. */
export async function startEchoingPostgres(code: string): Promise<ListeningPort> {
  return await startListener((socket) => {
    let isStarted = false
    socket.on('data', (bytes: Buffer) => {
      if (!isStarted) {
        isStarted = true
        socket.write(message('R', Buffer.from([0, 0, 0, 3])))
        return
      }
      const password = bytes.subarray(5, -1).toString('utf8')
      const fields = { S: 'FATAL', V: 'FATAL', C: code, M: `not the password: ${password}` }
      const more = { ...fields, D: `detail ${password}`, H: `postgres://u:${password}@h/d` }
      const body = Object.entries(more).map(([name, text]) => `${name}${text}\0`)
      socket.end(message('E', Buffer.from(`${body.join('')}\0`)))
    })
  })
}

function message(type: string, body: Buffer): Buffer {
  const head = Buffer.alloc(5)
  head.write(type)
  head.writeInt32BE(body.length + 4, 1)
  return Buffer.concat([head, body])
}

/** Starts a proxy to the server of a URL; it counts the connections whose first bytes contain a text. */
export async function startGate(url: string, counted: string): Promise<ListeningPort> {
  const { hostname, port } = new URL(url)
  let count = 0
  const gate = await startListener((socket) => {
    const server = connect(Number(port), hostname)
    server.on('error', () => socket.destroy())
    socket.once('data', (bytes) => {
      if (bytes.includes(counted)) count += 1
    })
    socket.pipe(server)
    server.pipe(socket)
    socket.once('close', () => server.destroy())
  })
  return { ...gate, count: () => count }
}
