// Finds the column of each field. A name that is written without quotes is folded by the platform, so a contract may
// write it in another case. Renames are not inferred: a renamed column is one missing and one additional.

/** The columns of the fields, by the field; and those that no field has. */
interface Matches<F, C> {
  pairs: Map<F, C>
  missing: F[]
  extra: C[]
}

/** Converts a name without quotes to its spelling on a platform; undefined = the platform ignores the case of names. */
type Fold = (name: string) => string

const FOLDS: ReadonlyMap<string, Fold> = new Map<string, Fold>([
  ['postgresql', (name) => name.toLowerCase()],
  ['snowflake', (name) => name.toUpperCase()],
  ['oracle', (name) => name.toUpperCase()],
  ['db2', (name) => name.toUpperCase()],
])

/**
 * Pairs fields with columns by name: as written, else as the platform folds it, or in any case on platforms that ignore
 * it. Each column has at most one field.
 */
export function matchColumns<F, C>(
  fields: readonly F[],
  columns: readonly C[],
  by: {
    /** A platform of types, or else the name of a product. */
    platform: string | undefined
    fieldName: (field: F) => string
    columnName: (column: C) => string
  },
): Matches<F, C> {
  const free = new Map<string, C>()
  for (const column of columns) free.set(by.columnName(column), column)
  const pairs = new Map<F, C>()
  const take = (field: F, name: string): boolean => {
    const column = free.get(name)
    if (column === undefined) return false
    free.delete(name)
    pairs.set(field, column)
    return true
  }
  const unmatched = fields.filter((field) => !take(field, by.fieldName(field)))
  if (unmatched.length === 0) return { pairs, missing: [], extra: [...free.values()] }
  const fold = FOLDS.get(by.platform ?? '')
  const folded = fold === undefined ? groupByLowerCase(free.keys()) : undefined
  const missing = unmatched.filter((field) => {
    const name = by.fieldName(field)
    if (fold !== undefined) return !take(field, fold(name))
    const actual = folded?.get(name.toLowerCase())?.find((one) => free.has(one))
    return actual === undefined || !take(field, actual)
  })
  return { pairs, missing, extra: [...free.values()] }
}

function groupByLowerCase(names: Iterable<string>): Map<string, string[]> {
  return Map.groupBy(names, (name) => name.toLowerCase())
}
