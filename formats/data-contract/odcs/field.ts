// Reads the parts of an ODCS property that constrain its values: options of its logical type, enumerations,
// references.

import { listTexts, nonBlankText } from '../../data-product/fields.ts'
import { type Field, type Vector, VECTOR_ELEMENTS } from '../../schema/model.ts'
import { getField, isObject, put, asText, type Value } from '../../text/value.ts'
import { readCount, readRestriction } from '../model-parts.ts'

/** Reads the options of a logical type. */
export function readOptions(field: Field, options: Value | undefined): void {
  if (!isObject(options)) return
  for (const name of Object.keys(options)) readOption(field, name, options[name] ?? null)
  // Before v3.1.0 a boolean makes a bound exclusive.
  if (options['exclusiveMinimum'] === true && field.minimum !== undefined) {
    field.exclusiveMinimum = field.minimum
    delete field.minimum
  }
  if (options['exclusiveMaximum'] === true && field.maximum !== undefined) {
    field.exclusiveMaximum = field.maximum
    delete field.maximum
  }
}

/** Reads the options of a vector; without an option, that of its physical type applies, or else the standard's default. */
export function readVector(options: Value | undefined, native?: Vector): Vector {
  const vector: Vector = { normalized: getField(options, 'normalized') === true }
  const element = getField(options, 'elementType')
  const defaultElement = native === undefined ? 'float32' : native.elementType
  put(vector, 'dimensions', readCount(getField(options, 'dimensions')) ?? native?.dimensions)
  put(
    vector,
    'elementType',
    element === undefined ? defaultElement : VECTOR_ELEMENTS.find((word) => word === element),
  )
  put(vector, 'model', nonBlankText(getField(options, 'embeddingModel')))
  put(vector, 'modelVersion', nonBlankText(getField(options, 'embeddingModelVersion')))
  put(vector, 'distanceMetric', nonBlankText(getField(options, 'distanceMetric')))
  return vector
}

const CUSTOM = 'dcs.'

/** Reads the custom properties of a field, with the names that the conversion from DCS uses. */
export function readCustom(field: Field, custom: Value): void {
  if (!Array.isArray(custom)) return
  for (const item of custom) {
    const property = asText(getField(item, 'property'))
    if (property === undefined) continue
    const value = getField(item, 'value') ?? null
    if (property === 'precision' || property === 'scale') put(field, property, readDigits(value))
    else if (property === 'dcs.references') {
      field.references = typeof value === 'string' ? [value] : listTexts(value)
    } else if (property.startsWith(CUSTOM)) {
      readOption(field, property.slice(CUSTOM.length), value)
    }
  }
}

function readOption(field: Field, name: string, value: Value): void {
  if (name === 'minItems' || name === 'maxItems') put(field, name, readCount(value))
  else if (name !== 'timezone') readRestriction(field, name, value)
  else if (typeof value === 'boolean') field.withTimeZone = value
}

// Some tools only support custom properties with text.
function readDigits(value: Value): number | undefined {
  return readCount(typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value)
}

/** Reads an enumeration, `[{value: "a"}, …]`; undefined for other values. */
export function readEnum(value: Value): Value[] | undefined {
  if (!Array.isArray(value)) return undefined
  return value.flatMap((item) => {
    const one = getField(item, 'value')
    return one === undefined ? [] : [one]
  })
}
