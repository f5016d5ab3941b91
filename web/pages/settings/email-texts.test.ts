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
  note: null,
  templates: {
    'test-failed': { enabled: false, canBeDisabled: true, variables: [], note: null },
    'access-approved': {
      languages: { de: { subject: 'S', body: 'B', customized: false, note: null } },
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
      languages: { de: { subject: 'New', body: 'B', customized: true, note: null } },
    },
  })
})

test('toEmailTemplates › leaves out members that the server does not accept, at every level', () => {
  const text = { subject: 'S', other: 1 }
  const templates = { a: { languages: { de: text }, other: '' }, b: { enabled: true, other: 0 } }
  const stored = { other: true, templates }
  const types = toEmailTypes(stored)
  const accepted = { a: { languages: { de: { subject: 'S' } } }, b: { enabled: true } }
  assert.deepEqual(toEmailTemplates(stored, types), { templates: accepted })
  const [first] = types
  assert.ok(first !== undefined)
  const texts = first.texts.map((one) => ({ ...one, body: 'B' }))
  const edited = { a: { languages: { de: { subject: 'S', body: 'B', customized: true } } } }
  assert.deepEqual(toEmailTemplates(stored, [{ ...first, texts }]), { templates: edited })
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
