import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { hashToken, isToken, newToken } from './token.ts'

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

test('newToken › generates different tokens of a prefix, 43 random characters and 6 of checksum', () => {
  const tokens = Array.from({ length: 500 }, () => newToken('pbk_'))
  for (const token of tokens) {
    assert.match(token, /^pbk_[0-9A-Za-z]{49}$/)
    assert.ok(isToken(token, 'pbk_'))
  }
  assert.equal(new Set(tokens).size, tokens.length)
  // 2^256 has 43 digits in base62, the first of which is small.
  assert.ok(new Set(tokens.map((token) => token[4])).size > 20)
})

test('isToken › accepts a fixed token, whose checksum is the CRC-32 of the rest in base62', () => {
  const body = `pbk_${'0'.repeat(43)}`
  assert.ok(isToken(body + inBase62(crc32(body)), 'pbk_'))
  assert.ok(!isToken(body + inBase62(crc32(body) + 1), 'pbk_'))
})

test('isToken › rejects any single changed character', () => {
  const token = fc.noShrink(fc.nat().map(() => newToken('pbk_')))
  const character = fc.oneof(
    fc.constantFrom(...BASE62.split('')),
    fc.string({ minLength: 1, maxLength: 1 }),
  )
  fc.assert(
    fc.property(token, fc.nat(52), character, (original, at, other) => {
      fc.pre(original[at] !== other)
      assert.ok(!isToken(original.slice(0, at) + other + original.slice(at + 1), 'pbk_'))
    }),
    { numRuns: 2000 },
  )
})

test('isToken › rejects any other text: shorter, longer, swapped, with another prefix', () => {
  const token = newToken('pbk_')
  for (const other of [
    '',
    'pbk_',
    token.slice(0, -1),
    token.slice(1),
    `${token}0`,
    ` ${token}`,
    `${token}\n`,
    token.toUpperCase(),
    newToken('pbs_'),
  ]) {
    assert.equal(isToken(other, 'pbk_'), false, other)
  }
  assert.equal(isToken(token, 'pbs_'), false)
  fc.assert(fc.property(fc.string({ maxLength: 60 }), (text) => !isToken(text, 'pbk_')))
})

test('hashToken › returns the SHA-256', () => {
  const token = newToken('pbk_')
  assert.deepEqual(hashToken(token), createHash('sha256').update(token).digest())
})

/** Computes the CRC-32 of zip and Ethernet, bit by bit. */
function crc32(text: string): number {
  let crc = 0xffffffff
  for (const byte of Buffer.from(text)) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0)
  }
  return (crc ^ 0xffffffff) >>> 0
}

function inBase62(value: number): string {
  let digits = ''
  for (let rest = value; digits.length < 6; rest = Math.floor(rest / 62)) {
    digits = BASE62.charAt(rest % 62) + digits
  }
  return digits
}
