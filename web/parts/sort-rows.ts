/** A value by which rows are sorted. */
export interface SortKey<Row> {
  /** Its name in the address: `last-used`. */
  name: string
  /** The titles of the column, and of its two directions. */
  titles: readonly [column: string, ascending: string, descending: string]
  /** Dates as ISO texts; null = never, before everything else. */
  getValue: (row: Row) => string | number | null
}

/** Sorts by a date: what was never used comes before what was used long ago. */
export function sortByDate<Row>(
  name: string,
  column: string,
  getValue: (row: Row) => string | null,
): SortKey<Row> {
  return { name, titles: [column, 'Never and longest ago first', 'Most recent first'], getValue }
}

/** Sorts by a name. */
export function sortByName<Row>(getValue: (row: Row) => string): SortKey<Row> {
  return { name: 'name', titles: ['Name', 'A to Z', 'Z to A'], getValue }
}

/**
 * Returns rows in the order of a key. `sort` is the name of the key, with a minus for the other direction; rows keep
 * their order if there is no such key or their values are equal.
 */
export function sortRows<Row>(
  rows: readonly Row[],
  keys: readonly SortKey<Row>[],
  sort: string,
): readonly Row[] {
  const key = keys.find(({ name }) => sort === name || sort === `-${name}`)
  if (key === undefined) return rows
  const direction = sort.startsWith('-') ? -1 : 1
  return rows.toSorted((a, b) => direction * compare(key.getValue(a), key.getValue(b)))
}

function compare(a: string | number | null, b: string | number | null): number {
  if (a === null || b === null) return Number(b === null) - Number(a === null)
  if (typeof a === 'number' && typeof b === 'number') return a - b
  return String(a).localeCompare(String(b))
}
