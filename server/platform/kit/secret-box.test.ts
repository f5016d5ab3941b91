import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { newEncryptionKey, parseEncryptionKey, secretBox } from './secret-box.ts'

const KEY = Buffer.alloc(32, 7)

test('secretBox › opens a sealed secret, which does not contain the plain text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 8 }), fc.string(), (secret, place) => {
      const box = secretBox(KEY)
      const sealed = box.seal(secret, place)
      assert.equal(box.open(sealed, place), secret)
      assert.ok(!sealed.includes(secret))
    }),
  )
  assert.equal(secretBox(KEY).open(secretBox(KEY).seal('', ''), ''), '')
})

test('secretBox › seals the same secret differently each time', () => {
  const box = secretBox(KEY)
  const sealed = Array.from({ length: 100 }, () => box.seal('secret', 'p').toString('hex'))
  assert.equal(new Set(sealed).size, 100)
  assert.equal(new Set(sealed.map((text) => text.slice(0, 24))).size, 100)
})

test('secretBox › rejects every changed bit', () => {
  const box = secretBox(KEY)
  const sealed = box.seal('a secret', 'place')
  for (let bit = 0; bit < sealed.length * 8; bit += 1) {
    const changed = Buffer.from(sealed)
    changed.writeUInt8(changed.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3)
    assert.throws(() => box.open(changed, 'place'), `bit ${bit}`)
  }
})

test('secretBox › rejects another key, another location, and a shorter or longer text', () => {
  const box = secretBox(KEY)
  const sealed = box.seal('a secret', 'credential/1')
  assert.throws(() => secretBox(randomBytes(32)).open(sealed, 'credential/1'))
  for (const place of ['credential/2', '', 'credential/1 ']) {
    assert.throws(() => box.open(sealed, place))
  }
  for (let length = 0; length < sealed.length; length += 1) {
    assert.throws(() => box.open(sealed.subarray(0, length), 'credential/1'), `${length} bytes`)
  }
  assert.throws(() => box.open(Buffer.concat([sealed, Buffer.of(0)]), 'credential/1'))
})

test('secretBox › identifies keys without revealing them', () => {
  assert.match(secretBox(KEY).keyId, /^[0-9a-f]{8}$/)
  assert.equal(secretBox(KEY).keyId, secretBox(Buffer.from(KEY)).keyId)
  assert.notEqual(secretBox(KEY).keyId, secretBox(Buffer.alloc(32, 8)).keyId)
  assert.ok(!KEY.toString('hex').includes(secretBox(KEY).keyId))
})

test('parseEncryptionKey › accepts only 32 bytes in base64, base64url or hexadecimal', () => {
  const key = randomBytes(32)
  for (const text of [
    key.toString('base64'),
    key.toString('base64url'),
    key.toString('hex'),
    key.toString('hex').toUpperCase(),
    ` ${key.toString('base64')}\n`,
  ]) {
    assert.deepEqual(parseEncryptionKey(text), key)
  }
  for (const text of [
    '',
    'secret',
    randomBytes(31).toString('base64'),
    randomBytes(33).toString('base64'),
    randomBytes(31).toString('hex'),
    randomBytes(33).toString('hex'),
    `${key.toString('base64').slice(0, -2)}!=`,
    'x'.repeat(64),
  ]) {
    assert.equal(parseEncryptionKey(text), undefined, text)
  }
  assert.equal(parseEncryptionKey(newEncryptionKey())?.length, 32)
  assert.notEqual(newEncryptionKey(), newEncryptionKey())
})
