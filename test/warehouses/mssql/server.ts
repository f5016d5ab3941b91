/**
 * A server that speaks the Tabular Data Stream protocol, with and without TLS, and answers statements from a
 * model in memory. It follows the published protocol and catalog; no server of the vendor was available.
 */

import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { TLSSocket } from 'node:tls'
import { answerStatement, type MssqlModel, type StatementAnswer } from './catalog.ts'
import {
  MessageReader,
  PACKETS,
  readBatch,
  readLogin,
  toColumns,
  toDone,
  toErrorToken,
  toLoginAck,
  toPacket,
  toPrelogin,
  toRouting,
  toRow,
  type TdsLogin,
} from './tds.ts'
import { TlsWire } from './tls-wire.ts'

const PACKET_BYTES = 4000

/** The behaviour of the server, which a test changes between runs. */
export interface TdsBehaviour {
  /** Passwords by user. */
  users: Map<string, string>
  /** The accepted access token. */
  token: string
  /** The number of the error with which every log-in is rejected. */
  loginError: number | undefined
  /** A certificate with its key; without it, the server does not encrypt. */
  tls: { cert: string; key: string } | undefined
  /** Redirects log-ins. */
  redirect: { host: string; port: number } | undefined
  /** Statements that are not answered until the client sends ATTENTION. */
  silent: { test(text: string): boolean } | undefined
  /** The number of result bytes after which the server closes the connection. */
  closeAfterBytes: number | undefined
  /** Whether the server closes the connection with a reset. */
  isReset: boolean
}

/** A running server. */
export interface TdsServer {
  host: string
  port: number
  model: MssqlModel
  behaviour: TdsBehaviour
  /** The texts of statements, in order. */
  statements: string[]
  logins: TdsLogin[]
  /** The number of ATTENTION messages. */
  attentions: number
  /** The number of open connections. */
  readonly connectionCount: number
  /** Bytes of results that were sent. */
  sentBytes: number
  close(): Promise<void>
}

/** Starts a server on loopback. */
export async function startTdsServer(model: MssqlModel): Promise<TdsServer> {
  const sockets = new Set<Socket>()
  const listener = createServer((socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    socket.on('error', () => undefined)
    const connection = new ServerConnection(server, socket)
    socket.on('data', (chunk: Buffer) => connection.receive(chunk))
  })
  await once(listener.listen(0, '127.0.0.1'), 'listening')
  const server: TdsServer = {
    host: '127.0.0.1',
    port: (listener.address() as AddressInfo).port,
    model,
    behaviour: {
      users: new Map([['reader', 'canary-secret']]),
      token: 'canary-token',
      loginError: undefined,
      tls: undefined,
      redirect: undefined,
      silent: undefined,
      closeAfterBytes: undefined,
      isReset: false,
    },
    statements: [],
    logins: [],
    attentions: 0,
    sentBytes: 0,
    get connectionCount() {
      return sockets.size
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      listener.close()
      await once(listener, 'close')
    },
  }
  return server
}

class ServerConnection {
  readonly #server: TdsServer
  readonly #socket: Socket
  readonly #reader = new MessageReader()
  #stream: Duplex
  #wire: TlsWire | undefined
  #isEncrypting = false
  #database = 'master'
  #attention = Promise.withResolvers<void>()
  #isCancelled = false
  #isAnswering = false

  constructor(server: TdsServer, socket: Socket) {
    this.#server = server
    this.#socket = socket
    this.#stream = socket
  }

  receive(chunk: Buffer): void {
    if (this.#wire !== undefined) this.#wire.receive(chunk)
    else this.#read(chunk)
  }

  #read(chunk: Buffer): void {
    for (const { type, data } of this.#reader.add(chunk)) {
      if (type === PACKETS.prelogin) this.#startEncryption()
      else if (type === PACKETS.login) this.#logIn(readLogin(data))
      else if (type === PACKETS.batch) void this.#answer(readBatch(data))
      else if (type === PACKETS.attention) this.#cancel()
    }
  }

