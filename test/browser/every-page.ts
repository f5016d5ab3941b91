/**
 * What holds for every page of a mesh that lives, light, dark and on a phone: axe-core finds nothing,
 * the console stays silent, the policy forbids nothing, and nothing overflows.
 */

import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { violationsOf } from './axe.ts'
import { inBrowser, newVisitor, type Visitor } from './browser.ts'
import { signInQuickly, startDemo } from './catalog.ts'
import { growMesh, settled, type PlaceInMesh } from './mesh.ts'

// Other colours are there with the next frame.
const PAINTED = 'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))'
const WIDER_BY = 'document.documentElement.scrollWidth - document.documentElement.clientWidth'

/** How wide a desk's window is, and a phone's. */
export const WIDE = { width: 1440, height: 900 }
export const PHONE = { width: 390, height: 844 }

/** Defines a test for each of some pages, by their names in the mesh, and more with the same visitor. */
export function testPages(names: readonly string[], more?: (visitor: () => Visitor) => void): void {
  inBrowser('every page', (browser) => {
    let visitor: Visitor
    let places: readonly PlaceInMesh[]
    before(async () => {
      const server = process.env.PORTBOOK_TEST_POSTGRES
      if (server === undefined) throw new Error('run it by `npm test -- <file>`')
      const catalog = await startDemo()
      places = await growMesh(catalog, server)
      visitor = await newVisitor(browser(), catalog.url, WIDE)
      await signInQuickly(visitor, catalog.owner)
    })
    for (const name of names) {
      test(`${name} › light, dark and on a phone: nothing for axe-core, the console and the policy to tell`, async () => {
        await lookAt(visitor, places.find((place) => place.name === name)?.path ?? '')
      })
    }
    more?.(() => visitor)
  })
}

async function lookAt({ page, problems }: Visitor, path: string): Promise<void> {
  problems.length = 0
  await page.emulateMedia({ colorScheme: 'light' })
  await page.setViewportSize(WIDE)
  await page.goto(path)
  await settled(page)
  const light = await violationsOf(page)
  // The dark differs in its colours alone, and a phone in all but these.
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.evaluate(PAINTED)
  const dark = await violationsOf(page, 'colours')
  await page.setViewportSize(PHONE)
  await settled(page)
  const phone = await violationsOf(page, 'all but colours')
  assert.deepEqual({ light, dark, phone }, { light: [], dark: [], phone: [] })
  assert.deepEqual(problems, [])
  const overflow = await page.evaluate<number>(WIDER_BY)
  assert.ok(overflow <= 0, `on a phone the page is ${overflow} px wider than the window`)
}
