/** The maximum number of concurrent requests. */
const CONCURRENT_MAX = 8

/**
 * Maps items with a few concurrent calls and returns the results in order. After the first error no
 * further call starts; the error is thrown after all running calls have ended.
 */
export async function mapConcurrently<T, R>(
  things: readonly T[],
  act: (thing: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = []
  const queue = things.entries()
  let hasFailed = false
  const work = async (): Promise<void> => {
    for (const [place, thing] of queue) {
      if (hasFailed) return
      try {
        results[place] = await act(thing)
      } catch (error) {
        hasFailed = true
        throw error
      }
    }
  }
  const workers = Array.from({ length: Math.min(CONCURRENT_MAX, things.length) }, work)
  const ended = await Promise.allSettled(workers)
  for (const end of ended) if (end.status === 'rejected') throw end.reason
  return results
}

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
