/** The orders of lists, with their titles: the same words on every page. */
export const SORT_TITLES = {
  relevance: 'Relevance',
  name: 'Name',
  changed: 'Last changed',
  readers: 'Most readers',
  products: 'Most products',
} as const

/** An order of a list. */
export type SortName = keyof typeof SORT_TITLES

/** Returns orders with their titles, for `SortChoice`. */
export function listSorts(names: readonly SortName[]): [SortName, string][] {
  return names.map((name) => [name, SORT_TITLES[name]])
}

/** Returns the order that an address names, else the first one. `updated` is an earlier name of `changed`. */
export function readSort<Name extends SortName>(
  text: string,
  names: readonly [Name, ...Name[]],
): Name {
  const current = text === 'updated' ? 'changed' : text
  return names.find((name) => name === current) ?? names[0]
}
