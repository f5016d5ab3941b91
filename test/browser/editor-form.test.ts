/** The form of an editor reacts to every click, also while a field begins to report an error. */

import { after, before } from 'node:test'
import type { Page } from 'playwright-core'
import { inBrowser, newVisitor, type Visitor } from './browser.ts'
import { newOrganization, signInQuickly } from './catalog.ts'
import { startJourney } from './journey.ts'

// As long as people press a button.
const PRESS_MS = 100

inBrowser('the form of an editor', (browser) => {
  const step = startJourney(() => visitor)
  let visitor: Visitor
  let page: Page

  before(async () => {
    const catalog = await newOrganization()
    visitor = await newVisitor(browser(), catalog.url)
    page = visitor.page
    await signInQuickly(visitor, catalog.owner)
  })
  after(() => visitor.close())

  step('a click below a field that is left empty › has its effect', async () => {
    await page.goto('/data-products/new')
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('')
    await page.getByRole('button', { name: 'New team' }).click({ delay: PRESS_MS })
    const dialog = page.getByRole('dialog', { name: 'New team' })
    await dialog.getByRole('button', { name: 'Close' }).click()
    await page.getByText('This field is blank').first().waitFor()
  })
})
