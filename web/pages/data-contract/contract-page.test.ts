import assert from 'node:assert/strict'
import test from 'node:test'
import { curlCommands } from './curl-commands.ts'
import { daysLeft } from './days-left.ts'
import { isAbout, placedRules } from './quality-rules.ts'

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

test('placedRules › names the field of each rule, also below lists', () => {
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
  const rules = placedRules({ quality: [rule('of all')] }, [model])
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
  assert.equal(rules.filter((one) => isAbout(one, 'SKU')).length, 1)
})

test('daysLeft › counts the last day, and is negative behind it', () => {
  assert.equal(daysLeft('2026-12-31', Date.parse('2026-12-31T00:00:00Z')), 1)
  assert.equal(daysLeft('2026-12-31', Date.parse('2026-11-21T17:00:00Z')), 41)
  assert.ok(daysLeft('2026-12-31', Date.parse('2027-01-02T00:00:00Z')) < 0)
})

test('curlCommands › an id cannot end the quotation', () => {
  const { get, put } = curlCommands('https://c.example', "it's $HOME", 'application/yaml')
  assert.ok(get.endsWith("'https://c.example/api/datacontracts/it%27s%20%24HOME'"))
  assert.match(put, /Content-Type: application\/yaml/)
})
