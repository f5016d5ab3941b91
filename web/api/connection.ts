/**
 * Whether the server answers. A request that gets no answer starts a check; while checks fail, the pages
 * report that the connection is lost and keep checking until it is back.
 */

/** The environment of a connection. */
interface ConnectionOptions {
  /** Resolves to whether the server answers now. */
  probe: () => Promise<boolean>
  /** Resolves after the milliseconds, or earlier when a check may succeed now. */
  wait: (milliseconds: number) => Promise<void>
}

/** The state of the connection to the server, for subscribers. */
export interface Connection {
  isLost: () => boolean
  /** Checks whether the server answers. If it does not, checks go on until it is back. */
  check: () => Promise<boolean>
  /** Resolves when the connection is not lost. */
  untilBack: () => Promise<void>
  /** Calls back at every change of `isLost`. Returns a function that unsubscribes. */
  subscribe: (listener: () => void) => () => void
}

const FIRST_WAIT_MS = 1000
const WAIT_MS_MAX = 8000

/** Creates a connection that is assumed to work until a check fails. */
export function createConnection({ probe, wait }: ConnectionOptions): Connection {
  const listeners = new Set<() => void>()
  let isLost = false
  let running: Promise<boolean> | undefined
  const setLost = (next: boolean): void => {
    if (next === isLost) return
    isLost = next
    for (const listener of listeners) listener()
  }
  const recheckUntilBack = async (): Promise<void> => {
    let waitMs = FIRST_WAIT_MS
    // Each check needs the result of the one before it.
    /* oxlint-disable no-await-in-loop */
    do {
      await wait(waitMs)
      waitMs = Math.min(waitMs * 2, WAIT_MS_MAX)
    } while (!(await probe()))
    /* oxlint-enable no-await-in-loop */
    setLost(false)
  }
  const checkOnce = async (): Promise<boolean> => {
    const isUp = await probe()
    running = undefined
    if (isUp) return true
    setLost(true)
    void recheckUntilBack()
    return false
  }
  const subscribe = (listener: () => void): (() => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }
  return {
    isLost: () => isLost,
    check: async () => !isLost && (await (running ??= checkOnce())),
    async untilBack() {
      if (!isLost) return
      await new Promise<void>((done) => {
        const unsubscribe = subscribe(() => {
          unsubscribe()
          done()
        })
      })
    },
    subscribe,
  }
}

const PROBE_MS_MAX = 10_000

/** Returns whether the server answers. A gateway's error page does not count. */
async function isServerUp(): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(PROBE_MS_MAX)
    return (await fetch('/healthz', { cache: 'no-store', signal })).ok
  } catch {
    return false
  }
}

// The browser reports when the network is back; no need to wait any longer then.
async function waitOrOnline(milliseconds: number): Promise<void> {
  await new Promise<void>((done) => {
    const finish = (): void => {
      clearTimeout(timer)
      globalThis.removeEventListener('online', finish)
      done()
    }
    const timer = setTimeout(finish, milliseconds)
    globalThis.addEventListener('online', finish)
  })
}

/** The connection of this page to its server. */
export const connection = createConnection({ probe: isServerUp, wait: waitOrOnline })

if (typeof window !== 'undefined') {
  window.addEventListener('offline', () => void connection.check())
}
