/** A document with every field of a standard, in which each text and number occurs once. */

import {
  asText,
  getField,
  isObject,
  type ObjectValue,
  type Value,
} from '../../formats/text/value.ts'

/** A document, and the texts by which a page shows its fields. */
export interface MarkedDocument {
  document: Value
  /** By the path of a field, `schema[].name`: the texts of which one must be shown. */
  marks: Map<string, string[]>
  /** The paths of fields whose values are fixed: flags, and words of the standard. */
  fixed: Set<string>
}

interface Options {
  /** By the path of a list: one item for each object, which overrides what would be filled. */
  variants: Readonly<Record<string, readonly ObjectValue[]>>
  /** The paths that are left out. */
  without: readonly string[]
}

interface Part {
  types: Set<string>
  format: string | undefined
  allowed: readonly Value[] | undefined
  fields: Map<string, Value[]>
  items: Value[]
}

/** Fills a schema. Parts that contain themselves are entered once. */
export function markDocument(schema: Value, { variants, without }: Options): MarkedDocument {
  const marks = new Map<string, string[]>()
  const fixed = new Set<string>()
  let count = 0
  const mark = (path: string, text: string): string => {
    marks.set(path, [...(marks.get(path) ?? []), text])
    return text
  }
  const fill = (nodes: readonly Value[], path: string, above: readonly Value[]): Value => {
    const { types, format, allowed, fields, items } = merge(schema, nodes)
    const inside = [...above, ...nodes]
    if (fields.size > 0) {
      const entries = [...fields].flatMap(([name, parts]): [string, Value][] => {
        const full = path === '' ? name : `${path}.${name}`
        const isLeftOut = without.includes(full) || parts.some((part) => inside.includes(part))
        return isLeftOut ? [] : [[name, fill(parts, full, inside)]]
      })
      return Object.fromEntries(entries)
    }
    if (types.has('array') && !types.has('string')) {
      const itemPath = `${path}[]`
      const overrides = variants[itemPath] ?? [{}]
      return overrides.map((override) => {
        const item = items.length === 0 ? mark(itemPath, next()) : fill(items, itemPath, inside)
        return isObject(item) ? { ...item, ...override } : item
      })
    }
    if (allowed !== undefined || (types.has('boolean') && !types.has('string'))) {
      fixed.add(path)
      return allowed?.[0] ?? true
    }
    // Bounds are numbers, or texts for dates.
    const isBound = types.size === 2 && types.has('number')
    if ((types.has('string') && !isBound) || types.size === 0)
      return mark(path, next(/url$/i.test(path) ? 'uri' : format))
    if (types.has('integer') || types.has('number')) {
      count += 1
      return Number(mark(path, String(70_000 + count)))
    }
    return { [next()]: mark(path, next()) }
  }
  const next = (format?: string): string => {
    count += 1
    if (format === 'uri') return `https://mark${count}.example/`
    return format === 'date' ? `19${String(10 + (count % 90))}-01-01` : `mark${count}`
  }
  return { document: fill([schema], '', []), marks, fixed }
}

// All that a schema, its references and its alternatives give a field.
function merge(schema: Value, nodes: readonly Value[]): Part {
  const part: Part = {
    types: new Set(),
    format: undefined,
    allowed: undefined,
    fields: new Map(),
    items: [],
  }
  const visit = (node: Value | undefined): void => {
    if (node === undefined || !isObject(node)) return
    const target = asText(getField(node, '$ref'))
    if (target !== undefined) visit(findPart(schema, target))
    for (const keyword of ['allOf', 'oneOf', 'anyOf']) {
      const parts = getField(node, keyword)
      if (Array.isArray(parts)) for (const one of parts) visit(one)
    }
    visit(getField(node, 'then'))
    const { type, format, enum: allowed, properties, items } = node
    for (const one of [type].flat()) if (typeof one === 'string') part.types.add(one)
    part.format ??= asText(format)
    if (Array.isArray(allowed)) part.allowed ??= allowed
    if (items !== undefined) part.items.push(items)
    if (properties !== undefined && isObject(properties)) {
      for (const [name, field] of Object.entries(properties)) {
        part.fields.set(name, [...(part.fields.get(name) ?? []), field])
      }
    }
  }
  for (const node of nodes) visit(node)
  return part
}

function findPart(schema: Value, reference: string): Value | undefined {
  let part: Value | undefined = schema
  for (const step of reference.replace('#/', '').split('/')) part = getField(part, step)
  return part
}
