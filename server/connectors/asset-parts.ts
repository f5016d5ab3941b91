/** Builds assets from the answers of platforms, for all connectors. */

import type { AssetPlace, UnreadableAsset } from './connector.ts'

type Filled<T> = { [Name in keyof T]?: Exclude<NonNullable<T[Name]>, false | ''> }

/** Omits the fields of an object that are unknown or empty: undefined, null, false, empty texts and lists. */
export function omitEmpty<T extends object>(fields: T): Filled<T>
export function omitEmpty(fields: object): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => !isEmpty(value)))
}

function isEmpty(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0
  return value === undefined || value === null || value === false || value === ''
}

/** Returns an asset that exists but cannot be read, with the reason. */
export function toUnreadable({ path, scope, kind }: AssetPlace, message: string): UnreadableAsset {
  return { path, scope, kind, message }
}

/** The keys of a table that make columns unique. */
export interface UniqueKeys {
  /** The columns that are unique without others. */
  uniqueColumns: ReadonlySet<string>
  /** Keys of two or more columns. */
  uniqueKeys: readonly (readonly string[])[]
}

/** Separates keys of one column from the others. */
export function splitUniqueKeys(keys: readonly (readonly string[])[]): UniqueKeys {
  return {
    uniqueColumns: new Set(keys.filter(({ length }) => length === 1).flat()),
    uniqueKeys: keys.filter(({ length }) => length > 1),
  }
}

/**
 * Sorts lists of names and removes duplicates: for facts that a server returns in any order, such as indexes, of which
 * several may have the same columns.
 */
export function sortNameLists(lists: readonly (readonly string[])[]): (readonly string[])[] {
  const byKey = new Map(lists.map((names) => [names.join('\n'), names]))
  return [...byKey].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, names]) => names)
}

/** The last instant of a JavaScript Date: the year 275760. */
const INSTANT_MS_MAX = 8.64e15

/** Converts milliseconds since 1970 to ISO-8601; undefined for other values, and for 0, which is a placeholder. */
export function toInstant(milliseconds: unknown): string | undefined {
  if (typeof milliseconds !== 'number' || milliseconds <= 0) return undefined
  return milliseconds <= INSTANT_MS_MAX ? new Date(milliseconds).toISOString() : undefined
}

/** Parses a count, which JSON has as a number or as a text of digits; undefined for other values. */
export function parseCount(value: unknown): number | undefined {
  const count = typeof value === 'string' && /^\d{1,16}$/.test(value) ? Number(value) : value
  return typeof count === 'number' && Number.isSafeInteger(count) && count >= 0 ? count : undefined
}

/**
 * Groups rows that follow each other and belong together, such as those of one table. A group keeps its first `rowsMax`
 * rows.
 */
export async function* groupAdjacent<Row>(
  pages: AsyncIterable<readonly Row[]>,
  belongsTo: (row: Row, first: Row) => boolean,
  rowsMax = Infinity,
): AsyncGenerator<Row[]> {
  let group: Row[] = []
  for await (const rows of pages) {
    for (const row of rows) {
      const [first] = group
      if (first !== undefined && !belongsTo(row, first)) {
        yield group
        group = []
      }
      if (group.length < rowsMax) group.push(row)
    }
  }
  if (group.length > 0) yield group
}
