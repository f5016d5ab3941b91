import { SourceFailure } from '../connector.ts'

/**
 * Checks the packets of a MySQL or MariaDB server before the driver parses them: their lengths and
 * numbers, the total length of multi-part packets, and the first bytes of an answer to a statement.
 * https://dev.mysql.com/doc/dev/mysql-server/latest/page_protocol_basic_packets.html
 */

const MEBIBYTE = 1024 * 1024
const HEAD_BYTES = 4

/** A packet of this length continues in the next one. */
const PART_BYTES = 0xff_ff_ff

/** The total length of a packet's parts, before and after the log-in. */
const LOGIN_PACKET_BYTES_MAX = MEBIBYTE
const PACKET_BYTES_MAX = 64 * MEBIBYTE

/** The maximum number of packets of a log-in, which usually takes four. */
const LOGIN_PACKETS_MAX = 20

/** The maximum number of columns of a table or a result. */
const COLUMNS_MAX = 4096

const OK = 0x00
const LOCAL_FILE = 0xfb
const ERROR = 0xff
const GREETING = 0x0a

/** The number of inspected bytes of a packet. */
const START_BYTES = 9

/** Checks the bytes of a server, chunk by chunk. */
export class PacketGuard {
  readonly #address: string
  readonly #head = Buffer.alloc(HEAD_BYTES)
  readonly #start = Buffer.alloc(START_BYTES)
  #headBytes = 0
  #startBytes = 0
  #remaining = 0
  #wholeBytes = 0
  #isContinued = false
  #isLoggingIn = true
  #packetCount = 0
  #lastNumber = -1
  #previousNumber = -1

  /** The address is for messages: `db.example:3306`. */
  constructor(address: string) {
    this.#address = address
  }

  /**
   * Checks the next chunk. Errors: SourceFailure protocol; the driver must not receive that chunk.
   */
  inspect(chunk: Buffer): void {
    let rest = chunk
    while (rest.length > 0) {
      if (this.#headBytes < HEAD_BYTES) rest = this.#readHead(rest)
      else rest = this.#readBody(rest)
      if (this.#headBytes === HEAD_BYTES && this.#remaining === 0) this.#finish()
    }
  }

  #readHead(chunk: Buffer): Buffer {
    const copied = chunk.copy(this.#head, this.#headBytes, 0, HEAD_BYTES - this.#headBytes)
    this.#headBytes += copied
    if (this.#headBytes === HEAD_BYTES) this.#begin()
    return chunk.subarray(copied)
  }

  #begin(): void {
    const length = this.#head.readUIntLE(0, 3)
    const number = this.#head[3] ?? 0
    if (this.#isContinued || !this.#isLoggingIn) this.#assertNumber(number)
    if (!this.#isContinued) {
      this.#wholeBytes = 0
      this.#startBytes = 0
    }
    this.#wholeBytes += length
    this.#remaining = length
    this.#previousNumber = this.#lastNumber
    this.#lastNumber = number
    const bytesMax = this.#isLoggingIn ? LOGIN_PACKET_BYTES_MAX : PACKET_BYTES_MAX
    if (this.#wholeBytes > bytesMax) this.#refuse(`has ${this.#wholeBytes} bytes or more`)
  }

  // An answer begins with 1, because the statement was 0. A server that closes a connection sends a
  // last packet with 0.
  #assertNumber(number: number): void {
    const isNext = number === (this.#lastNumber + 1) % 256
    if (!isNext && (this.#isContinued || number > 1)) {
      this.#refuse(`has the number ${number} after ${this.#lastNumber}`)
    }
  }

  #readBody(chunk: Buffer): Buffer {
    const part = chunk.subarray(0, this.#remaining)
    if (this.#startBytes < START_BYTES) {
      this.#startBytes += part.copy(this.#start, this.#startBytes)
    }
    this.#remaining -= part.length
    return chunk.subarray(part.length)
  }

  #finish(): void {
    this.#headBytes = 0
    this.#isContinued = this.#head.readUIntLE(0, 3) === PART_BYTES
    if (this.#isContinued) return
    if (this.#wholeBytes === 0) this.#refuse('is empty')
    this.#packetCount += 1
    if (this.#start[0] === ERROR && this.#wholeBytes < 3) this.#refuse('is an error without a code')
    if (this.#isLoggingIn) this.#finishLogIn()
    else if (this.#lastNumber === 1) this.#assertAnswer()
  }

  #finishLogIn(): void {
    const kind = this.#start[0]
    if (this.#packetCount > LOGIN_PACKETS_MAX) this.#refuse('is one too many for a log-in')
    if (this.#packetCount === 1 && kind !== GREETING && kind !== ERROR)
      this.#refuse('is not a greeting')
    if (this.#packetCount > 1 && kind === OK) this.#isLoggingIn = false
  }

  // The 257th packet of an answer has the number 1 again: it is a row with arbitrary content.
  #assertAnswer(): void {
    if (this.#previousNumber === 0) return
    const kind = this.#start[0] ?? 0
    if (kind === OK || kind === ERROR) return
    if (kind === LOCAL_FILE) this.#refuse('asks for a file')
    const columnCount = this.#columnCount(kind)
    if (columnCount === undefined || columnCount === 0 || columnCount > COLUMNS_MAX) {
      this.#refuse('has an impossible number of columns')
    }
  }

  // A count takes one byte, or two after a marker; larger counts exceed COLUMNS_MAX.
  #columnCount(kind: number): number | undefined {
    if (kind < LOCAL_FILE) return this.#wholeBytes === 1 ? kind : undefined
    if (kind !== 0xfc || this.#wholeBytes !== 3) return undefined
    return this.#start.readUInt16LE(1)
  }

  #refuse(what: string): never {
    throw new SourceFailure(
      'protocol',
      `${this.#address} sent a packet that violates MySQL's protocol.`,
      { cause: new Error(`a packet ${what}`) },
    )
  }
}
