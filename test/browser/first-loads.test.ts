/**
 * The compressed size of the scripts that a page loads until it is displayed, with those of its worker, has a
 * limit. What only a click needs is loaded by it, or with the first movement of the pointer.
 */

import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { inBrowser, newVisitor } from './browser.ts'
import { shareDemo, signInQuickly, type Catalog } from './catalog.ts'

const BYTES_PER_KB = 1000

const LIMITS = [
  { name: 'Home', path: '/', limitKb: 153 },
  { name: 'a data product', path: '/data-products/wagon-journeys', limitKb: 217 },
  {
    name: 'the editor of a contract',
    path: '/data-contracts/wagon-journeys-v2/edit',
    limitKb: 314,
  },
] as const

interface Script {
  name: string
  bytes: number
}

inBrowser('scripts of a first load', (browser) => {
  let catalog: Catalog
  before(async () => {
    catalog = await shareDemo()
  })

  describe('their compressed size', () => {
    for (const { name, path, limitKb } of LIMITS) {
      test(`${name} › is at most ${limitKb} KB`, async () => {
        const visitor = await newVisitor(browser(), catalog.url)
        await signInQuickly(visitor, catalog.owner)
        await visitor.page.goto(path)
        await visitor.page.locator('main h1').first().waitFor()
        await visitor.page.locator('main .animate-skeleton').first().waitFor({ state: 'detached' })
        await visitor.page.waitForLoadState('networkidle')
        const scripts = await visitor.page.evaluate<Script[]>(READ)
        await visitor.close()
        const sum = scripts.reduce((total, { bytes }) => total + bytes, 0)
        const list = scripts
          .toSorted((a, b) => b.bytes - a.bytes)
          .map((script) => `${script.bytes} ${script.name}`)
        assert.ok(sum <= limitKb * BYTES_PER_KB, `${sum} bytes:\n${list.join('\n')}`)
      })
    }
  })
})

const READ = `performance.getEntriesByType('resource')
  .filter(({ name }) => name.endsWith('.js'))
  .map(({ name, encodedBodySize }) => ({ name: new URL(name).pathname, bytes: encodedBodySize }))`
