import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findVariables, hasPlaceholder, hasVariable } from './variables.ts'

test('findVariables › lists names and defaults with their positions', () => {
  assert.deepEqual(findVariables('https://${HOST}:${DB_PORT:-5432}/${EMPTY:-}'), [
    { name: 'HOST', text: '${HOST}', at: 8 },
    { name: 'DB_PORT', text: '${DB_PORT:-5432}', at: 16, default: '5432' },
    { name: 'EMPTY', text: '${EMPTY:-}', at: 33, default: '' },
  ])
})

test('hasVariable › other notations are no variables', () => {
  const others = [
    '',
    '$A',
    '{A}',
    '${}',
    '${1}',
    '${a-b}',
    '${A',
    '$ {A}',
    '${A:x}',
    'a${2}',
    '{{ a }}',
  ]
  for (const text of others) {
    assert.equal(hasVariable(text), false, text)
    assert.deepEqual(findVariables(text), [], text)
  }
  for (const value of [null, 7, true, ['${A}'], { a: '${A}' }])
    assert.equal(hasVariable(value), false)
  // The state of one search does not affect the next one.
  for (let count = 0; count < 3; count += 1) assert.equal(hasVariable('x ${_a1}'), true)
})

test('hasPlaceholder › finds the notations of every tool', () => {
  for (const text of ['${A}', 'a_${b-c}', '{{ schema }}', 'x{{s}}', '$(Schema).t', '{% if x %}']) {
    assert.equal(hasPlaceholder(text), true, text)
  }
  for (const text of ['', '$A', 'V$SESSION', '{A}', '{model}', 'a(b)', '$ (a)', '$1']) {
    assert.equal(hasPlaceholder(text), false, text)
  }
})

test('findVariables › reads each character a limited number of times', () => {
  const text = '${A:-'.repeat(20_000)
  assert.deepEqual(findVariables(text), [])
  assert.equal(findVariables(`${text}}`).length, 1)
})
