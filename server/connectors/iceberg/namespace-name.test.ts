import assert from 'node:assert/strict'
import test from 'node:test'
import { array, assert as check, constantFrom, property, string } from 'fast-check'
import { namespaceName, namespaceParts } from './namespace-name.ts'

test('namespaceName › joins parts with dots into unique names', () => {
  assert.equal(namespaceName(['accounting']), 'accounting')
  assert.equal(namespaceName(['accounting', 'tax']), 'accounting.tax')
  assert.equal(namespaceName(['accounting.tax']), '`accounting.tax`')
  assert.equal(namespaceName(['a`b', 'c d']), '`a``b`.c d')
})

test('namespaceParts › parses every name', () => {
  const part = string({ minLength: 1, unit: constantFrom('.', '`', 'a', ' ', '\n', '🚲') })
  check(
    property(array(part, { minLength: 1, maxLength: 4 }), (parts) => {
      assert.deepEqual(namespaceParts(namespaceName(parts)), parts)
    }),
  )
})

test('namespaceParts › rejects invalid names', () => {
  for (const name of ['', '.', 'a.', '.a', 'a..b', '`a', 'a`', '`a`b', '``']) {
    assert.equal(namespaceParts(name), undefined, name)
  }
})
