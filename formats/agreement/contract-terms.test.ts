import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readContractTerms } from './contract-terms.ts'

test('readContractTerms › reads ODCS', () => {
  const terms = readContractTerms({
    description: { usage: 'Reports', limitations: 'Not for marketing' },
    price: { priceAmount: 9.95, priceCurrency: 'USD', priceUnit: 'megabyte' },
    roles: [{ role: 'analyst', description: 'Reads', access: 'read' }, { access: 'x' }],
    customProperties: [{ property: 'noticePeriod', value: 'P3M' }],
  })
  assert.deepEqual(terms, {
    usage: 'Reports',
    limitations: 'Not for marketing',
    billing: '9.95 USD per megabyte',
    noticePeriod: 'P3M',
    roles: [{ role: 'analyst', description: 'Reads' }],
  })
})

test('readContractTerms › reads DCS', () => {
  const own = { usage: 'u', limitations: 'l', billing: 'b', noticePeriod: 'P1M' }
  const terms = readContractTerms({ terms: own })
  assert.deepEqual(terms, { ...own, roles: [] })
})

test('readContractTerms › null for what is absent or of another type', () => {
  const terms = readContractTerms({
    description: 'text',
    terms: { usage: [] },
    roles: 'x',
    price: 1,
  })
  assert.deepEqual(Object.values(terms), [null, null, null, null, []])
})
