import assert from 'node:assert/strict'
import test from 'node:test'
import { readContractTerms } from './terms.ts'

test('readContractTerms › ODCS: usage, limitations, price, notice period and roles', () => {
  const terms = readContractTerms({
    description: { purpose: 'p', usage: 'By day', limitations: ' ' },
    price: { priceAmount: 9.95, priceCurrency: 'EUR', priceUnit: 'month' },
    slaProperties: [
      { property: 'noticePeriod', value: 3, unit: 'months' },
      { property: 'retention', value: 1, unit: 'y' },
    ],
    roles: [{ role: 'reader', access: 'read' }, { role: 'admin', description: 'All' }, {}, 'x'],
  })
  assert.deepEqual(terms, {
    texts: [
      ['Usage', 'By day'],
      ['Billing', '9.95 EUR per month'],
      ['Notice period', '3 months'],
    ],
    roles: [
      { name: 'reader', description: 'read' },
      { name: 'admin', description: 'All' },
    ],
  })
})

test('readContractTerms › DCS: the terms', () => {
  const value = { terms: { usage: 'u', limitations: 'l', billing: 'b', noticePeriod: 'P3M' } }
  assert.deepEqual(readContractTerms(value), {
    texts: [
      ['Usage', 'u'],
      ['Limitations', 'l'],
      ['Billing', 'b'],
      ['Notice period', 'P3M'],
    ],
    roles: [],
  })
})

test('readContractTerms › skips parts of another form', () => {
  for (const value of [null, [], { terms: [], roles: {}, price: 'free', slaProperties: [null] }]) {
    assert.deepEqual(readContractTerms(value), { texts: [], roles: [] })
  }
})
