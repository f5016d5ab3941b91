/** Connectors, example data, costs and notification channels on the pages. */

import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import type { Page } from 'playwright-core'
import { odps } from '../world.ts'
import { findViolations } from './axe.ts'
import { inBrowser, newVisitor, type Visitor } from './browser.ts'
import { newOrganization, signInQuickly, type Catalog } from './catalog.ts'
import { startJourney } from './journey.ts'

const TEAM = 'a'
const SECRET = 'T0000-secret-path'
// An integer that a double would change.
const OFFSET = '9007199254740993'

inBrowser('plain records', (browser) => {
  const step = startJourney(() => visitor)
  let catalog: Catalog
  let visitor: Visitor
  let page: Page

  before(async () => {
    catalog = await newOrganization()
    await catalog.call('PUT', `/api/teams/${TEAM}`, { id: TEAM, name: 'Fleet' })
    const product = odps('journeys', { name: 'Journeys', outputPorts: [{ name: 'out' }] })
    await catalog.call('PUT', '/api/dataproducts/journeys', product)
    visitor = await newVisitor(browser(), catalog.url)
    page = visitor.page
    await signInQuickly(visitor, catalog.owner)
  })
  after(() => visitor.close())

  const button = (name: string | RegExp) => page.getByRole('button', { name })

  step('connectors › an empty list explains what appears there', async () => {
    await page.goto('/')
    await page.getByRole('button', { name: 'Platform' }).click()
    await page.getByRole('navigation').getByRole('link', { name: 'Connectors' }).click()
    await page.getByText('No connectors yet').waitFor()
  })

  step('connectors › show health, version, and the state with all digits', async () => {
    const health = { status: 'ERROR', errorMessage: 'Broker down' }
    const info = { type: 'kafka', connectorVersion: '1.4.2' }
    const state = { offset: JSON.rawJSON(OFFSET) }
    await catalog.call('PUT', '/api/connectors/topics', { id: 'topics', info, health, state })
    await page.reload()
    await page.getByRole('link', { name: 'topics' }).click()
    await page.getByRole('heading', { level: 1, name: 'topics' }).waitFor()
    await page.getByText('Broker down').waitFor()
    await page.getByText('1.4.2').waitFor()
    await page.getByRole('definition').filter({ hasText: OFFSET }).waitFor()
    await page.getByText('Whole state as JSON').click()
    await page.getByText(`"offset": ${OFFSET}`).waitFor()
  })

  step('connectors › are edited as JSON, with all digits of their state', async () => {
    await page.getByRole('link', { name: 'Edit', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'Edit topics' }).waitFor()
    const editor = page.getByRole('textbox', { name: 'Document of the connector' })
    const health = { health: 1 }
    await editor.fill(JSON.stringify(health))
    await button('Save connector').click()
    await page.getByText('This must be an object, not a number.').waitFor()
    const state = { offset: JSON.rawJSON(OFFSET), again: true }
    await editor.fill(JSON.stringify({ id: 'topics', info: { type: 'kafka' }, state }))
    assert.deepEqual(await findViolations(page), [])
    await catalog.call('PUT', '/api/connectors/topics', { id: 'topics', info: { type: 'kafka' } })
    await button('Save connector').click()
    await page.getByText('The connector was stored again while you were editing').waitFor()
    await button('Keep my changes').click()
    await button('Save connector').click()
    await page.getByText('Connector saved', { exact: true }).waitFor()
    await page.getByText('Whole state as JSON').click()
    await page.getByText(`"offset": ${OFFSET}`).waitFor()
    await page.getByText('"again": true').waitFor()
  })

  step('connectors › are deleted after a question', async () => {
    await button('Delete').click()
    const dialog = page.getByRole('alertdialog', { name: 'Delete the connector topics?' })
    await dialog.getByRole('button', { name: 'Delete connector' }).click()
    await page.getByText('No connectors yet').waitFor()
    await page.goto('/connectors/topics')
    await page.getByText('Connector not found').waitFor()
  })

  step('connectors › are registered before their first start', async () => {
    await page.goto('/connectors')
    await page.getByRole('link', { name: 'Register connector' }).click()
    await page.getByLabel('Id').fill('a/b')
    await page
      .getByRole('alert')
      .getByText(/^The id /)
      .waitFor()
    await page.getByLabel('Id').fill('topics')
    await page.getByLabel('Type').fill('kafka')
    await page.getByLabel('Description').fill('Topics of the yard')
    assert.deepEqual(await findViolations(page), [])
    await button('Register connector').click()
    await page.getByRole('heading', { level: 1, name: 'topics' }).waitFor()
    await page.getByText('Topics of the yard').waitFor()
    await page.getByText('No state yet.').waitFor()
    await page.goto('/connectors/new')
    await page.getByLabel('Id').fill('topics')
    await button('Register connector').click()
    await page.getByText('The id "topics" is taken').waitFor()
    await page.getByLabel('Id').fill('')
    await catalog.call('DELETE', '/api/connectors/topics')
  })

  step('example data › are a table on the output port', async () => {
    const rows = Array.from({ length: 25 }, (_, at) => ({ id: at, note: `<b>${at}</b>` }))
    const document = { dataProductId: 'journeys', outputPortId: 'out', schemaName: 'orders' }
    await catalog.call('PUT', '/api/example-data/e', { ...document, data: rows })
    await page.goto('/data-products/journeys')
    await page.getByRole('button', { name: 'out', expanded: false }).click()
    await button('Example data of out').click()
    const table = page.getByRole('region', { name: 'Example data of orders' })
    await table.getByText('<b>7</b>').waitFor()
    assert.equal(await table.getByRole('row').count(), 21)
    await page.getByText('5 more rows available through the API').waitFor()
    assert.deepEqual(await findViolations(page), [])
  })

  step('costs › are added and deleted on the data product', async () => {
    await page.getByRole('link', { name: 'Costs', exact: true }).click()
    await button('Add cost').click()
    const form = page.getByRole('dialog', { name: 'Add cost' })
    await form.getByRole('textbox', { name: 'Name' }).fill('Compute')
    await form.getByRole('spinbutton', { name: 'Amount' }).fill('1240.75')
    await form.getByLabel(/^Month/).fill('2026-03')
    assert.deepEqual(await findViolations(page), [])
    await form.getByRole('button', { name: 'Add cost' }).click()
    const costs = page.getByRole('region', { name: 'All costs' })
    await costs.getByText('€1,240.75').waitFor()
    await costs.getByText('Mar 2026').waitFor()
    assert.deepEqual(await findViolations(page), [])
    await button('Delete Compute, Mar 2026').click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete cost' }).click()
    await page.getByText('No costs yet').waitFor()
  })

  step('notification channels › are added, disabled, edited and deleted on the team', async () => {
    await page.goto(`/teams/${TEAM}`)
    await button('Add channel').click()
    const form = page.getByRole('dialog', { name: 'Add notification channel' })
    await form.getByRole('textbox', { name: 'Name' }).fill('#fleet')
    await form.getByRole('textbox', { name: 'Webhook URL' }).fill('http://hooks.example')
    await form.getByRole('button', { name: 'Add channel' }).click()
    await form.getByText(/begins with "https:\/\/"/).waitFor()
    const address = `https://hooks.example/${SECRET}`
    await form.getByRole('textbox', { name: 'Webhook URL' }).fill(address)
    assert.deepEqual(await findViolations(page), [])
    await form.getByRole('button', { name: 'Add channel' }).click()
    const channels = page.getByRole('region', { name: 'Notification channels of the team' })
    await channels.getByText('Enabled').waitFor()
    assert.ok(!(await channels.innerText()).includes(SECRET))
    assert.deepEqual(await findViolations(page), [])
    await button('Actions of #fleet').click()
    await page.getByRole('menuitem', { name: 'Disable' }).click()
    await channels.getByText('Disabled').waitFor()
    await button('Actions of #fleet').click()
    await page.getByRole('menuitem', { name: 'Edit' }).click()
    const edit = page.getByRole('dialog', { name: 'Edit notification channel' })
    assert.equal(await edit.getByRole('textbox', { name: 'Webhook URL' }).inputValue(), address)
    await edit.getByRole('textbox', { name: 'Name' }).fill('#wagons')
    await edit.getByRole('button', { name: 'Save' }).click()
    await button('Actions of #wagons').click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete channel' }).click()
    await page.getByText('No notification channels').waitFor()
  })

  step('the whole journey › has no console errors or policy violations', () => {
    assert.deepEqual(visitor.problems, [])
  })
})
