import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import type { RunningServer } from './servers.ts'

/** The credentials of a person. */
export interface Person {
  email: string
  password: string
}

/** The load of one page, in milliseconds from the start of the navigation. */
export interface PageLoad {
  /** Time until everything is displayed and the main thread is free. */
  interactiveMs: number
  longestTaskMs: number
  /** The sum of the layout shifts. */
  shift: number
  /** Transferred bytes of scripts. */
  scriptBytes: number
  /** The addresses of its API calls. */
  calls: string[]
}

/** The scrolling of a long list. */
export interface Scroll {
  longestFrameMs: number
  longestTaskMs: number
  /** The share of frames that took longer than two frames at 60 per second. */
  slowShare: number
}

const VIEWPORT = { width: 1440, height: 900 }
const SETTLED_MS_MAX = 30_000
const WHEELS_COUNT = 80
const WHEEL_PX = 900
const SLOW_FRAME_MS = 34

// Records when everything is displayed: a heading, and no loading indicator. A later loading indicator
// resets it.
const WATCH = `
  globalThis.seen = { shownAt: 0, tasks: [], shift: 0, frames: [] }
  new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries()) seen.tasks.push({ startTime, duration })
  }).observe({ type: 'longtask', buffered: true })
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) seen.shift += entry.value
  }).observe({ type: 'layout-shift', buffered: true })
  let before = performance.now()
  const observe = (now) => {
    seen.frames.push(now - before)
    before = now
    const isDisplayed = document.querySelector('main h1') !== null && document.querySelector('main .animate-skeleton') === null
    if (!isDisplayed) seen.shownAt = 0
    else if (seen.shownAt === 0) seen.shownAt = performance.now()
    requestAnimationFrame(observe)
  }
  requestAnimationFrame(observe)
`
const READ = `(() => {
  const before = seen.tasks.filter(({ startTime }) => startTime <= seen.shownAt)
  const scripts = performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('.js'))
  return {
    interactiveMs: Math.max(seen.shownAt, ...before.map(({ startTime, duration }) => startTime + duration)),
    longestTaskMs: Math.max(0, ...seen.tasks.map(({ duration }) => duration)),
    shift: seen.shift,
    scriptBytes: scripts.reduce((sum, { transferSize }) => sum + transferSize, 0),
  }
})()`
const READ_SCROLL = `(() => {
  const frames = seen.frames
  return {
    longestFrameMs: Math.max(0, ...frames),
    longestTaskMs: Math.max(0, ...seen.tasks.map(({ duration }) => duration)),
    slowShare: frames.filter((duration) => duration > ${SLOW_FRAME_MS}).length / Math.max(1, frames.length),
  }
})()`

/** Loads a page with an empty cache, and again with a full one. */
export async function loadTwice(
  browser: Browser,
  server: Pick<RunningServer, 'url'>,
  person: Person,
  path: string,
): Promise<{ cold: PageLoad; warm: PageLoad }> {
  const context = await newContext(browser, server, person)
  const page = await context.newPage()
  const cold = await load(page, path)
  const warm = await load(page, path)
  await context.close()
  return { cold, warm }
}

async function load(page: Page, path: string): Promise<PageLoad> {
  const calls: string[] = []
  const recordCall = (request: { url(): string; method(): string }): void => {
    const { pathname, search } = new URL(request.url())
    const isCall = pathname.startsWith('/api/') || pathname.startsWith('/ui/')
    if (isCall && request.method() === 'GET') calls.push(`${pathname}${search}`)
  }
  page.on('request', recordCall)
  await page.goto(path)
  await settle(page)
  page.off('request', recordCall)
  const seen = await page.evaluate<Omit<PageLoad, 'calls'>>(READ)
  return { ...seen, calls }
}

/** Measures the limit of a page: an empty document of the same server, with the same calls all at once. */
export async function loadBare(
  browser: Browser,
  server: Pick<RunningServer, 'url'>,
  person: Person,
  calls: readonly string[],
): Promise<number> {
  // The icon is a document whose own policy allows no requests.
  const context = await newContext(browser, server, person, { bypassCSP: true })
  const page = await context.newPage()
  await page.goto('/favicon.svg')
  const milliseconds = await page.evaluate<number>(
    `(async () => {
      const fetched = ${JSON.stringify(calls)}.map(async (path) => await (await fetch(path)).arrayBuffer())
      await Promise.all(fetched)
      return performance.now()
    })()`,
  )
  await context.close()
  return milliseconds
}

/** Scrolls the tree of a page from top to end with the wheel. */
export async function scrollTree(
  browser: Browser,
  server: Pick<RunningServer, 'url'>,
  person: Person,
  path: string,
): Promise<Scroll> {
  const context = await newContext(browser, server, person)
  const page = await context.newPage()
  await page.goto(path)
  await settle(page)
  await page.getByRole('treegrid').hover()
  const scroll = await scrollByWheel(page)
  await context.close()
  return scroll
}

/** Measures the limit of a tree: as many bare rows, scrolled the same way. */
export async function scrollBare(browser: Browser, rowsCount: number): Promise<Scroll> {
  const context = await browser.newContext({ viewport: VIEWPORT })
  await context.addInitScript({ content: WATCH })
  const page = await context.newPage()
  await page.goto(
    'data:text/html,<main><h1>Rows</h1><div id="rows" style="height:70vh;overflow:auto"></div></main>',
  )
  await page.evaluate(
    `document.querySelector('#rows').innerHTML = Array.from({ length: ${rowsCount} }, (_, at) => '<div style="height:37px;display:grid;grid-template-columns:1fr 1fr 1fr">' + '<span>row ' + at + '</span>'.repeat(3) + '</div>').join('')`,
  )
  await page.locator('#rows').hover()
  const scroll = await scrollByWheel(page)
  await context.close()
  return scroll
}

async function scrollByWheel(page: Page): Promise<Scroll> {
  await page.evaluate('seen.tasks = []; seen.frames = []')
  for (let count = 0; count < WHEELS_COUNT; count += 1) await page.mouse.wheel(0, WHEEL_PX)
  await page.waitForTimeout(200)
  return await page.evaluate<Scroll>(READ_SCROLL)
}

async function newContext(
  browser: Browser,
  { url }: Pick<RunningServer, 'url'>,
  person: Person,
  more: BrowserContextOptions = {},
): Promise<BrowserContext> {
  const context = await browser.newContext({ baseURL: url, viewport: VIEWPORT, ...more })
  context.setDefaultTimeout(SETTLED_MS_MAX)
  const answer = await context.request.post('/ui/sign-in', {
    data: person,
    headers: { 'sec-fetch-site': 'same-origin' },
  })
  if (!answer.ok()) throw new Error(`Sign-in returned ${answer.status()}`)
  await context.addInitScript({ content: WATCH })
  return context
}

async function settle(page: Page): Promise<void> {
  await page.locator('main h1').first().waitFor()
  await page.waitForLoadState('networkidle')
  await page.locator('main .animate-skeleton').first().waitFor({ state: 'detached' })
}
