import assert from 'node:assert/strict'
import { test } from 'node:test'
import { getTemplatesOwnedBy, PRODUCT_TEMPLATES } from './product-templates.ts'

test('every template names the proposed owner, and nothing else changes', () => {
  const owned = getTemplatesOwnedBy('fleet "1" $&')
  for (const [at, { text }] of owned.entries()) {
    assert.equal(text.split('"fleet \\"1\\" $&"').length, 2)
    assert.equal(text.replace('"fleet \\"1\\" $&"', '""'), PRODUCT_TEMPLATES[at]?.text)
  }
})
