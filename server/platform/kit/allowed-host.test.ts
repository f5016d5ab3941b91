import assert from 'node:assert/strict'
import test from 'node:test'
import { validateAllowedHost } from './dialer.ts'

test('validateAllowedHost › accepts names, addresses and ranges', () => {
  for (const entry of [
    'db.internal',
    'db',
    'DB.Internal.',
    'db_1.internal',
    'bücher.example',
    'xn--bcher-kva.de',

    '10.0.0.1',
    '10.0.0.0/8',
    '0.0.0.0/0',
    'fd00::/8',
    '::1',
    '::/0',
    '1.example',
    '::ffff:10.0.0.1',
  ]) {
    assert.equal(validateAllowedHost(entry), undefined, entry)
  }
})

test('validateAllowedHost › rejects everything else', () => {
  for (const entry of [
    '',
    '.',
    '..',
    'db:5432',
    'https://db.internal',
    'db/8',
    '*.internal',
    'a..b',
    '-a',
    'a-',
    '10.0.0.0/33',
    '10.0.0.1/8',
    '10.0.0',
    '127.1',
    '0x7f000001',
    '2130706433',
    '256.1.1.1',
    '[::1]',
    '::1/129',
    'fe80::1%eth0',
    'user@db',
    'db internal',
    'db?',
    'db#',
    'db%41',
    'a'.repeat(64),
  ]) {
    assert.ok(validateAllowedHost(entry), entry)
  }
})
