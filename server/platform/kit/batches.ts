/**
 * Splits items into batches of at most `sizeMax`, in their order. An item larger than that is a batch by
 * itself.
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

/** Deletes batches of at most `sizeMax` until one is not full. Returns the number of all deleted items. */
export async function deleteInBatches(
  sizeMax: number,
  deleteBatch: () => Promise<number>,
): Promise<number> {
  let total = 0
  for (;;) {
    const count = await deleteBatch()
    total += count
    if (count < sizeMax) return total
  }
}
