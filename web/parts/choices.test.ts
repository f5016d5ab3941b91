import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { filterChoices, findByPrefix, moveActive, resolveChoice, type Choice } from './choices.ts'

const CHOICES: readonly Choice[] = [
  { value: 'wagon-fleet', label: 'Wagon Fleet', detail: 'wagon-fleet' },
  { value: 'fleet', label: 'Fleet', detail: 'fleet' },
  { value: 'zuerich', label: 'Zürich', detail: 'zuerich', reason: 'You cannot edit there.' },
  { value: 'Europe/Berlin', label: 'Europe/Berlin' },
]
const getValues = (choices: readonly Choice[]) => choices.map(({ value }) => value)

describe('filterChoices', () => {
  test('finds by label and id, those that begin with the text first', () => {
    assert.deepEqual(getValues(filterChoices(CHOICES, 'fleet')), ['fleet', 'wagon-fleet'])
  })
  test('ignores case and accents and needs every word', () => {
    assert.deepEqual(getValues(filterChoices(CHOICES, 'ZURICH')), ['zuerich'])
    assert.deepEqual(getValues(filterChoices(CHOICES, 'wagon berlin')), [])
  })
  test('keeps all in their order without a text', () => {
    assert.deepEqual(filterChoices(CHOICES, ' '), CHOICES)
  })
})

describe('resolveChoice', () => {
  test('takes an equal label before one that only contains the text', () => {
    assert.equal(resolveChoice(CHOICES, 'FLEET')?.value, 'fleet')
  })
  test('takes the only match', () => {
    assert.equal(resolveChoice(CHOICES, 'berl')?.value, 'Europe/Berlin')
  })
  test('takes none of several, none for no text and none that cannot be chosen', () => {
    assert.equal(resolveChoice(CHOICES, 'e'), undefined)
    assert.equal(resolveChoice(CHOICES, ''), undefined)
    assert.equal(resolveChoice(CHOICES, 'zurich'), undefined)
  })
})

test('moveActive wraps single steps and stops pages at the ends', () => {
  assert.equal(moveActive(3, 2, 1), 0)
  assert.equal(moveActive(3, 0, -1), 2)
  assert.equal(moveActive(3, 1, 10), 2)
  assert.equal(moveActive(3, -1, 1), 0)
  assert.equal(moveActive(3, -1, -1), 2)
  assert.equal(moveActive(3, 1, 'first'), 0)
  assert.equal(moveActive(0, -1, 'last'), -1)
})

test('findByPrefix goes to the next row of a letter and around the end', () => {
  const days = ['Monday', 'Tuesday', 'Thursday'].map((label) => ({ value: label, label }))
  assert.equal(findByPrefix(days, 1, 't'), 2)
  assert.equal(findByPrefix(days, 2, 't'), 1)
  assert.equal(findByPrefix(days, 1, 'th'), 2)
  assert.equal(findByPrefix(days, 0, 'x'), -1)
})
