// Converts a data product between DPS and ODPS without losses. Fields that both formats have are converted by the
// table in `convert-table.ts`. A field that only one format has becomes a custom field in the other one, named after
// its origin (`odps.support` in DPS, `dps.info.color` in ODPS), and is restored when converting back. If a document
// still could not be restored (for example because of a conflicting field name), the whole document is included; it
// is ignored if the rest was edited.

import { canonicalText } from '../shape/canonical.ts'
import type { Shape } from '../shape/shape.ts'
import { getField, isObject, asText, type Value, valueAt } from '../text/value.ts'
import { PRODUCT, WHOLE_DPS, WHOLE_ODPS } from './convert-table.ts'
import { DPS } from './dps-shape.ts'
import { ODPS_NEWEST } from './odps-shape.ts'
import { dpsObject } from './to-dps.ts'
import { odpsObject } from './to-odps.ts'

/**
 * Converts a DPS document to ODPS v1.0.0; `id` is the id that it is stored under, for documents without an id. The
 * result is valid under the official schema if the document is valid DPS. A missing status becomes `unknown`.
 */
export function odpsFromDps(value: Value, id: string): Value {
  const embedded = valueAt(value, ['custom', WHOLE_ODPS])
  if (isObject(embedded) && isSame(dpsFromOdps(embedded), value, DPS)) return embedded

  const converted = odpsObject(PRODUCT, value, id)
  if (isSame(dpsObject(PRODUCT, converted), value, DPS)) return converted
  const properties = getField(converted, 'customProperties')
  const whole = { property: WHOLE_DPS, value }
  const customProperties = [...(Array.isArray(properties) ? properties : []), whole]
  return { ...converted, customProperties }
}

/** Converts an ODPS document of any version to DPS 0.0.1. */
export function dpsFromOdps(value: Value): Value {
  const embedded = getEmbeddedDps(value)
  const id = asText(getField(value, 'id')) ?? ''
  if (embedded !== undefined && isSame(odpsFromDps(embedded, id), value, ODPS_NEWEST))
    return embedded

  const converted = dpsObject(PRODUCT, value)
  if (isSame(odpsObject(PRODUCT, converted, id), value, ODPS_NEWEST)) return converted
  const custom = getField(converted, 'custom')
  const fields = isObject(custom) ? Object.entries(custom) : []
  return { ...converted, custom: Object.fromEntries([...fields, [WHOLE_ODPS, value]]) }
}

// Returns the document that an ODPS document includes, if any.
function getEmbeddedDps(value: Value): Value | undefined {
  const properties = getField(value, 'customProperties')
  if (!Array.isArray(properties)) return undefined
  return getField(
    properties.find((item) => getField(item, 'property') === WHOLE_DPS),
    'value',
  )
}

function isSame(a: Value, b: Value, shape: Shape): boolean {
  return canonicalText(a, shape) === canonicalText(b, shape)
}
