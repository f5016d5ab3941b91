import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DatabaseError } from 'pg'
import { toFailure } from './failure.ts'

const CIRCUMSTANCES = {
  address: 'db.example:5432',
  user: 'reader',
  database: 'sales',
  statementTimeoutMs: 60_000,
  statementMs: 10,
  isAborted: false,
}

function getMessage(code: string): string {
  const error = new DatabaseError('words of the server', 1, 'error')
  error.code = code
  return toFailure(error, CIRCUMSTANCES).message
}

for (const [code, message] of [
  ['55P03', 'The source did not release a lock in time.'],
  ['42501', 'The user reader lacks a privilege in the database sales.'],
  ['28P01', 'The server rejects the password of the user reader.'],
  ['3D000', 'The database sales does not exist.'],
  ['57014', 'The source cancelled a query.'],
  ['53300', 'db.example:5432 has no connections left.'],
] as const) {
  test(`toFailure › ${code} is reported as "${message}"`, () => {
    assert.equal(getMessage(code), message)
  })
}

for (const code of [
  '08006',
  '22023',
  '40001',
  '42P01',
  '53100',
  '54001',
  '57P01',
  '58030',
  'XX000',
  'F0000',
  'HV000',
]) {
  test(`toFailure › ${code} is reported in words, without the code`, () => {
    const message = getMessage(code)
    assert.match(message, /^\S.*\.$/)
    assert.doesNotMatch(message, new RegExp(`${code}|SQLSTATE|words of the server`))
  })
}
