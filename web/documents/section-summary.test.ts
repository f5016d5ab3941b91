import assert from 'node:assert/strict'
import { test } from 'node:test'
import { summarizeNames, summarizeTexts } from './section-summary.ts'

test('summarizeTexts › joins what is filled', () => {
  assert.equal(summarizeTexts(['Orders', ' ', undefined, null, 2, 'active']), 'Orders · 2 · active')
  assert.equal(summarizeTexts([{ a: 1 }, [], true]), '')
})

test('summarizeNames › counts the items and names the first three', () => {
  assert.equal(summarizeNames([]), 'None')
  assert.equal(summarizeNames(['a', 'b']), '2: a, b')
  assert.equal(summarizeNames(['a', 'b', 'c', 'd', 'e']), '5: a, b, c and 2 more')
})
