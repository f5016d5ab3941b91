import assert from 'node:assert/strict'
import { test } from 'node:test'
import protobuf from 'protobufjs'
import { testRoundTrip } from '../../../test/schema-round-trip.ts'
import type { Field, Model } from '../model.ts'
import { plainField, plainModel } from '../plain.ts'
import { readProtobuf } from './read.ts'
import { writeProtobuf } from './write.ts'

function assertValid(text: string): void {
  protobuf.parse(text)
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

testRoundTrip({
  name: 'Protobuf',
  write: writeProtobuf,
  read: readProtobuf,
  assertValid,
  unexpressed: [
    'timeZones',
    'kinds',
    'namespaces',
    'physicalNames',
    'keys',
    'enums',
    'patterns',
    'uuids',
    'emails',
    'lengths',
    'binaryLengths',
    'ranges',
    'exclusiveRanges',
    'itemCounts',
    'decimals',
    'collectionsInCollections',
    'optionalItems',
    'classifications',
    'tags',
    'references',
    'quality',
  ],
  adapt: (model) => ({ ...model, fields: model.fields.map(asPresent) }),
  runs: 70,
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
