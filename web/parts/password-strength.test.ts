import assert from 'node:assert/strict'
import { test } from 'node:test'
import { passwordAdvice } from './password-strength.ts'

test('reports how many characters a short password lacks', () => {
  assert.deepEqual(passwordAdvice('elevenchars'), { level: 'short', text: '1 more character.' })
  assert.deepEqual(passwordAdvice('ten-charac'), { level: 'short', text: '2 more characters.' })
  assert.equal(passwordAdvice('').level, 'short')
})

test('Characters are counted as people see them, not as they are stored', () => {
  assert.equal(passwordAdvice('😀😁😂😃😄😅').level, 'short')
  assert.equal(passwordAdvice('😀😁😂😃😄😅😆😇😈😉😊😋').level, 'good')
})

test('A long password that is easy to guess is weak', () => {
  assert.equal(passwordAdvice('abababababababab').level, 'weak')
  assert.equal(passwordAdvice('Passwort-2026-geheim').level, 'weak')
  assert.equal(passwordAdvice('juno.linden.2026', ['Juno Linden']).level, 'weak')
  assert.equal(passwordAdvice('velmora rail 77', ['ops@velmora.example']).level, 'weak')
})

test('Short words that others know do not count: they are in any text', () => {
  assert.equal(passwordAdvice('tandem lobster quay', ['Al Lo']).level, 'strong')
})

test('Unrelated words are strong when they are long enough', () => {
  assert.equal(passwordAdvice('quay lobster').level, 'good')
  assert.deepEqual(passwordAdvice('tandem lobster quay'), { level: 'strong', text: 'Strong.' })
})
