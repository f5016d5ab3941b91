// The types of SQL without a known platform: the names of the SQL standard, and those that are used as
// if they were in it. All other names are looked up in the tables of the platforms.

import type { TypeRow } from './type-table.ts'

/** Rows that have priority over those of the platforms when the platform is unknown. */
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
