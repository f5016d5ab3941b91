/** Commands whose part of the API is not complete: their rows may fail. */

/** The beginnings of the rows, with their arguments. */
export const PENDING: readonly string[] = [
  'datacontracts generate',
  'datacontracts test',
  'datacontracts list --owner',
  'dataproducts star',
  'dataproducts unstar',
  'tags',
  'assets tags',
  'search query',
  'definitions',
  'policies',
  'certifications',
  'classifications',
  'connectors',
  'costs',
  'example-data',
  'test-results',
  'lineage',
  'usage',
  'organization get',
  'organization members',
  'settings',
  'connection',
  'schemas',
  'teams notifications',
]

/** Returns whether a row may fail. */
export function isPending(row: string): boolean {
  return PENDING.some((start) => row.startsWith(start))
}
