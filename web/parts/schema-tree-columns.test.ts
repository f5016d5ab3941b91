import assert from 'node:assert/strict'
import test from 'node:test'
import { getSchemaColumns, toColumnTemplate } from './schema-tree-columns.ts'
import type { SchemaField, SchemaModel } from './schema-tree-rows.ts'

const field = (name: string, more: Partial<SchemaField> = {}): SchemaField => ({
  name,
  logicalType: 'string',
  required: false,
  unique: false,
  tags: [],
  references: [],
  quality: [],
  origin: `/${name}`,
  ...more,
})
const model = (fields: SchemaField[], more: Partial<SchemaModel> = {}): SchemaModel => ({
  name: 'orders',
  kind: 'table',
  fields,
  primaryKey: [],
  tags: [],
  origin: '',
  ...more,
})

test('toColumnTemplate › leaves out columns that are empty', () => {
  const empty = getSchemaColumns([model([field('id'), field('name')])])
  assert.deepEqual([empty.hasConstraints, empty.hasDescriptions], [false, false])
  assert.equal(toColumnTemplate(empty).split('minmax').length - 1, 2)
  const nested = field('lines', { fields: [field('sku', { required: true, description: 'x' })] })
  const full = getSchemaColumns([model([nested])])
  assert.equal(toColumnTemplate(full).split('minmax').length - 1, 4)
})

test('getSchemaColumns › counts labels of the page as constraints', () => {
  const columns = getSchemaColumns([model([field('id')])], (origin) => origin === '/id')
  assert.equal(columns.hasConstraints, true)
})

function width(name: string): number {
  return getSchemaColumns([model([field(name)])]).nameRem
}

test('getSchemaColumns › gives the longest name its width, with its indentation', () => {
  // 18 characters of 0.4846 rem, the sign of a branch (28 px) and one level (18 px).
  assert.ok(width('column_0_some_name') > 18 * 0.4846 + 28 / 16 + 18 / 16)
  assert.equal(width('id'), 10)
  assert.equal(width('n'.repeat(500)), 30)
})
