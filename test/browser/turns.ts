/** Visitors of the same kind who take turns, for tests that check pages in parallel. */

import type { Visitor } from './browser.ts'

/**
 * The number of parallel visitors. Each has a window of its own: the browser draws a page in the
 * background only once a second. More visitors would only wait for the processors.
 */
export const AT_ONCE = 2

/** Lends visitors, each to one test at a time. */
export interface Turns {
  /** Lends a visitor without problems, on any page. */
  lend(use: (visitor: Visitor) => Promise<void>): Promise<void>
  close(): Promise<void>
}

/** Starts without visitors; calls `open` when all others are lent. */
export function takeTurns(open: () => Promise<Visitor>): Turns {
  const all: Visitor[] = []
  const idle: Visitor[] = []
  let opened: Promise<unknown> = Promise.resolve()
  // One after the other: the server rejects simultaneous sign-ins to an account if it is busy.
  const openNext = async (): Promise<Visitor> => {
    const next = opened.then(open, open)
    opened = next
    return await next
  }
  return {
    async lend(use) {
      const visitor = idle.pop() ?? (await openNext())
      if (!all.includes(visitor)) all.push(visitor)
      visitor.problems.length = 0
      try {
        await use(visitor)
      } finally {
        idle.push(visitor)
      }
    },
    async close() {
      await Promise.all(all.map((visitor) => visitor.close()))
    },
  }
}
