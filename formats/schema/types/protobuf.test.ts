import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readIn } from '../../../test/specification.ts'
import { readProtobuf } from '../protobuf/read.ts'
import { TABLE } from './protobuf.ts'

// The values of each type, repeated by hand to find wrong rows of the table.
const SAYS: readonly [logicalType: string, format: string | undefined, names: string][] = [
  ['integer', 'int32', 'int32 sint32 sfixed32 google.protobuf.Int32Value'],
  ['integer', undefined, 'int64 sint64 sfixed64 google.protobuf.Int64Value'],
  ['integer', 'uint32', 'uint32 fixed32 google.protobuf.UInt32Value'],
  ['integer', 'uint64', 'uint64 fixed64 google.protobuf.UInt64Value'],
  ['number', 'float', 'float google.protobuf.FloatValue'],
  ['number', 'double', 'double google.protobuf.DoubleValue'],
  ['number', undefined, 'google.type.Decimal'],
  ['boolean', undefined, 'bool google.protobuf.BoolValue'],
  ['string', undefined, 'string google.protobuf.StringValue google.protobuf.FieldMask'],
  ['string', 'duration', 'google.protobuf.Duration'],
  ['binary', undefined, 'bytes google.protobuf.BytesValue'],
  ['timestamp', undefined, 'google.protobuf.Timestamp google.type.DateTime'],
  ['date', undefined, 'google.type.Date'],
  ['time', undefined, 'google.type.TimeOfDay'],
  ['object', undefined, 'google.protobuf.Struct google.protobuf.Empty'],
  ['array', undefined, 'google.protobuf.ListValue'],
  ['unknown', undefined, 'google.protobuf.Value google.protobuf.Any'],
]

for (const [logicalType, format, names] of SAYS) {
  for (const name of names.split(' ')) {
    test(`Protobuf’s ${name} › holds ${logicalType} ${format ?? ''}`, () => {
      const { models, warnings } = readIn(`message M { optional ${name} f = 1; }`, readProtobuf)
      const [field] = models[0]?.fields ?? []
      assert.deepEqual(warnings, [])
      assert.deepEqual(
        [field?.logicalType, field?.format, field?.physicalType],
        [logicalType, format, name],
      )
    })
  }
}

test('Protobuf › every type of the table is tested here', () => {
  const told = new Set(SAYS.flatMap(([, , names]) => names.split(' ')))
  const known = TABLE.rows.flatMap(({ name, aliases = [] }) => [name, ...aliases])
  assert.deepEqual(known.toSorted(), [...told].toSorted())
})
