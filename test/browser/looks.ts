/** Checks of a page's appearance: light, dark and on a phone, at several sizes. */

import assert from 'node:assert/strict'
import { findViolations } from './axe.ts'
import type { Visitor } from './browser.ts'
import { navigate, waitUntilQuiet } from './navigation.ts'

/** A desktop window. */
export const WIDE = { width: 1440, height: 900 }
/** A phone. */
export const PHONE = { width: 390, height: 844 }
const NO_PAGE = '/nowhere'
const TABLET = { width: 768, height: 1024 }
// The wide window at a zoom of 200 %.
const ZOOMED = { width: 720, height: 450 }

// New colours appear in the next frame.
const PAINTED = 'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))'
const WIDER_BY = 'document.documentElement.scrollWidth - document.documentElement.clientWidth'

/** Asserts that a page has no violations, problems or overflow. */
export async function lookAt(visitor: Visitor, path: string): Promise<void> {
  await beginWide(visitor, path)
  await lookAround(visitor)
}

/** Asserts that the page that `beginWide` has opened has no violations, problems or overflow. */
export async function lookAround({ page, problems, traffic }: Visitor): Promise<void> {
  const light = await findViolations(page)
  // Dark mode differs only in its colours, and a phone in everything except colours.
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.evaluate(PAINTED)
  const dark = await findViolations(page, 'colours')
  await page.setViewportSize(PHONE)
  await waitUntilQuiet(page, traffic)
  const phone = await findViolations(page, 'all but colours')
  assert.deepEqual({ light, dark, phone }, { light: [], dark: [], phone: [] })
  assert.deepEqual(problems, [])
  await assertFitsWindow(page)
  for (const size of [TABLET, ZOOMED]) {
    await page.setViewportSize(size)
    await assertFitsWindow(page)
  }
}

/** Asserts that the page is not wider than the window. */
export async function assertFitsWindow(page: Visitor['page']): Promise<void> {
  const overflow = await page.evaluate<number>(WIDER_BY)
  const width = page.viewportSize()?.width ?? 0
  assert.ok(overflow <= 0, `at ${width} px the page is ${overflow} px wider than the window`)
}

/** Opens a page in light colours and a wide window. */
export async function beginWide(visitor: Visitor, path: string): Promise<void> {
  const { page, traffic } = visitor
  await page.emulateMedia({ colorScheme: 'light' })
  await page.setViewportSize(WIDE)
  const document = await page.request.get(path)
  assert.equal(document.status(), path === NO_PAGE ? 404 : 200)
  await navigate(page, path)
  await waitUntilQuiet(page, traffic)
}
