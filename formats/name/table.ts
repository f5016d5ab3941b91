/** Objects whose names come from outside: a request, a stored document, a source platform, an address of a page. */

/**
 * Creates a constant table that is safe to look up by any text: it has no prototype, so `constructor` or `__proto__`
 * find nothing unless the table has them. The result is frozen.
 */
export function newTable<Value>(
  entries: Readonly<Record<string, Value>>,
): Readonly<Record<string, Value>> {
  return Object.freeze(Object.assign(newRecord<Value>(), entries))
}

/** Creates an empty object without a prototype, to be filled with names from outside. */
export function newRecord<Value>(): Record<string, Value> {
  const record: Record<string, Value> = {}
  Object.setPrototypeOf(record, null)
  return record
}
