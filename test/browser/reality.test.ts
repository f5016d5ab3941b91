/**
 * A contract and its table on the pages: a person chooses the table, sees where it differs, and changes the contract by the
 * proposal; a consumer sees the same without the buttons of the owner.
 */

import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import type { Page } from 'playwright-core'
import { inBrowser, newVisitor, type Visitor } from './browser.ts'
import { newOrganization, signInQuickly, type Catalog } from './catalog.ts'
import { startJourney } from './journey.ts'
import { navigate } from './navigation.ts'
import { acceptInvitation, newSignedInVisitor, productDocument } from './people.ts'

const CONTRACT = 'arrivals'
const PRODUCT = 'timetable'
const TABLE = 'arrivals-of-today'
const REALITY = `/data-contracts/${CONTRACT}?view=reality`

const TEXT = `# Agreed with planning.
apiVersion: v3.1.0
kind: DataContract
id: ${CONTRACT}
name: Arrivals
version: 1.0.0
status: active
team:
  name: yard
servers:
  - server: production
    environment: prod
    type: postgres
    host: db.yard.example
    database: yard
    schema: public
schema:
  - name: arrival
    physicalType: table
    properties:
      - name: train
        logicalType: string
        physicalType: text
      - name: platform   # the last one
        logicalType: string
        physicalType: varchar(3)
`

inBrowser('a contract and its table', (browser) => {
  const step = startJourney(() => visitor)
  let catalog: Catalog
  let visitor: Visitor
  let consumer: Visitor
  let page: Page

  before(async () => {
    catalog = await newOrganization()
    const members = [{ emailAddress: catalog.owner.email, role: 'Owner' }]
    await catalog.call('PUT', '/api/teams/yard', { id: 'yard', name: 'The yard', members })
    const response = await fetch(`${catalog.url}/api/datacontracts/${CONTRACT}`, {
      method: 'PUT',
      headers: { 'x-api-key': catalog.key, 'content-type': 'application/yaml' },
      body: TEXT,
    })
    assert.equal(response.status, 200, await response.text())
    const outputPorts = [{ name: 'arrivals', version: '1.0.0', contractId: CONTRACT }]
    const product = productDocument(PRODUCT, 'yard', { outputPorts })
    await catalog.call('PUT', `/api/dataproducts/${PRODUCT}`, product)
    await catalog.call('PUT', `/api/assets/${TABLE}`, {
      id: TABLE,
      info: { name: TABLE, source: 'postgres', type: 'postgres_table' },
      columns: [{ name: 'train', type: 'text' }],
    })
    visitor = await newVisitor(browser(), catalog.url)
    page = visitor.page
    await signInQuickly(visitor, catalog.owner)
    const person = await acceptInvitation(visitor, catalog, {
      email: `planner-${Date.now()}@velmora.example`,
      name: 'Planner',
    })
    consumer = await newSignedInVisitor(browser(), catalog, person)
  })
  after(async () => {
    await visitor.close()
    await consumer.close()
  })

  step('Reality › a person chooses the table that no rule finds', async () => {
    await page.goto(REALITY)
    await page.getByText('Nothing to compare yet').waitFor()
    await page.getByRole('button', { name: 'Choose a table… for arrival on production' }).click()
    const dialog = page.getByRole('dialog', { name: 'Choose a table' })
    await dialog.getByLabel('Find a table').fill(TABLE)
    await dialog.getByRole('radio', { name: new RegExp(`^${TABLE}`) }).check()
    await dialog.getByLabel('Reason').fill('Its source is not connected.')
    await dialog.getByRole('button', { name: 'Choose', exact: true }).click()
    await page.getByRole('region', { name: 'Differences of arrival' }).waitFor()
  })

  step('Reality › shows the promise beside the table, and the strip that they differ', async () => {
    const row = page.getByRole('row').filter({ hasText: 'Column missing' })
    assert.match(await row.innerText(), /platform[^]*varchar\(3\)[^]*No column/)
    await page.getByRole('list', { name: 'Trust' }).getByText('Differs').waitFor()
  })

  step('Home › counts the product as critical, and names what needs attention', async () => {
    await navigate(page, '/')
    await page
      .getByRole('list', { name: 'Trust of the data products' })
      .getByRole('link', { name: '1 critical' })
      .waitFor()
    await page.getByText('Arrivals differs from its table').waitFor()
  })

  step('data product › a row of a port names what is wrong in one line', async () => {
    await navigate(page, `/data-products/${PRODUCT}`)
    const port = page.getByRole('listitem').filter({ hasText: 'arrivals1.0.0' })
    await port.getByRole('img', { name: /Drift: Differs\. Standing: Open incident\./ }).waitFor()
    assert.equal(
      await port.getByRole('link', { name: 'Differs', exact: true }).getAttribute('href'),
      REALITY,
    )
  })

  step('a consumer › sees difference and incident, and no button of the owner', async () => {
    await consumer.page.goto(REALITY)
    await consumer.page.getByText('Column missing').waitFor()
    assert.equal(await consumer.page.getByRole('link', { name: 'Change the contract' }).count(), 0)
    await navigate(consumer.page, '/incidents')
    await consumer.page.getByText('Column missing: arrival.platform').waitFor()
    assert.equal(await consumer.page.getByRole('button', { name: 'Acknowledge' }).count(), 0)
    await navigate(page, '/incidents')
    await page.getByRole('button', { name: 'Acknowledge' }).waitFor()
  })

  step('Change the contract › opens the editor with the proposal and its plan', async () => {
    await navigate(page, REALITY)
    await page.getByRole('link', { name: 'Change the contract' }).click()
    await page.getByText('The contract, changed to promise what its tables are.').waitFor()
    await page.getByText('Resolves 1 difference from tables').first().waitFor()
    await page.getByText('Column missing: arrival.platform').first().waitFor()
  })

  step('Change the contract › a save resolves the difference and the incident', async () => {
    await page.getByRole('button', { name: 'Review and save' }).click()
    const dialog = page.getByRole('dialog', { name: 'Review changes' })
    await dialog.getByRole('checkbox', { name: /^I understand that this/ }).check()
    await dialog.getByRole('button', { name: 'Save breaking change' }).click()
    await page.getByRole('heading', { name: 'Arrivals', level: 1 }).waitFor()
    const text = await catalog.storedYaml(`/api/datacontracts/${CONTRACT}`)
    const end = TEXT.indexOf('      - name: platform')
    assert.equal(text, TEXT.slice(0, end))
    await navigate(page, REALITY)
    await page.getByText('The table keeps everything that can be compared.').waitFor()
    assert.equal(await page.getByRole('link', { name: 'Change the contract' }).count(), 0)
    await navigate(page, '/incidents?status=resolved')
    await page
      .getByText('Arrivals 1.0.0: the data differ from the contract on production')
      .waitFor()
  })
})
