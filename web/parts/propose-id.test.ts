import assert from 'node:assert/strict'
import { test } from 'node:test'
import { proposeId } from './propose-id.ts'

test('proposes lower-case letters, digits and dashes', () => {
  assert.equal(proposeId('  Müllers Wägen & Co. 2 '), 'mullers-wagen-co-2')
  assert.equal(proposeId('…'), '')
})

test('proposes at most 100 characters, without a dash at the end', () => {
  assert.equal(proposeId(`${'a'.repeat(99)} b`), 'a'.repeat(99))
})
