import assert from 'node:assert/strict'
import test from 'node:test'
import {
  countFields,
  logicalTypeText,
  schemaRows,
  type SchemaField,
  type SchemaModel,
} from './schema-tree-rows.ts'

function field(name: string, more: Partial<SchemaField> = {}): SchemaField {
  const plain = { logicalType: 'string', required: false, unique: false }
  return { name, ...plain, tags: [], references: [], quality: [], origin: `/${name}`, ...more }
}

function model(name: string, fields: SchemaField[]): SchemaModel {
  return { name, kind: 'table', fields, primaryKey: [], tags: [], origin: `/schema/${name}` }
}

const LINES = field('lines', {
  logicalType: 'array',
  items: field('items', {
    logicalType: 'object',
    fields: [field('sku', { description: 'Stock keeping unit' }), field('amount')],
  }),
})
const MODELS = [model('orders', [field('id'), LINES]), model('customers', [field('id')])]
const NONE: ReadonlySet<string> = new Set()

test('schemaRows › fields of list items are below the list, with their path', () => {
  const rows = schemaRows(MODELS, { closed: NONE, filter: '' })
  assert.deepEqual(
    rows.map(({ path, level, position, setSize }) => [path, level, position, setSize]),
    [
      ['orders', 1, 1, 2],
      ['orders.id', 2, 1, 2],
      ['orders.lines', 2, 2, 2],
      ['orders.lines.sku', 3, 1, 2],
      ['orders.lines.amount', 3, 2, 2],
      ['customers', 1, 2, 2],
      ['customers.id', 2, 1, 1],
    ],
  )
})

test('schemaRows › keys are unique, also where fields share their origin', () => {
  const same = [field('a', { origin: '/x' }), field('b', { origin: '/x' })]
  const rows = schemaRows([model('m', same)], { closed: NONE, filter: '' })
  assert.equal(new Set(rows.map(({ key }) => key)).size, 3)
})

test('schemaRows › a closed row hides what is below it', () => {
  const [first] = schemaRows(MODELS, { closed: NONE, filter: '' })
  const rows = schemaRows(MODELS, { closed: new Set([first?.key ?? '']), filter: '' })
  assert.deepEqual(
    rows.map(({ path }) => path),
    ['orders', 'customers', 'customers.id'],
  )
})

test('schemaRows › a filter finds words of descriptions, with their parents, and opens them', () => {
  const [first] = schemaRows(MODELS, { closed: NONE, filter: '' })
  const rows = schemaRows(MODELS, { closed: new Set([first?.key ?? '']), filter: ' KEEPING ' })
  assert.deepEqual(
    rows.map(({ path }) => path),
    ['orders', 'orders.lines', 'orders.lines.sku'],
  )
  assert.deepEqual(schemaRows(MODELS, { closed: NONE, filter: 'nothing like it' }), [])
})

test('countFields › counts on every level', () => {
  assert.equal(countFields(MODELS), 5)
})

test('logicalTypeText › describes the items of lists and maps', () => {
  assert.equal(logicalTypeText(LINES), 'array of object')
  const map = field('m', { logicalType: 'map', keys: field('k'), values: LINES })
  assert.equal(logicalTypeText(map), 'map of string to array of object')
})

const SALES = model('sales', [
  field('share', { semanticType: 'measure', expression: 'sum(amount)' }),
  field('amount', { synonyms: ['turnover'] }),
  field('day', { semanticType: 'dimension', expression: 'date(at)' }),
  field('at'),
])

test('schemaRows › measures and dimensions are a group below the columns', () => {
  const rows = schemaRows([SALES], { closed: NONE, filter: '' })
  assert.deepEqual(
    rows.map(({ part, path, level, position, setSize }) => [
      part.kind,
      path,
      level,
      position,
      setSize,
    ]),
    [
      ['model', 'sales', 1, 1, 1],
      ['field', 'sales.amount', 2, 1, 3],
      ['field', 'sales.at', 2, 2, 3],
      ['computed', 'sales', 2, 3, 3],
      ['field', 'sales.share', 3, 1, 2],
      ['field', 'sales.day', 3, 2, 2],
    ],
  )
  assert.equal(new Set(rows.map(({ key }) => key)).size, rows.length)
  const group = rows.find(({ part }) => part.kind === 'computed')?.key ?? ''
  assert.equal(schemaRows([SALES], { closed: new Set([group]), filter: '' }).length, 4)
})

const find = (filter: string) =>
  schemaRows([SALES], { closed: NONE, filter }).map(({ path }) => path)

test('schemaRows › the filter finds synonyms and expressions', () => {
  assert.deepEqual(find('turnover'), ['sales', 'sales.amount'])
  assert.deepEqual(find('sum('), ['sales', 'sales', 'sales.share'])
})

const text = (vector: Partial<NonNullable<SchemaField['vector']>>) =>
  logicalTypeText(field('v', { logicalType: 'vector', vector: { normalized: false, ...vector } }))

test('logicalTypeText › a vector has its length and its elements, as far as they are known', () => {
  assert.equal(text({ dimensions: 1536, elementType: 'float32' }), 'vector, 1536 × float32')
  assert.equal(text({ elementType: 'float32' }), 'vector, float32')
  assert.equal(text({}), 'vector')
})
