/** Policies, certifications and tags on their pages: what differs from other records. */

import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import type { Page } from 'playwright-core'
import { eventually } from '../eventually.ts'
import { inBrowser, newVisitor, type Visitor } from './browser.ts'
import { newOrganization, signInQuickly, type Catalog } from './catalog.ts'
import { choose } from './choose.ts'
import { startJourney } from './journey.ts'

const POLICY = '# Rule\n\nKeep **nothing** longer than a year. <script>alert(1)</script>'
const TAG = 'pii/email'
const RENAMED = 'personal/e-mail'
const DEFINITION = 'fleet/driver_number'
const CONTRACT = {
  apiVersion: 'v3.1.0',
  kind: 'DataContract',
  name: 'Drivers',
  version: '1.0.0',
  status: 'active',
  team: { name: 'fleet' },
  schema: [
    {
      name: 'drivers',
      properties: [
        {
          name: 'number',
          logicalType: 'string',
          classification: 'internal',
          authoritativeDefinitions: [
            { type: 'definition', url: `https://catalog.example/definitions/${DEFINITION}` },
          ],
        },
        { name: 'illness', logicalType: 'string', classification: 'SECRET' },
      ],
    },
  ],
}
const PRODUCT = {
  apiVersion: 'v1.0.0',
  kind: 'DataProduct',
  name: 'Drivers',
  status: 'active',
  team: { name: 'fleet' },
  outputPorts: [{ name: 'table', version: '1', contractId: 'drivers' }],
}
const UUID = /^[0-9a-f-]{36}$/
const ID_MS_MAX = 10_000

