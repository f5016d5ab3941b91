import assert from 'node:assert/strict'
import { test } from 'node:test'
import { getTemplatesOwnedBy, PRODUCT_TEMPLATES } from './product-templates.ts'

// Quotes have to be escaped, and `$&` means something in a replacement.
const TEAM = 'fleet "1" $&'
const WRITTEN = JSON.stringify(TEAM)

for (const [at, { title, text }] of PRODUCT_TEMPLATES.entries()) {
  test(`${title} › names the owner once and stays the same otherwise`, () => {
    const owned = getTemplatesOwnedBy(TEAM)[at]?.text ?? ''
    assert.equal(owned.split(WRITTEN).length - 1, 1)
    assert.equal(owned.replace(WRITTEN, '""'), text)
  })
}
