/** Visitors of the same kind who take turns, for tests that look at pages side by side. */

import type { Visitor } from './browser.ts'

/**
 * How many look at once. Each has a window of their own: the browser draws a page behind another once
 * a second. More of them would only wait for the processors.
 */
export const AT_ONCE = 2

/** Lends visitors, each to one test at a time. */
export interface Turns {
  /** Lends one whose problems are forgotten, and who may stand on any page. */
  lend(use: (visitor: Visitor) => Promise<void>): Promise<void>
  close(): Promise<void>
}

/** Begins without a visitor; `open` makes one whenever all others are lent. */
export function takeTurns(open: () => Promise<Visitor>): Turns {
  const all: Visitor[] = []
  const idle: Visitor[] = []
  return {
    async lend(use) {
      const visitor = idle.pop() ?? (await open())
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
