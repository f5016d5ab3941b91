import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import * as fc from 'fast-check'
import { modelsArbitrary } from '../../../test/model-arbitrary.ts'
import { differingPaths } from '../../../test/model-equality.ts'
import { NOWHERE } from '../../shape/inspect.ts'
import { Notes } from '../../text/problem.ts'
import { readJsonSchema } from './read.ts'
import { writeJsonSchema } from './write.ts'
import type { Model } from '../model.ts'
import { plainField, plainModel } from '../plain.ts'
import { Specification } from '../specification.ts'

function readBack(text: string): Model[] {
  const notes = new Notes(NOWHERE)
  const models = readJsonSchema(new Specification(text, [], notes))
  assert.deepEqual(notes.warnings, [])
  return models
}

const AJV = new Ajv2020({ strict: false, validateFormats: false })

function accepted(text: string): void {
  AJV.compile(JSON.parse(text))
}

/** The parts of models that JSON Schema can express. */
const EXPRESSED = {
  timeZones: false,
  kinds: false,
  namespaces: false,
  physicalNames: false,
  keys: false,
  binaryLengths: false,
  decimals: false,
  classifications: false,
  tags: false,
  references: false,
  quality: false,
}

test('JSON Schema › models that it can express are read back equal, without losses, and compile in ajv', () => {
  fc.assert(
    fc.property(modelsArbitrary(EXPRESSED), (models) => {
      const { text, losses } = writeJsonSchema(models)
      assert.deepEqual(losses, [])
      accepted(text)
      assert.deepEqual(differingPaths(models, readBack(text)), [])
    }),
    { seed: 1, numRuns: 50 },
  )
})

// One part at a time, so that no loss hides another one.
const WITH_ONE_MORE = fc
  .constantFrom(...Object.keys(EXPRESSED))
  .chain((part) => modelsArbitrary({ ...EXPRESSED, [part]: true }))

test('JSON Schema › every difference after reading back is listed as a loss', () => {
  fc.assert(
    fc.property(fc.oneof(WITH_ONE_MORE, modelsArbitrary()), (models) => {
      const { text, losses } = writeJsonSchema(models)
      accepted(text)
      const named = new Set(losses.map(({ path }) => path))
      for (const path of differingPaths(models, readBack(text))) assert.ok(named.has(path), path)
    }),
    { seed: 2, numRuns: 130 },
  )
})

test('JSON Schema › a recursive model is read back as a recursive one', () => {
  const next = { ...plainField('next', 'object', ''), references: ['Node'] }
  const node = { ...plainModel('Node', ''), fields: [plainField('value', 'string', ''), next] }
  const other = { ...plainModel('Other', ''), fields: [plainField('value', 'string', '')] }
  for (const models of [[node], [node, other]]) {
    const { text, losses } = writeJsonSchema(models)
    assert.deepEqual(losses, [])
    accepted(text)
    assert.deepEqual(differingPaths(models, readBack(text)), [])
  }
})

test('JSON Schema › lists what it cannot express in sentences, by field', () => {
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
  assert.deepEqual(writeJsonSchema([model]).losses, [
    { path: 'orders', message: 'JSON Schema cannot express that it is a table.' },
    { path: 'orders', message: 'JSON Schema cannot express the primary key.' },
    { path: 'orders.total', message: 'JSON Schema cannot express that the values are unique.' },
    { path: 'orders.total', message: 'JSON Schema cannot express the classification.' },
    { path: 'orders.total', message: 'JSON Schema cannot express the tags.' },
  ])
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
      'T: “additionalProperties” is not written.',
      'T.a: “oneOf” is not written.',
      'T.b: “multipleOf” is not written.',
      'T.c[]: “not” is not written.',
    ],
  )
})
