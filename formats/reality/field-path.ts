// The paths of fields in findings: `address.city`, `tags[]`, `prices[value]`.

import { hashText } from '../schema/hash-text.ts'

/** The maximum length of a path. A longer one ends with a digest, so that different fields still have different paths. */
export const FIELD_PATH_CHARACTERS_MAX = 500

const DIGEST_CHARACTERS = 16

/** Returns the path of a part of a field: `tags[]` for `tags` and `[]`. */
export function joinPath(path: string, step: string): string {
  const whole = `${path}${step}`
  if (whole.length <= FIELD_PATH_CHARACTERS_MAX) return whole
  const begin = whole.slice(0, FIELD_PATH_CHARACTERS_MAX - DIGEST_CHARACTERS - 1)
  return `${begin.toWellFormed()}…${hashText(whole)}`
}

/** Returns the path of a field by its name after a prefix, `address.`; empty = the model. */
export function joinName(prefix: string, name: string): string {
  return joinPath(prefix, nameStep(name))
}

/** Returns a name as it is in a path: those with characters of paths are quoted, so that different fields have different paths. */
export function nameStep(name: string): string {
  return /[.[\]"]/.test(name) ? `"${name.replaceAll('"', '""')}"` : name
}
