import { resolveShape, type Shape } from '../../formats/shape/shape.ts'
import type { Value } from '../../formats/text/value.ts'
import { toLabel } from './to-label.ts'

/** A field of a part of a document that a form can edit. */
export interface ShapeField {
  name: string
  label: string
  isRequired: boolean
  isNumber: boolean
  isMultiline: boolean
  /** Whether it holds any number of values. */
  isList: boolean
  /** The values of the standard; others can be entered. */
  values: readonly string[]
}

const LONG_TEXTS: ReadonlySet<string> = new Set([
  'description',
  'query',
  'implementation',
  'criteria',
  'content',
])

/**
 * Returns the fields of an object that hold a value or a list of values, in the order of the standard. Which fields
 * there are can depend on the object: those of a server depend on its type. Ids are left to the source.
 */
export function listShapeFields(shape: Shape, value: Value): ShapeField[] {
  const plain = resolveShape(shape, value)
  if (plain.kind !== 'object') return []
  return [...plain.fields].flatMap(([name, field]) => {
    const isList = field.kind === 'list'
    const item = isList ? field.items : field
    if (name === 'id' || !isSingle(item)) return []
    const isRequired = plain.required.includes(name)
    const values = item.kind === 'text' ? (item.allowed ?? item.customary ?? []) : []
    const isNumber = item.kind === 'number' || item.kind === 'oneOf' || name.startsWith('must')
    const isMultiline = LONG_TEXTS.has(name)
    return [{ name, label: toLabel(name), isRequired, isNumber, isMultiline, isList, values }]
  })
}

function isSingle(shape: Shape): boolean {
  if (shape.kind === 'oneOf') return shape.shapes.some(isSingle)
  return shape.kind === 'text' || shape.kind === 'number' || shape.kind === 'any'
}
