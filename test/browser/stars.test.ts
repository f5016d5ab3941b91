/** A data product is starred on its page, and appears on the home page. */

import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import type { Page } from 'playwright-core'
import { inBrowser, newVisitor, type Visitor } from './browser.ts'
import { signInQuickly, startCatalog, type Catalog } from './catalog.ts'
import { startJourney } from './journey.ts'

const PRODUCT = 'wagon-positions'

inBrowser('stars', (browser) => {
  const step = startJourney(() => visitor)
  let catalog: Catalog
  let visitor: Visitor
  let page: Page

  before(async () => {
    catalog = await startCatalog()
    await catalog.call('PUT', '/api/teams/telematics', { id: 'telematics', name: 'Telematics' })
    await catalog.call('PUT', `/api/dataproducts/${PRODUCT}`, {
      apiVersion: 'v1.0.0',
      kind: 'DataProduct',
      id: PRODUCT,
      name: 'Wagon positions',
      status: 'active',
      description: { purpose: 'The position of every wagon, each minute' },
      team: { name: 'telematics' },
    })
    visitor = await newVisitor(browser(), catalog.url)
    page = visitor.page
    await signInQuickly(visitor, catalog.owner)
  })
  after(() => visitor.close())

  const button = (name: string) => page.getByRole('button', { name, exact: true })

  step('the page of a product › stars it with the keyboard, and shows the number', async () => {
    await page.goto(`/data-products/${PRODUCT}`)
    await button('Star 0').press('Enter')
    await button('Star 1').waitFor()
    assert.equal(await button('Star 1').getAttribute('aria-pressed'), 'true')
  })

  step('the home page › lists the starred product', async () => {
    await page.goto('/')
    const heading = page.getByRole('heading', { name: 'Starred' })
    const panel = page.locator('section').filter({ has: heading })
    await panel.getByRole('link', { name: 'Wagon positions' }).click()
    await page.waitForURL((url) => url.pathname === `/data-products/${PRODUCT}`)
  })

  step('the page of a product › removes the star, also from the home page', async () => {
    await button('Star 1').click()
    await button('Star 0').waitFor()
    await page.getByRole('navigation').getByRole('link', { name: 'Home' }).click()
    await page.getByRole('link', { name: 'Wagon positions' }).first().waitFor()
    await page.getByRole('heading', { name: 'Starred' }).waitFor({ state: 'detached' })
  })

  step('the whole journey › has no console errors or policy violations', () => {
    assert.deepEqual(visitor.problems, [])
  })
})
