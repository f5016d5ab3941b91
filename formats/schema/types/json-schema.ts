// The types of JSON Schema. The kind of a text is given by its `format`, which is not part of the type.

import type { TypeTable } from './type-table.ts'

/** https://json-schema.org/draft/2020-12/json-schema-validation#section-6.1.1 */
export const TABLE: TypeTable = {
  platform: 'json-schema',
  rows: [
    { name: 'string', logicalType: 'string' },
    { name: 'integer', logicalType: 'integer' },
    { name: 'number', logicalType: 'number' },
    { name: 'boolean', logicalType: 'boolean' },
    { name: 'object', logicalType: 'object' },
    { name: 'array', logicalType: 'array' },
    { name: 'null', logicalType: 'unknown' },
  ],
}
