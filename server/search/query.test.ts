import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTerm, indexQuery, readQuery, type Term } from './query.ts'

function counted(typed: string, entriesCount: number): Term {
  return { ...createTerm(typed), entriesCount }
}

function words(condition: string): string[] {
  return [...new Set([...condition.matchAll(/'n(\w+)'/g)].map(([, word]) => word ?? ''))]
}

test('indexQuery › the index searches rare terms, and the rows are checked for common ones', () => {
  const terms = [counted('depot', 2_000_000), counted('survey', 20_000), counted('153', 0)]
  const { all, prefilter } = indexQuery(terms, readQuery('depot survey 153'))
  assert.deepEqual(words(all), ['depot', 'survey', '153', 'depotsurvey153'])
  assert.deepEqual(words(prefilter), ['153', 'survey', 'depotsurvey153'])
})

test('indexQuery › the index searches the rarest term if all are common', () => {
  const terms = [counted('depot', 2_000_000), counted('id', 1_000_000)]
  const { prefilter } = indexQuery(terms, readQuery('depot id'))
  assert.deepEqual(words(prefilter), ['id', 'depotid'])
})

test('indexQuery › the index searches every term that it finds quickly', () => {
  const terms = [counted('credit', 180_000), counted('note', 130_000)]
  const { all, prefilter } = indexQuery(terms, readQuery('credit note'))
  assert.deepEqual(words(prefilter).toSorted(), words(all).toSorted())
})

test('indexQuery › without any one term, every group of terms keeps its rare ones', () => {
  const terms = [counted('depot', 2_000_000), counted('survey', 0), counted('153', 0)]
  const { prefilter } = indexQuery(terms, readQuery('depot survey 153'), 'all but one')
  assert.deepEqual(words(prefilter).toSorted(), ['153', 'depotsurvey153', 'survey'])
})