  #startEncryption(): void {
    const { tls } = this.#server.behaviour
    this.#write(toPrelogin(tls !== undefined))
    if (tls === undefined || this.#isEncrypting) return
    this.#isEncrypting = true
    this.#wire = new TlsWire(this.#socket)
    const encrypted = new TLSSocket(this.#wire, { isServer: true, ...tls })
    encrypted.on('error', () => this.#socket.destroy())
    encrypted.on('data', (chunk: Buffer) => this.#read(chunk))
    this.#stream = encrypted
  }

  #logIn(login: TdsLogin): void {
    const { behaviour, logins, model } = this.#server
    logins.push(login)
    const isKnown =
      login.token === undefined
        ? behaviour.users.get(login.user) === login.password
        : behaviour.token === login.token
    const database = login.database === '' ? 'master' : login.database
    const number = behaviour.loginError ?? (isKnown ? undefined : 18456)
    const denied = model.databases[database]?.isGranted === false || !(database in model.databases)
    if (number !== undefined || denied) {
      const message = `Login failed for user '${login.user}'.`
      const error = { number: number ?? 4060, message }
      this.#write(Buffer.concat([toErrorToken(error), toDone('error')]))
      return
    }
    this.#database = database
    const ack = toLoginAck(login.token !== undefined)
    const { redirect } = behaviour
    this.#write(
      redirect === undefined ? ack : Buffer.concat([toRouting(redirect.host, redirect.port), ack]),
    )
  }

  async #answer(text: string): Promise<void> {
    if (!/^\s*set /.test(text)) this.#server.statements.push(text)
    this.#attention = Promise.withResolvers()
    this.#isCancelled = false
    this.#isAnswering = true
    if (this.#server.behaviour.silent?.test(text) === true) await this.#attention.promise
    else await this.#send(answerStatement(this.#server.model, this.#database, text))
    this.#isAnswering = false
    if (this.#isCancelled) {
      this.#write(toDone())
      this.#write(toDone('attention'))
    }
  }

  #cancel(): void {
    this.#server.attentions += 1
    this.#isCancelled = true
    this.#attention.resolve()
    if (!this.#isAnswering) this.#write(toDone('attention'))
  }

  /** Sends a result in packets, no faster than the client reads. */
  async #send(answer: StatementAnswer): Promise<void> {
    let packet = toColumns(answer.types)
    let sent = 0
    for (const row of answer.rows) {
      packet = Buffer.concat([packet, toRow(answer.types, row)])
      if (packet.length < PACKET_BYTES) continue
      sent += packet.length
      this.#server.sentBytes += packet.length
      if (this.#isClosedAfter(sent)) return
      const isFree = this.#write(packet, false)
      packet = Buffer.alloc(0)
      // The event loop must also run for ATTENTION.
      if (!isFree) await Promise.race([once(this.#stream, 'drain'), once(this.#socket, 'close')])
      else await new Promise(setImmediate)
      if (this.#socket.destroyed || this.#isCancelled) return
    }
    const { error } = answer
    const end =
      error === undefined ? toDone() : Buffer.concat([toErrorToken(error), toDone('error')])
    this.#write(answer.types.length === 0 ? end : Buffer.concat([packet, end]))
  }

  #isClosedAfter(bytes: number): boolean {
    const { closeAfterBytes, isReset } = this.#server.behaviour
    if (closeAfterBytes === undefined || bytes <= closeAfterBytes) return false
    if (isReset) this.#socket.resetAndDestroy()
    else this.#socket.end()
    return true
  }

  /** Writes a part of a message, or its end; returns false if the client must first read. */
  #write(data: Buffer, isEnd = true): boolean {
    let isFree = true
    for (let at = 0; at < data.length; at += PACKET_BYTES) {
      const part = data.subarray(at, at + PACKET_BYTES)
      const isLast = isEnd && at + PACKET_BYTES >= data.length
      isFree = this.#stream.write(toPacket(PACKETS.response, part, isLast))
    }
    return isFree
  }
}
