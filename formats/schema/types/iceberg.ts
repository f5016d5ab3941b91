// The types of Apache Iceberg tables, by their names in the metadata.

import type { TypeTable } from './type-table.ts'

/** https://iceberg.apache.org/spec/#schemas-and-data-types */
export const TABLE: TypeTable = {
  platform: 'iceberg',
  rows: [
    { name: 'boolean', logicalType: 'boolean' },
    { name: 'int', logicalType: 'integer', bits: 32 },
    { name: 'long', logicalType: 'integer', bits: 64 },
    { name: 'float', logicalType: 'number', bits: 32 },
    { name: 'double', logicalType: 'number', bits: 64 },
    { name: 'decimal', logicalType: 'number', digits: {} },
    { name: 'date', logicalType: 'date' },
    { name: 'time', logicalType: 'time', withTimeZone: false, fraction: 6 },
    { name: 'timestamp', logicalType: 'timestamp', withTimeZone: false, fraction: 6 },
    { name: 'timestamptz', logicalType: 'timestamp', withTimeZone: true, fraction: 6 },
    { name: 'timestamp_ns', logicalType: 'timestamp', withTimeZone: false, fraction: 9 },
    { name: 'timestamptz_ns', logicalType: 'timestamp', withTimeZone: true, fraction: 9 },
    { name: 'string', logicalType: 'string' },
    { name: 'uuid', logicalType: 'string', format: 'uuid' },
    { name: 'geography', logicalType: 'string', format: 'geography', open: true },
    { name: 'geometry', logicalType: 'string', format: 'geometry', open: true },
    { name: 'fixed', logicalType: 'binary', length: {}, isExact: true },
    { name: 'binary', logicalType: 'binary' },
    { name: 'variant', logicalType: 'object', format: 'json' },
    { name: 'struct', logicalType: 'object', holds: 'fields' },
    { name: 'list', logicalType: 'array', holds: 'items' },
    { name: 'map', logicalType: 'map', holds: 'entries' },
    { name: 'unknown', logicalType: 'unknown' },
  ],
}
