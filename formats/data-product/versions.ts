// Writes data products in another version of ODPS.

import { fromEarlier, toEarlier } from '../shape/earlier-version.ts'
import { asText, getField, isObject, type Value } from '../text/value.ts'
import { odpsFromDps } from './convert.ts'
import type { ProductFormat } from './data-product.ts'
import { odpsShape } from './odps-shape.ts'

/** The versions that are written. */
export const ODPS_VERSIONS = ['v1.0.0', 'v1.1.0'] as const

/** A version that is written. */
export type OdpsVersion = (typeof ODPS_VERSIONS)[number]

/** The start of custom properties that contain what only v1.1.0 has. */
const PREFIX = 'odps11.'

/**
 * Writes a data product in a version of ODPS. A document of that version stays as it is. What v1.0.0 lacks becomes
 * custom properties, from which v1.1.0 is restored exactly. The result is valid if the document is.
 */
export function toOdpsVersion(
  value: Value,
  { id, format, version }: { id: string; format: ProductFormat; version: OdpsVersion },
): Value {
  const document = format === 'dps' ? odpsFromDps(value, id) : value
  const current = asText(getField(document, 'apiVersion'))
  if (current === version || !isObject(document)) return document
  if (version === 'v1.1.0') {
    const restored = fromEarlier(document, PREFIX)
    return isObject(restored) ? { ...restored, apiVersion: version } : document
  }
  if (current === 'v0.9.0') return { ...document, apiVersion: version }
  return toEarlier(document, {
    shape: odpsShape(version),
    prefix: PREFIX,
    given: { apiVersion: version },
    required: { status: 'unknown' },
  })
}
