/** A source system is created, edited, compared and deleted on pages that follow from the declaration of its kind. */

import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import type { Page } from 'playwright-core'
import { inBrowser, newVisitor, type Visitor } from './browser.ts'
import { odps } from '../world.ts'
import { signInQuickly, startCatalog, type Catalog } from './catalog.ts'
import { startJourney } from './journey.ts'

const TEAM = 'telematics'
const SYSTEM = 'sensor-gateway'
const API = `/api/sourcesystems/${SYSTEM}`
const THEIRS = `# By the pipeline.
id: ${SYSTEM}
name: Gateway
owner: ${TEAM}
links:
  wiki: https://wiki.test
`
const PATH = `/source-systems/${SYSTEM}`

inBrowser('source systems', (browser) => {
  const step = startJourney(() => visitor)
  let catalog: Catalog
  let visitor: Visitor
  let page: Page

  before(async () => {
    catalog = await startCatalog()
    await catalog.call('PUT', `/api/teams/${TEAM}`, { id: TEAM, name: 'Telematics' })
    visitor = await newVisitor(browser(), catalog.url)
    page = visitor.page
    await signInQuickly(visitor, catalog.owner)
  })
  after(() => visitor.close())

  async function save(outcome: RegExp): Promise<void> {
    await page.getByRole('button', { name: 'Review and save' }).click()
    const dialog = page.getByRole('dialog', { name: 'Review changes' })
    await dialog.getByText(outcome).first().waitFor()
    await dialog.getByRole('button', { name: 'Save source system' }).click()
  }

  step('the list › is empty, and offers to create one', async () => {
    await page.goto('/')
    await page.getByRole('button', { name: 'Platform' }).click()
    await page.getByRole('navigation').getByRole('link', { name: 'Source systems' }).click()
    await page.getByText('No source systems yet').waitFor()
    await page.getByRole('link', { name: 'Create source system' }).first().click()
  })

  step('a new one › is created with the form, and shown on its page', async () => {
    await page.getByRole('textbox', { name: 'Name' }).fill('Sensor gateway')
    await page
      .getByRole('textbox', { name: /^Source of/ })
      .getByText(SYSTEM)
      .waitFor()
    await page.getByRole('combobox', { name: 'Owner' }).press('ArrowDown')
    await page.getByRole('option', { name: 'Telematics' }).click()
    await page.getByRole('textbox', { name: /^Description/ }).fill('Receives telegrams of wagons.')
    await save(/Creates/)
    await page.waitForURL((url) => url.pathname === PATH)
    await page.getByRole('heading', { level: 1, name: 'Sensor gateway' }).waitFor()
    await page.getByText('Receives telegrams of wagons.').waitFor()
    await page.getByRole('link', { name: 'Telematics' }).first().waitFor()
  })

  step('a concurrent change › is reported, and both changes are kept', async () => {
    await page.getByRole('link', { name: 'Edit', exact: true }).click()
    const name = page.getByRole('textbox', { name: 'Name' })
    await name.fill('Sensor hub')
    await page.getByText(/The name of the source system was changed/).waitFor()
    await fetch(`${catalog.url}${API}`, {
      method: 'PUT',
      headers: { 'x-api-key': catalog.key, 'content-type': 'application/yaml' },
      body: THEIRS,
    })
    await save(/name of the source system/)
    await page.getByText('while you were editing').waitFor()
    await page.getByText('The links of the source system was added').waitFor()
    await page.getByRole('textbox', { name: /^Description/ }).fill('Typed right before')
    await page.getByRole('button', { name: 'Discard my changes' }).click()
    // The same text as in the discarded version: the form must show the saved one already.
    await name.fill('Sensor hub')
    await save(/name of the source system/)
    await page.waitForURL((url) => url.pathname === PATH)
    await page.getByRole('link', { name: 'wiki' }).waitFor()
    assert.equal(await catalog.storedYaml(API), THEIRS.replace('Gateway', 'Sensor hub'))
  })

  step('its versions › are compared, and deleting keeps them', async () => {
    await page.goto(`${PATH}/versions?from=1&to=3`)
    await page.getByText('The description of the source system was removed').waitFor()
    await page.goto(`${PATH}/edit`)
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: `Delete source system ${SYSTEM}?` })
    await dialog.getByText('No data product reads from this source system.').waitFor()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    const customProperties = [{ property: 'sourceSystemId', value: SYSTEM }]
    const inputPorts = [{ name: 'in', version: '1', contractId: 'c', customProperties }]
    const product = odps('journeys', { name: 'Journeys', team: { name: TEAM }, inputPorts })
    await catalog.call('PUT', '/api/dataproducts/journeys', product)
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await dialog.getByText('1 data product reads from it.').waitFor()
    await dialog.getByRole('link', { name: 'Journeys' }).waitFor()
    await dialog.getByRole('button', { name: 'Delete source system' }).click()
    await page.getByText('No source systems yet').waitFor()
    await page.goto(PATH)
    await page.getByRole('link', { name: 'Restore source system' }).waitFor()
  })

  step('the whole journey › has no console errors or policy violations', () => {
    assert.deepEqual(visitor.problems, [])
  })
})
