/** Notifies listeners in this process of events by ID. */
export interface Signals {
  send(id: string): void
  /** Calls back for every ID that is sent. Returns a function that removes the listener. */
  listen(listener: (id: string) => void): () => void
}

/** Creates the signals of a process. */
export function newSignals(): Signals {
  const listeners = new Set<(id: string) => void>()
  return {
    send(id) {
      for (const listener of listeners) listener(id)
    },
    listen(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

/**
 * Waits for a promise until the signal aborts; the work behind the promise may continue. Errors: the
 * signal's reason, and those of the promise.
 */
export async function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  // Ignores failures after the abort: without this handler they would end the process.
  promise.catch(() => undefined)
  signal.throwIfAborted()
  const aborted = Promise.withResolvers<never>()
  const abort = (): void => aborted.reject(signal.reason)
  signal.addEventListener('abort', abort, { once: true })
  try {
    return await Promise.race([promise, aborted.promise])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}

/** Yields the values of a source until the signal aborts, then closes the source without waiting. */
export async function* untilAbortedEach<T>(
  source: AsyncIterable<T>,
  signal: AbortSignal,
): AsyncGenerator<T> {
  const iterator = source[Symbol.asyncIterator]()
  let isDone = false
  try {
    while (true) {
      const next = await untilAborted(iterator.next(), signal)
      if (next.done === true) {
        isDone = true
        return
      }
      yield next.value
    }
  } finally {
    if (!isDone) {
      const ending = Promise.resolve(iterator.return?.()).catch(() => undefined)
      if (!signal.aborted) await ending
    }
  }
}
