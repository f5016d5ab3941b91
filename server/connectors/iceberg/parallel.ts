/** How many requests are under way at once. */
const TOGETHER_MAX = 8

/**
 * Does the same for many things, a few at once, and gives the results in their order. After the first
 * error nothing more is begun; it is thrown once everything that was begun has ended.
 */
export async function inParallel<T, R>(
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
  const workers = Array.from({ length: Math.min(TOGETHER_MAX, things.length) }, work)
  const ended = await Promise.allSettled(workers)
  for (const end of ended) if (end.status === 'rejected') throw end.reason
  return results
}
