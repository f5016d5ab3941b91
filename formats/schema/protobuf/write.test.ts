import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import protobuf from 'protobufjs'
import { modelsArbitrary } from '../../../test/model-arbitrary.ts'
import { differingPaths } from '../../../test/model-equality.ts'
import { NOWHERE } from '../../shape/inspect.ts'
import { Notes } from '../../text/problem.ts'
import type { Field, Model } from '../model.ts'
import { plainField, plainModel } from '../plain.ts'
import { readProtobuf } from './read.ts'
import { writeProtobuf } from './write.ts'
import { Specification } from '../specification.ts'

function readBack(text: string): Model[] {
  const notes = new Notes(NOWHERE)
  const models = readProtobuf(new Specification(text, [], notes))
  assert.deepEqual(notes.warnings, [])
  return models
}

function accepted(text: string): void {
  protobuf.parse(text)
}

/** The parts of models that Protobuf can express. */
const EXPRESSED = {
  timeZones: false,
  kinds: false,
  namespaces: false,
  physicalNames: false,
  keys: false,
  enums: false,
  patterns: false,
  uuids: false,
  emails: false,
  lengths: false,
  binaryLengths: false,
  ranges: false,
  exclusiveRanges: false,
  itemCounts: false,
  decimals: false,
  collectionsInCollections: false,
  optionalItems: false,
  classifications: false,
  tags: false,
  references: false,
  quality: false,
}

const MESSAGES = new Set(['date', 'time', 'timestamp', 'object', 'unknown'])

/** Marks fields as required that are never missing in Protobuf, and all others as optional. */
function asPresent(field: Field): Field {
  const { logicalType, fields, items, values, format } = field
  const isMessage = MESSAGES.has(logicalType) || (logicalType === 'number' && format === undefined)
  const isHolder = logicalType === 'array' || logicalType === 'map'
  return {
    ...field,
    required: (field.required || isHolder) && !isMessage,
    ...(fields === undefined ? {} : { fields: fields.map(asPresent) }),
    ...(items === undefined ? {} : { items: { ...asPresent(items), required: true } }),
    ...(values === undefined ? {} : { values: { ...asPresent(values), required: true } }),
  }
}

test('Protobuf › models that it can express are read back equal, without losses, and are valid for its library', () => {
  fc.assert(
    fc.property(modelsArbitrary(EXPRESSED), (given) => {
      const models = given.map((model) => ({ ...model, fields: model.fields.map(asPresent) }))
      const { text, losses } = writeProtobuf(models)
      assert.deepEqual(losses, [])
      accepted(text)
      assert.deepEqual(differingPaths(models, readBack(text)), [])
    }),
    { seed: 1, numRuns: 70 },
  )
})

// One part at a time, so that no loss hides another one.
const WITH_ONE_MORE = fc
  .constantFrom(...Object.keys(EXPRESSED))
  .chain((part) => modelsArbitrary({ ...EXPRESSED, [part]: true }))

test('Protobuf › every difference after reading back is listed as a loss', () => {
  fc.assert(
    fc.property(fc.oneof(WITH_ONE_MORE, modelsArbitrary()), (models) => {
      const { text, losses } = writeProtobuf(models)
      accepted(text)
      const named = new Set(losses.map(({ path }) => path))
      for (const path of differingPaths(models, readBack(text))) assert.ok(named.has(path), path)
    }),
    { seed: 2, numRuns: 130 },
  )
})

test('Protobuf › a recursive model is read back as a recursive one', () => {
  const next = { ...plainField('next', 'object', ''), references: ['Node'] }
  const node = { ...plainModel('Node', ''), fields: [plainField('value', 'string', ''), next] }
  const other = { ...plainModel('Other', ''), fields: [plainField('value', 'string', '')] }
  for (const models of [[node], [node, other]]) {
    const { text, losses } = writeProtobuf(models)
    assert.deepEqual(losses, [])
    accepted(text)
    assert.deepEqual(differingPaths(models, readBack(text)), [])
  }
})

test('Protobuf › lists what it cannot express in sentences, by field', () => {
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
  assert.deepEqual(writeProtobuf([model]).losses, [
    { path: 'orders', message: 'Protobuf cannot express that it is a table.' },
    { path: 'orders', message: 'Protobuf cannot express the primary key.' },
    { path: 'orders.total', message: 'Protobuf cannot express that the values are unique.' },
    { path: 'orders.total', message: 'Protobuf cannot express the classification.' },
    { path: 'orders.total', message: 'Protobuf cannot express the tags.' },
  ])
})

test('Protobuf › texts are readable and cannot inject anything', () => {
  const status = { ...plainField('status', 'string', ''), enum: ['NEW', 'PAID'], required: true }
  const lines = { ...plainField('lines', 'array', ''), required: true }
  const line = { ...plainField('items', 'object', ''), fields: [plainField('sku', 'string', '')] }
  const model: Model = {
    ...plainModel('orders', ''),
    namespace: 'sales',
    description: 'All orders.\n} message Evil {',
    fields: [status, { ...lines, items: line }, plainField('at\n}', 'timestamp', '')],
  }
  assert.equal(
    writeProtobuf([model]).text,
    `syntax = "proto3";

package sales;

import "google/protobuf/timestamp.proto";

// All orders.
// } message Evil {
message orders {
  enum Status {
    NEW = 0;
    PAID = 1;
  }
  message Lines {
    optional string sku = 1;
  }
  Status status = 1;
  repeated Lines lines = 2;
  // portbook.name: "at\\n}"
  google.protobuf.Timestamp at__ = 3;
}
`,
  )
})
