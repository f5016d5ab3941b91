/** Hostile servers that speak the protocol of a source: each connection gets the bytes of a script. */

import { once } from 'node:events'
import { createServer, type Server, type Socket } from 'node:net'

/** The behaviour of a server on a connection. */
export type Script = (connection: HostileConnection) => Promise<void>

/** A connection of a source's reader, seen from the hostile server. */
export interface HostileConnection {
  /** Waits for the next bytes of the client; rejects if the client disconnects. */
  asked(): Promise<Buffer>
  /** Sends bytes at the speed at which the client reads them; rejects if the client disconnects. */
  send(bytes: Buffer | string): Promise<void>
  /** Sends the same bytes until the client disconnects. */
  flood(bytes: Buffer): Promise<void>
}

/** A server with a script. */
export interface HostileServer {
  port: number
  /** The number of connections so far. */
  count(): number
  /** Resolves with the first connection. */
  connected: Promise<void>
  close(): Promise<void>
}

const RANDOM_BYTES_MAX = 20

/** Starts a server that runs its script for every connection, and disconnects when the script ends. */
export async function startHostile(script: Script): Promise<HostileServer> {
  const sockets = new Set<Socket>()
  let count = 0
  const { promise: connected, resolve } = Promise.withResolvers<void>()
  const server: Server = createServer((socket) => {
    count += 1
    resolve()
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.once('close', () => sockets.delete(socket))
    script(wrapSocket(socket)).then(
      () => socket.end(),
      () => socket.destroy(),
    )
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    count: () => count,
    connected,
    async close() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

function doNothing(): void {}

function wrapSocket(socket: Socket): HostileConnection {
  const closed = once(socket, 'close').then(() => {
    throw new Error('the client disconnected')
  })
  closed.catch(() => undefined)
  const send = async (bytes: Buffer | string): Promise<void> => {
    if (socket.destroyed) throw new Error('the client disconnected')
    if (!socket.write(bytes, 'latin1')) await Promise.race([once(socket, 'drain'), closed])
  }
  const asked: Buffer[] = []
  let wake = doNothing
  socket.on('data', (bytes: Buffer) => {
    asked.push(bytes)
    wake()
  })
  return {
    send,
    asked: async () => {
      const { promise, resolve } = Promise.withResolvers<void>()
      wake = resolve
      if (asked.length === 0) await Promise.race([promise, closed])
      return asked.shift() ?? Buffer.alloc(0)
    },
    flood: async (bytes) => {
      for (;;) await send(bytes)
    },
  }
}

/** Returns a message of PostgreSQL's protocol, with its body in Latin-1. */
export function pgMessage(type: string, body: string): Buffer {
  const head = Buffer.alloc(5)
  head.write(type, 'latin1')
  head.writeUInt32BE(body.length + 4, 1)
  return Buffer.concat([head, Buffer.from(body, 'latin1')])
}

/** The response of a PostgreSQL server that requires no password. */
export const PG_LOG_IN = Buffer.concat([
  pgMessage('R', '\0\0\0\0'),
  pgMessage('S', 'server_version\x0018.0\0'),
  pgMessage('S', 'client_encoding\0UTF8\0'),
  pgMessage('K', '\0\0\x12\x34\0\0\x56\x78'),
  pgMessage('Z', 'I'),
])

/** A text column of a RowDescription. */
const PG_COLUMN = `name\0${'\0'.repeat(6)}\0\0\0\x19\xff\xff\xff\xff\xff\xff\0\0`

/** The beginning of a result with one column. */
export const PG_ROWS = pgMessage('T', `\0\x01${PG_COLUMN}`)

/** Returns a row of one column with `characters` characters. */
export function pgRow(characters: number): Buffer {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(characters)
  return pgMessage('D', `\0\x01${length.toString('latin1')}${'x'.repeat(characters)}`)
}

/** Returns a packet of MySQL's protocol, with its body in Latin-1. */
export function mysqlPacket(number: number, body: string): Buffer {
  const head = Buffer.alloc(4)
  head.writeUIntLE(body.length, 0, 3)
  head[3] = number
  return Buffer.concat([head, Buffer.from(body, 'latin1')])
}

/** The greeting of a MySQL 8 server without TLS. */
export const MYSQL_GREETING = mysqlPacket(
  0,
  '\n8.0.40\0\x05\0\0\0abcdefgh\0\xff\xf7\x21\x02\0\xff\xdf\x15' +
    `${'\0'.repeat(10)}ijklmnopqrst\0mysql_native_password\0`,
)

/** The packet that ends a log-in; it is also the response to a statement without rows. */
export const MYSQL_LOGGED_IN = mysqlPacket(2, '\0\0\0\x02\0\0\0')

/** Mutates bytes by a seed: flips, cuts, repeats and inserts them. */
export function mutate(bytes: Buffer, seed: number): Buffer {
  const random = createRandom(seed)
  let mutated = bytes
  for (let count = 1 + random(4); count > 0; count -= 1) {
    const at = random(mutated.length)
    const [before, after] = [mutated.subarray(0, at), mutated.subarray(at)]
    const inserted = Buffer.from(
      Array.from({ length: random(RANDOM_BYTES_MAX) }, () => random(256)),
    )
    const ways = [
      () => Buffer.concat([before, inserted, after.subarray(inserted.length)]),
      () => Buffer.concat([before, inserted, after]),
      () => Buffer.concat([before, after.subarray(random(RANDOM_BYTES_MAX))]),
      () => Buffer.concat([before, before.subarray(-random(100)), after]),
      () => before,
    ]
    mutated = ways[random(ways.length)]?.() ?? mutated
    if (mutated.length === 0) return inserted
  }
  return mutated
}

/** Returns a generator of numbers below a limit, the same for the same seed (mulberry32). */
function createRandom(seed: number): (limit: number) => number {
  let state = seed
  return (limit) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % Math.max(limit, 1)
  }
}
