// Updates an ODCS 3 document to the newest version: `apiVersion`, and only what that version forbids. Names change where
// the meaning stays; what needs a decision of the author is left to the warnings.

import type { TextEdit } from '../../text/edit/text-edit.ts'
import {
  asText,
  ExactNumber,
  getField,
  isObject,
  jsonText,
  type Path,
  type Value,
} from '../../text/value.ts'

// The metrics of v3.1.0 and later; before, they were rules.
const METRICS: ReadonlySet<string> = new Set(
  'nullValues missingValues invalidValues duplicateValues rowCount'.split(' '),
)

/** Lists the edits that update a document to a version after v3.0; each of them preserves its meaning. */
export function listOdcsUpdates(value: Value, version: string): TextEdit[] {
  return [
    { kind: 'set', path: ['apiVersion'], value: version },
    ...listItems(value, 'servers').flatMap(({ item, path }) => updateServer(item, path)),
    ...listItems(value, 'schema').flatMap(({ item, path }) => updateElement(item, path)),
  ]
}

// A model, a property, or the items of a list.
function updateElement(element: Value, path: Path): TextEdit[] {
  const options = getField(element, 'logicalTypeOptions')
  const items = getField(element, 'items')
  const checks = listItems(element, 'quality', path)
  const properties = listItems(element, 'properties', path)
  return [
    ...(options === undefined ? [] : updateBounds(options, [...path, 'logicalTypeOptions'])),
    ...checks.flatMap((check) => renameRule(check.item, check.path)),
    ...properties.flatMap((property) => updateElement(property.item, property.path)),
    ...(items === undefined ? [] : updateElement(items, [...path, 'items'])),
  ]
}

// Before v3.1.0 a boolean makes a bound exclusive; since then an exclusive bound is a field of its own.
function updateBounds(options: Value, path: Path): TextEdit[] {
  return (['Minimum', 'Maximum'] as const).flatMap((bound): TextEdit[] => {
    const [flag, plain] = [`exclusive${bound}`, bound.toLowerCase()]
    const isExclusive = getField(options, flag)
    if (typeof isExclusive !== 'boolean') return []
    const removal: TextEdit = { kind: 'remove', path: [...path, flag] }
    if (!isExclusive || getField(options, plain) === undefined) return [removal]
    return [removal, { kind: 'rename', path: [...path, plain], name: flag }]
  })
}

function renameRule(check: Value, path: Path): TextEdit[] {
  const type = getField(check, 'type') ?? 'library'
  const rule = asText(getField(check, 'rule'))
  const isMetric = rule !== undefined && METRICS.has(rule)
  if (type !== 'library' || !isMetric || getField(check, 'metric') !== undefined) return []
  return [{ kind: 'rename', path: [...path, 'rule'], name: 'metric' }]
}

// Only v3.0.0 has the name staging_dir; before v3.1.0 the schema of DuckDB is a number.
function updateServer(server: Value, path: Path): TextEdit[] {
  const schema = getField(server, 'schema')
  const isNumber = typeof schema === 'number' || schema instanceof ExactNumber
  const isOldName = getField(server, 'staging_dir') !== undefined
  const hasNewName = getField(server, 'stagingDir') !== undefined
  return [
    ...(isOldName && !hasNewName
      ? [{ kind: 'rename' as const, path: [...path, 'staging_dir'], name: 'stagingDir' }]
      : []),
    ...(isNumber
      ? [{ kind: 'set' as const, path: [...path, 'schema'], value: jsonText(schema) }]
      : []),
  ]
}

function listItems(owner: Value, name: string, above: Path = []): { item: Value; path: Path }[] {
  const list = isObject(owner) ? getField(owner, name) : undefined
  if (!Array.isArray(list)) return []
  return list.map((item, at) => ({ item, path: [...above, name, at] }))
}
