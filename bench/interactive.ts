import type { Browser } from 'playwright-core'
import type { Row } from './figure.ts'
import { loadTwice, type Person } from './pages-browser.ts'
import { toSpread } from './rounds.ts'
import type { RunningServer } from './servers.ts'
import type { ServerKind, Stage } from './stage.ts'

const GOAL_MS = 1000

/** A signed-in person in a browser. */
export interface Reader {
  browser: Browser
  product: RunningServer
  person: Person
}

/** Measures the time until pages are interactive, with an empty cache. `pages` has a name and a path for each. */
export async function* measurePages(
  stage: Stage,
  server: ServerKind,
  figure: string,
  { browser, product, person }: Reader,
  pages: readonly (readonly [name: string, path: string])[],
): AsyncGenerator<Row> {
  for (const [name, path] of pages) {
    const loads: number[] = []
    for (let round = 0; round < stage.effort.rounds; round += 1) {
      const { cold } = await loadTwice(browser, product, person, path)
      loads.push(cold.interactiveMs)
    }
    yield {
      figure: `${figure}: page of ${name}`,
      server,
      subject: 'interactive, with an empty cache',
      limit: '–',
      result: toSpread(loads),
      unit: 'ms',
      goal: GOAL_MS,
      required: true,
      measured: loads,
    }
  }
}
