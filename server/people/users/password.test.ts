import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findSalt, hashPassword, matchPassword, PASSWORD_COST } from './password.ts'

const PASSWORD = 'a long enough password'
// Created by an earlier release.
const STORED =
  '7b12c1b2157613ea3a9ee7a92d0aabfb:71f993c4c64c62778d93c3d308ee3f11d39d6da668966ad895ed16658c96daf2110ef4d5618c231a689eb21e3427a4773bda685bcd5850c3bdac2dadd5c6b497'

test('matchPassword › accepts hashes of earlier releases', async () => {
  assert.deepEqual(await matchPassword(PASSWORD_COST, [STORED], PASSWORD), [true])
  assert.deepEqual(await matchPassword(PASSWORD_COST, [STORED], `${PASSWORD} `), [false])
})

test('matchPassword › returns which of several hashes match a password', async () => {
  const salt = findSalt([STORED])
  const other = await hashPassword(PASSWORD_COST, 'another long password', salt)
  assert.ok(other.startsWith(`${salt}:`))
  assert.deepEqual(await matchPassword(PASSWORD_COST, [other, STORED, STORED], PASSWORD), [
    false,
    true,
    true,
  ])
})

test('matchPassword › matches nothing for no hash or an unusable one', async () => {
  assert.deepEqual(await matchPassword(PASSWORD_COST, [], PASSWORD), [])
  const unusable = ['', 'none', ':', `${STORED}0`, STORED.toUpperCase()]
  for (const password of ['', 'none', PASSWORD]) {
    const matches = await matchPassword(PASSWORD_COST, unusable, password)
    assert.deepEqual(matches, [false, false, false, false, false])
  }
})

test('hashPassword › uses a new salt each time, and normalizes characters', async () => {
  const [first, second] = [
    await hashPassword(PASSWORD_COST, PASSWORD),
    await hashPassword(PASSWORD_COST, PASSWORD),
  ]
  assert.notEqual(findSalt([first]), findSalt([second]))
  const composed = await hashPassword(PASSWORD_COST, 'ein Pa\u00dfwort f\u00fcr alle')
  assert.deepEqual(
    await matchPassword(PASSWORD_COST, [composed], 'ein Pa\u00dfwort fu\u0308r alle'),
    [true],
  )
})

test('findSalt › returns the salt of the first usable hash, or undefined', () => {
  assert.equal(findSalt(['none', STORED]), STORED.slice(0, 32))
  assert.equal(findSalt(['none', '']), undefined)
})
