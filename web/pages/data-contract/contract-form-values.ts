import { asText, valueAt, type Path, type Value } from '../../../formats/text/value.ts'

/** The logical types that the form offers. */
export const LOGICAL_TYPE_NAMES: readonly string[] =
  'string integer number boolean date timestamp time object array'.split(' ')

/** The text at a path; empty where there is none. A number is given as it is written. */
export function textAt(value: Value, path: Path): string {
  const found = valueAt(value, path)
  if (typeof found === 'number') return String(found)
  return asText(found) ?? ''
}
