/**
 * Yields the items of a listing and requests the next one while the caller works on the current one. Errors are
 * those of the listing, after all items before them.
 */
export async function* readAhead<T>(items: AsyncIterable<T>): AsyncGenerator<T> {
  const iterator = items[Symbol.asyncIterator]()
  let next = iterator.next()
  try {
    for (;;) {
      const result = await next
      if (result.done === true) return
      next = iterator.next()
      // The following turn reports the error.
      next.catch(() => undefined)
      yield result.value
    }
  } finally {
    // A running request delays this, but not the caller.
    iterator.return?.().catch(() => undefined)
  }
}
