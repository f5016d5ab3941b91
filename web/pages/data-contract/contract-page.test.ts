import assert from 'node:assert/strict'
import test from 'node:test'
import { containsLetters, listPlacedRules } from './quality-rules.ts'

const rule = (name: string) => ({ name, type: 'sql', rule: null, origin: '' })
const field = (name: string) => ({
  name,
  logicalType: 'object' as const,
  required: false,
  unique: false,
  tags: [],
  references: [],
  quality: [rule(`of ${name}`)],
  origin: '',
})

test('listPlacedRules › names the field of each rule, also below lists', () => {
  const lines = { ...field('lines'), items: { ...field('items'), fields: [field('sku')] } }
  const model = {
    name: 'orders',
    kind: 'table' as const,
    fields: [lines],
    primaryKey: [],
    quality: [rule('of the model')],
    tags: [],
    origin: '',
  }
  const rules = listPlacedRules({ quality: [rule('of all')] }, [model])
  assert.deepEqual(
    rules.map((one) => [one.path, one.rule.name]),
    [
      ['', 'of all'],
      ['orders', 'of the model'],
      ['orders.lines', 'of lines'],
      ['orders.lines', 'of items'],
      ['orders.lines.sku', 'of sku'],
    ],
  )
  assert.equal(rules.filter((one) => containsLetters(one, 'SKU')).length, 1)
})
