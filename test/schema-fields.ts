// The fields of official JSON Schemas, for scripts and tests.

import { getField, asText, isObject, type Value } from '../formats/text/value.ts'

/**
 * Collects the descriptions of all fields of a JSON Schema by their paths: `schema[].properties[].name`; empty = it has
 * none. Parts that contain themselves are entered once. Of several descriptions the first counts.
 */
export function collectDescriptions(schema: Value): Map<string, string> {
  const descriptions = new Map<string, string>()
  const visit = (node: Value | undefined, path: string, above: readonly Value[]): void => {
    if (node === undefined || !isObject(node) || above.includes(node)) return
    const inside = [...above, node]
    const target = asText(getField(node, '$ref'))
    if (target !== undefined) visit(findPart(schema, target), path, inside)
    for (const keyword of ['allOf', 'oneOf', 'anyOf']) {
      const parts = getField(node, keyword)
      if (Array.isArray(parts)) for (const part of parts) visit(part, path, inside)
    }
    visit(getField(node, 'then'), path, inside)
    visit(getField(node, 'items'), `${path}[]`, inside)
    const fields = getField(node, 'properties')
    if (fields === undefined || !isObject(fields)) return
    for (const [name, field] of Object.entries(fields)) {
      const full = path === '' ? name : `${path}.${name}`
      const before = descriptions.get(full) ?? ''
      descriptions.set(full, before === '' ? (describe(schema, field) ?? '') : before)
      visit(field, full, inside)
    }
  }
  visit(schema, '', [])
  return descriptions
}

// The description beside a reference is about the field, the one behind it about all fields of the kind.
function describe(schema: Value, field: Value): string | undefined {
  const own = asText(getField(field, 'description'))
  const target = asText(getField(field, '$ref'))
  if (own !== undefined || target === undefined) return own
  return asText(getField(findPart(schema, target), 'description'))
}

function findPart(schema: Value, reference: string): Value | undefined {
  let part: Value | undefined = schema
  for (const step of reference.replace('#/', '').split('/')) part = getField(part, step)
  return part
}
