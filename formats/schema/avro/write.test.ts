import assert from 'node:assert/strict'
import { test } from 'node:test'
import avsc from 'avsc'
import * as fc from 'fast-check'
import { avroPairs } from '../../../test/avro-pairs.ts'
import { testRoundTrip } from '../../../test/schema-round-trip.ts'
import { Notes } from '../../text/problem.ts'
import { diffModels } from '../../diff/models.ts'
import { NOWHERE } from '../../shape/inspect.ts'
import { readIn } from '../../../test/specification.ts'
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
function assertValid(text: string): void {
  const registry = Object.create(null)
  for (const record of [JSON.parse(text)].flat()) avsc.Type.forSchema(record, { registry })
}

testRoundTrip({
  name: 'Avro',
  write: writeAvro,
  read: readAvro,
  assertValid,
  unexpressed: [
    'kinds',
    'physicalNames',
    'keys',
    'patterns',
    'emails',
    'plainNumbers',
    'lengths',
    'binaryLengths',
    'ranges',
    'exclusiveRanges',
    'itemCounts',
    'unknowns',
    'classifications',
    'tags',
    'references',
    'quality',
  ],
  runs: 100,
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
      assert.deepEqual(getChanges(models, readBack(text)), [])
    }),
    { seed: 3, numRuns: 70 },
  )
})

// A nullable field has the default null.
function getChanges(before: readonly Model[], after: readonly Model[]): string[] {
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
  const fields = [{ name: 'a', type: 'int', default: 'x' }]
  const written = writeAvro(readIn({ type: 'record', name: 'R', fields }, readAvro).models)
  assertValid(written.text)
  assert.deepEqual(written.losses, [
    { path: 'R.a', message: 'The default does not fit the type in Avro.' },
  ])
})

test('Avro › no models are an empty list', () => {
  assert.equal(writeAvro([]).text, '[]\n')
})
