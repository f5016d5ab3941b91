import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SourceFailure } from './connector.ts'

test('SourceFailure › ends its message with punctuation', () => {
  for (const [given, message] of [
    ['The catalog fell silent', 'The catalog fell silent.'],
    ['Nothing listens there.', 'Nothing listens there.'],
    ['Is the password right?', 'Is the password right?'],
  ] as const) {
    assert.equal(new SourceFailure('protocol', given).message, message)
  }
})
