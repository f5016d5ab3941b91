// Writes a definition as a property of a schema in ODCS v3.1.0 (`SchemaProperty`), in which contracts resolve their links
// to definitions.

import { nonBlankText } from '../data-product/fields.ts'
import { LOGICAL_TYPES } from '../schema/model.ts'
import { readNativeType } from '../schema/types/read-type.ts'
import { getField, isObject, put, type ObjectValue, type Value } from '../text/value.ts'

// ODCS has no name for these.
const UNNAMED = new Set(['unknown', 'map', 'binary'])

const OPTIONS = [
  'minLength',
  'maxLength',
  'pattern',
  'format',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
] as const

/**
 * Converts the document of a definition to a property of ODCS. It is named after the last part of the id. A type that
 * ODCS does not have becomes the physical type.
 */
export function toSchemaProperty(definition: Value, id: string): ObjectValue {
  const at = (name: string): Value | undefined => getField(definition, name) ?? undefined
  const property: ObjectValue = { name: id.slice(id.lastIndexOf('/') + 1) }
  put(property, 'businessName', nonBlankText(at('title')))
  put(property, 'description', nonBlankText(at('description')))
  addType(property, nonBlankText(at('type')))
  const options = pick(definition, OPTIONS)
  if (Object.keys(options).length > 0) property['logicalTypeOptions'] = options
  const example = at('example')
  if (example !== undefined) property['examples'] = [example]
  put(property, 'classification', nonBlankText(at('classification')))
  const tags = at('tags')
  if (Array.isArray(tags) && tags.length > 0) property['tags'] = tags
  const values = at('enum')
  if (Array.isArray(values) && values.length > 0) property['quality'] = [toValueCheck(values)]
  const pii = at('pii')
  if (pii !== undefined) property['customProperties'] = [{ property: 'pii', value: pii }]
  return property
}

function addType(property: ObjectValue, type: string | undefined): void {
  if (type === undefined) return
  const isLogical = LOGICAL_TYPES.some((one) => one === type) && !UNNAMED.has(type)
  const logicalType = isLogical ? type : readNativeType(type).logicalType
  if (!UNNAMED.has(logicalType)) property['logicalType'] = logicalType
  if (logicalType !== type) property['physicalType'] = type
}

function toValueCheck(validValues: Value): ObjectValue {
  return { type: 'library', metric: 'invalidValues', arguments: { validValues }, mustBe: 0 }
}

function pick(value: Value, names: readonly string[]): ObjectValue {
  const fields = isObject(value) ? value : {}
  return Object.fromEntries(
    names.flatMap((name) => {
      const field = getField(fields, name) ?? null
      return field === null ? [] : [[name, field]]
    }),
  )
}
