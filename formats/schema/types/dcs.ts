// The types of the Data Contract Specification: the words for `type` in a field of its own models.

import type { TypeTable } from './type-table.ts'

/** https://datacontract-specification.com/#data-types */
export const TABLE: TypeTable = {
  platform: 'dcs',
  rows: [
    { name: 'string', aliases: ['text', 'varchar'], logicalType: 'string' },
    { name: 'char', logicalType: 'string' },
    { name: 'int', aliases: ['integer'], logicalType: 'integer', bits: 32 },
    { name: 'long', aliases: ['bigint'], logicalType: 'integer', bits: 64 },
    { name: 'decimal', aliases: ['number', 'numeric'], logicalType: 'number', digits: {} },
    { name: 'float', logicalType: 'number', bits: 32 },
    { name: 'double', logicalType: 'number', bits: 64 },
    { name: 'boolean', logicalType: 'boolean' },
    { name: 'date', logicalType: 'date' },
    { name: 'time', logicalType: 'time' },
    // The specification describes `timestamp` as a timestamp with time zone.
    { name: 'timestamp', aliases: ['timestamp_tz'], logicalType: 'timestamp', withTimeZone: true },
    { name: 'timestamp_ntz', logicalType: 'timestamp', withTimeZone: false },
    { name: 'datetime', logicalType: 'timestamp' },
    { name: 'array', logicalType: 'array' },
    { name: 'map', logicalType: 'map' },
    { name: 'object', aliases: ['record', 'struct'], logicalType: 'object' },
    { name: 'bytes', logicalType: 'binary' },
    { name: 'variant', aliases: ['json'], logicalType: 'unknown' },
    { name: 'null', logicalType: 'unknown' },
  ],
}
