// Converts data products between DPS and ODPS without loss. Fields of both formats are converted by
// `convert-table.ts`. A field of only one format becomes a custom field in the other, named by its origin
// (`odps.support` in DPS, `dps.info.color` in ODPS), and returns on the way back. A document that would still
// not return the same (for example because a field name conflicts with those names) is embedded as a whole,
// which is only used while the rest is unchanged.

import { canonicalText } from '../shape/canonical.ts'
import type { Shape } from '../shape/shape.ts'
import { fieldOf, isObject, textOf, type Value, valueAt } from '../text/value.ts'
import { PRODUCT, WHOLE_DPS, WHOLE_ODPS } from './convert-table.ts'
import { DPS } from './dps-shape.ts'
import { ODPS_NEWEST } from './odps-shape.ts'
import { dpsObject } from './to-dps.ts'
import { odpsObject } from './to-odps.ts'

/**
 * Converts a DPS document to ODPS v1.0.0; `id` is the id that it is stored under, for documents that state none. The
 * result is valid by the official schema if the document is valid DPS. A status that DPS leaves out is `unknown`.
 */
export function odpsFromDps(value: Value, id: string): Value {
  const carried = valueAt(value, ['custom', WHOLE_ODPS])
  if (isObject(carried) && isSame(dpsFromOdps(carried), value, DPS)) return carried

  const converted = odpsObject(PRODUCT, value, id)
  if (isSame(dpsObject(PRODUCT, converted), value, DPS)) return converted
  const properties = fieldOf(converted, 'customProperties')
  const whole = { property: WHOLE_DPS, value }
  const customProperties = [...(Array.isArray(properties) ? properties : []), whole]
  return { ...converted, customProperties }
}

/** Converts an ODPS document of any version to DPS 0.0.1. */
export function dpsFromOdps(value: Value): Value {
  const carried = carriedDps(value)
  const id = textOf(fieldOf(value, 'id')) ?? ''
  if (carried !== undefined && isSame(odpsFromDps(carried, id), value, ODPS_NEWEST)) return carried

  const converted = dpsObject(PRODUCT, value)
  if (isSame(odpsObject(PRODUCT, converted, id), value, ODPS_NEWEST)) return converted
  const custom = fieldOf(converted, 'custom')
  const fields = isObject(custom) ? Object.entries(custom) : []
  return { ...converted, custom: Object.fromEntries([...fields, [WHOLE_ODPS, value]]) }
}

// The document that an ODPS document carries along, if it does.
function carriedDps(value: Value): Value | undefined {
  const properties = fieldOf(value, 'customProperties')
  if (!Array.isArray(properties)) return undefined
  return fieldOf(
    properties.find((item) => fieldOf(item, 'property') === WHOLE_DPS),
    'value',
  )
}

function isSame(a: Value, b: Value, shape: Shape): boolean {
  return canonicalText(a, shape) === canonicalText(b, shape)
}
