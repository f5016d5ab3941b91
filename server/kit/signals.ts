/** Tells listeners of this process that something happened to what has an id. */
export interface Signals {
  send(id: string): void
  /** Calls back for every id that is sent. Returns how to stop listening. */
  listen(hear: (id: string) => void): () => void
}

/** Makes the signals of one process. */
export function newSignals(): Signals {
  const listeners = new Set<(id: string) => void>()
  return {
    send(id) {
      for (const hear of listeners) hear(id)
    },
    listen(hear) {
      listeners.add(hear)
      return () => listeners.delete(hear)
    },
  }
}
