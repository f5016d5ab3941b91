/**
 * Makes a queue in which work on one key runs one at a time, in order of arrival, while work on
 * different keys runs side by side. It keeps writers of one process from losing races to each
 * other; between processes the store decides.
 */
export function keyedQueue(): <T>(key: string, work: () => Promise<T>) => Promise<T> {
  const last = new Map<string, Promise<unknown>>()
  return async (key, work) => {
    const before = last.get(key)
    const turn = before === undefined ? work() : before.then(work, work)
    last.set(key, turn)
    try {
      return await turn
    } finally {
      if (last.get(key) === turn) last.delete(key)
    }
  }
}
