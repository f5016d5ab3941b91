// Writes ODCS documents in another version of the standard.

import { editValue } from '../../text/edit/text-edit.ts'
import { asText, getField, isObject, type ObjectValue, type Value } from '../../text/value.ts'
import { fromEarlier, toEarlier } from '../../shape/earlier-version.ts'
import { conforms } from '../../shape/inspect.ts'
import type { ContractFormat } from '../data-contract.ts'
import { isOdcs2 } from '../detect.ts'
import { odcsShape } from '../odcs/shape.ts'
import { listOdcsUpdates } from '../odcs/update.ts'
import { type OdcsVersion, WRITTEN_VERSION } from '../odcs/write.ts'
import { odcsFromDcs } from './convert.ts'
import { odcs3FromOdcs2 } from './odcs-2.ts'
import { toOdcsServer } from './servers.ts'

/** The start of custom properties that contain what only v3.2.0 has. */
const PREFIX = 'odcs32.'

/**
 * Writes a contract in a version of ODCS. A document of that version stays as it is. What v3.1.0 lacks becomes custom
 * properties, from which v3.2.0 is restored exactly. The result is valid if the document is.
 */
export function toOdcsVersion(
  value: Value,
  { id, format, version }: { id: string; format: ContractFormat; version: OdcsVersion },
): Value {
  if (format === 'dcs') return odcsFromDcs(value, id, version)
  if (!isObject(value)) return value
  const document = isOdcs2(value) ? odcs3FromOdcs2(value, id) : value
  const current = asText(getField(document, 'apiVersion'))
  if (current === version || !isObject(document)) return document
  if (version === WRITTEN_VERSION) {
    return isBefore31(current) ? update(document, version) : downgrade(document)
  }
  const restored = fromEarlier(document, PREFIX)
  const isRestored = asText(getField(restored, 'apiVersion')) === version
  return isRestored ? restored : update(isObject(restored) ? restored : document, version)
}

function isBefore31(version: string | undefined): boolean {
  return version?.startsWith('v3.0.') === true
}

// Renames what the newer version renamed; the few fields that it lacks become custom properties.
function update(value: ObjectValue, version: OdcsVersion): Value {
  const updated = listOdcsUpdates(value, version).reduce<Value>(editValue, value)
  const shape = odcsShape(version)
  if (!isObject(updated) || conforms(updated, shape)) return updated
  return toEarlier(updated, { shape, prefix: 'odcs30.', given: {}, required: {} })
}

function downgrade(value: ObjectValue): Value {
  return toEarlier(value, {
    shape: odcsShape(WRITTEN_VERSION),
    prefix: PREFIX,
    given: { apiVersion: WRITTEN_VERSION },
    required: { status: 'unknown' },
    replace: ({ server, ...item }, list) =>
      list === 'servers' ? toOdcsServer(asText(server ?? null) ?? '', item) : undefined,
  })
}
