import { isIP, type Socket } from 'node:net'
import { connect as connectTls, type TLSSocket } from 'node:tls'
import { tlsOptions, type PostgresSetup } from './configuration.ts'

/**
 * Implements the cancel request of PostgreSQL's protocol
 * (https://www.postgresql.org/docs/18/protocol-flow.html, "Canceling Requests in Progress"): a
 * second connection sends the process id and its secret, and the server closes it after signalling
 * the process.
 */

/** Identifies a server process; sent by the server at the log-in. */
export interface BackendKey {
  processId: number
  secretKey: number
}

const CANCEL_REQUEST = 80_877_102
const SSL_REQUEST = 80_877_103
const TIMEOUT_MS = 2000

/** Cancels the statement of a server process; resolves after two seconds at most. */
export async function sendCancelRequest(connecting: PostgresSetup, key: BackendKey): Promise<void> {
  const socket = connecting.setup.dialer.socket()
  const timer = setTimeout(() => socket.destroy(), TIMEOUT_MS)
  try {
    await deliver(socket, connecting, message(CANCEL_REQUEST, key.processId, key.secretKey))
  } finally {
    clearTimeout(timer)
    socket.destroy()
  }
}

async function deliver(socket: Socket, connecting: PostgresSetup, request: Buffer): Promise<void> {
  const { host, port } = connecting.configuration
  const tls = tlsOptions(connecting)
  const isClosed = waitForClose(socket)
  const isConnected = Promise.withResolvers<void>()
  socket.once('connect', isConnected.resolve)
  socket.connect(port, host)
  await Promise.race([isConnected.promise, isClosed])
  if (socket.destroyed) return
  if (tls === undefined) {
    // A close is detected only while reading.
    socket.resume()
    socket.write(request)
    return await isClosed
  }
  const answer = Promise.withResolvers<Buffer>()
  socket.once('data', answer.resolve)
  socket.write(message(SSL_REQUEST))
  const first = await Promise.race([answer.promise, isClosed])
  if (first?.toString('latin1') !== 'S') return
  const serverName = isIP(host) === 0 ? { servername: host } : {}
  const encrypted: TLSSocket = connectTls({ ...tls, ...serverName, host, socket }, () => {
    encrypted.resume()
    encrypted.write(request)
  })
  await waitForClose(encrypted)
}

/** Resolves when a socket is closed, also by an error. */
function waitForClose(socket: Socket): Promise<undefined> {
  const { promise, resolve } = Promise.withResolvers<undefined>()
  socket.on('error', () => resolve(undefined))
  socket.once('close', () => resolve(undefined))
  return promise
}

/** Creates a message without a type: its length and 32-bit numbers. */
function message(...numbers: readonly number[]): Buffer {
  const buffer = Buffer.alloc(4 + 4 * numbers.length)
  buffer.writeInt32BE(buffer.length, 0)
  numbers.forEach((number, index) => buffer.writeInt32BE(Math.trunc(number), 4 + 4 * index))
  return buffer
}
