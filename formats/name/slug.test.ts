import assert from 'node:assert/strict'
import test from 'node:test'
import { toSlug } from './slug.ts'

test('toSlug › joins the words of a name by hyphens, without accents', () => {
  assert.equal(toSlug('Sales, Köln', 60), 'sales-koln')
  assert.equal(toSlug('  CRM__Customers.v2 ', 60), 'crm-customers-v2')
})

test('toSlug › cuts at the limit, without a hyphen at the end', () => {
  assert.equal(toSlug('freight wagons', 8), 'freight')
})

test('toSlug › is empty if nothing of the name can be in an id', () => {
  assert.equal(toSlug('客户', 60), '')
  assert.equal(toSlug('—', 60), '')
})
