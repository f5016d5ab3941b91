import assert from 'node:assert/strict'
import test from 'node:test'
import { DatabaseError } from 'pg'
import {
  isConnectionLost,
  STORE_ERRORS,
  StoreUnavailable,
  toConnectionFailure,
  toStoreUnavailable,
} from './store-errors.ts'

function fromServer(code: string, message = 'x'): DatabaseError {
  const error = new DatabaseError(message, 1, 'error')
  error.code = code
  return error
}

test('toStoreUnavailable › waiting for a connection of a full pool is not an outage, and changed nothing', () => {
  const failure = toConnectionFailure(new Error('timeout exceeded when trying to connect'))
  assert.equal(failure.rule.answer, 'overloaded')
  assert.equal(failure.rule.isRolledBack, true)
  assert.ok(!isConnectionLost(failure))
})

test('STORE_ERRORS › no code has two rules', () => {
  const codes = STORE_ERRORS.flatMap((rule) => rule.codes)
  assert.deepEqual(codes, [...new Set(codes)])
})

for (const rule of STORE_ERRORS) {
  for (const code of rule.codes) {
    test(`toStoreUnavailable › finds the rule of ${code}, and no other rule of its class`, () => {
      const errors = code.length === 2 ? [`${code}000`, `${code}P99`] : [code]
      for (const one of errors) {
        assert.equal(toStoreUnavailable(fromServer(one, rule.message))?.rule, rule)
      }
    })
  }
}

for (const code of ['22012', '23505', '25P02', '42501', '42P01', '55000', 'XX000', '5310', '0']) {
  test(`toStoreUnavailable › returns undefined for ${code}, which is the fault of the statement`, () => {
    assert.equal(toStoreUnavailable(fromServer(code)), undefined)
  })
}

// The texts are those of pg and pg-pool.
const DRIVER = [
  ['Connection terminated', 'read'],
  ['Connection terminated unexpectedly', 'read'],
  ['Client has encountered a connection error and is not queryable', 'read'],
  ['Client was closed and is not queryable', 'read'],
  ['Query read timeout', 'none'],
  ['timeout expired', 'none'],
  ['Connection terminated due to connection timeout', 'none'],
] as const

for (const [message, retry] of DRIVER) {
  test(`toStoreUnavailable › the error "${message}" of the driver closes the connection`, () => {
    const failure = toStoreUnavailable(new Error(message))
    assert.ok(isConnectionLost(failure))
    assert.equal(failure.rule.answer, 'store_unavailable')
    assert.equal(failure.rule.retry, retry)
  })
}

test('toStoreUnavailable › returns undefined for any other error without a code', () => {
  for (const error of [new Error('bind message has 1 parameter formats'), 'timeout expired', null])
    assert.equal(toStoreUnavailable(error), undefined)
})

test('toConnectionFailure › every error of connecting is an unavailable database', () => {
  const password = toConnectionFailure(fromServer('28P01'))
  assert.ok(password instanceof StoreUnavailable && password.rule.answer === 'store_unavailable')
  assert.equal(toConnectionFailure(fromServer('53300')).rule.setting, 'max_connections')
})
