import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { SourceFailure } from '../connector.ts'
import { MessageGuard } from './message-guard.ts'

/** Creates a message with its type and a body in Latin-1. */
function message(type: string, body: string): Buffer {
  const bytes = Buffer.from(body, 'latin1')
  const head = Buffer.alloc(5)
  head.write(type, 'latin1')
  head.writeUInt32BE(bytes.length + 4, 1)
  return Buffer.concat([head, bytes])
}

/** Creates the head of a message with any length, without its body. */
function head(type: string, length: number): Buffer {
  const bytes = Buffer.alloc(5)
  bytes.write(type, 'latin1')
  bytes.writeUInt32BE(length, 1)
  return bytes
}

const LOG_IN = Buffer.concat([
  message('R', '\0\0\0\nSCRAM-SHA-256\0\0'),
  message('R', '\0\0\0\vr=abc,s=def,i=4096'),
  message('R', '\0\0\0\fv=xyz'),
  message('R', '\0\0\0\0'),
  message('S', 'server_version\x0018.0\0'),
  message('K', '\0\0\x12\x34\0\0\x56\x78'),
  message('Z', 'I'),
])
const COLUMN = `name\0${'\0'.repeat(18)}`
const STATEMENTS = Buffer.concat([
  message('T', `\0\x02${COLUMN}${COLUMN}`),
  message('D', '\0\x02\0\0\0\x03abc\xff\xff\xff\xff'),
  message('D', '\0\x01\0\0\0\0'),
  message('C', 'SELECT 1\0'),
  message('N', 'SNOTICE\0C00000\0Mhello\0\0'),
  message('A', '\0\0\0\x01channel\0payload\0'),
  message('H', '\0\0\x02\0\0\0\0'),
  message('d', 'any\tbytes\n'),
  message('c', ''),
  message('E', 'SERROR\0C42501\0Mdenied\0\0'),
  message('Z', 'I'),
])

const MALFORMED: Readonly<Record<string, Buffer>> = {
  'an ErrorResponse without a body': Buffer.from([0x45, 0, 0, 0, 4]),
  'an ErrorResponse without its last NUL': message('E', 'SERROR\0'),
  'an ErrorResponse with an unterminated field': message('E', 'SXX'),
  'bytes after the end of an ErrorResponse': message('E', 'SERROR\0\0x'),
  'a NoticeResponse without its last NUL': message('N', 'SNOTICE\0'),
  'a RowDescription with fewer columns than its count': message('T', '\x7f\xff'),
  'a RowDescription with a negative count': message('T', '\xff\xff'),
  'a column with an unterminated name': message('T', '\0\x01name'),
  'a BackendKeyData that is too short': message('K', '\0\0\0'),
  'a NotificationResponse that is too short': message('A', '\0'),
  'a CopyOutResponse that is too short': message('H', '\0'),
  'a CopyOutResponse with fewer formats than its count': message('H', '\0\0\x09'),
  'a DataRow with a value longer than the message': message('D', '\0\x01\0\0\0\x09abc'),
  'a DataRow with a negative length': message('D', '\0\x01\xff\xff\xff\xf0'),
  'a ParameterStatus without a value': message('S', 'name\0'),
  'a ReadyForQuery without a state': message('Z', ''),
  'an unterminated CommandComplete': message('C', 'SELECT 1'),
  'an unterminated list of mechanisms': message('R', '\0\0\0\nSCRAM-SHA-256\0'),
  'an authentication method that the driver does not support': message('R', '\0\0\0\x63'),
  'an unknown type': message('@', ''),
  'a length below the minimum': head('Z', 3),
  'a length of 2 GB': head('E', 0x7f_ff_ff_ff),
  'a COPY message of 2 GB': head('d', 0x7f_ff_ff_ff),
}

/** Checks whether a guard rejects these bytes in chunks of a given size. */
function isRefused(bytes: Buffer, pieceBytes: number): boolean {
  const guard = new MessageGuard('db.example:5432')
  try {
    for (let at = 0; at < bytes.length; at += pieceBytes) {
      guard.inspect(bytes.subarray(at, at + pieceBytes))
    }
    return false
  } catch (error) {
    assert.ok(error instanceof SourceFailure, String(error))
    assert.equal(error.kind, 'protocol')
    assert.match(error.message, /^db\.example:5432 sent a message that violates PostgreSQL/)
    return true
  }
}

describe('the guard of PostgreSQL messages', () => {
  test('accepts a log-in and answers in chunks of any size', () => {
    const session = Buffer.concat([LOG_IN, STATEMENTS, STATEMENTS])
    for (let size = 1; size <= session.length; size += 1) assert.ok(!isRefused(session, size))
  })

  for (const [what, bytes] of Object.entries(MALFORMED)) {
    test(`refuses ${what}, before and after the log-in, in chunks of any size`, () => {
      for (const before of [Buffer.alloc(0), LOG_IN, Buffer.concat([LOG_IN, STATEMENTS])]) {
        const session = Buffer.concat([before, bytes])
        for (const size of [1, 2, 7, session.length]) assert.ok(isRefused(session, size))
      }
    })
  }

  test('limits a message to 1 MiB until the log-in is done, and to 64 MiB afterwards', () => {
    assert.ok(isRefused(head('S', 1024 * 1024 + 1), 5))
    assert.ok(!isRefused(Buffer.concat([LOG_IN, head('D', 64 * 1024 * 1024)]), 5))
    assert.ok(isRefused(Buffer.concat([LOG_IN, head('D', 64 * 1024 * 1024 + 1)]), 5))
  })

  test('limits all messages of a log-in, and the rows of one statement', () => {
    const notice = message('N', `M${'x'.repeat(500_000)}\0\0`)
    assert.ok(isRefused(Buffer.concat(Array<Buffer>(9).fill(notice)), 65_536))
    const row = message('D', `\0\x01\x01\0\0\0${'x'.repeat(16 * 1024 * 1024)}`)
    const guard = new MessageGuard('db.example:5432')
    guard.inspect(LOG_IN)
    for (let count = 0; count < 7; count += 1) guard.inspect(row)
    assert.throws(() => guard.inspect(row), {
      kind: 'too_large',
      message: 'db.example:5432 returned more than 128 MiB for one statement.',
    })
  })
})
