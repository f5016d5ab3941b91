/**
 * What holds for every page of a mesh that lives, light, dark and on a phone, and for what opens over
 * them: axe-core finds nothing, the console stays silent, the policy forbids nothing, and nothing
 * overflows.
 */

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { violationsOf } from './axe.ts'
import { inBrowser, newVisitor, type Visitor } from './browser.ts'
import { signInQuickly, startDemo, type Catalog } from './catalog.ts'
import { growMesh, pageNames, settled, type PlaceInMesh } from './mesh.ts'
import { AT_ONCE, takeTurns } from './turns.ts'

const WIDE = { width: 1440, height: 900 }
const PHONE = { width: 390, height: 844 }

// Other colours are there with the next frame.
const PAINTED = 'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))'
const WIDER_BY = 'document.documentElement.scrollWidth - document.documentElement.clientWidth'

inBrowser('every page', (browser) => {
  let catalog: Catalog
  let places: readonly PlaceInMesh[]
  const visitors = takeTurns(async () => {
    const visitor = await newVisitor(browser(), catalog.url, WIDE)
    await signInQuickly(visitor, catalog.owner)
    return visitor
  })
  before(async () => {
    const server = process.env.PORTBOOK_TEST_POSTGRES
    if (server === undefined) throw new Error('run it by `npm test -- <file>`')
    catalog = await startDemo()
    places = await growMesh(catalog, server)
  })
  after(() => visitors.close())

  describe('light, dark and on a phone', { concurrency: AT_ONCE }, () => {
    for (const name of pageNames) {
      test(`${name} › nothing for axe-core, the console and the policy to tell`, async () => {
        const path = places.find((place) => place.name === name)?.path ?? ''
        await visitors.lend((visitor) => lookAt(visitor, path))
      })
    }
  })

  test('an open menu, palette and navigation › nothing for axe-core to tell', async () => {
    await visitors.lend(lookAtWhatOpens)
  })
})

async function lookAt({ page, problems }: Visitor, path: string): Promise<void> {
  await beginWide(page, path)
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

async function lookAtWhatOpens({ page, problems }: Visitor): Promise<void> {
  await beginWide(page, '/nowhere')
  await page.getByRole('button', { name: /^Account of / }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).waitFor()
  assert.deepEqual(await violationsOf(page), [])
  await page.keyboard.press('Escape')
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog').waitFor()
  assert.deepEqual(await violationsOf(page), [])
  await page.keyboard.press('Escape')
  await page.setViewportSize(PHONE)
  await page.getByRole('button', { name: 'Open the navigation' }).click()
  await page.getByRole('dialog', { name: 'Navigation' }).waitFor()
  assert.deepEqual(await violationsOf(page), [])
  assert.deepEqual(problems, [])
}

async function beginWide(page: Visitor['page'], path: string): Promise<void> {
  await page.emulateMedia({ colorScheme: 'light' })
  await page.setViewportSize(WIDE)
  await page.goto(path)
  await settled(page)
}
