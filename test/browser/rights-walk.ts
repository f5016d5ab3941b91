/** Visits every page as a person with few rights, and collects what is untrue or unexplained. */

import type { Page } from 'playwright-core'
import type { Visitor } from './browser.ts'
import type { Catalog } from './catalog.ts'
import { listExamples, NOTHING, type PageInMesh } from './mesh.ts'
import { followLink, waitUntilQuiet } from './navigation.ts'

/** The content of a page as a person with few rights finds it. */
interface Sight {
  /** The notice that names who may save; undefined = there is none. */
  notice: string | undefined
  /** The notice is above the first field. */
  isAboveFields: boolean
  /** The texts of the empty states. */
  empty: readonly string[]
  text: string
  /** Controls that are off, and neither can be reached by keyboard nor are explained by a notice. */
  unexplained: readonly string[]
  /** The targets of links in the content. */
  links: readonly string[]
}

/**
 * Walks through an example of every page, and through a missing thing of every kind, as a person without a team;
 * returns a line for each fault. `look` returns further faults of the page at an address, which is open.
 */
export async function walkWithFewRights(
  visitor: Visitor,
  catalog: Catalog,
  look: (address: string) => Promise<readonly string[]>,
): Promise<string[]> {
  const pages = await listExamples(catalog)
  const forms = pages
    .filter(({ path }) => /\/(?:new|edit)$/.test(path) && path !== '/access/new')
    .map(toMatcher)
  const faults: string[] = []
  await visitor.page.goto('/settings/profile')
  for (const page of pages) {
    const sight = await see(visitor, page.address)
    const isUseless = ({ links }: Sight): string[] =>
      links.filter((to) => forms.some((matches) => matches(to)))
    faults.push(
      ...listFaults(page, sight).map((fault) => `${page.address}: ${fault}`),
      ...isUseless(sight).map((to) => `${page.address}: links to ${to}, which they cannot use`),
      ...(await look(page.address)),
    )
  }
  for (const { path } of pages.filter((page) => page.path.includes('$id'))) {
    const address = path.replace('$id', NOTHING).replace('$runId', NOTHING)
    const { text } = await see(visitor, address)
    if (!/It may have been deleted, or /.test(text))
      faults.push(`${address}: ${text.slice(0, 200)}`)
  }
  return faults
}

const WHO = /Only .+ can .+\. Ask .+\./
const HIDDEN =
  /belong to teams\. You are in none of them; .+ can add you\.|Ask .+\.|You see your own/

function listFaults({ needs, seenBy }: PageInMesh, sight: Sight): string[] {
  const { notice, isAboveFields, empty, text, unexplained } = sight
  const faults = unexplained.map((control) => `${control} is off without a reason`)
  const isMissing = text.includes('It may have been deleted')
  if (needs?.statedAt === 'head' && !isMissing) {
    if (notice === undefined) faults.push('does not state who may save')
    else if (!WHO.test(notice)) faults.push(`states: ${notice}`)
    else if (!isAboveFields) faults.push('states who may save below a field')
  }
  if (/of its team|and owners|of the organization/.test(seenBy)) {
    faults.push(...empty.filter((one) => !HIDDEN.test(one)).map((one) => `is empty: ${one}`))
  }
  return faults
}

function toMatcher({ path }: PageInMesh): (to: string) => boolean {
  const pattern = new RegExp(`^${path.replaceAll(/\$\w+/g, '[^/]+')}$`)
  return (to) => pattern.test(to)
}

async function see({ page, traffic }: Visitor, address: string): Promise<Sight> {
  await followLink(page, address)
  await waitUntilQuiet(page, traffic)
  // The people who can help are listed by a request of their own, which a busy server answers later.
  await page
    .waitForFunction(IS_ADVISED, undefined, { timeout: ADVISED_MS_MAX })
    .catch(() => undefined)
  const sight = await page.evaluate<Sight>(READ_SIGHT)
  return { ...sight, unexplained: [...sight.unexplained, ...(await listMute(page))] }
}

const ADVISED_MS_MAX = 10_000

const IS_ADVISED = `[...document.querySelectorAll('[role=note][aria-label=Permission]')].every(
  ({ textContent }) => /Ask .+/.test(textContent),
)`

const READ_SIGHT = `(() => {
  const main = document.querySelector('[role=dialog]') ?? document.querySelector('main')
  const note = main.querySelector('[role=note]')
  const field = main.querySelector('input, textarea, select, [contenteditable=true], [role=radio]')
  const isAbove = note !== null && field !== null &&
    (note.compareDocumentPosition(field) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0
  const off = note === null ? [...main.querySelectorAll('button:disabled')] : []
  return {
    notice: note?.textContent,
    isAboveFields: field === null || isAbove,
    empty: [...main.querySelectorAll('[data-empty]')].map((one) => one.textContent),
    text: main.textContent,
    unexplained: off.map((one) => one.getAttribute('aria-label') ?? one.textContent),
    links: [...main.querySelectorAll('a[href^="/"]')]
      .filter((link) => link.closest('nav') === null)
      .map((link) => link.getAttribute('href').split('?')[0]),
  }
})()`

/** Focuses each button that is off as the keyboard does, and lists those without a tooltip. */
async function listMute(page: Page): Promise<string[]> {
  const mute: string[] = []
  for (const button of await page.locator('main button[aria-disabled=true]').all()) {
    if ((await button.getAttribute('aria-busy')) === 'true') continue
    await button.focus()
    const described = page.locator('main button[aria-disabled=true][aria-describedby]:focus')
    const isTold = await described.waitFor({ timeout: 5000 }).then(
      () => true,
      () => false,
    )
    if (!isTold) mute.push((await button.textContent()) ?? '')
  }
  return mute
}
