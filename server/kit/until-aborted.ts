/** Waits for a promise, at most until the signal aborts. Errors: the signal's reason. */
export async function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  // A later failure of the promise is ignored.
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

/** Goes through what comes until the signal aborts, then ends it without waiting. */
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
