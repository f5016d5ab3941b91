import { formatPath, type Path } from '../../formats/text/value.ts'
import { isInside } from './touched-fields.ts'

/** A part of a form, as far as problems and changes belong to it. */
export interface OutlinePart {
  id: string
  paths: readonly Path[]
}

/** The id of the marks that belong to no section of the form. */
export const SOURCE_ONLY = 'source-only'

/** Returns the id of the section that shows a field; undefined = only the source has it. */
export function findSection(sections: readonly OutlinePart[], field: string): string | undefined {
  return findPart(listFields(sections), field)
}

/** Lists the fields that each section edits, as dotted paths. */
export function listFields(sections: readonly OutlinePart[]): { id: string; field: string }[] {
  return sections.flatMap(({ id, paths }) => paths.map((path) => ({ id, field: formatPath(path) })))
}

/** Returns the most exact section; a problem of the object around a section belongs to that section. */
export function findPart(
  parts: readonly { id: string; field: string }[],
  field: string,
): string | undefined {
  const around = parts
    .filter((one) => one.field === field || isInside(field, one.field))
    .toSorted((a, b) => b.field.length - a.field.length)
  const part = around[0] ?? parts.find((one) => isInside(one.field, field))
  return part?.id
}
