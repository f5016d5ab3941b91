import assert from 'node:assert/strict'
import { test } from 'node:test'
import avsc from 'avsc'
import * as fc from 'fast-check'
import { avroPairs } from '../../../test/avro-pairs.ts'
import { modelsArbitrary } from '../../../test/model-arbitrary.ts'
import { differingPaths } from '../../../test/model-equality.ts'
import { Notes } from '../../text/problem.ts'
import { diffModels } from '../../diff/models.ts'
import { NOWHERE } from '../../shape/inspect.ts'
import type { Value } from '../../text/value.ts'
import { canonicalizeAvro } from './canonical.ts'
import { writeAvro } from './write.ts'
import { readAvro } from './read.ts'
import type { Model } from '../model.ts'
import { plainField, plainModel } from '../plain.ts'
import { Specification } from '../specification.ts'

function readBack(text: string): Model[] {
  const notes = new Notes(NOWHERE)
  const models = readAvro(new Specification(text, [], notes))
  assert.deepEqual(notes.warnings, [])
  return models
}

// The library stores types by name in an object, which must not have any inherited name.
function accepted(text: string): void {
  const registry = Object.create(null)
  for (const record of [JSON.parse(text)].flat()) avsc.Type.forSchema(record, { registry })
}

/** The parts of models that Avro can express. */
const EXPRESSED = {
  kinds: false,
  physicalNames: false,
  keys: false,
  patterns: false,
  emails: false,
  plainNumbers: false,
  lengths: false,
  binaryLengths: false,
  ranges: false,
  exclusiveRanges: false,
  itemCounts: false,
  unknowns: false,
  classifications: false,
  tags: false,
  references: false,
  quality: false,
}

test('Avro › models that it can express are read back equal, without losses, and are valid for its library', () => {
  fc.assert(
    fc.property(modelsArbitrary(EXPRESSED), (models) => {
      const { text, losses } = writeAvro(models)
      assert.deepEqual(losses, [])
      accepted(text)
      assert.deepEqual(differingPaths(models, readBack(text)), [])
    }),
    { seed: 1, numRuns: 100 },
  )
})

// One part at a time, so that no loss hides another one.
const WITH_ONE_MORE = fc
  .constantFrom(...Object.keys(EXPRESSED))
  .chain((part) => modelsArbitrary({ ...EXPRESSED, [part]: true }))

test('Avro › every difference after reading back is listed as a loss', () => {
  fc.assert(
    fc.property(fc.oneof(WITH_ONE_MORE, modelsArbitrary()), (models) => {
      const { text, losses } = writeAvro(models)
      accepted(text)
      const named = new Set(losses.map(({ path }) => path))
      for (const path of differingPaths(models, readBack(text))) assert.ok(named.has(path), path)
    }),
    { seed: 2, numRuns: 130 },
  )
})

test('Avro › a recursive model is read back as a recursive one', () => {
  const next = { ...plainField('next', 'object', ''), references: ['Node'] }
  const node = { ...plainModel('Node', ''), fields: [plainField('value', 'string', ''), next] }
  const other = { ...plainModel('Other', ''), fields: [plainField('value', 'string', '')] }
  for (const models of [[node], [node, other]]) {
    const { text, losses } = writeAvro(models)
    assert.deepEqual(losses, [])
    accepted(text)
    assert.deepEqual(differingPaths(models, readBack(text)), [])
  }
})

test('Avro › lists what it cannot express in sentences, by field', () => {
  const total = {
    ...plainField('total', 'number', ''),
    format: 'double',
    unique: true,
    classification: 'secret',
    tags: ['money'],
  }
  const model: Model = {
    ...plainModel('orders', ''),
    kind: 'table',
    primaryKey: ['total'],
    fields: [total],
  }
  assert.deepEqual(writeAvro([model]).losses, [
    { path: 'orders', message: 'Avro cannot express that it is a table.' },
    { path: 'orders', message: 'Avro cannot express the primary key.' },
    { path: 'orders.total', message: 'Avro cannot express that the values are unique.' },
    { path: 'orders.total', message: 'Avro cannot express the classification.' },
    { path: 'orders.total', message: 'Avro cannot express the tags.' },
  ])
})

test('Avro › names that it does not allow are changed, and stored in a property', () => {
  const fields = ['Order Total', 'Order-Total', '1st'].map((name) => plainField(name, 'string', ''))
  const { text } = writeAvro([{ ...plainModel('my orders', ''), namespace: 'a.b', fields }])
  const { fields: written, ...record } = JSON.parse(text)
  assert.deepEqual(record, {
    type: 'record',
    name: 'my_orders',
    namespace: 'a.b',
    'portbook.name': 'my orders',
  })
  assert.deepEqual(
    written.map((field: { name: string }) => field.name),
    ['Order_Total', 'Order_Total_2', '_1st'],
  )
})

test('Avro › data of a schema is readable with the schema that is written from its models', () => {
  fc.assert(
    fc.property(avroPairs, ([schema]) => {
      const models = readAvro(new Specification(schema, [], new Notes(NOWHERE)))
      const { text, losses } = writeAvro(models)
      assert.deepEqual(losses, [])
      const [given, written] = [JSON.stringify(schema), text].map((one) =>
        avsc.Type.forSchema(JSON.parse(one), { registry: Object.create(null) }),
      )
      assert.ok(given !== undefined && written !== undefined)
      written.createResolver(given)
      given.createResolver(written)
      assert.deepEqual(changesOf(models, readBack(text)), [])
    }),
    { seed: 3, numRuns: 70 },
  )
})

// A nullable field has the default null.
function changesOf(before: readonly Model[], after: readonly Model[]): string[] {
  return diffModels(before, after)
    .filter(({ after: value }) => value !== null)
    .map(({ message }) => message)
}

test('Avro › names, aliases, defaults, unions and encodings are written as they were read', () => {
  const given = {
    type: 'record',
    name: 'Event',
    namespace: 'shop',
    aliases: ['shop.Message'],
    fields: [
      {
        name: 'kind',
        type: { type: 'enum', name: 'Kind', namespace: 'x', symbols: ['A', 'B'], default: 'A' },
        default: 'B',
      },
      { name: 'again', aliases: ['more'], type: ['x.Kind', 'null'], default: 'A' },
      {
        name: 'total',
        type: {
          type: 'fixed',
          name: 'Sum',
          size: 8,
          logicalType: 'decimal',
          precision: 9,
          scale: 2,
        },
      },
      {
        name: 'payload',
        type: [
          'null',
          'string',
          {
            type: 'record',
            name: 'Paid',
            aliases: ['x.P'],
            fields: [{ name: 'at', type: 'long' }],
          },
          'shop.Event',
        ],
        default: null,
      },
      { name: 'count', type: 'int', default: 7 },
    ],
  }
  const { text, losses } = writeAvro(readBack(JSON.stringify(given)))
  assert.deepEqual(losses, [])
  const written: Value = JSON.parse(text)
  assert.equal(canonicalizeAvro(written), canonicalizeAvro(given))
})

test('Avro › a default that does not fit is a loss, not an illegal schema', () => {
  const text = '{"type":"record","name":"R","fields":[{"name":"a","type":"int","default":"x"}]}'
  const written = writeAvro(readBack(text))
  accepted(written.text)
  assert.deepEqual(written.losses, [
    { path: 'R.a', message: 'The default does not fit the type in Avro.' },
  ])
})

test('Avro › no models are an empty list', () => {
  assert.equal(writeAvro([]).text, '[]\n')
})
