import { SourceFailure } from '../connector.ts'
import { newTable } from '../../../formats/name/table.ts'

/**
 * Checks the messages of a PostgreSQL server before the driver parses them. The driver trusts the
 * server's lengths and terminators: it searches endlessly for a missing NUL, reads beyond the end
 * of a short message, and buffers messages of any length.
 * https://www.postgresql.org/docs/18/protocol-message-formats.html
 */

const MEBIBYTE = 1024 * 1024
const HEAD_BYTES = 5
const LENGTH_BYTES = 4

/**
 * The maximum length of one message, before and after the server is ready for the first statement.
 */
const STARTUP_MESSAGE_BYTES_MAX = MEBIBYTE
const MESSAGE_BYTES_MAX = 64 * MEBIBYTE

/** The maximum length of a row of a COPY, which is not buffered: the server has the same limit. */
const COPY_BYTES_MAX = 1024 * MEBIBYTE

/** The maximum length of all messages before the first statement, and of one statement's answer. */
const STARTUP_BYTES_MAX = 4 * MEBIBYTE
const RESULT_BYTES_MAX = 128 * MEBIBYTE

/** Checks whether the body of a message is well-formed. */
type Check = (body: Body) => boolean

/** A cursor over the body of a message; reading past its end returns undefined. */
class Body {
  readonly bytes: Buffer
  offset = 0

  constructor(bytes: Buffer) {
    this.bytes = bytes
  }

  get isAtEnd(): boolean {
    return this.offset === this.bytes.length
  }

  byte(): number | undefined {
    return this.bytes[this.offset++]
  }

  int16(): number | undefined {
    this.offset += 2
    return this.offset > this.bytes.length ? undefined : this.bytes.readInt16BE(this.offset - 2)
  }

  int32(): number | undefined {
    this.offset += 4
    return this.offset > this.bytes.length ? undefined : this.bytes.readInt32BE(this.offset - 4)
  }

  /** Skips bytes; returns false if there are fewer. */
  skip(count: number): boolean {
    this.offset += count
    return count >= 0 && this.offset <= this.bytes.length
  }

  /** Skips a text with its NUL; returns its length, undefined if it has no NUL. */
  text(): number | undefined {
    const end = this.bytes.indexOf(0, this.offset)
    if (end === -1) return undefined
    const length = end - this.offset
    this.offset = end + 1
    return length
  }
}

const isEmpty: Check = (body) => body.isAtEnd

const hasTexts =
  (count: number, leadingBytes = 0): Check =>
  (body) => {
    if (!body.skip(leadingBytes)) return false
    for (let index = 0; index < count; index += 1) if (body.text() === undefined) return false
    return body.isAtEnd
  }

/** Fields with a type and a text each, followed by a NUL. */
const hasErrorFields: Check = (body) => {
  for (;;) {
    const type = body.byte()
    if (type === 0) return body.isAtEnd
    if (type === undefined || body.text() === undefined) return false
  }
}

const hasColumns: Check = (body) => {
  const count = body.int16() ?? -1
  if (count < 0) return false
  for (let index = 0; index < count; index += 1) {
    if (body.text() === undefined || !body.skip(18)) return false
  }
  return body.isAtEnd
}

const hasValues: Check = (body) => {
  const count = body.int16() ?? -1
  if (count < 0) return false
  for (let index = 0; index < count; index += 1) {
    const length = body.int32() ?? -2
    if (length < -1 || (length > 0 && !body.skip(length))) return false
  }
  return body.isAtEnd
}

const hasCopyFormats: Check = (body) => {
  const isFormat = body.byte() !== undefined
  const count = body.int16() ?? -1
  return isFormat && count >= 0 && body.skip(2 * count) && body.isAtEnd
}

const hasParameterTypes: Check = (body) => {
  const count = body.int16() ?? -1
  return count >= 0 && body.skip(4 * count) && body.isAtEnd
}

/** The authentication methods of the driver: none, a password, MD5, and the steps of SASL. */
const hasAuthentication: Check = (body) => {
  const method = body.int32()
  if (method === 0 || method === 3) return body.isAtEnd
  if (method === 5) return body.skip(4) && body.isAtEnd
  if (method === 11 || method === 12) return true
  if (method !== 10) return false
  for (;;) {
    const length = body.text()
    if (length === undefined) return false
    if (length === 0) return body.isAtEnd
  }
}

