// What a model and a field are before anything is told about them.

import type { Field, LogicalType, Model } from './model.ts'

/** Gives a field of which only name, type and place are told. */
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

/** Gives a model without fields, of which only name and place are told. */
export function plainModel(name: string, origin: string): Model {
  return { name, kind: 'object', fields: [], primaryKey: [], quality: [], tags: [], origin }
}
