import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { mutations } from '../../test/document-mutations.ts'
import { readText } from '../text/text.ts'
import { jsonText, type Value } from '../text/value.ts'
import { namedAssets } from './named-assets.ts'
import { type AssetReading, readAsset } from './read.ts'

const FULL = {
  id: 'orders',
  info: {
    owner: 'a',
    source: 'postgres',
    sourceId: '5.16384',
    sourceUrl: 'https://example.com/orders',
    type: 'postgres_table',
    name: 'orders',
    qualifiedName: 'shop.public.orders',
    version: '1.0',
    status: 'active',
    description: 'What was ordered',
  },
  properties: { anything: 1 },
  custom: { host: 'db.example', port: 5432 },
  columns: [
    { name: 'id', type: 'bigint', required: true, unique: true, primaryKey: true },
    { name: 'place', type: 'record', properties: [{ name: 'street', type: 'text' }] },
    { name: 'lines', type: 'array', items: { name: 'line', type: 'text' } },
    { name: 'more', type: 'array', items: [{ type: 'text' }], tags: ['x'], links: {}, custom: {} },
  ],
  relationships: [{ relationshipType: 'parent', assetId: 'public' }],
  tags: ['sales'],
  links: { wiki: 'https://example.com' },
}

function read(document: object | string, options: { strict?: boolean } = {}): AssetReading {
  const text = typeof document === 'string' ? document : JSON.stringify(document)
  const source = readText(text, 'application/json')
  assert.ok(source.ok)
  return readAsset(source, { id: 'orders', strict: options.strict ?? false })
}

function getProblems(document: object | string, strict = false): string[] {
  const reading = read(document, { strict })
  assert.ok(!reading.ok)
  return reading.problems.map(({ field, line, column }) => `${field} ${line}:${column}`)
}

function getCanonical(text: string): string {
  const reading = read(text)
  assert.ok(reading.ok)
  return reading.canonical
}

const property = (value: Value) => [{ property: 'assets', value }]

test('an asset with every field › is read, without a warning', () => {
  const reading = read(FULL, { strict: true })
  assert.ok(reading.ok)
  assert.deepEqual(reading.warnings, [])
  assert.deepEqual(reading.asset, {
    id: 'orders',
    name: 'orders',
    type: 'postgres_table',
    qualifiedName: 'shop.public.orders',
    source: 'postgres',
    description: 'What was ordered',
    ownerTeamId: 'a',
    parentId: 'public',
  })
})

test('only a qualified name › is the name', () => {
  const reading = read({ info: { qualifiedName: 'a.b' } })
  assert.ok(reading.ok)
  assert.equal(reading.asset.name, 'a.b')
  assert.equal(reading.asset.ownerTeamId, undefined)
})

test('missing or invalid fields › are reported with their position', () => {
  assert.deepEqual(getProblems({}), ['info 1:1'])
  assert.deepEqual(getProblems('{\n "info": 5}'), ['info 2:2'])
  assert.deepEqual(getProblems('{"info":\n{}}'), ['info.name 1:2'])
  assert.deepEqual(getProblems({ info: { name: ' ' } }), ['info.name 1:10'])
  assert.deepEqual(getProblems({ id: 'other', info: { name: 'x' } }), ['id 1:2'])
  assert.deepEqual(getProblems('{"info":{"name":"x",\n"owner":7},"columns":[{"name":1}]}'), [
    'columns[0].name 2:24',
    'info.owner 2:1',
  ])
  const nested = { columns: [{ name: 'a', items: { properties: [{ required: 'yes' }] } }] }
  assert.deepEqual(
    getProblems({ info: { name: 'x' }, ...nested }).map((text) => text.split(' ')[0]),
    ['columns[0].items.properties[0].required'],
  )
})

test('unknown fields, and null › are kept and no error', () => {
  const reading = read({ info: { name: 'x', owner: null, more: 1 }, more: [null], columns: null })
  assert.ok(reading.ok)
  assert.equal(reading.asset.ownerTeamId, undefined)
})

test('columns without name or type › a warning, and an error when strict', () => {
  const document = { info: { name: 'x', source: 's', type: 't' }, columns: [{ name: 'a' }] }
  const reading = read(document)
  assert.ok(reading.ok)
  assert.deepEqual(
    reading.warnings.map(({ field }) => field),
    ['columns[0].type'],
  )
  assert.equal(getProblems(document, true).length, 1)
})

test('the order of fields and tags, spelling and white space › mean nothing; the order of columns does', () => {
  const one = getCanonical(
    '{"info":{"name":"x"},"tags":["a","b"],"custom":{"n":1.0},"columns":[{"name":"a"},{"name":"b"}]}',
  )
  const same = getCanonical(
    '{"custom":{"n":1},"columns":[{"name":"a"},{"name":"b"}],\n"tags":["b","a"],"info":{"name":"x"}}',
  )
  const other = getCanonical(
    '{"info":{"name":"x"},"tags":["a","b"],"custom":{"n":1},"columns":[{"name":"b"},{"name":"a"}]}',
  )
  assert.equal(one, same)
  assert.notEqual(one, other)
})

test('misspelled documents › never throw, and always have a message', () => {
  fc.assert(
    fc.property(mutations(FULL, ['postgres_view', 'parent']), (value: Value) => {
      const source = readText(jsonText(value), 'application/json')
      if (!source.ok) return
      const reading = readAsset(source, { id: 'orders', strict: false })
      assert.ok(reading.ok ? reading.canonical : reading.problems.length > 0)
    }),
    { seed: 1, numRuns: 400 },
  )
})

test('assets that a product names › in either format, of the product and its ports, each once', () => {
  assert.deepEqual(namedAssets({ assets: ['a', 'b'], outputPorts: [{ assets: ['b', 'c'] }] }), [
    'a',
    'b',
    'c',
  ])
  const odps = {
    customProperties: property(['a', { id: 'b' }]),
    outputPorts: [{ customProperties: property('c') }, { customProperties: property([1, null]) }],
  }
  assert.deepEqual(namedAssets(odps), ['a', 'b', 'c'])
  assert.deepEqual(namedAssets({ assets: 5, outputPorts: 'x', customProperties: {} }), [])
})
