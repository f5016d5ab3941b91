/**
 * The additions of ODCS 3.2 and ODPS 1.1, as people see them: registered in the editor, found by a synonym, shown on the pages,
 * and edited in the form.
 */

import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { inBrowser, newVisitor, type Visitor } from './browser.ts'
import { newOrganization, signInQuickly, type Catalog } from './catalog.ts'
import { startJourney } from './journey.ts'
import { lookAt, WIDE } from './looks.ts'
import {
  CONTRACT,
  CONTRACT_TEXT,
  PRODUCT,
  PRODUCT_TEXT,
  READER,
  READER_TEXT,
  SUCCESSOR,
  SUCCESSOR_TEXT,
  TEAM,
} from './newest-steps.ts'

inBrowser('what the standards of 2026 add', (browser) => {
  const step = startJourney(() => visitor)
  let catalog: Catalog
  let visitor: Visitor
  let page: Page

  before(async () => {
    catalog = await newOrganization()
    await catalog.call('PUT', `/api/teams/${TEAM}`, {
      id: TEAM,
      name: 'Passenger care',
      type: 'Team',
    })
    await put(`/api/datacontracts/${SUCCESSOR}`, SUCCESSOR_TEXT)
    visitor = await newVisitor(browser(), catalog.url, WIDE)
    page = visitor.page
    await signInQuickly(visitor, catalog.owner)
  })
  after(() => visitor.close())

  async function put(path: string, text: string): Promise<void> {
    const response = await fetch(`${catalog.url}${path}`, {
      method: 'PUT',
      headers: { 'x-api-key': catalog.key, 'content-type': 'application/yaml' },
      body: text,
    })
    assert.ok(response.ok, await response.text())
  }

  async function requestAndApprove(): Promise<void> {
    const session = await visitor.context.request.get('/ui/session')
    const { user } = await session.json()
    const id = 'consumer'
    const agreement = {
      info: { purpose: 'Reports' },
      provider: { dataProductId: PRODUCT, outputPortId: 'complaints' },
      consumer: { userId: user.id },
    }
    await catalog.call('PUT', `/api/access/${id}`, agreement)
    await catalog.call('POST', `/api/access/${id}/approve`)
  }

  const seePanel = async (title: string, ...texts: string[]): Promise<void> => {
    const panel = page
      .locator('section')
      .filter({ has: page.getByRole('heading', { name: new RegExp(`^${title}\\d*$`) }) })
    for (const text of texts) await panel.getByText(text).first().waitFor()
  }

  const row = (name: string): Locator =>
    page
      .getByRole('row')
      .filter({ has: page.getByRole('gridcell').first().getByText(name, { exact: true }) })

  step(
    'a contract with all additions › is registered in the editor without a warning',
    async () => {
      await page.goto('/data-contracts/new')
      const source = page.getByRole('textbox', { name: 'Source of the data contract' })
      await source.press('Control+a')
      await page.keyboard.insertText(CONTRACT_TEXT)
      await page.getByText('No problems').waitFor()
      await page.getByRole('button', { name: 'Review and save' }).click()
      const dialog = page.getByRole('dialog', { name: 'Review changes' })
      await dialog.getByRole('button', { name: 'Save data contract' }).click()
      await page.getByRole('heading', { name: 'Complaints', level: 1 }).waitFor()
      assert.equal(await catalog.storedYaml(`/api/datacontracts/${CONTRACT}`), CONTRACT_TEXT)
    },
  )

  step('its page › shows questions, constraints and instructions', async () => {
    await seePanel(
      'Guidance',
      'Questions',
      'How many complaints were there last month?',
      'Count the rows of complaint with a journey_day in the month.',
      'No verified answer yet.',
    )
    await seePanel('Guidance', 'Do not', 'Do not join passengers by their name.')
    // Nothing in a context is a variable.
    await seePanel('Guidance', 'Instructions', '${channel} is filled since 2024.')
  })

  step('its fields › show deprecation, synonyms, the vector, values and measures', async () => {
    await row('old_reason').getByText('Deprecated').waitFor()
    await row('old_reason').getByText('Use state instead.').waitFor()
    await row('complaint_archive').getByText('Deprecated').waitFor()
    await row('embedding').getByText('Vector, 1536 × float32').waitFor()
    await row('state').getByText('also disposition').waitFor()
    await row('state').click()
    await page.getByText('No answer was sent yet.').waitFor()
    await page.getByText('The word of the call centre.').waitFor()
    const names = await page.getByRole('row').allInnerTexts()
    const group = names.findIndex((text) => text.includes('Measures and dimensions'))
    assert.ok(group > names.findIndex((text) => text.startsWith('embedding')))
    assert.match(
      names.slice(group).join('\n'),
      /complaints_per_day[\s\S]*count\(\*\)[\s\S]*measure/,
    )
  })

  step('its servers › show variables with their defaults', async () => {
    await page.getByRole('link', { name: 'Servers' }).click()
    await page.getByText('Variable DB_HOST', { exact: true }).waitFor()
    await page.getByText('Variable DB_PORT, default 5432', { exact: true }).waitFor()
  })

  step('a product › shows its deprecation, its successor and its guidance', async () => {
    await put(`/api/dataproducts/${READER}`, READER_TEXT)
    await put(`/api/dataproducts/${PRODUCT}`, PRODUCT_TEXT)
    await page.goto(`/data-products/${PRODUCT}`)
    await page.getByText('This data product is deprecated since version 1').waitFor()
    await page.getByText('Use Punctuality instead').first().waitFor()
    await seePanel('Guidance', 'No, only of passengers.', 'Do not compare years before 2020.')
    await seePanel('Output ports', 'Deprecated', 'Use Passenger feedback instead')
  })

  step(
    'a port › shows its details on demand, by keyboard, and the address keeps them',
    async () => {
      const details = page.getByText('Read it at night.')
      const fold = page.getByRole('button', { name: 'complaints', expanded: false }).first()
      assert.equal(await details.isVisible(), false)
      await fold.focus()
      await page.keyboard.press('Enter')
      await seePanel('Output ports', 'grievances', 'Variable BUCKET', 'Read it at night.')
      await page.getByRole('button', { name: 'Fields of complaints' }).click()
      await seePanel('Output ports', 'Vector, 1536 × float32')
      assert.match(page.url(), /\?port=complaints$/)
      await page.reload()
      await details.waitFor()
      await page.getByRole('button', { name: 'complaints', expanded: true }).click()
      await details.waitFor({ state: 'hidden' })
      assert.equal(new URL(page.url()).search, '')
    },
  )

  step('the search of the browser › opens the port that has the text', async () => {
    const details = page.getByText('Read it at night.')
    const folded = page.locator('[hidden=until-found]').filter({ hasText: 'Read it at night.' })
    // The browser sends this event to what it found.
    await folded.dispatchEvent('beforematch', { bubbles: true })
    await details.waitFor()
  })

  step('lists › show its badge and its successor', async () => {
    for (const path of [
      `/search?query=${PRODUCT}`,
      `/teams/${TEAM}`,
      `/data-products/${READER}/lineage`,
    ]) {
      await page.goto(path)
      const place = page.locator('main')
      await place.getByText('Deprecated').first().waitFor()
      await place.getByText('Use Punctuality instead').first().waitFor()
      await place.getByRole('link', { name: 'Punctuality' }).first().waitFor()
    }
  })

  step('the data of a consumer › show what of them is deprecated, and the advice', async () => {
    await page.goto(`/data-products/${PRODUCT}`)
    await requestAndApprove()
    await page.goto('/my-data')
    const access = page.getByRole('region', { name: 'Access' })
    await access.getByText('Port complaints').waitFor()
    await access.getByText('Read the feedback instead.').waitFor()
    await access.getByText('Use Passenger feedback instead').waitFor()
    await access.getByText('Field complaint.old_reason').waitFor()
    await access.getByText('Use state instead. It is empty since 2025.').waitFor()
  })

  step('the removal of a deprecated field › is breaking, with its announcement', async () => {
    const [before = '', after = ''] = CONTRACT_TEXT.split(
      / {6}- name: old_reason[\s\S]*?(?= {6}- name: state)/,
    )
    await put(`/api/datacontracts/${CONTRACT}`, before + after)
    await page.goto(`/data-contracts/${CONTRACT}/versions`)
    const panel = page.locator('section').filter({ hasText: 'Version 1 to 2' })
    await panel.getByText('breaking').first().waitFor()
    await panel.getByText(/announced in version 1 on \d{4}-\d{2}-\d{2}/).waitFor()
  })

  for (const [name, path] of [
    ['the contract', `/data-contracts/${CONTRACT}`],
    ['its servers', `/data-contracts/${CONTRACT}?view=servers`],
    ['the product', `/data-products/${PRODUCT}`],
    ['its editor', `/data-products/${PRODUCT}/edit`],
  ] as const) {
    step(`${name} › has no violations, light, dark and on a phone`, async () => {
      await lookAt(visitor, path)
    })
  }

  step('a search for a synonym › finds the contract', async () => {
    await page.goto('/search?query=disposition')
    const result = page.getByRole('article').filter({ hasText: 'Complaints' })
    await result.getByText('Synonym').first().waitFor()
  })

  step('the palette › names the synonym by which it found the contract', async () => {
    await page.keyboard.press('Control+k')
    const palette = page.getByRole('dialog', { name: 'Search or jump to' })
    await palette.waitFor()
    await page.keyboard.type('disposition')
    await palette.getByText('synonym disposition').first().waitFor()
  })
})
