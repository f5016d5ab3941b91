// The place of an asset that clients describe, as the path that the catalog's own connectors give: `["sales", "public",
// "orders"]`. Clients write the parts above the name into `custom`, or a qualified name into `info`.

import { nonBlankText } from '../data-product/fields.ts'
import { getField, type Value } from '../text/value.ts'
import { isContainerType } from './asset.ts'

/** The maximum number of characters of all parts together; longer places fit into no index. */
const CHARACTERS_MAX = 2000

// Parts above the name, from the top, by the names that clients give them.
const ABOVE: readonly (readonly string[])[] = [
  ['catalog', 'database', 'project'],
  ['schema', 'dataset', 'namespace'],
]

// Platforms whose tables are in a database, without a schema.
const WITHOUT_SCHEMA = new Set(['mysql', 'mariadb', 'glue'])

/**
 * Returns the path of an asset that is not a container; undefined if its document does not give it. The type of a topic, and a
 * location in `custom`, are never split.
 */
export function readDescribedPath(asset: Value): string[] | undefined {
  const info = getField(asset, 'info')
  const type = nonBlankText(getField(info, 'type')) ?? ''
  if (isContainerType(type)) return undefined
  const path = getPath(asset, info, type)
  const characters = path?.reduce((count, part) => count + part.length, 0) ?? 0
  return characters === 0 || characters > CHARACTERS_MAX ? undefined : path
}

function getPath(asset: Value, info: Value | undefined, type: string): string[] | undefined {
  const custom = getField(asset, 'custom')
  const location = nonBlankText(getField(custom, 'location'))
  const qualified = nonBlankText(getField(info, 'qualifiedName'))
  const name = nonBlankText(getField(info, 'name'))
  if (/(?:^|_)topic$/.test(type)) return [qualified ?? name ?? '']
  if (location !== undefined) return [location]
  const parts = splitQualified(qualified ?? name ?? '')
  const above = ABOVE.flatMap((names) => findFirst(custom, names) ?? [])
  const source = nonBlankText(getField(info, 'source'))?.toLowerCase() ?? ''
  const whole = [...above.slice(0, Math.max(0, above.length + 1 - parts.length)), ...parts]
  return WITHOUT_SCHEMA.has(source) ? whole.slice(-2) : whole
}

function findFirst(custom: Value | undefined, names: readonly string[]): string | undefined {
  for (const name of names) {
    const text = nonBlankText(getField(custom, name))
    if (text !== undefined) return text
  }
  return undefined
}

// Parts are separated by dots; quoted ones keep theirs.
function splitQualified(name: string): string[] {
  const parts = name.match(/"(?:[^"]|"")*"|`[^`]*`|\[[^\]]*\]|[^.]+/g) ?? []
  return parts.map(unquote).filter((part) => part !== '')
}

function unquote(part: string): string {
  if (/^".*"$/s.test(part)) return part.slice(1, -1).replaceAll('""', '"')
  return /^`.*`$/s.test(part) || /^\[.*\]$/s.test(part) ? part.slice(1, -1) : part.trim()
}
