/**
 * The connections of the listening server: how many there may be, and how long one may be held by a
 * peer that sends no request or does not read its response. See
 * docs/decisions/0033-connections-and-bodies.md.
 */

import { readFileSync } from 'node:fs'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/**
 * Limits of connections. Time is counted in ticks: while the process is too busy to read and write, no tick
 * passes and no peer is blamed.
 */
export interface ConnectionLimits {
  /** Connections altogether. */
  totalMax: number
  /** Connections of one client address, unless it is a trusted proxy. */
  perClientMax: number
  tickMs: number
  /** Ticks from an early response until the connection is closed if the request is still incomplete. */
  lingerTicks: number
  /** A peer must read at least `stallBytes` of a response within every `stallTicks`. */
  stallTicks: number
  stallBytes: number
}

/** Connections are supervised from `superviseConnections` on. */
export interface Connections {
  /** Marks the headers of a request as received on its connection. */
  begin(request: IncomingMessage, response: ServerResponse): void
  /** Whether a response has begun on a connection, so that no other can be written. */
  isResponding(socket: Socket): boolean
  /** Closes a connection soon, after the peer had time to read the last response. */
  closeSoon(socket: Socket): void
  /** Closes all connections. */
  destroyAll(): void
  readonly count: number
}

// Browsers open six connections, and a whole company may share one address.
const PER_CLIENT_MAX = 512
// Each takes about 10 KB.
const TOTAL_MAX = 8192
/** Files for everything else: the database, the log, sources, documents that are being read. */
const RESERVED_FILES = 256
/** The file limit if it cannot be read. */
const FILES_ASSUMED = 4096
// Scanning is expensive, so a full server closes several connections at once.
const EVICTED_AT_ONCE_SHARE = 0.01

/** Returns the limits of a process: half a second to a second of lingering, 64 KiB in 15 s. */
export function getConnectionLimits(): ConnectionLimits {
  const files = readFileLimit()
  return {
    totalMax: Math.min(TOTAL_MAX, Math.max(files - RESERVED_FILES, Math.floor(files / 2))),
    perClientMax: PER_CLIENT_MAX,
    tickMs: 500,
    lingerTicks: 2,
    stallTicks: 30,
    stallBytes: 64 * 1024,
  }
}

/** Returns how many files this process may open. */
function readFileLimit(): number {
  try {
    const text = readFileSync('/proc/self/limits', 'utf8')
    return Number(/^Max open files +(\d+)/m.exec(text)?.[1] ?? FILES_ASSUMED)
  } catch {
    return FILES_ASSUMED
  }
}

/**
 * Supervises the connections of a server. When there are too many, those that hold no complete request
 * are closed, the least recently used first; a new connection is refused only if all others are busy.
 * `resolveClient` returns the client of a remote address; undefined if it may have any number. `onRefused` gets the
 * client of each connection that was refused because the client has too many.
 */
export function superviseConnections(
  server: Server,
  limits: ConnectionLimits,
  resolveClient: (remoteAddress: string | undefined) => string | undefined,
  onRefused: (client: string) => void = () => undefined,
): Connections {
  const table = new ConnectionTable(limits, onRefused)
  let clock = 0
  const timer = setInterval(() => {
    for (const connection of table.bySocket.values()) {
      if (connection.tick(limits)) connection.socket.destroy()
    }
  }, limits.tickMs).unref()
  server.on('connection', (socket: Socket) => {
    const client = resolveClient(socket.remoteAddress)
    if (!table.evict(client)) {
      socket.destroy()
      return
    }
    const connection = new Connection(socket, client, (clock += 1))
    table.add(connection)
    socket.once('close', () => table.remove(connection))
  })
  server.once('close', () => clearInterval(timer))
  return {
    begin(request, response) {
      table.bySocket.get(request.socket)?.begin(request, response, (clock += 1))
    },
    isResponding: (socket) => table.bySocket.get(socket)?.isResponding() === true,
    closeSoon(socket) {
      table.bySocket.get(socket)?.closeSoon()
    },
    destroyAll() {
      for (const socket of table.bySocket.keys()) socket.destroy()
    },
    get count() {
      return table.bySocket.size
    },
  }
}

/** The open connections, altogether and by client. */
class ConnectionTable {
  readonly bySocket = new Map<Socket, Connection>()
  readonly #byClient = new Map<string, Set<Connection>>()
  readonly #limits: ConnectionLimits
  readonly #onRefused: (client: string) => void

