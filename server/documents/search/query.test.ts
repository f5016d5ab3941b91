import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTerm, estimateEntries, indexQuery, listQueryWords } from './query.ts'
import { parseQuery, toSingular } from './query.ts'
import type { Term } from './query.ts'

function counted(typed: string, entriesCount: number): Term {
  return { ...createTerm(typed), entriesCount }
}

function words(condition: string): string[] {
  return [...new Set([...condition.matchAll(/'n(\w+)'/g)].map(([, word]) => word ?? ''))]
}

test('indexQuery › the index searches rare terms, and the rows are checked for common ones', () => {
  const terms = [counted('depot', 2_000_000), counted('survey', 20_000), counted('153', 0)]
  const { all, prefilter } = indexQuery(terms, parseQuery('depot survey 153'))
  assert.deepEqual(words(all), ['depot', 'survey', '153', 'depotsurvey153'])
  assert.deepEqual(words(prefilter), ['survey', '153', 'depotsurvey153'])
})

test('indexQuery › the index searches the rarest term if all are common', () => {
  const terms = [counted('depot', 2_000_000), counted('id', 1_000_000)]
  const { prefilter } = indexQuery(terms, parseQuery('depot id'))
  assert.deepEqual(words(prefilter), ['id', 'depotid'])
})

test('indexQuery › the index searches every term that it finds quickly', () => {
  const terms = [counted('credit', 180_000), counted('note', 130_000)]
  const { all, prefilter } = indexQuery(terms, parseQuery('credit note'))
  assert.deepEqual(words(prefilter).toSorted(), words(all).toSorted())
})

test('indexQuery › without any one term, every group of terms keeps its rare ones', () => {
  const terms = [counted('depot', 2_000_000), counted('survey', 0), counted('153', 0)]
  const { prefilter } = indexQuery(terms, parseQuery('depot survey 153'), 'all but one')
  assert.deepEqual(words(prefilter).toSorted(), ['153', 'depotsurvey153', 'survey'])
})

test('estimateEntries › counts entries that begin with the word, and whole alternatives', () => {
  const common = new Map(
    Object.entries({
      norder: 5,
      norderid: 3,
      corders: 2,
      nborder: 100,
      cpurchase: 7,
      cpurchases: 9,
    }),
  )
  const estimate = (typed: string, alternatives = {}): number =>
    estimateEntries(createTerm(typed, alternatives), common)
  assert.equal(estimate('order'), 10)
  assert.equal(estimate('orders'), 7)
  assert.equal(estimate('order', { allowPrefix: false }), 5)
  assert.equal(estimate('order', { synonyms: ['purchase'] }), 17)
})

test('listQueryWords › no word is left out because a generated id before it has many', () => {
  assert.deepEqual(listQueryWords(parseQuery('customer_id of')), ['customer', 'id', 'of'])
  assert.deepEqual(listQueryWords(parseQuery('mi1f3e42d6ea74 wagon')), ['mi1f3e42d6ea74', 'wagon'])
})

test('toSingular › returns the singular of plurals only', () => {
  const singular = { orders: 'order', inquiries: 'inquiry', address: undefined, bus: undefined }
  for (const [word, one] of Object.entries(singular)) assert.equal(toSingular(word), one, word)
})

test('indexQuery › never interprets typed text as an operator', () => {
  const query = parseQuery("a':* | !b & (c <-> d) \\ '' \u0000")
  const { all } = indexQuery(
    query.names.map(({ joined }) => createTerm(joined)),
    query,
  )
  const lexemes = all.matchAll(/'([^']*)'/g).map(([, lexeme = '']) => lexeme)
  for (const lexeme of lexemes) assert.match(lexeme, /^[\p{L}\p{N}]+$/u)
  assert.doesNotMatch(all.replaceAll(/'[^']*'/g, ''), /[^()&|:* ]/)
})

test('parseQuery › cuts long queries', () => {
  assert.ok(parseQuery('word '.repeat(10_000)).names.length === 1)
  const many = parseQuery(Array.from({ length: 1000 }, (_, at) => `w${at}`).join(' '))
  assert.equal(many.names.length, 10)
})
