/** The messages of the Tabular Data Stream protocol (MS-TDS) that a server needs to send and to read. */

/** The types of packets. */
export const PACKETS = {
  batch: 1,
  response: 4,
  attention: 6,
  login: 16,
  prelogin: 18,
} as const

/** A value of a row. */
export type TdsValue = string | number | null

/** The type of a column; `text` has no limit. */
export type TdsType = 'int' | 'name' | 'text'

/** An error that the server reports. */
export interface TdsError {
  number: number
  message: string
  /** The severity: from 20 the server closes the connection. */
  severity?: number
}

/** The parts of a log-in. */
export interface TdsLogin {
  user: string
  password: string
  database: string
  /** The access token of an application. */
  token: string | undefined
  appName: string
}

const HEADER_BYTES = 8
const COLLATION = Buffer.from([0x09, 0x04, 0xd0, 0x00, 0x34])
const FEDAUTH = 2
const DONE_ERROR = 2
const DONE_ATTENTION = 0x20

/** Frames a part of a message as one packet. */
export function toPacket(type: number, data: Buffer, isLast: boolean): Buffer {
  const header = Buffer.alloc(HEADER_BYTES)
  header.writeUInt8(type, 0)
  header.writeUInt8(isLast ? 1 : 0, 1)
  header.writeUInt16BE(data.length + HEADER_BYTES, 2)
  return Buffer.concat([header, data])
}

/** Assembles messages from packets. */
export class MessageReader {
  #bytes = Buffer.alloc(0)
  #parts: Buffer[] = []

