import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { testRoundTrip } from '../../../test/schema-round-trip.ts'
import { NOWHERE } from '../../shape/inspect.ts'
import { Notes } from '../../text/problem.ts'
import { readJsonSchema } from './read.ts'
import { writeJsonSchema } from './write.ts'
import { plainField, plainModel } from '../plain.ts'
import { Specification } from '../specification.ts'

const AJV = new Ajv2020({ strict: false, validateFormats: false })

function assertValid(text: string): void {
  AJV.compile(JSON.parse(text))
}

testRoundTrip({
  name: 'JSON Schema',
  write: writeJsonSchema,
  read: readJsonSchema,
  assertValid,
  unexpressed: [
    'timeZones',
    'kinds',
    'namespaces',
    'physicalNames',
    'keys',
    'binaryLengths',
    'decimals',
    'classifications',
    'tags',
    'references',
    'quality',
  ],
  runs: 50,
})

test('JSON Schema › one model is one schema, several are definitions', () => {
  const id = { ...plainField('id', 'integer', ''), required: true, minimum: 1 }
  const model = { ...plainModel('orders', ''), description: 'All orders.', fields: [id] }
  const schema = {
    description: 'All orders.',
    type: 'object',
    properties: { id: { type: 'integer', minimum: 1 } },
    required: ['id'],
  }
  const $schema = 'https://json-schema.org/draft/2020-12/schema'
  assert.deepEqual(JSON.parse(writeJsonSchema([model]).text), {
    $schema,
    title: 'orders',
    ...schema,
  })
  assert.deepEqual(JSON.parse(writeJsonSchema([model, { ...model, name: 'b' }]).text), {
    $schema,
    $defs: { orders: schema, b: schema },
  })
})

test('JSON Schema › lists unions, conditions and closed content that are not written as losses', () => {
  const given = {
    title: 'T',
    type: 'object',
    additionalProperties: false,
    properties: {
      a: { oneOf: [{ type: 'string' }, { type: 'integer' }] },
      b: { type: ['integer', 'null'], multipleOf: 2 },
      c: { type: 'array', items: { type: 'string', not: { const: 'x' } } },
    },
  }
  const notes = new Notes(NOWHERE)
  const { losses } = writeJsonSchema(readJsonSchema(new Specification(given, [], notes)))
  assert.deepEqual(
    losses.map(({ path, message }) => `${path}: ${message}`),
    [
      'T: "additionalProperties" is not written.',
      'T.a: "oneOf" is not written.',
      'T.b: "multipleOf" is not written.',
      'T.c[]: "not" is not written.',
    ],
  )
})
