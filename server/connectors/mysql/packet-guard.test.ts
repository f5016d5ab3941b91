import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { SourceFailure } from '../connector.ts'
import { PacketGuard } from './packet-guard.ts'

/** Creates a packet with its number and a body in Latin-1. */
function packet(number: number, body: string | Buffer): Buffer {
  const bytes = Buffer.isBuffer(body) ? body : Buffer.from(body, 'latin1')
  const head = Buffer.alloc(4)
  head.writeUIntLE(bytes.length, 0, 3)
  head[3] = number
  return Buffer.concat([head, bytes])
}

const LOG_IN = Buffer.concat([
  packet(0, `\n11.4.2-MariaDB\0${'x'.repeat(40)}`),
  packet(2, '\xfemysql_native_password\0salt\0'),
  packet(4, '\0\0\0\x02\0\0\0'),
])
const DONE = packet(1, '\0\0\0\x02\0\0\0')
const COLUMN = `\x03def${'x'.repeat(30)}`
const ROWS = Buffer.concat([
  packet(1, '\x02'),
  packet(2, COLUMN),
  packet(3, COLUMN),
  packet(4, '\xfe\0\0\x02\0'),
  packet(5, '\x03abc\xfb'),
  packet(6, '\xfe\0\0\x02\0'),
])
const ERROR = packet(1, '\xff\x28\x04#42000denied')
const MANY_COLUMNS = Buffer.concat([packet(1, '\xfc\0\x10'), packet(2, COLUMN)])
/** More rows than packet numbers. */
const MANY_ROWS = Buffer.concat([
  packet(1, '\x01'),
  ...Array.from({ length: 600 }, (_, index) => packet((index + 2) % 256, '\x03abc')),
])

const MALFORMED: Readonly<Record<string, Buffer>> = {
  'an empty packet': packet(1, ''),
  'a packet with a number out of order': Buffer.concat([packet(1, '\x01'), packet(9, COLUMN)]),
  'an error without a code': packet(1, '\xff'),
  'a request for a local file': packet(1, '\xfb/etc/passwd'),
  'a result without columns': packet(1, '\xfc\0\0'),
  'a result of 65,535 columns': packet(1, '\xfc\xff\xff'),
  'a result of 2^63 columns': packet(1, `\xfe${'\xff'.repeat(8)}`),
  'a number of columns followed by bytes': packet(1, '\x02xx'),
}

/** Checks whether a guard rejects these bytes in chunks of a given size. */
function isRefused(bytes: Buffer, pieceBytes: number): boolean {
  const guard = new PacketGuard('db.example:3306')
  try {
    for (let at = 0; at < bytes.length; at += pieceBytes) {
      guard.inspect(bytes.subarray(at, at + pieceBytes))
    }
    return false
  } catch (error) {
    assert.ok(error instanceof SourceFailure, String(error))
    assert.equal(error.kind, 'protocol')
    assert.match(error.message, /^db\.example:3306 sent a packet that violates MySQL/)
    return true
  }
}

describe('the guard of MySQL packets', () => {
  test('accepts a log-in and answers in chunks of any size', () => {
    const session = Buffer.concat([LOG_IN, DONE, ROWS, ERROR, ROWS, MANY_COLUMNS, ROWS])
    for (let size = 1; size <= session.length; size += 1) assert.ok(!isRefused(session, size))
    assert.ok(!isRefused(Buffer.concat([LOG_IN, MANY_ROWS]), 1000))
  })

  for (const [what, bytes] of Object.entries(MALFORMED)) {
    test(`refuses ${what}, in chunks of any size`, () => {
      for (const before of [LOG_IN, Buffer.concat([LOG_IN, DONE, ROWS])]) {
        const session = Buffer.concat([before, bytes])
        for (const size of [1, 3, session.length]) assert.ok(isRefused(session, size))
      }
    })
  }

  test('rejects a first packet that is not a greeting, and an endless log-in', () => {
    assert.ok(isRefused(packet(0, 'SSH-2.0-OpenSSH'), 100))
    assert.ok(!isRefused(packet(0, '\xff\x10\x04Too many connections'), 100))
    const more = Array.from({ length: 30 }, (_, index) => packet(index * 2, '\x01more'))
    assert.ok(isRefused(Buffer.concat([LOG_IN.subarray(0, 60), ...more]), 100))
  })

  test('limits a log-in packet to 1 MiB and a packet of several parts to 64 MiB', () => {
    assert.ok(isRefused(packet(0, Buffer.alloc(1024 * 1024 + 1, '\n')), 65_536))
    const part = Buffer.alloc(0xff_ff_ff, 'x')
    const row = (parts: number): Buffer[] =>
      Array.from({ length: parts }, (_, index) => packet(3 + index, part))
    const begun = Buffer.concat([LOG_IN, packet(1, '\x01'), packet(2, COLUMN)])
    const whole = [begun, ...row(3), packet(6, 'end')]
    assert.ok(!isRefused(Buffer.concat(whole), 1024 * 1024))
    assert.ok(isRefused(Buffer.concat([begun, ...row(5)]), 1024 * 1024))
  })
})