  constructor(limits: ConnectionLimits, onRefused: (client: string) => void) {
    this.#limits = limits
    this.#onRefused = onRefused
  }

  add(connection: Connection): void {
    const { socket, client } = connection
    this.bySocket.set(socket, connection)
    if (client === undefined) return
    const siblings = this.#byClient.get(client)
    if (siblings === undefined) this.#byClient.set(client, new Set([connection]))
    else siblings.add(connection)
  }

  remove(connection: Connection): void {
    const { socket, client } = connection
    if (!this.bySocket.delete(socket) || client === undefined) return
    const siblings = this.#byClient.get(client)
    siblings?.delete(connection)
    if (siblings?.size === 0) this.#byClient.delete(client)
  }

  /** Closes an idle connection in favor of a new one; returns false if every other one is busy. */
  evict(client: string | undefined): boolean {
    const { totalMax, perClientMax } = this.#limits
    const siblings = client === undefined ? undefined : this.#byClient.get(client)
    if (siblings !== undefined && siblings.size >= perClientMax && !this.#evict(siblings, 1)) {
      if (client !== undefined) this.#onRefused(client)
      return false
    }
    if (this.bySocket.size < totalMax) return true
    return this.#evict(this.bySocket.values(), Math.ceil(totalMax * EVICTED_AT_ONCE_SHARE))
  }

  #evict(candidates: Iterable<Connection>, count: number): boolean {
    const evictable = [...candidates]
      .filter((connection) => connection.isEvictable())
      .toSorted((a, b) => a.lastUse - b.lastUse)
      .slice(0, count)
    for (const connection of evictable) {
      connection.socket.destroy()
      // `close` is emitted later, and the place is needed now.
      this.remove(connection)
    }
    return evictable.length > 0
  }
}

/** One connection and the latest request on it. */
class Connection {
  readonly socket: Socket
  readonly client: string | undefined
  /** Increases with each use of any connection. */
  lastUse: number
  #request: IncomingMessage | undefined
  #response: ServerResponse | undefined
  #isClosing = false
  #lingerTicks = 0
  #stallTicks = 0
  #flushedBytes = 0

  constructor(socket: Socket, client: string | undefined, lastUse: number) {
    this.socket = socket
    this.client = client
    this.lastUse = lastUse
  }

  begin(request: IncomingMessage, response: ServerResponse, lastUse: number): void {
    this.#request = request
    this.#response = response
    this.lastUse = lastUse
  }

  closeSoon(): void {
    this.#isClosing = true
  }

  /** Whether nothing is lost to a well-behaved peer: no complete request is unanswered. */
  isEvictable(): boolean {
    if (this.#isClosing || this.#request?.complete !== true) return true
    // A peer that reads would have read something since the last tick but one.
    return this.#stallTicks > 2 || this.#response?.writableFinished === true
  }

  isResponding(): boolean {
    return this.#response?.headersSent === true && !this.#response.writableFinished
  }

  /** Notes that a tick has passed; returns whether the connection must be closed. */
  tick({ lingerTicks, stallTicks, stallBytes }: ConnectionLimits): boolean {
    const isOver = this.#request?.complete === false && this.#response?.writableEnded === true
    this.#lingerTicks = this.#isClosing || isOver ? this.#lingerTicks + 1 : 0
    if (this.#lingerTicks >= lingerTicks) return true
    if (this.socket.writableLength === 0) {
      this.#stallTicks = 0
      return false
    }
    const flushedBytes = countFlushed(this.socket)
    if (this.#stallTicks === 0 || flushedBytes - this.#flushedBytes >= stallBytes) {
      this.#flushedBytes = flushedBytes
      this.#stallTicks = 0
    }
    this.#stallTicks += 1
    return this.#stallTicks > stallTicks
  }
}

/**
 * Counts the bytes of a connection that the operating system has accepted. A large write is one chunk to the
 * stream, so only its handle shows how much is left; Node offers no other way.
 */
function countFlushed(socket: Socket): number {
  const handle: unknown = Reflect.get(socket, '_handle')
  if (typeof handle !== 'object' || handle === null) return socket.bytesWritten
  const [written, queued]: unknown[] = [
    Reflect.get(handle, 'bytesWritten'),
    Reflect.get(handle, 'writeQueueSize'),
  ]
  if (typeof written === 'number' && typeof queued === 'number') return written - queued
  return socket.bytesWritten - socket.writableLength
}
