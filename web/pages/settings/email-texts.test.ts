import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  findTypeProblem,
  NEW_TEXT,
  NEW_TYPE,
  toEmailTemplates,
  toEmailTypes,
} from './email-texts.ts'

const STORED = {
  note: 'kept',
  templates: {
    'test-failed': { enabled: false, note: 1 },
    'access-approved': {
      languages: { de: { subject: 'S', body: 'B', customized: false, note: 'kept' } },
    },
  },
}

test('toEmailTemplates › returns what toEmailTypes read, and changes only what was edited', () => {
  const types = toEmailTypes(STORED)
  assert.deepEqual(
    types.map(({ type, isEnabled }) => [type, isEnabled]),
    [
      ['access-approved', true],
      ['test-failed', false],
    ],
  )
  const [first] = types
  assert.ok(first !== undefined)
  assert.deepEqual(toEmailTemplates(STORED, types), STORED)
  const [german] = first.texts
  assert.ok(german !== undefined)
  const edited = { ...first, isEnabled: false, texts: [{ ...german, subject: 'New' }] }
  assert.deepEqual(toEmailTemplates(STORED, [edited]).templates, {
    'access-approved': {
      enabled: false,
      languages: { de: { subject: 'New', body: 'B', customized: true, note: 'kept' } },
    },
  })
})

test('toEmailTypes › keeps types and languages with the names of built-in properties', () => {
  const stored = JSON.parse('{"templates":{"__proto__":{"languages":{"constructor":{}}}}}')
  assert.deepEqual(
    toEmailTypes(stored).map(({ type, texts }) => [type, texts.map(({ language }) => language)]),
    [['__proto__', ['constructor']]],
  )
  const saved = JSON.stringify(toEmailTemplates({}, toEmailTypes(stored)))
  assert.equal(saved, '{"templates":{"__proto__":{"languages":{"constructor":{}}}}}')
})

test('findTypeProblem › rejects a missing or repeated type, and missing or repeated languages', () => {
  const named = { ...NEW_TYPE, type: 'a' }
  const english = { ...NEW_TEXT, language: 'en' }
  assert.equal(findTypeProblem({ ...named, texts: [english] }, ['b']), undefined)
  assert.match(findTypeProblem(NEW_TYPE, []) ?? '', /Enter a type/)
  assert.match(findTypeProblem(named, ['a']) ?? '', /Another entry/)
  assert.match(findTypeProblem({ ...named, texts: [NEW_TEXT] }, []) ?? '', /Enter a language/)
  assert.match(findTypeProblem({ ...named, texts: [english, english] }, []) ?? '', /one text only/)
})
