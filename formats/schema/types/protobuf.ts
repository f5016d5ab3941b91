// The types of Protocol Buffers: its scalars and its well-known messages.

import type { TypeTable } from './type-table.ts'

/** https://protobuf.dev/programming-guides/proto3/#scalar and https://protobuf.dev/reference/protobuf/google.protobuf/ */
export const TABLE: TypeTable = {
  platform: 'protobuf',
  rows: [
    { name: 'int32', aliases: ['sint32', 'sfixed32'], logicalType: 'integer', bits: 32 },
    { name: 'int64', aliases: ['sint64', 'sfixed64'], logicalType: 'integer', bits: 64 },
    { name: 'uint32', aliases: ['fixed32'], logicalType: 'integer', bits: 32, unsigned: true },
    { name: 'uint64', aliases: ['fixed64'], logicalType: 'integer', bits: 64, unsigned: true },
    { name: 'float', logicalType: 'number', bits: 32 },
    { name: 'double', logicalType: 'number', bits: 64 },
    { name: 'bool', logicalType: 'boolean' },
    { name: 'string', logicalType: 'string' },
    { name: 'bytes', logicalType: 'binary' },
    {
      name: 'google.protobuf.Timestamp',
      logicalType: 'timestamp',
      withTimeZone: true,
      fraction: 9,
    },
    { name: 'google.protobuf.Duration', logicalType: 'string', format: 'duration' },
    { name: 'google.protobuf.DoubleValue', logicalType: 'number', bits: 64 },
    { name: 'google.protobuf.FloatValue', logicalType: 'number', bits: 32 },
    { name: 'google.protobuf.Int64Value', logicalType: 'integer', bits: 64 },
    { name: 'google.protobuf.UInt64Value', logicalType: 'integer', bits: 64, unsigned: true },
    { name: 'google.protobuf.Int32Value', logicalType: 'integer', bits: 32 },
    { name: 'google.protobuf.UInt32Value', logicalType: 'integer', bits: 32, unsigned: true },
    { name: 'google.protobuf.BoolValue', logicalType: 'boolean' },
    { name: 'google.protobuf.StringValue', logicalType: 'string' },
    { name: 'google.protobuf.BytesValue', logicalType: 'binary' },
    { name: 'google.protobuf.FieldMask', logicalType: 'string' },
    { name: 'google.protobuf.Struct', logicalType: 'object' },
    { name: 'google.protobuf.Empty', logicalType: 'object' },
    { name: 'google.protobuf.ListValue', logicalType: 'array' },
    { name: 'google.protobuf.Value', logicalType: 'unknown' },
    { name: 'google.protobuf.Any', logicalType: 'unknown' },
    { name: 'google.type.Date', logicalType: 'date' },
    { name: 'google.type.TimeOfDay', logicalType: 'time', withTimeZone: false, fraction: 9 },
    { name: 'google.type.DateTime', logicalType: 'timestamp' },
    { name: 'google.type.Decimal', logicalType: 'number' },
  ],
}
