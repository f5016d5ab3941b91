/** Notifies listeners of this process about events of an id. */
export interface Signals {
  send(id: string): void
  /** Calls back for every id that is sent. Returns how to stop listening. */
  listen(hear: (id: string) => void): () => void
}

/** Creates the signals of a process. */
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
