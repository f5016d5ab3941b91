// Models and fields without any properties.

import type { Field, LogicalType, Model } from './model.ts'

/** Returns a field with only a name, a type and an origin. */
export function plainField(name: string, logicalType: LogicalType, origin: string): Field {
  return {
    name,
    logicalType,
    required: false,
    unique: false,
    tags: [],
    references: [],
    quality: [],
    origin,
  }
}

/** Returns a model without fields, with only a name and an origin. */
export function plainModel(name: string, origin: string): Model {
  return { name, kind: 'object', fields: [], primaryKey: [], quality: [], tags: [], origin }
}
