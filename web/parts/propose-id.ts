import { toSlug } from '../../formats/name/slug.ts'

const CHARACTERS_MAX = 100

/** Proposes an id for a name: lower-case letters, digits and dashes. Empty if the name has neither. */
export function proposeId(name: string): string {
  return toSlug(name, CHARACTERS_MAX)
}
