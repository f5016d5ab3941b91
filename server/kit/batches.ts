/**
 * Splits items into batches, in their order, whose sizes add up to a maximum. An item that is larger
 * by itself is a batch of its own.
 */
export function splitBySize<Item>(
  items: readonly Item[],
  sizeMax: number,
  measure: (item: Item) => number,
): Item[][] {
  const batches: Item[][] = []
  let size = Number.POSITIVE_INFINITY
  for (const item of items) {
    size += measure(item)
    if (size > sizeMax) {
      batches.push([])
      size = measure(item)
    }
    batches.at(-1)?.push(item)
  }
  return batches
}
