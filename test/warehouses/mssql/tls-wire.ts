import type { Socket } from 'node:net'
import { Duplex } from 'node:stream'
import { MessageReader, PACKETS, toPacket } from './tds.ts'

/**
 * The bytes of TLS between a server and its socket: in PRELOGIN packets during the handshake, plain after it.
 */
export class TlsWire extends Duplex {
  readonly #socket: Socket
  readonly #reader = new MessageReader()
  #isHandshake = true
  #flight: Buffer[] = []

  constructor(socket: Socket) {
    super()
    this.#socket = socket
  }

  /** Receives bytes of the socket. The first byte of a TLS record differs from that of PRELOGIN. */
  receive(chunk: Buffer): void {
    if (this.#isHandshake && chunk[0] !== PACKETS.prelogin) this.#isHandshake = false
    if (!this.#isHandshake) this.push(chunk)
    else for (const { data } of this.#reader.add(chunk)) this.push(data)
  }

  override _read(): void {
    // Bytes are pushed when they arrive.
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, written: () => void): void {
    if (!this.#isHandshake) {
      this.#socket.write(chunk, () => written())
      return
    }
    // The client expects one message for each of its own.
    if (this.#flight.length === 0) setImmediate(() => this.#sendFlight())
    this.#flight.push(chunk)
    written()
  }

  override _destroy(error: Error | null, destroyed: (error: Error | null) => void): void {
    this.#socket.destroy()
    destroyed(error)
  }

  #sendFlight(): void {
    const data = Buffer.concat(this.#flight)
    this.#flight = []
    this.#socket.write(toPacket(PACKETS.response, data, true))
  }
}
