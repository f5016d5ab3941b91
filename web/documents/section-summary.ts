import { asText, type Value } from '../../formats/text/value.ts'

const NAMES_MAX = 3

/** Returns the filled texts of a section in one line; empty = there is none. */
export function summarizeTexts(values: readonly (Value | undefined)[]): string {
  return values
    .map((value) => (typeof value === 'number' ? String(value) : (asText(value)?.trim() ?? '')))
    .filter((text) => text !== '')
    .join(' · ')
}

/** Returns the number of items and the first of their names: `5: orders, customers, returns and 2 more`. */
export function summarizeNames(names: readonly string[]): string {
  const rest = names.length - NAMES_MAX
  if (names.length === 0) return 'None'
  const first = names.slice(0, NAMES_MAX).join(', ')
  return `${names.length}: ${first}${rest > 0 ? ` and ${rest} more` : ''}`
}