const CHECKS = newTable<Check>({
  R: hasAuthentication,
  K: (body) => body.skip(8),
  S: hasTexts(2),
  Z: (body) => body.skip(1) && body.isAtEnd,
  E: hasErrorFields,
  N: hasErrorFields,
  T: hasColumns,
  t: hasParameterTypes,
  D: hasValues,
  C: hasTexts(1),
  A: hasTexts(2, 4),
  G: hasCopyFormats,
  H: hasCopyFormats,
  W: hasCopyFormats,
  c: isEmpty,
  n: isEmpty,
  s: isEmpty,
  I: isEmpty,
  1: isEmpty,
  2: isEmpty,
  3: isEmpty,
})

/** The data of a COPY is arbitrary bytes and is not buffered. */
const COPY_DATA = 'd'

/** A row of a statement's answer. */
const DATA_ROW = 'D'

/** Checks the bytes of a server, chunk by chunk. */
export class MessageGuard {
  /** Whether rows are streamed instead of buffered, so that their total length is not limited. */
  isStreaming = false
  readonly #address: string
  readonly #head = Buffer.alloc(HEAD_BYTES)
  #headBytes = 0
  #type = ''
  #body: Buffer | undefined
  #bodyBytes = 0
  #remaining = 0
  #isStarting = true
  #keptBytes = 0

  /** The address is for messages: `db.example:5432`. */
  constructor(address: string) {
    this.#address = address
  }

  /**
   * Checks the next chunk. Errors: SourceFailure protocol, too_large; the driver must not receive that chunk.
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
    this.#type = String.fromCharCode(this.#head[0] ?? 0)
    const length = this.#head.readUInt32BE(1)
    const isCopyData = this.#type === COPY_DATA
    const usualMax = isCopyData ? COPY_BYTES_MAX : MESSAGE_BYTES_MAX
    const bytesMax = this.#isStarting ? STARTUP_MESSAGE_BYTES_MAX : usualMax
    if (length < LENGTH_BYTES || length > bytesMax) this.#refuse(`has the length ${length}`)
    if (!isCopyData && !Object.hasOwn(CHECKS, this.#type)) this.#refuse('has an unknown type')
    this.#remaining = length - LENGTH_BYTES
    if (isCopyData || (this.isStreaming && this.#type === DATA_ROW)) return
    this.#keptBytes += HEAD_BYTES + this.#remaining
    if (this.#isStarting && this.#keptBytes > STARTUP_BYTES_MAX) {
      this.#refuse('exceeds the length of a log-in')
    }
    if (this.#keptBytes > RESULT_BYTES_MAX) {
      const message = `${this.#address} returned more than ${RESULT_BYTES_MAX / MEBIBYTE} MiB for one statement.`
      throw new SourceFailure('too_large', message)
    }
  }

  #readBody(chunk: Buffer): Buffer {
    const part = chunk.subarray(0, this.#remaining)
    if (this.#type !== COPY_DATA) {
      // Most messages arrive in one chunk.
      if (this.#body === undefined && part.length === this.#remaining) this.#body = part
      else {
        this.#body ??= Buffer.allocUnsafe(this.#remaining)
        part.copy(this.#body, this.#bodyBytes)
      }
      this.#bodyBytes += part.length
    }
    this.#remaining -= part.length
    return chunk.subarray(part.length)
  }

  #finish(): void {
    const isWellFormed = CHECKS[this.#type]?.(new Body(this.#body ?? Buffer.alloc(0))) ?? true
    if (!isWellFormed) this.#refuse('is malformed')
    if (this.#type === 'Z') {
      this.#isStarting = false
      this.#keptBytes = 0
    }
    this.#headBytes = 0
    this.#body = undefined
    this.#bodyBytes = 0
  }

  #refuse(what: string): never {
    throw new SourceFailure(
      'protocol',
      `${this.#address} sent a message that violates PostgreSQL's protocol.`,
      { cause: new Error(`a message of the type ${JSON.stringify(this.#type)} ${what}`) },
    )
  }
}
