/** A TCP proxy in front of PostgreSQL that ends a connection at a chosen statement, or leads to another server. */

import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import type { ClientConfig } from 'pg'

/**
 * The moment at which a connection ends: `before` = the statement does not reach the server; `after` = the server has executed it,
 * and its answer does not reach the client.
 */
export type BreakMoment = 'before' | 'after'

/** A proxy in front of a PostgreSQL server. */
export interface StoreProxy {
  port: number
  /** Ends the connection of the next statement whose text matches. Returns whether that has happened. */
  breakAt(pattern: RegExp, moment: BreakMoment): () => boolean
  /** The texts of the statements since the last call. */
  takeTexts(): string[]
  /** Sends later connections to another server, and ends the existing ones. */
  moveTo(target: Target): void
  /** Ends the existing connections, and refuses later ones until `moveTo` is called. */
  refuse(): void
  close(): Promise<void>
}

interface Target {
  host: string
  port: number
}

/** Starts a proxy in front of a server. */
export async function startStoreProxy(first: Target): Promise<StoreProxy> {
  let target: Target | undefined = first
  let trap: { pattern: RegExp; moment: BreakMoment; isSprung: boolean } | undefined
  let texts: string[] = []
  const sockets = new Set<Socket>()

  const endAll = (): void => {
    for (const socket of sockets) socket.destroy()
  }

  const server = createServer({ noDelay: true }, (client) => {
    if (target === undefined) {
      client.destroy()
      return
    }
    const upstream = connect({ ...target, noDelay: true })
    const end = (): void => {
      client.destroy()
      upstream.destroy()
    }
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', end).on('close', () => {
        sockets.delete(socket)
        end()
      })
    }
    let isSwallowing = false
    const reader = newStatementReader()
    client.on('data', (bytes: Buffer) => {
      for (const text of reader.read(bytes)) {
        texts.push(text)
        if (trap === undefined || trap.isSprung || !trap.pattern.test(text)) continue
        trap.isSprung = true
        if (trap.moment === 'before') {
          end()
          return
        }
        isSwallowing = true
      }
      upstream.write(bytes)
    })
    upstream.on('data', (bytes: Buffer) => {
      if (!isSwallowing) client.write(bytes)
      // ReadyForQuery is the last message of an answer.
      else if (bytes.at(-6) === 'Z'.charCodeAt(0)) end()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    breakAt(pattern, moment) {
      const set = { pattern, moment, isSprung: false }
      trap = set
      return () => set.isSprung
    },
    takeTexts() {
      const taken = texts
      texts = []
      return taken
    },
    moveTo(next) {
      target = next
      endAll()
    },
    refuse() {
      target = undefined
      endAll()
    },
    async close() {
      endAll()
      server.close()
      await once(server, 'close')
    },
  }
}

/** Reads the texts of statements from what a client sends: simple queries, and uses of prepared statements. */
function newStatementReader(): { read(bytes: Buffer): string[] } {
  const named = new Map<string, string>()
  let rest = Buffer.alloc(0)
  let isStarted = false

  function readMessage(type: string, body: Buffer): string[] {
    if (type === 'Q') return [readText(body, 0)]
    if (type === 'P') {
      const name = readText(body, 0)
      named.set(name, readText(body, Buffer.byteLength(name) + 1))
      return []
    }
    if (type !== 'B') return []
    const name = readText(body, body.indexOf(0) + 1)
    return [named.get(name) ?? '']
  }

  return {
    read(bytes) {
      rest = Buffer.concat([rest, bytes])
      const texts: string[] = []
      for (;;) {
        const header = isStarted ? 1 : 0
        if (rest.length < header + 4) return texts
        const end = header + rest.readUInt32BE(header)
        if (rest.length < end) return texts
        if (isStarted) {
          texts.push(
            ...readMessage(String.fromCharCode(rest[0] ?? 0), rest.subarray(header + 4, end)),
          )
        }
        isStarted = true
        rest = rest.subarray(end)
      }
    },
  }
}

function readText(body: Buffer, start: number): string {
  return body.toString('utf8', start, body.indexOf(0, start))
}

/** Starts a proxy in front of the server of a connection; returns the connection that leads through it. */
export async function connectThrough(
  connection: ClientConfig,
): Promise<{ proxy: StoreProxy; connection: ClientConfig }> {
  const url = new URL(connection.connectionString ?? '')
  const proxy = await startStoreProxy({ host: url.hostname, port: Number(url.port) })
  url.hostname = '127.0.0.1'
  url.port = String(proxy.port)
  return { proxy, connection: { connectionString: url.href } }
}
