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
