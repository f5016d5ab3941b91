import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { test } from 'node:test'
import { findLanguage, LANGUAGE_TYPES, LANGUAGES } from './languages.ts'

test('schema languages › every folder of a language is in the list', () => {
  const folders = readdirSync(import.meta.dirname, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== 'types')
    .map(({ name }) => name)
  assert.deepEqual(LANGUAGES.map(({ name }) => name).toSorted(), folders.toSorted())
})

test('schema languages › are found by each of their types, in any case', () => {
  for (const language of LANGUAGES) {
    for (const type of language.types) {
      assert.equal(findLanguage(type.toUpperCase()), language)
    }
  }
  assert.equal(findLanguage('xsd'), undefined)
  assert.equal(findLanguage(undefined), undefined)
  assert.equal(new Set(LANGUAGE_TYPES).size, LANGUAGES.flatMap(({ types }) => types).length)
})
