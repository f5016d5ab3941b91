import { isIP, type Socket } from 'node:net'
import { Duplex } from 'node:stream'
import { connect as connectTls, type ConnectionOptions } from 'node:tls'
import type { MessageGuard } from './message-guard.ts'

const SSL_REQUEST = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47])

/**
 * The stream of a driver: a socket of the dialer, with TLS if configured, and a guard behind both.
 * The driver must not start TLS itself: it would then bypass the guard.
 */
export class GuardedStream extends Duplex {
  readonly #socket: Socket
  readonly #tls: ConnectionOptions | undefined
  readonly #guard: MessageGuard
  #inner: Socket

  constructor(socket: Socket, tls: ConnectionOptions | undefined, guard: MessageGuard) {
    super({ allowHalfOpen: false })
    this.#socket = socket
    this.#tls = tls
    this.#guard = guard
    this.#inner = socket
  }

  /**
   * Connects, negotiates TLS, and emits `connect`. Emits as errors those of the dialer and of TLS.
   */
  connect(port: number, host: string): this {
    this.#socket.on('error', (error) => this.destroy(error))
    this.#socket.once('close', () => this.#onClose())
    this.#socket.once('connect', () => {
      if (this.#tls === undefined) this.#open(this.#socket)
      else this.#requestTls(host, this.#tls)
    })
    this.#socket.connect(port, host)
    return this
  }

  setNoDelay(isNoDelay?: boolean): this {
    this.#socket.setNoDelay(isNoDelay)
    return this
  }

  setKeepAlive(isKeptAlive?: boolean, initialDelayMs?: number): this {
    this.#socket.setKeepAlive(isKeptAlive, initialDelayMs)
    return this
  }

  ref(): this {
    this.#socket.ref()
    return this
  }

  unref(): this {
    this.#socket.unref()
    return this
  }

  override _read(): void {
    this.#inner.resume()
  }

  override _write(
    chunk: Buffer,
    _encoding: BufferEncoding,
    written: (error?: Error | null) => void,
  ): void {
    this.#inner.write(chunk, written)
  }

  override _final(finished: (error?: Error | null) => void): void {
    if (this.#inner.destroyed) finished()
    else this.#inner.end(() => finished())
  }

  override _destroy(error: Error | null, destroyed: (error: Error | null) => void): void {
    this.#inner.destroy()
    this.#socket.destroy()
    destroyed(error)
  }

  #requestTls(host: string, tls: ConnectionOptions): void {
    this.#socket.once('data', (answer) => {
      const text = answer.toString('latin1')
      if (text === 'S') return this.#startTls(host, tls)
      // Further bytes would be injected by an attacker between client and server.
      const isRefused = text === 'N'
      this.destroy(
        new Error(
          isRefused
            ? 'The server does not support SSL connections'
            : 'There was an error establishing an SSL connection',
        ),
      )
    })
    this.#socket.write(SSL_REQUEST)
  }

  #startTls(host: string, tls: ConnectionOptions): void {
    // Only names: RFC 6066, section 3.
    const serverName = isIP(host) === 0 ? { servername: host } : {}
    try {
      const encrypted = connectTls({ ...tls, ...serverName, host, socket: this.#socket }, () =>
        this.#open(encrypted),
      )
      encrypted.on('error', (error) => this.destroy(error))
      encrypted.once('close', () => this.#onClose())
    } catch (error) {
      // An invalid certificate or key.
      this.destroy(error instanceof Error ? error : new Error(String(error)))
    }
  }

  #open(inner: Socket): void {
    this.#inner = inner
    inner.on('data', (chunk: Buffer) => this.#receive(chunk))
    inner.once('end', () => this.push(null))
    this.emit('connect')
  }

  #receive(chunk: Buffer): void {
    if (this.destroyed) return
    try {
      this.#guard.inspect(chunk)
    } catch (error) {
      this.destroy(error instanceof Error ? error : new Error(String(error)))
      return
    }
    if (!this.push(chunk)) this.#inner.pause()
  }

  // Data that arrived before the end may still be unread.
  #onClose(): void {
    if (!this.destroyed && !this.readableEnded) this.push(null)
  }
}
