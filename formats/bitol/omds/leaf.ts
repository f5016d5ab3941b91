// The ODCS fields that the changes of models and fields are about: such a change points at the model or the field.

import type { Change } from '../../diff/level.ts'
import type { Aspect } from '../../diff/model-changes.ts'
import { getField, isObject, type Path, type Value } from '../../text/value.ts'

const OPTIONS = 'logicalTypeOptions'

// The field of each property that has only one.
const LEAVES: Readonly<Record<Exclude<Aspect, 'type' | 'length' | 'items' | 'range'>, Path>> = {
  name: ['name'],
  physicalName: ['physicalName'],
  kind: ['physicalType'],
  namespace: ['customProperties'],
  description: ['description'],
  tags: ['tags'],
  order: ['properties'],
  primaryKey: ['primaryKey'],
  quality: ['quality'],
  required: ['required'],
  unique: ['unique'],
  enum: ['enum'],
  pattern: [OPTIONS, 'pattern'],
  format: [OPTIONS, 'format'],
  classification: ['classification'],
  references: ['relationships'],
  nested: ['properties'],
  traits: ['customProperties'],
  deprecated: ['deprecated'],
  semanticType: ['semanticType'],
  vector: [OPTIONS],
}

/** Returns the field that a change of a property is about; `part` is the newer version of its model or field. */
export function findLeaf(aspect: Aspect, change: Change, part: Value | undefined): Path {
  const isMinimum = change.message.includes('minimum')
  if (aspect === 'type') {
    return [getField(part, 'physicalType') === undefined ? 'logicalType' : 'physicalType']
  }
  if (aspect === 'length') return [OPTIONS, isMinimum ? 'minLength' : 'maxLength']
  if (aspect === 'items') return [OPTIONS, isMinimum ? 'minItems' : 'maxItems']
  if (aspect !== 'range') return LEAVES[aspect]
  // An exclusive bound is an object, `{above: 0}`.
  const isExclusive = isObject(change.after ?? change.before)
  if (isMinimum) return [OPTIONS, isExclusive ? 'exclusiveMinimum' : 'minimum']
  return [OPTIONS, isExclusive ? 'exclusiveMaximum' : 'maximum']
}
