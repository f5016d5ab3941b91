import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Field } from '../schema/model.ts'
import type { Value } from '../text/value.ts'
import { isContainerType, getModelKind } from './asset.ts'
import { assetModel } from './model.ts'

function newTable(columns: Value, custom: Value = {}, source = 'postgres'): Value {
  const info = { name: 'orders', source, type: `${source}_table`, description: 'Orders' }
  return { info, columns, custom, tags: ['sales'] }
}

function getFields(columns: Value, source = 'postgres'): Field[] {
  return assetModel(newTable(columns, {}, source)).fields
}

function key(columns: string[], references: string[], referencedColumns: string[]): Value {
  return { columns, references, referencedColumns }
}

test('a table › its model has names, types, keys and places', () => {
  const model = assetModel(
    newTable(
      [
        { name: 'b', type: 'character varying(10)', description: 'B', tags: ['t'] },
        { name: 'a', type: 'int4', required: true, unique: true },
      ],
      { primaryKey: ['a', 'b', 'gone'] },
    ),
  )
  assert.equal(model.name, 'orders')
  assert.equal(model.kind, 'table')
  assert.equal(model.description, 'Orders')
  assert.deepEqual(model.tags, ['sales'])
  assert.deepEqual(model.primaryKey, ['a', 'b'])
  assert.deepEqual(model.fields, [
    {
      name: 'b',
      physicalType: 'character varying(10)',
      logicalType: 'string',
      maxLength: 10,
      required: false,
      unique: false,
      primaryKeyPosition: 2,
      description: 'B',
      tags: ['t'],
      references: [],
      quality: [],
      origin: '/columns/0',
    },
    {
      name: 'a',
      physicalType: 'int4',
      logicalType: 'integer',
      format: 'int32',
      required: true,
      unique: true,
      primaryKeyPosition: 1,
      tags: [],
      references: [],
      quality: [],
      origin: '/columns/1',
    },
  ])
})

test('columns marked as key › are the key, in their order', () => {
  const columns = ['a', 'b', 'c'].map((name) => ({ name, type: 'text', primaryKey: name !== 'b' }))
  assert.deepEqual(assetModel(newTable(columns)).primaryKey, ['a', 'c'])
})

test('a type means what its platform means by it', () => {
  const column = [{ name: 'a', type: 'timestamp' }]
  assert.equal(getFields([{ name: 'a', type: 'tinyint(1)' }], 'mariadb')[0]?.logicalType, 'boolean')
  assert.equal(getFields(column)[0]?.logicalType, 'timestamp')
  assert.equal(getFields([{ name: 'a', type: 'unknown' }])[0]?.logicalType, 'unknown')
  assert.equal(getFields([{ name: 'a' }])[0]?.logicalType, 'unknown')
})

test('nested columns › are nested fields, with any type name', () => {
  const [place, lines, loose, told] = getFields(
    [
      { name: 'place', type: 'struct', properties: [{ name: 'street', type: 'string' }] },
      { name: 'lines', type: 'list', items: { type: 'long', required: true } },
      { name: 'loose', type: 'list', items: [{ name: 'element', type: 'string' }] },
      { name: 'told', type: 'array<struct<a:int>>' },
    ],
    'iceberg',
  )
  assert.equal(place?.logicalType, 'object')
  assert.deepEqual(
    place?.fields?.map(({ name, origin }) => [name, origin]),
    [['street', '/columns/0/properties/0']],
  )
  assert.equal(lines?.items?.required, true)
  assert.equal(lines?.items?.name, 'items')
  assert.equal(loose?.items?.name, 'element')
  assert.equal(told?.items?.fields?.[0]?.name, 'a')
})

test('foreign keys › each column refers to its counterpart, qualified where it is elsewhere', () => {
  const columns = ['a', 'b', 'c', 'd'].map((name) => ({ name, type: 'integer' }))
  const model = assetModel(
    newTable(columns, {
      database: 'shop',
      schema: 'public',
      foreignKeys: [
        key(['a', 'b'], ['shop', 'public', 'customers'], ['region', 'id']),
        key(['c'], ['shop', 'crm', 'people'], ['id']),
        key(['d'], ['other', 'public', 'people'], ['id']),
        key(['a'], ['shop', 'public', 'customers'], ['region']),
        key(['gone'], ['shop', 'public', 'x'], ['y']),
        key(['a'], [], ['y']),
      ],
    }),
  )
  assert.deepEqual(
    model.fields.map(({ references }) => references),
    [['customers.region'], ['customers.id'], ['crm.people.id'], ['other.public.people.id']],
  )
})

test('kinds › views are views, containers are recognized', () => {
  assert.equal(getModelKind('postgres_materialized_view'), 'view')
  assert.equal(getModelKind('kafka_topic'), 'topic')
  assert.equal(getModelKind('postgres_external_table'), 'table')
  assert.equal(getModelKind(''), 'table')
  assert.ok(isContainerType('postgres_schema') && isContainerType('unity_catalog'))
  assert.ok(!isContainerType('postgres_table') && !isContainerType('my_schema_table'))
})

test('a column › a domain has the logical type of its base, under its own name', () => {
  const [field] = getFields([
    { name: 'price', type: 'public.price', custom: { baseType: 'numeric(10,2)' } },
  ])
  assert.equal(field?.physicalType, 'public.price')
  assert.equal(field.logicalType, 'number')
  assert.deepEqual([field.precision, field.scale], [10, 2])
})

test('a column › an enum is a text with its labels', () => {
  const [mood, moods] = getFields([
    { name: 'mood', type: 'public.mood', custom: { enumValues: ['sad', 'ok'] } },
    {
      name: 'moods',
      type: 'public.mood[]',
      items: { name: 'items', type: 'public.mood', custom: { enumValues: ['sad', 'ok'] } },
    },
  ])
  assert.deepEqual([mood?.logicalType, mood?.enum], ['string', ['sad', 'ok']])
  assert.equal(moods?.logicalType, 'array')
  assert.deepEqual([moods.items?.logicalType, moods.items?.enum], ['string', ['sad', 'ok']])
})

test('a column › a map keeps its key and value', () => {
  const [field] = getFields(
    [
      {
        name: 'labels',
        type: 'map<string,struct<a:int>>',
        properties: [
          { name: 'key', type: 'string' },
          {
            name: 'value',
            type: 'struct<a:int>',
            required: true,
            properties: [{ name: 'a', type: 'int', description: 'A' }],
          },
        ],
      },
    ],
    'iceberg',
  )
  assert.equal(field?.logicalType, 'map')
  assert.equal(field.keys?.logicalType, 'string')
  assert.equal(field.values?.required, true)
  assert.equal(field.values.fields?.[0]?.description, 'A')
})
