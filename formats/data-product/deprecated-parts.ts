// The parts of a data product that are deprecated: the product itself and its ports, by their flag or by their status.

import { getField, type ObjectValue, type Value, valueAt } from '../text/value.ts'
import type { DataProduct } from './data-product.ts'
import { listObjects, nonBlankText } from './fields.ts'
import { readDeprecation } from './guidance.ts'
import { isEndingStatus } from './standing.ts'

/** The kind of a part of a document. */
type PartKind = 'document' | 'model' | 'field' | 'input port' | 'output port' | 'management port'

/** A deprecated part of a document, or the document itself. */
export interface DeprecatedPart {
  /** Unique in the document, and equal in its versions and formats while the part keeps its name; empty = the document. */
  key: string
  kind: PartKind
  /** `orders.total`; of a port its display name; of the document its name. */
  name: string
  /** JSON pointer into the document. */
  pointer: string
  /** The description of the part, in which authors name alternatives. */
  advice?: string
  /** The id or address of what replaces it, as its author wrote it. */
  replacedBy?: string
}

/** The parts of a document. */
export interface DocumentParts {
  /** At most `DEPRECATED_PARTS_MAX`, in the order of the document. */
  deprecated: DeprecatedPart[]
  /** Returns the keys of all parts, deprecated or not. */
  listKeys(): ReadonlySet<string>
}

/** The maximum number of deprecated parts of a document that are recorded; further ones are not announced. */
export const DEPRECATED_PARTS_MAX = 500

const PORT_LISTS = [
  ['inputPorts', 'input port'],
  ['outputPorts', 'output port'],
  ['managementPorts', 'management port'],
] as const satisfies readonly (readonly [string, PartKind])[]

/** Lists the parts of a data product. */
export function listProductParts(product: DataProduct, value: Value): DocumentParts {
  const deprecated: DeprecatedPart[] = []
  const { name, description } = product
  if (isDeprecated(product)) {
    const head: DeprecatedPart = { key: '', kind: 'document', name, pointer: '' }
    deprecated.push(toPart(head, readReplacement(value) ?? product.replacedBy, description))
  }
  for (const [list, kind] of PORT_LISTS) {
    for (const [index, { item, at }] of listObjects(getField(value, list)).entries()) {
      const port = list === 'managementPorts' ? undefined : product[list][index]
      const flags = { ...readDeprecation(item), ...port }
      if (!isDeprecated(flags) || deprecated.length >= DEPRECATED_PARTS_MAX) continue
      const label = port?.name ?? nonBlankText(getField(item, 'name')) ?? `${list}[${at}]`
      const key = toPortKey(list, item, at)
      const head: DeprecatedPart = { key, kind, name: label, pointer: `/${list}/${at}` }
      const advice = port?.description ?? nonBlankText(getField(item, 'description'))
      deprecated.push(toPart(head, readReplacement(item) ?? flags.replacedBy, advice))
    }
  }
  const listKeys = (): Set<string> =>
    new Set([
      '',
      ...PORT_LISTS.flatMap(([list]) =>
        listObjects(getField(value, list)).map(({ item, at }) => toPortKey(list, item, at)),
      ),
    ])
  return { deprecated, listKeys }
}

/** Builds a deprecated part from its document. */
export function toPart(
  head: DeprecatedPart,
  replacedBy: string | undefined,
  advice: string | undefined,
): DeprecatedPart {
  return {
    ...head,
    ...(advice !== undefined && { advice }),
    ...(replacedBy !== undefined && { replacedBy }),
  }
}

// DPS has the fields that it does not name in an object.
function readReplacement(raw: Value): string | undefined {
  return nonBlankText(valueAt(raw, ['custom', 'replacedBy']))
}

function isDeprecated({
  status,
  deprecated,
}: {
  status?: string | undefined
  deprecated?: boolean | undefined
}): boolean {
  return deprecated === true || isEndingStatus(status)
}

// DPS identifies ports by id, and its conversion to ODPS keeps the id. Without one, name and version do.
function toPortKey(list: string, port: ObjectValue, at: number): string {
  const id = nonBlankText(getField(port, 'id'))
  if (id !== undefined) return `${list}/id/${id}`
  const name = nonBlankText(getField(port, 'name')) ?? String(at)
  return `${list}/name/${name}@${nonBlankText(getField(port, 'version')) ?? ''}`
}
