// The types of SQL where no platform is known: the names of the SQL standard, and those that people use as if they were
// in it. The tables of the platforms are asked for all other names.

import type { TypeRow } from './type-table.ts'

/** Rows that are asked before those of the platforms when no platform is known. */
export const GENERIC_ROWS: readonly TypeRow[] = [
  // SQLite and Databricks SQL accept a length here.
  { name: 'text', logicalType: 'string', length: {} },
  {
    name: 'clob',
    aliases: [
      'nclob',
      'character large object',
      'char large object',
      'national character large object',
    ],
    logicalType: 'string',
    length: {},
  },
  { name: 'blob', aliases: ['binary large object'], logicalType: 'binary', length: {} },
  {
    name: 'varbinary',
    aliases: ['binary varying'],
    logicalType: 'binary',
    length: {},
  },
  { name: 'numeric', aliases: ['decimal', 'dec'], logicalType: 'number', digits: {} },
]