  /** Adds bytes and returns the messages that are complete. */
  add(chunk: Buffer): { type: number; data: Buffer }[] {
    this.#bytes = Buffer.concat([this.#bytes, chunk])
    const messages: { type: number; data: Buffer }[] = []
    while (this.#bytes.length >= HEADER_BYTES) {
      const length = this.#bytes.readUInt16BE(2)
      if (this.#bytes.length < length) break
      this.#parts.push(this.#bytes.subarray(HEADER_BYTES, length))
      const [type, status] = [this.#bytes.readUInt8(0), this.#bytes.readUInt8(1)]
      this.#bytes = this.#bytes.subarray(length)
      if ((status & 1) === 0) continue
      messages.push({ type, data: Buffer.concat(this.#parts) })
      this.#parts = []
    }
    return messages
  }
}

/** Creates the answer to PRELOGIN: the version, the encryption, and whether a token is expected. */
export function toPrelogin(hasEncryption: boolean): Buffer {
  const options = [
    { id: 0, data: Buffer.from([16, 0, 0, 0, 0, 0]) },
    { id: 1, data: Buffer.from([hasEncryption ? 1 : 2]) },
    { id: 6, data: Buffer.from([1]) },
  ]
  const head = Buffer.alloc(options.length * 5 + 1, 0xff)
  let offset = head.length
  for (const [at, { id, data }] of options.entries()) {
    head.writeUInt8(id, at * 5)
    head.writeUInt16BE(offset, at * 5 + 1)
    head.writeUInt16BE(data.length, at * 5 + 3)
    offset += data.length
  }
  return Buffer.concat([head, ...options.map(({ data }) => data)])
}

/** Reads LOGIN7. */
export function readLogin(data: Buffer): TdsLogin {
  const field = (at: number): Buffer => {
    const offset = data.readUInt16LE(at)
    return data.subarray(offset, offset + data.readUInt16LE(at + 2) * 2)
  }
  const password = field(44).map((byte) => {
    const plain = byte ^ 0xa5
    return ((plain & 0x0f) << 4) | (plain >> 4)
  })
  return {
    user: field(40).toString('utf16le'),
    password: Buffer.from(password).toString('utf16le'),
    appName: field(48).toString('utf16le'),
    database: field(68).toString('utf16le'),
    token: readToken(data),
  }
}

function readToken(data: Buffer): string | undefined {
  const hasExtension = (data.readUInt8(27) & 0x10) !== 0
  if (!hasExtension) return undefined
  let at = data.readUInt32LE(data.readUInt16LE(56))
  while (data.readUInt8(at) !== 0xff) {
    const length = data.readUInt32LE(at + 1)
    if (data.readUInt8(at) === FEDAUTH) {
      const start = at + 5 + 1 + 4
      return data.subarray(start, start + data.readUInt32LE(at + 6)).toString('utf16le')
    }
    at += 5 + length
  }
  return undefined
}

/** Reads the text of a SQL batch. */
export function readBatch(data: Buffer): string {
  return data.subarray(data.readUInt32LE(0)).toString('utf16le')
}

/** Creates the tokens of an accepted log-in. */
export function toLoginAck(hasToken: boolean): Buffer {
  const program = toShortText('Scripted SQL Server')
  const body = Buffer.concat([Buffer.from([1, 0x74, 0, 0, 4]), program, Buffer.from([16, 0, 0, 0])])
  const acknowledged = hasToken ? Buffer.from([0xae, FEDAUTH, 0, 0, 0, 0, 0xff]) : Buffer.alloc(0)
  return Buffer.concat([Buffer.from([0xad]), toLength(body.length), body, acknowledged, toDone()])
}

/** Creates the tokens of a log-in that is redirected to another address. */
export function toRouting(host: string, port: number): Buffer {
  const name = Buffer.from(host, 'utf16le')
  const target = Buffer.concat([Buffer.from([0]), toLength(port), toLength(host.length), name])
  const body = Buffer.concat([Buffer.from([20]), toLength(target.length), target, toLength(0)])
  return Buffer.concat([Buffer.from([0xe3]), toLength(body.length), body])
}

/** Creates the token of an error. */
export function toErrorToken({ number, message, severity = 14 }: TdsError): Buffer {
  const numbers = Buffer.alloc(6)
  numbers.writeInt32LE(number, 0)
  numbers.writeUInt8(1, 4)
  numbers.writeUInt8(severity, 5)
  const text = Buffer.concat([toLength(message.length), Buffer.from(message, 'utf16le')])
  const body = Buffer.concat([numbers, text, toShortText('scripted'), Buffer.from([0, 1, 0, 0, 0])])
  return Buffer.concat([Buffer.from([0xaa]), toLength(body.length), body])
}

/** Creates the token that ends a result. */
export function toDone(kind?: 'error' | 'attention'): Buffer {
  const done = Buffer.alloc(13)
  done.writeUInt8(0xfd, 0)
  const status = { error: DONE_ERROR, attention: DONE_ATTENTION, none: 0 }[kind ?? 'none']
  done.writeUInt16LE(status, 1)
  return done
}

/** Creates the token that describes the columns of a result. */
export function toColumns(types: readonly TdsType[]): Buffer {
  const columns = types.map((type) => {
    const head = Buffer.from([0, 0, 0, 0, 1, 0])
    if (type === 'int') return Buffer.concat([head, Buffer.from([0x26, 4, 0])])
    const size = toLength(type === 'text' ? 0xffff : 8000)
    return Buffer.concat([head, Buffer.from([0xe7]), size, COLLATION, Buffer.from([0])])
  })
  return Buffer.concat([Buffer.from([0x81]), toLength(types.length), ...columns])
}

/** Creates the token of a row. */
export function toRow(types: readonly TdsType[], values: readonly TdsValue[]): Buffer {
  const cells = types.map((type, at) => toCell(type, values[at] ?? null))
  return Buffer.concat([Buffer.from([0xd1]), ...cells])
}

function toCell(type: TdsType, value: TdsValue): Buffer {
  if (type === 'int') {
    if (value === null) return Buffer.from([0])
    const cell = Buffer.alloc(5, 4)
    cell.writeInt32LE(Number(value), 1)
    return cell
  }
  if (type === 'name') {
    if (value === null) return toLength(0xffff)
    const data = Buffer.from(String(value), 'utf16le')
    return Buffer.concat([toLength(data.length), data])
  }
  if (value === null) return Buffer.alloc(8, 0xff)
  const data = Buffer.from(String(value), 'utf16le')
  const sizes = Buffer.alloc(12)
  sizes.writeBigUInt64LE(BigInt(data.length), 0)
  sizes.writeUInt32LE(data.length, 8)
  // A chunk without bytes is the end.
  return data.length === 0 ? Buffer.alloc(12) : Buffer.concat([sizes, data, Buffer.alloc(4)])
}

function toShortText(text: string): Buffer {
  return Buffer.concat([Buffer.from([text.length]), Buffer.from(text, 'utf16le')])
}

function toLength(length: number): Buffer {
  const bytes = Buffer.alloc(2)
  bytes.writeUInt16LE(length)
  return bytes
}