inBrowser('governance', (browser) => {
  const step = startJourney(() => visitor)
  let catalog: Catalog
  let visitor: Visitor
  let page: Page

  before(async () => {
    catalog = await newOrganization()
    await catalog.call('PUT', '/api/assets/orders', { info: { name: 'Orders' } })
    visitor = await newVisitor(browser(), catalog.url)
    page = visitor.page
    await signInQuickly(visitor, catalog.owner)
  })
  after(() => visitor.close())

  async function save(called: string): Promise<void> {
    await page.getByRole('button', { name: 'Review and save' }).click()
    const dialog = page.getByRole('dialog', { name: 'Review changes' })
    await dialog.getByRole('button', { name: `Save ${called}` }).click()
  }

  step('a policy › is written in Markdown, and shown with its status', async () => {
    await page.goto('/')
    // The groups of the navigation are folded at first.
    await page.getByRole('button', { name: 'Governance' }).click()
    const governance = page.getByRole('list', { name: 'Governance' })
    await governance.getByRole('link', { name: 'Policies' }).click()
    await page.getByRole('link', { name: 'Create policy' }).first().click()
    await page.getByRole('textbox', { name: 'Name' }).fill('Retention')
    await choose(page.getByRole('combobox', { name: 'Status' }), 'Accepted')
    await page.getByRole('textbox', { name: /^Content/ }).fill(POLICY)
    await save('policy')
    await page.waitForURL((url) => url.pathname === '/policies/retention')
    await page.getByRole('heading', { level: 3, name: 'Rule' }).waitFor()
    await page.locator('strong', { hasText: 'nothing' }).waitFor()
    await page.getByText('<script>alert(1)</script>').waitFor()
    await page.getByText('Accepted').waitFor()
  })

  step(
    'a certification › gets an id by itself, and offers no field without an effect',
    async () => {
      await page.goto('/certifications/new')
      await page.getByRole('textbox', { name: 'Name' }).fill('Gold')
      const id = page.getByRole('textbox', { name: 'Id' })
      await eventually(ID_MS_MAX, async () => UUID.test(await id.inputValue()), 'there is a UUID')
      await page.getByRole('textbox', { name: 'Rank' }).fill('1')
      await page.getByRole('textbox', { name: 'Tag', exact: true }).fill('trust/gold')
      await page.keyboard.press('Tab')
      const source = page.getByRole('textbox', { name: /^Source of/ })
      await source.getByText('trust/gold').waitFor()
      await page.getByText('Creates the document').waitFor()
      assert.equal(await page.getByRole('checkbox', { name: 'Restricted' }).count(), 0)
      const uuid = await id.inputValue()
      await save('certification')
      await page.waitForURL((url) => url.pathname === `/certifications/${uuid}`)
      await page.getByRole('heading', { level: 1, name: 'Gold' }).waitFor()
      const stored = await (await catalog.call('GET', `/api/certifications/${uuid}`)).json()
      assert.deepEqual(stored, {
        id: uuid,
        name: 'Gold',
        description: '',
        rank: 1,
        tag: 'trust/gold',
      })
    },
  )

  step(
    'a product with its tag › shows the certification, which is a filter of search',
    async () => {
      await catalog.call('PUT', '/api/teams/fleet', { name: 'Fleet' })
      const product = {
        kind: 'DataProduct',
        apiVersion: 'v1.0.0',
        status: 'active',
        version: '1.0.0',
      }
      const owned = { ...product, name: 'Journeys', team: { name: 'fleet' } }
      await catalog.call('PUT', '/api/dataproducts/journeys', { ...owned, tags: ['trust/gold'] })
      await catalog.call('PUT', '/api/dataproducts/other', { ...owned, name: 'Other' })
      await page.goto('/search?resourceType=DATA_PRODUCT')
      await page.getByRole('link', { name: 'Certified: Gold' }).waitFor()
      const facet = page.getByRole('group', { name: 'Certification' })
      await facet.getByRole('checkbox', { name: /Gold/ }).click()
      await page.waitForURL((url) => url.searchParams.get('tag') === 'trust/gold')
      await page.getByText('1 result').waitFor()
      await page.getByRole('link', { name: 'Journeys', exact: true }).click()
      await page.getByRole('link', { name: /Certified/ }).click()
      await page.getByRole('heading', { level: 1, name: 'Gold' }).waitFor()
    },
  )

  step('a classification scheme › has its tiers in a list', async () => {
    await page.goto('/classification-schemes/new')
    await page.getByRole('textbox', { name: 'Name' }).fill('Protection')
    await page.keyboard.press('Tab')
    // Problems of an earlier check, which disappear, would move the button.
    await page.getByText('Creates the document').waitFor()
    await page.getByRole('button', { name: 'Add classification' }).click()
    const tier = page.getByRole('group', { name: 'Classifications: 1' })
    await tier.getByRole('textbox', { name: 'Name' }).fill('Secret')
    const named = page.getByRole('group', { name: 'Secret' })
    await named.getByRole('textbox', { name: 'External id' }).fill('secret')
    await named.getByRole('textbox', { name: 'Level' }).fill('3')
    await save('classification scheme')
    await page.waitForURL((url) => url.pathname === '/classification-schemes/protection')
    await page.getByRole('rowheader', { name: 'secret', exact: true }).waitFor()
    await page.getByRole('cell', { name: 'Secret', exact: true }).waitFor()
  })

  step(
    'a classification › has the name of its tier, and the highest one is on the product',
    async () => {
      await catalog.call('PUT', '/api/teams/fleet', { name: 'Fleet' })
      await catalog.call('PUT', '/api/datacontracts/drivers', CONTRACT)
      await catalog.call('PUT', '/api/dataproducts/drivers', PRODUCT)
      await page.goto('/data-contracts/drivers')
      await page.getByTitle('Protection: Secret, level 3').first().waitFor()
      await page.goto('/data-products/drivers')
      await page.getByText('Classification', { exact: true }).waitFor()
      await page.getByTitle('Protection: Secret, level 3').waitFor()
    },
  )

  step('a classification › is a facet of the search', async () => {
    await page.goto('/search')
    const filters = page.getByRole('region', { name: 'Filters' })
    await filters.getByRole('checkbox', { name: /^SECRET/ }).check()
    await page.waitForURL((url) => url.searchParams.get('classification') === 'SECRET')
    const results = page.getByRole('region', { name: 'Results' })
    await results.getByRole('link', { name: 'Drivers' }).first().waitFor()
  })

  step('a definition › lists the fields that name it, and they link to it', async () => {
    const term = { title: 'Driver number', owner: 'fleet', type: 'string' }
    await catalog.call('PUT', `/api/definitions/${DEFINITION}`, term)
    await page.goto(`/definitions/${encodeURIComponent(DEFINITION)}`)
    await page.getByRole('heading', { name: 'Where used' }).waitFor()
    await page.getByText('drivers.number').waitFor()
    await page.getByRole('link', { name: 'Drivers' }).click()
    await page.waitForURL((url) => url.pathname === '/data-contracts/drivers')
    const fields = page.getByRole('treegrid', { name: 'Models and their fields' })
    await fields.getByRole('row').filter({ hasText: 'number' }).first().click()
    await page.getByRole('link', { name: DEFINITION }).click()
    await page.getByRole('heading', { level: 1, name: 'Driver number' }).waitFor()
  })

  step('a tag with a slash › is created without an owner, and lists what carries it', async () => {
    await page.goto('/tags/new')
    await page.getByRole('textbox', { name: 'Id' }).fill(TAG)
    await page.getByRole('textbox', { name: /^Description/ }).fill('Addresses of people')
    await save('tag')
    await page.waitForURL((url) => url.pathname === `/tags/${encodeURIComponent(TAG)}`)
    await page.getByRole('heading', { level: 1, name: TAG }).waitFor()
    await page.getByText('This tag is not assigned to any asset.').waitFor()
    await catalog.call('PUT', `/api/assets/orders/assigned-tags/${TAG}`)
    await page.reload()
    await page.getByRole('link', { name: 'Orders' }).waitFor()
    await page.getByRole('link', { name: 'History' }).click()
    await page.getByRole('main').getByRole('link', { name: 'Version 1', exact: true }).waitFor()
  })

  step('renaming it › moves its page and what it is assigned to', async () => {
    await page.getByRole('button', { name: 'Rename' }).click()
    const dialog = page.getByRole('dialog', { name: 'Rename tag' })
    await dialog.getByRole('textbox', { name: 'New id' }).fill(RENAMED)
    await dialog.getByRole('button', { name: 'Rename tag' }).click()
    await page.waitForURL((url) => url.pathname === `/tags/${encodeURIComponent(RENAMED)}`)
    await page.getByRole('heading', { level: 1, name: RENAMED }).waitFor()
    await page.getByRole('link', { name: 'Orders' }).waitFor()
    await page.getByRole('link', { name: 'Edit', exact: true }).click()
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByText('It will be removed from 1 asset').waitFor()
    await page.keyboard.press('Escape')
  })

  step('the whole journey › has no console errors or policy violations', () => {
    assert.deepEqual(visitor.problems, [])
  })
})
