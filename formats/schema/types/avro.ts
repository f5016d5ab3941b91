// The types of Avro: its primitives, and what `logicalType` makes of them.

import type { TypeTable } from './type-table.ts'

/** https://avro.apache.org/docs/1.12.0/specification/ */
export const TABLE: TypeTable = {
  platform: 'avro',
  rows: [
    { name: 'int', logicalType: 'integer', bits: 32 },
    { name: 'long', logicalType: 'integer', bits: 64 },
    { name: 'float', logicalType: 'number', bits: 32 },
    { name: 'double', logicalType: 'number', bits: 64 },
    { name: 'decimal', logicalType: 'number', digits: {} },
    { name: 'boolean', logicalType: 'boolean' },
    { name: 'string', aliases: ['enum'], logicalType: 'string' },
    { name: 'uuid', logicalType: 'string', format: 'uuid' },
    { name: 'duration', logicalType: 'string', format: 'duration' },
    { name: 'bytes', logicalType: 'binary' },
    { name: 'fixed', logicalType: 'binary', length: {}, isExact: true },
    { name: 'date', logicalType: 'date' },
    { name: 'time-millis', logicalType: 'time', withTimeZone: false, detail: 'millis' },
    { name: 'time-micros', logicalType: 'time', withTimeZone: false, detail: 'micros' },
    { name: 'timestamp-millis', logicalType: 'timestamp', withTimeZone: true, detail: 'millis' },
    { name: 'timestamp-micros', logicalType: 'timestamp', withTimeZone: true, detail: 'micros' },
    { name: 'timestamp-nanos', logicalType: 'timestamp', withTimeZone: true, detail: 'nanos' },
    {
      name: 'local-timestamp-millis',
      logicalType: 'timestamp',
      withTimeZone: false,
      detail: 'millis',
    },
    {
      name: 'local-timestamp-micros',
      logicalType: 'timestamp',
      withTimeZone: false,
      detail: 'micros',
    },
    {
      name: 'local-timestamp-nanos',
      logicalType: 'timestamp',
      withTimeZone: false,
      detail: 'nanos',
    },
    { name: 'record', aliases: ['error'], logicalType: 'object', holds: 'fields' },
    { name: 'array', logicalType: 'array', holds: 'items' },
    { name: 'map', logicalType: 'map', holds: 'entries' },
    { name: 'null', logicalType: 'unknown' },
  ],
}
