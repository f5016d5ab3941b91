import assert from 'node:assert/strict'
import test from 'node:test'
import { toVisibleText } from './visible-text.ts'

test('toVisibleText › shows what would reorder or hide a text', () => {
  assert.equal(toVisibleText('\u202Eabc'), '\uFFFDabc')
  assert.equal(toVisibleText('a\u2066b\u2069\u2028c'), 'a\uFFFDb\uFFFD\uFFFDc')
  assert.equal(
    toVisibleText('bell\u0007, escape\u001B[31m, \u007F, \u0085'),
    'bell␇, escape␛[31m, ␡, \uFFFD',
  )
})

test('toVisibleText › keeps lines, emoji and right-to-left scripts', () => {
  for (const text of ['a\tb\r\nc', '👩‍👩‍👧‍👦 🏴󠁧󠁢󠁥󠁮󠁧󠁿', 'مرحبا\u200F بالعالم', 'שלום\u200E', 'می‌خواهم']) {
    assert.equal(toVisibleText(text), text)
  }
})
