/** A data product in DPS is converted to ODPS on its page; its old versions stay as they were. */

import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import type { Page } from 'playwright-core'
import { inBrowser, newVisitor, type Visitor } from './browser.ts'
import { signInQuickly, startCatalog, type Catalog } from './catalog.ts'
import { startJourney } from './journey.ts'

const TEAM = 'fleet'
const PRODUCT = 'wagon-mileage'
const DAYS_LEFT = 30
const DAY_MS = 86_400_000

// Tabs, quotes and the order of fields are the author's; old versions keep them.
const TEXT = `# Kilometres, loaded and empty.
dataProductSpecification: 0.0.1
id: ${PRODUCT}
info:
  title:   "Wagon Mileage"
  owner: ${TEAM}
  description: Kilometres that each wagon ran on each day.
  status: active
  maturity: defined
custom:
  costCentre: 4140
outputPorts:
- id: mileage_daily
  name: Mileage by day
  type: postgres
`

inBrowser('a data product in DPS', (browser) => {
  const step = startJourney(() => visitor)
  let catalog: Catalog
  let visitor: Visitor
  let page: Page
  const path = `/data-products/${PRODUCT}`
  const api = `/api/dataproducts/${PRODUCT}`

  before(async () => {
    const endsOn = new Date(Date.now() + DAYS_LEFT * DAY_MS).toISOString().slice(0, 10)
    catalog = await startCatalog({ PORTBOOK_DPS_UNTIL: endsOn })
    await catalog.call('PUT', `/api/teams/${TEAM}`, {
      id: TEAM,
      name: 'Fleet',
      type: 'Domain Team',
    })
    const response = await fetch(`${catalog.url}${api}`, {
      method: 'PUT',
      headers: { 'x-api-key': catalog.key, 'content-type': 'application/yaml' },
      body: TEXT,
    })
    assert.ok(response.ok, await response.text())
    visitor = await newVisitor(browser(), catalog.url)
    page = visitor.page
    await signInQuickly(visitor, catalog.owner)
  })
  after(() => visitor.close())

  step(
    'its page and the home page › show until when DPS is accepted, and how many days are left',
    async () => {
      await page.goto('/')
      await page.getByText(/DPS/).first().waitFor()
      await page.goto(path)
      // Midnight may pass between the start of the catalog and the page.
      await page.getByText(/^DPS is accepted until .*: (30|29) days left$/).waitFor()
      await page.getByText('DPS 0.0.1', { exact: true }).first().waitFor()
    },
  )

  step(
    'converting › previews the document as ODPS and the effect of saving, and saves nothing',
    async () => {
      await page.getByRole('link', { name: 'Convert to ODPS' }).click()
      await page.getByText('This is the product converted to ODPS.').waitFor()
      const source = page.getByRole('textbox', { name: 'Source of the data product' })
      await source.getByText('DataProduct', { exact: true }).waitFor()
      await page.getByText('Creates a new version.').waitFor()
      assert.equal(await catalog.storedYaml(api), TEXT)
    },
  )

  step('converting › saves ODPS with the same id, and the countdown disappears', async () => {
    await page.getByRole('button', { name: 'Review and save' }).click()
    const dialog = page.getByRole('dialog', { name: 'Review changes' })
    await dialog.getByText('Creates a new version.').waitFor()
    await dialog.getByRole('button', { name: 'Save data product' }).click()
    await page.waitForURL((url) => url.pathname === path)
    await page
      .getByText(/^ODPS v?1\./)
      .first()
      .waitFor()
    assert.equal(await page.getByText('days left').count(), 0)
    const stored = await catalog.storedYaml(api)
    assert.match(stored, /^kind: DataProduct$/m)
    assert.match(stored, new RegExp(`^id: "?${PRODUCT}"?$`, 'm'))
    assert.match(stored, /costCentre/, 'fields without a counterpart in ODPS are kept')
  })

  step('its history › keeps the DPS version byte for byte', async () => {
    await page.getByRole('link', { name: 'History' }).click()
    await page.getByRole('link', { name: 'Version 1', exact: true }).click()
    const shown = page.getByRole('textbox', { name: 'Source' })
    await shown.getByText('dataProductSpecification').waitFor()
    const downloading = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download' }).click()
    const chunks = await (await (await downloading).createReadStream()).toArray()
    assert.equal(Buffer.concat(chunks as Buffer[]).toString('utf8'), TEXT)
    assert.equal(await catalog.storedYaml(`${api}/versions/1`), TEXT)
  })

  step('the whole journey › has no console errors or policy violations', () => {
    assert.deepEqual(visitor.problems, [])
  })
})
