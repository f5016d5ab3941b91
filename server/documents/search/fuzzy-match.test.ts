import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isOneEditAway, rankCorrections, splitWord } from './fuzzy-match.ts'

function isEdit(a: string, b: string): boolean {
  return isOneEditAway(Array.from(a), Array.from(b))
}

test('isOneEditAway › accepts one replaced, added, removed or swapped letter, and nothing else', () => {
  for (const other of ['customar', 'custmer', 'customers', 'cusotmer', 'ustomer', 'customre']) {
    assert.ok(isEdit('customer', other) && isEdit(other, 'customer'), other)
  }
  for (const other of ['customer', 'custome', 'cstmer', 'remotsuc', 'cutsomre', '']) {
    assert.equal(isEdit('customer', other), other === 'custome', other)
  }
})

test('splitWord › a misspelled word shares one half with the correct word', () => {
  const alphabet = 'abcdefghij'
  for (let length = 4; length <= 10; length += 1) {
    const word = alphabet.slice(0, length)
    const wrong = Array.from({ length }, (_, at) => [
      word.slice(0, at) + word.slice(at + 1),
      `${word.slice(0, at)}z${word.slice(at)}`,
      `${word.slice(0, at)}z${word.slice(at + 1)}`,
      word.slice(0, at) + word.charAt(at + 1) + word.charAt(at) + word.slice(at + 2),
    ]).flat()
    for (const typed of wrong) {
      const halves = splitWord(typed)
      if (halves === undefined) continue
      assert.ok(
        word.startsWith(halves.beginning) || word.endsWith(halves.end),
        `${typed} for ${word}`,
      )
    }
  }
})

test('rankCorrections › prefers words with the same beginning and excludes the word itself', () => {
  assert.deepEqual(rankCorrections('orderz', ['border', 'orderz', 'orders', 'order', 'ordezr']), [
    'order',
    'orders',
    'ordezr',
  ])
})
