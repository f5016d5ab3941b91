// The custom property `replacedBy`: the id or address of the data product, output port or data contract that replaces a
// deprecated part of a document.

import { getField, isObject, type Path, type Value } from '../text/value.ts'
import { listObjects, nonBlankText } from './fields.ts'

/** The kinds of documents that replace others. */
type ReplacementKind = 'data-product' | 'data-contract'

/** A value of `replacedBy`, parsed. */
export interface ReplacementTarget {
  /** Undefined = an id of any kind. */
  kind?: ReplacementKind
  id: string
  /** Of an output port: its id, or its name and version as the fragment of an address has them. */
  port?: string
}

const CHARACTERS_MAX = 4096
// Of pages and of the API, with the output port as a fragment or as a part of the path.
const ADDRESS =
  /^\/(?:api\/data|data-)(products|contracts)\/([^/?#]+)(?:\/outputports\/([^/?#]+))?\/?(?:\?[^#]*)?(?:#port-(.+))?$/i

/**
 * Parses a value of `replacedBy`. `baseUrl` is the address of the catalog. Undefined for an address outside of the catalog,
 * and for a text that cannot be one.
 */
export function parseReplacement(text: string, baseUrl: string): ReplacementTarget | undefined {
  const value = text.trim()
  if (value === '' || value.length > CHARACTERS_MAX) return undefined
  const isOwn = value.toLowerCase().startsWith(`${baseUrl.toLowerCase()}/`)
  const path = isOwn ? value.slice(baseUrl.length) : value
  if (!path.startsWith('/'))
    return /^[a-z][a-z\d+.-]*:\/\//i.test(value) ? undefined : { id: value }
  const [, collection, id, port, fragment] = ADDRESS.exec(path) ?? []
  if (id === undefined) return undefined
  try {
    const named = port ?? fragment
    return {
      kind: collection?.toLowerCase() === 'products' ? 'data-product' : 'data-contract',
      id: decodeURIComponent(id),
      ...(named !== undefined && { port: decodeURIComponent(named) }),
    }
  } catch {
    return undefined
  }
}

/** A value of `replacedBy` in a document. */
interface ReplacementUse {
  value: string
  /** The path of the value. */
  path: Path
  /** Whether a port has it, which may name an output port of its product. */
  isOfPort: boolean
}

/** The maximum number of values of `replacedBy` of one document that are checked. */
const USES_MAX = 500

const PARTS = ['schema', 'properties', 'inputPorts', 'outputPorts', 'managementPorts']
const NESTED = ['items', 'key', 'value', 'map']

/** Lists the values of `replacedBy` of a document in ODCS, ODPS or DPS, and of its parts. */
export function listReplacements(document: Value): ReplacementUse[] {
  const uses: ReplacementUse[] = []
  const steps: (string | number)[] = []
  const visit = (part: Value | undefined, isOfPort: boolean): void => {
    if (!isObject(part) || uses.length >= USES_MAX) return
    addUses(uses, part, steps, isOfPort)
    for (const name of PARTS) {
      const list = getField(part, name)
      if (!Array.isArray(list)) continue
      for (const [at, item] of list.entries()) {
        steps.push(name, at)
        visit(item, name.endsWith('Ports'))
        steps.length -= 2
      }
    }
    for (const name of NESTED) {
      const inside = getField(part, name)
      if (!isObject(inside)) continue
      steps.push(name)
      visit(inside, false)
      steps.length -= 1
    }
  }
  visit(document, false)
  return uses
}

function addUses(
  uses: ReplacementUse[],
  part: Value,
  steps: readonly (string | number)[],
  isOfPort: boolean,
): void {
  const property = listObjects(getField(part, 'customProperties')).find(
    ({ item }) => getField(item, 'property') === 'replacedBy',
  )
  const listed = property && nonBlankText(getField(property.item, 'value'))
  if (property !== undefined && listed !== undefined) {
    const path = [...steps, 'customProperties', property.at, 'value']
    uses.push({ value: listed, path, isOfPort })
  }
  const custom = nonBlankText(getField(getField(part, 'custom'), 'replacedBy'))
  if (custom !== undefined)
    uses.push({ value: custom, path: [...steps, 'custom', 'replacedBy'], isOfPort })
}
