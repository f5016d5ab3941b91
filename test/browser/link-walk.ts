/** Follows the links of the pages breadth first, without loading the application again. */

import type { APIRequestContext, Page } from 'playwright-core'
import type { Visitor } from './browser.ts'
import { isPage, toPattern, whyDead, withoutFragment } from './link-targets.ts'
import type { PageLink, Target } from './link-targets.ts'
import { followLink, waitUntilQuiet, type Traffic } from './navigation.ts'

/** Limits of a walk. */
export interface WalkLimits {
  /** Pages whose links are all followed. */
  starts: readonly string[]
  /** The number of other targets of each kind that are opened. */
  perPatternMax: number
}

/** The result of a walk. */
export interface Walk {
  /** The targets that were opened. */
  opened: readonly string[]
  /** The dead links, a line each. */
  dead: readonly string[]
}

const NO_PAGE = '/no-such-page'
const REDIRECTS_FROM = 300

/** Walks from the starts until every kind of link was followed; reports the dead links. */
export async function walkLinks(visitor: Visitor, limits: WalkLimits): Promise<Walk> {
  const { page, context, traffic } = visitor
  await page.goto(NO_PAGE)
  const { title: missingPageTitle } = await openTarget(page, traffic, NO_PAGE)
  const links: PageLink[] = []
  const targets = new Map<string, Target>()
  const queue = [...limits.starts]
  const perPattern = new Map<string, number>()
  const enqueue = (url: string, isRequired: boolean): void => {
    if (queue.includes(url) || targets.has(url)) return
    const pattern = toPattern(url)
    const count = perPattern.get(pattern) ?? 0
    if (!isRequired && count >= limits.perPatternMax) return
    perPattern.set(pattern, count + 1)
    queue.push(url)
  }
  for (let url = queue.shift(); url !== undefined; url = queue.shift()) {
    targets.set(url, await openTarget(page, traffic, url))
    const isStart = limits.starts.includes(url)
    if (isStart) {
      await page.evaluate(SHOW_ALL)
      await waitUntilQuiet(page, traffic)
    }
    const found = await readLinks(page, url)
    links.push(...found)
    for (const { to } of found.filter(isPage)) enqueue(withoutFragment(to), isStart)
  }
  const dead = links.filter(isPage).flatMap((link) => {
    const target = targets.get(withoutFragment(link.to))
    const why = target === undefined ? undefined : whyDead(link, target, missingPageTitle)
    return why === undefined ? [] : [`${link.from} › "${link.text}" › ${link.to}: ${why}`]
  })
  const files = new Set(links.filter((link) => !isPage(link)).map(({ to }) => withoutFragment(to)))
  return {
    opened: [...targets.keys()],
    dead: [...new Set([...dead, ...(await findDeadFiles(context.request, files))])],
  }
}

/** Opens a target as a click on its link would, and waits until it shows its content. */
async function openTarget(page: Page, traffic: Traffic, url: string): Promise<Target> {
  traffic.failed.length = 0
  await followLink(page, url)
  await waitUntilQuiet(page, traffic)
  const seen = await page.evaluate<Omit<Target, 'failedRequests'>>(READ_TARGET)
  return { ...seen, failedRequests: [...traffic.failed] }
}

// An editor starts empty. In a list, an empty state is the content of the page; elsewhere only if no
// panel has content.
const READ_TARGET = `(() => {
  const LISTS = ['/search', '/assets', '/teams', '/integrations', '/api-keys', '/activity']
  const main = document.querySelector('main') ?? document.body
  const hasDialog = document.querySelector('[role=dialog]') !== null
  const hasForm = /\\/(new|edit)$/.test(location.pathname)
  const hasEmpty = !hasDialog && !hasForm && main.querySelector('[data-empty]') !== null
  const panels = [...main.querySelectorAll('section')]
  const isEmpty = hasEmpty && (LISTS.includes(location.pathname) ||
    panels.every((panel) => panel.querySelector('[data-empty]') !== null))
  return {
    title: (main.querySelector('h1') ?? document.querySelector('h1'))?.textContent ?? '',
    isEmpty,
    ids: [...document.querySelectorAll('[id]')].map(({ id }) => id),
  }
})()`

// Opens shortened lists, so that all of their links can be read.
const SHOW_ALL = `[...document.querySelectorAll('main button')]
  .filter(({ textContent }) => /^Show \\d+ more/.test(textContent.trim()))
  .forEach((button) => button.click())`

async function readLinks(page: Page, from: string): Promise<PageLink[]> {
  const read = await page.evaluate<Omit<PageLink, 'from'>[]>(READ_LINKS)
  return read.map((link) => ({ ...link, from }))
}

// Next to the empty state of a panel, "See all" promises no content; an action inside of it does.
const READ_LINKS = `(() => {
  const isBesideEmpty = (link) => link.closest('[data-empty]') === null &&
    (link.closest('section')?.querySelector('[data-empty]') ?? null) !== null
  return [...document.querySelectorAll('a[href]')]
  .filter(({ origin, protocol }) => origin === location.origin && protocol.startsWith('http'))
  .map((link) => ({
    to: link.pathname + link.search + link.hash,
    text: (link.getAttribute('aria-label') ?? link.textContent).trim().replaceAll(/\\s+/g, ' ').slice(0, 80),
    isNavigation: link.closest('nav') !== null || isBesideEmpty(link),
    isFile: link.hasAttribute('download') || /\\.(json|yaml)$/.test(link.pathname),
  }))
})()`

async function findDeadFiles(
  requests: APIRequestContext,
  files: ReadonlySet<string>,
): Promise<string[]> {
  const dead: string[] = []
  for (const file of files) {
    const status = (await requests.get(file)).status()
    if (status >= REDIRECTS_FROM) dead.push(`${file}: answers ${status}`)
  }
  return dead
}
