import assert from 'node:assert/strict'
import test from 'node:test'
import { headingId } from './heading-id.ts'

test('headingId › matches the fragments of GitHub', () => {
  assert.equal(headingId('Versions of ports'), 'versions-of-ports')
  assert.equal(headingId('If-Match: when others write too'), 'if-match-when-others-write-too')
  assert.equal(headingId('1. Find the products'), '1-find-the-products')
})
