import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eachTerm, fold, namesIn, toComparisonKey } from './words.ts'

function parts(text: string): string[][] {
  return namesIn(text).map((name) => name.map(({ word }) => word))
}

function terms(text: string): string[] {
  const found = new Set<string>()
  eachTerm(text, (term) => found.add(term))
  return [...found]
}

test('namesIn › splits names at dashes, underscores, changes of case and digits, and texts at other characters', () => {
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

test('namesIn › returns positions in the original text', () => {
  const text = '🚂 Zürich_Depot'
  const [name = []] = namesIn(text)
  assert.deepEqual(
    name.map(({ start, end }) => text.slice(start, end)),
    ['Zürich', 'Depot'],
  )
})

test('eachTerm › yields each word of a name and each run of words to its end', () => {
  assert.deepEqual(terms('dim_customer_address'), [
    'dim',
    'customer',
    'address',
    'dimcustomeraddress',
    'customeraddress',
  ])
})

test('fold and toComparisonKey › keep letters and digits of any script and form', () => {
  assert.equal(fold('Crème  Brûlée!'), 'cremebrulee')
  assert.equal(fold('Ǻ'.normalize('NFD')), 'a')
  assert.equal(toComparisonKey('urn:dp:Orders_EU'), 'urndporderseu')
  assert.equal(toComparisonKey('x'.repeat(1000)).length, 200)
})
