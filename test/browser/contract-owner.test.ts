/**
 * A data contract without an owner: an organization owner finds it and sets one; the document stays the
 * same.
 */

import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import type { Page } from 'playwright-core'
import { inBrowser, newVisitor, type Visitor } from './browser.ts'
import { signInQuickly, newOrganization, type Catalog } from './catalog.ts'
import { choose } from './choose.ts'
import { startJourney } from './journey.ts'
import { navigate } from './navigation.ts'

const CONTRACT = 'unclaimed'

const TEXT = `apiVersion: v3.1.0
kind: DataContract
id: ${CONTRACT}
name: Unclaimed orders
version: 1.0.0
status: active   # since March
schema: []
`

inBrowser('a data contract without an owner', (browser) => {
  const step = startJourney(() => visitor)
  let catalog: Catalog
  let visitor: Visitor
  let page: Page

  before(async () => {
    catalog = await newOrganization()
    await catalog.call('PUT', '/api/teams/yard', { id: 'yard', name: 'The yard' })
    const response = await fetch(`${catalog.url}/api/datacontracts/${CONTRACT}`, {
      method: 'PUT',
      headers: { 'x-api-key': catalog.key, 'content-type': 'application/yaml' },
      body: TEXT,
    })
    assert.equal(response.status, 200, await response.text())
    visitor = await newVisitor(browser(), catalog.url)
    page = visitor.page
    await signInQuickly(visitor, catalog.owner)
  })
  after(() => visitor.close())

  step('the home page › reports the missing owner and links to the contract', async () => {
    await page.goto('/')
    await page.getByText('1 data contract without an owner').waitFor()
    await page.getByRole('link', { name: 'Set the owner' }).click()
    await page.getByRole('heading', { name: 'Unclaimed orders' }).waitFor()
    await page.getByText('No owner', { exact: true }).waitFor()
  })

  step('the search › finds it by the facet Team and by its URL', async () => {
    await navigate(page, '/search?resourceType=DATA_CONTRACT')
    await page.getByRole('checkbox', { name: /^No owner/ }).check()
    await page.waitForURL(/teamId=(?:&|$)/)
    await page.getByRole('link', { name: 'Unclaimed orders' }).waitFor()
    await page.reload()
    assert.ok(await page.getByRole('checkbox', { name: /^No owner/ }).isChecked())
  })

  step('its page › lets an organization owner set the owner', async () => {
    await navigate(page, `/data-contracts/${CONTRACT}`)
    await page.getByRole('button', { name: 'Set owner' }).click()
    const dialog = page.getByRole('dialog', { name: 'Set owner' })
    await choose(dialog.getByRole('combobox', { name: 'Team' }), 'The yard')
    await dialog.getByRole('button', { name: 'Set owner' }).click()
    await page.getByRole('link', { name: 'The yard' }).first().waitFor()
    assert.equal(await page.getByText('No owner', { exact: true }).count(), 0)
    assert.equal(await catalog.storedYaml(`/api/datacontracts/${CONTRACT}`), TEXT)
    await page.reload()
    await page.getByRole('link', { name: 'The yard' }).first().waitFor()
  })
})
