import { resolveShape, shapeAt, type Shape } from '../../formats/shape/shape.ts'
import type { Path } from '../../formats/text/value.ts'
import type { DocumentKind } from './document-kind.ts'
import { findShape } from './find-shape.ts'
// Descriptions of the fields of ODCS 3.2 and ODPS 1.1, collected by `scripts/field-descriptions.ts` (Bitol, Apache-2.0).
import descriptions from './field-descriptions.json' with { type: 'json' }

/** A field that the standard of a document has. */
interface FieldHelp {
  name: string
  isRequired: boolean
  /** Whether its value is an object or a list. */
  isNested: boolean
  description: string | undefined
}

/** The standard that a document is written in. */
interface Standard {
  shape: Shape
  descriptions: Readonly<Record<string, string>>
}

/** Returns the standard of a text, which need not be complete. */
export function findStandard(reader: DocumentKind['reader'], text: string): Standard {
  const { name, shape } = findShape(reader, text)
  return { shape, descriptions: name === undefined ? {} : descriptions[name] }
}

/** Lists the fields that an object at a path can have, required ones first. */
export function listFields(standard: Standard, path: Path): FieldHelp[] {
  const shape = shapeAt(standard.shape, path)
  const plain = shape && resolveShape(shape, {})
  if (plain?.kind !== 'object') return []
  const fields = [...plain.fields].map(([name, field]): FieldHelp => ({
    name,
    isRequired: plain.required.includes(name),
    isNested: ['object', 'list', 'map'].includes(resolveShape(field, {}).kind),
    description: describeField(standard, path, name),
  }))
  return fields.toSorted((a, b) => Number(b.isRequired) - Number(a.isRequired))
}

/** Lists the values that a field at a path usually has; empty = the standard names none. */
export function listValues(standard: Standard, path: Path, key: string): readonly string[] {
  const shape = shapeAt(standard.shape, [...path, key])
  const plain = shape && resolveShape(shape, '')
  if (plain?.kind === 'flag') return ['true', 'false']
  return plain?.kind === 'text' ? (plain.allowed ?? plain.customary ?? []) : []
}

/** Returns the description that the standard gives a field; undefined = it has none. */
export function describeField(
  { descriptions: all }: Pick<Standard, 'descriptions'>,
  path: Path,
  key: string,
): string | undefined {
  const steps = path.map((step) => (typeof step === 'number' ? '[]' : step))
  const full = [...steps, key]
    .join('.')
    .replaceAll('.[]', '[]')
    .replaceAll(/(?:properties\[\]\.)+/g, 'properties[].')
  // Parts that are the same everywhere are described once, by the end of their path.
  const parts = full.split('.')
  for (let from = 0; from < parts.length; from += 1) {
    const found = all[parts.slice(from).join('.')]
    if (found !== undefined && (from === 0 || parts.length - from > 1)) return found
  }
  return undefined
}
