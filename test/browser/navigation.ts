/** Opens pages as a click on a link would, without loading the application again. */

import type { Page, Request, Response } from 'playwright-core'

/** The requests of a page that are under way, and those that failed. */
export interface Traffic {
  pending: Set<Request>
  failed: string[]
}

const ERRORS_FROM = 400
const LOAD_MS_MAX = 10_000

/**
 * An expression that resolves to true when the router has rendered its location, and the page has a title,
 * no placeholder, and no changes for some frames; to false if that takes too long.
 */
export const UNTIL_QUIET = `new Promise((resolve) => {
  let quietFrames = 0
  const observer = new MutationObserver(() => { quietFrames = 0 })
  observer.observe(document.body, { childList: true, subtree: true, characterData: true })
  const giveUpAt = performance.now() + ${LOAD_MS_MAX}
  const next = () => {
    const { history, state: { resolvedLocation, status } } = __TSR_ROUTER__
    const isShown = status === 'idle' &&
      resolvedLocation?.state.__TSR_key === history.location.state.__TSR_key
    const isReady = isShown && document.querySelector('h1') !== null &&
      document.querySelector('[role=status].animate-pulse, [role=status].animate-skeleton') === null
    quietFrames = isReady ? quietFrames + 1 : 0
    const isQuiet = quietFrames >= 3
    if (!isQuiet && performance.now() < giveUpAt) return requestAnimationFrame(next)
    observer.disconnect()
    resolve(isQuiet)
  }
  requestAnimationFrame(next)
})`

/** A function that opens a path as a click on its link would. Data that another client has changed is read again. */
export const FOLLOW_LINK = `(path) => {
  const { history, options } = __TSR_ROUTER__
  void options.context.queries.invalidateQueries({ refetchType: 'none' })
  history.push(path)
}`

/** Records the requests of a page from now on. */
export function watchTraffic(page: Page): Traffic {
  const traffic: Traffic = { pending: new Set(), failed: [] }
  const end = (request: Request): void => {
    traffic.pending.delete(request)
  }
  page.on('request', (request) => traffic.pending.add(request))
  page.on('requestfinished', end)
  page.on('requestfailed', end)
  page.on('response', (response: Response) => {
    if (response.status() < ERRORS_FROM) return
    const { pathname, search } = new URL(response.url())
    traffic.failed.push(`${response.status()} ${pathname}${search}`)
  })
  return traffic
}

/** Opens a path as a click on its link would; resolves before the page shows it. */
export async function followLink(page: Page, path: string): Promise<void> {
  await page.evaluate(`(${FOLLOW_LINK})(${JSON.stringify(path)})`)
}

/**
 * Opens a path and waits until the page has no changes. Only a new window, and a page that is already
 * open, loads the application. Errors: the page does not come to rest.
 */
export async function navigate(page: Page, path: string): Promise<void> {
  const isNew = page.url() === 'about:blank'
  if (isNew || new URL(path, page.url()).href === page.url()) await page.goto(path)
  else await followLink(page, path)
  if (!(await page.evaluate<boolean>(UNTIL_QUIET))) throw new Error(`${path} still changes`)
}

/**
 * Waits until the page has no changes and no requests. A page that does not come to rest is left as it
 * is.
 */
export async function waitUntilQuiet(page: Page, traffic: Traffic): Promise<void> {
  const giveUpAt = Date.now() + LOAD_MS_MAX
  do await page.evaluate(UNTIL_QUIET)
  while (traffic.pending.size > 0 && Date.now() < giveUpAt)
}
