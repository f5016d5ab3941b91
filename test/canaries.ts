/**
 * Secrets that are found again wherever they leak, sources that repeat what they were sent, and ports
 * that count who knocks.
 */

import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net'

/** A secret that can be found in any text, also where it was encoded or cut. */
export interface Canary {
  secret: string
  /** Says whether a text or bytes hold it, plain, as URL, JSON, hexadecimal or base64. */
  isIn(text: string): boolean
}

/** Makes a secret with characters that encodings change; `isPlain`: only such as a header takes. */
export function newCanary({ isPlain = false }: { isPlain?: boolean } = {}): Canary {
  const marker = `canary${randomBytes(9).toString('hex')}`
  // Of a text that was cut, either end may be left.
  const parts = [marker.slice(0, 14), marker.slice(-14)]
  const forms = [...parts, Buffer.from(marker).toString('hex'), ...base64Parts(marker)]
  return {
    secret: isPlain ? `p@ss:w/ord%20-${marker}~` : `p@ss:w/ord%20é-${marker}"\\end`,
    isIn: (text) => forms.some((form) => text.toLowerCase().includes(form.toLowerCase())),
  }
}

// In base64 a text looks in three ways, by how many bytes precede it; the characters that it shares
// with its neighbours do not count.
function base64Parts(text: string): string[] {
  return [0, 1, 2].map((before) => {
    const encoded = Buffer.concat([Buffer.alloc(before), Buffer.from(text)]).toString('base64')
    return encoded.slice(before === 0 ? 0 : before + 1, -4)
  })
}

/** A port that speaks when a test lets it. */
export interface ListeningPort {
  port: number
  /** Connections so far. */
  count(): number
  close(): Promise<void>
}

/** Listens on every address of this machine, of both families, and counts connections. */
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
    port: portOf(server),
    count: () => count,
    async close() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

function portOf(server: Server): number {
  const address = server.address() as AddressInfo
  return address.port
}

/** A PostgreSQL server that asks for the password in the clear and repeats it in its refusal. */
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

/** A way to the server at a URL; it counts the connections whose first bytes hold a text. */
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
