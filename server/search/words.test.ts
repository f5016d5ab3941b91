import assert from 'node:assert/strict'
import { test } from 'node:test'
import { splitWord, isOneLetterAway, nearestTo } from './near.ts'
import { indexQuery, readQuery, toSingular, createTerm } from './query.ts'
import { eachTerm, fold, toComparisonKey, namesIn } from '../../formats/text/words.ts'

function parts(text: string): string[][] {
  return namesIn(text).map((name) => name.map(({ word }) => word))
}

function terms(text: string): string[] {
  const found = new Set<string>()
  eachTerm(text, (term) => found.add(term))
  return [...found]
}

test('namesIn › parts names by dashes, underscores, cases and digits, and texts by all else', () => {
  assert.deepEqual(parts('customer_orders customerOrders-EU'), [
    ['customer', 'orders'],
    ['customer', 'orders', 'eu'],
  ])
  assert.deepEqual(parts('HTTPServer2024v2 iso3166'), [
    ['http', 'server', '2024', 'v', '2'],
    ['iso', '3166'],
  ])
  assert.deepEqual(parts('shop.public.orders/x'), [['shop'], ['public'], ['orders'], ['x']])
  assert.deepEqual(parts('Łódź straße 東京'), [['lodz'], ['strasse'], ['東京']])
  assert.deepEqual(parts('--- ... 🚂'), [])
})

test('namesIn › places are those in the text that was given', () => {
  const text = '🚂 Zürich_Depot'
  const [name = []] = namesIn(text)
  assert.deepEqual(
    name.map(({ start, end }) => text.slice(start, end)),
    ['Zürich', 'Depot'],
  )
})

test('eachTerm › a name is found by each word and by each run of words to its end', () => {
  assert.deepEqual(terms('dim_customer_address'), [
    'dim',
    'customer',
    'address',
    'dimcustomeraddress',
    'customeraddress',
  ])
})

test('fold and keyOf › keep letters and digits of any script and form', () => {
  assert.equal(fold('Crème  Brûlée!'), 'cremebrulee')
  assert.equal(fold('Ǻ'.normalize('NFD')), 'a')
  assert.equal(toComparisonKey('urn:dp:Orders_EU'), 'urndporderseu')
  assert.equal(toComparisonKey('x'.repeat(1000)).length, 200)
})

function near(a: string, b: string): boolean {
  return isOneLetterAway(Array.from(a), Array.from(b))
}

test('isOneLetterAway › one other, one more, one less, two exchanged, and nothing else', () => {
  for (const other of ['customar', 'custmer', 'customers', 'cusotmer', 'ustomer', 'customre']) {
    assert.ok(near('customer', other) && near(other, 'customer'), other)
  }
  for (const other of ['customer', 'custome', 'cstmer', 'remotsuc', 'cutsomre', '']) {
    assert.equal(near('customer', other), other === 'custome', other)
  }
})

test('halvesOf › one half of a misspelt word is that of the right one', () => {
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

test('nearestTo › what begins alike comes first, itself is not among them', () => {
  assert.deepEqual(nearestTo('orderz', ['border', 'orderz', 'orders', 'order', 'ordezr']), [
    'order',
    'orders',
    'ordezr',
  ])
})

test('singularOf › of words that are plurals', () => {
  const singular = { orders: 'order', inquiries: 'inquiry', address: undefined, bus: undefined }
  for (const [word, one] of Object.entries(singular)) assert.equal(toSingular(word), one, word)
})

test('indexQuery › nothing that is typed is read as an operator', () => {
  const query = readQuery("a':* | !b & (c <-> d) \\ '' \u0000")
  const { all } = indexQuery(
    query.names.map(({ joined }) => createTerm(joined)),
    query,
  )
  const lexemes = all.matchAll(/'([^']*)'/g).map(([, lexeme = '']) => lexeme)
  for (const lexeme of lexemes) assert.match(lexeme, /^[\p{L}\p{N}]+$/u)
  assert.doesNotMatch(all.replaceAll(/'[^']*'/g, ''), /[^()&|:* ]/)
})

test('readQuery › takes the beginning of what is too long', () => {
  assert.ok(readQuery('word '.repeat(10_000)).names.length === 1)
  const many = readQuery(Array.from({ length: 1000 }, (_, at) => `w${at}`).join(' '))
  assert.equal(many.names.length, 10)
})
