/** The tour of the demo: each of its best pages is at most two clicks from the first page. */

import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, beforeEach, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { eventually } from '../eventually.ts'
import { inBrowser, newVisitor, type Visitor } from './browser.ts'
import { signInQuickly, shareDemo, type Catalog } from './catalog.ts'
import { FACT_PLACES, seeFact } from './fact-places.ts'
import { navigate } from './navigation.ts'
import { readClipboard } from './people.ts'

const PAN_MS_MAX = 10_000

inBrowser('the demo', (browser) => {
  let catalog: Catalog
  let visitor: Visitor
  let page: Page
  let clickCount = 0
  before(async () => {
    catalog = await shareDemo()
    visitor = await newVisitor(browser(), catalog.url)
    page = visitor.page
    await signInQuickly(visitor, catalog.owner)
  })
  beforeEach(async () => {
    visitor.problems.length = 0
    clickCount = 0
    await page.goto('/')
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor()
  })
  after(() => visitor.close())

  /** Follows the first link on the page whose address starts with `start`, and counts the click. */
  async function follow(start: string, within = 'main'): Promise<void> {
    clickCount += 1
    await page.locator(`${within} a[href^="${start}"]`).first().click()
    await page.waitForURL((url) => `${url.pathname}${url.search}`.startsWith(start))
  }

  const heading = (name: string | RegExp) => page.getByRole('heading', { name })

  /** Defines the test of a page that is at most two clicks from Home. */
  function tour(name: string, walk: () => Promise<void>): void {
    test(`${name} › at most two clicks from Home`, async () => {
      await walk()
      assert.ok(clickCount <= 2, `${clickCount} clicks`)
      assert.deepEqual(visitor.problems, [])
    })
  }

  test('sign-in page › lists three people, fills in the address of one, and shows no password', async () => {
    const guest = await newVisitor(browser(), catalog.url)
    await guest.page.goto('/')
    const people = guest.page.getByRole('region', { name: 'People of this demo' })
    const consumer = people.getByRole('button', { name: /^Noemi Castellani Consumer/ })
    await consumer.click()
    assert.equal(await people.getByRole('button').count(), 3)
    assert.equal(await consumer.getAttribute('aria-pressed'), 'true')
    const address = guest.page.getByLabel('E-mail address')
    assert.equal(await address.inputValue(), 'noemi.castellani@velmora.example')
    const password = guest.page.getByLabel('Password', { exact: true })
    assert.equal(await password.and(guest.page.locator(':focus')).count(), 1)
    assert.doesNotMatch(await guest.page.content(), /demo_\w/)
    assert.deepEqual(guest.problems, [])
    await guest.close()
  })

  test('Home › shows no first steps', async () => {
    await page.locator('main a[href^="/data-products/"]').first().waitFor()
    assert.equal(await heading('First steps').count(), 0)
  })

  test('facts that decide › are at the head of a thing, and in a short form wherever it is named', async () => {
    for (const at of FACT_PLACES) {
      await seeFact(page, at).catch((cause: unknown) => {
        throw new Error(`${at.fact}: ${at.place}, ${at.row ?? at.path}`, { cause })
      })
    }
    assert.deepEqual(visitor.problems, [])
  })

  tour('search with reasons', async () => {
    await follow('/search', 'nav')
    // Home has a field of the same name, which stays until the search page is loaded.
    const results = page.getByRole('region', { name: 'Results' })
    await results.waitFor()
    await page.getByLabel('Search the catalog').fill('customer email')
    await results.locator('mark').first().waitFor()
  })

  tour('data product with its lineage', async () => {
    await follow('/data-products/')
    await heading('Output ports').waitFor()
    await heading(/^Lineage/)
      .first()
      .waitFor()
  })

  tour('lineage on a page of its own, which pans to the node with the focus', async () => {
    await navigate(page, '/data-products/wagon-journeys/lineage?depth=3')
    const cards = page.locator('.react-flow__node')
    const focused = cards.filter({ has: page.locator('[aria-pressed=true]') })
    await eventually(PAN_MS_MAX, () => isInGraph(focused), 'the product is visible')
    const count = await cards.count()
    assert.ok(count > 5, 'the graph has more nodes than fit')
    await page.getByLabel('Steps upstream and downstream').focus()
    for (let at = 0; at < count; at += 1) {
      await page.keyboard.press('Tab')
      const card = cards.filter({ has: page.locator(':focus') })
      await eventually(PAN_MS_MAX, () => isInGraph(card), `stop ${at + 1} is visible`)
    }
  })

  tour('plan of a breaking change', async () => {
    await follow('/data-contracts/crew-duties')
    clickCount += 1
    await page.getByRole('link', { name: 'Edit', exact: true }).click()
    const source = page.getByRole('textbox', { name: 'Source of the data contract' })
    await source.press('Control+a')
    await page.keyboard.insertText(await removeField(catalog, 'crew-duties', 'person_key'))
    await page
      .getByText(/^Breaks /)
      .first()
      .waitFor()
  })

  tour('compare versions', async () => {
    await follow('/data-contracts/crew-duties')
    await follow(`${new URL(page.url()).pathname}/versions`)
    await heading(/version/i)
      .first()
      .waitFor()
  })

  tour('run with changes', async () => {
    clickCount += 1
    await page.getByRole('link', { name: 'Operations warehouse' }).first().click()
    await page.waitForURL(/\/integrations\/operations-warehouse\/runs\//)
    await heading(/^Changes/).waitFor()
    await page.locator('main a[href^="/assets/"]').first().waitFor()
  })

  tour('held deletes', async () => {
    clickCount += 1
    await page.getByRole('link', { name: 'Confirm or reject the deletes' }).click()
    await page
      .getByText(/^24 deletes/)
      .first()
      .waitFor()
  })

  tour('asset that a data product uses', async () => {
    await follow('/data-products/wagon-journeys')
    await follow('/assets/')
    await heading('Used by').waitFor()
    await page.locator('main a[href^="/data-products/wagon-journeys"]').waitFor()
  })

  tour('activity with filters in its address', async () => {
    await follow('/activity')
    const changes = page.getByRole('region', { name: 'Changes', exact: true })
    await changes.getByRole('listitem').first().waitFor()
    const all = await changes.getByText('non-breaking').count()
    await page.getByRole('button', { name: 'Breaking', exact: true }).click()
    await page.waitForURL((url) => url.searchParams.get('level') === 'breaking')
    await changes.getByText('non-breaking').first().waitFor({ state: 'detached' })
    await changes.getByText('Breaking', { exact: true }).first().waitFor()
    assert.ok(all > 0)
    await page.reload()
    await changes.getByText('Breaking', { exact: true }).first().waitFor()
    assert.equal(await changes.getByText('non-breaking').count(), 0)
    const downloading = page.waitForEvent('download')
    await page.getByRole('link', { name: 'Export JSON lines' }).click()
    const file = await downloading
    assert.equal(file.suggestedFilename(), 'activity.jsonl')
    const lines = (await readFile(await file.path(), 'utf8')).trimEnd().split('\n')
    for (const line of lines) assert.match(line, /"level" : "breaking"/)
  })

  tour('products of a domain', async () => {
    await follow('/domains/rail-operations')
    await heading('Rail Operations').waitFor()
    const products = page.getByRole('list', { name: 'Data products' })
    await products.getByRole('link', { name: 'Wagon Journeys' }).first().waitFor()
    assert.equal(await page.getByText('rail-operations', { exact: true }).count(), 0)
  })

  tour('team with inherited roles, and its commands behind a button', async () => {
    await follow('/teams/fleet')
    const members = page.getByRole('region', { name: 'Members of the team' })
    await members.getByRole('link', { name: 'Rail Operations' }).first().waitFor()
    assert.equal(await members.getByText('not in the organization yet').count(), 0)
    assert.equal(await page.getByText('curl').count(), 0)
    await page.getByRole('button', { name: 'Command line' }).click()
    await page
      .getByRole('dialog')
      .getByText(/^curl .* -X PUT/)
      .waitFor()
  })

  tour('integration', async () => {
    await follow('/integrations', 'nav')
    await follow('/integrations/operations-warehouse')
    await heading('Schedule').waitFor()
    await page.getByText('Every day at 05:00').waitFor()
  })

  tour('API reference', async () => {
    await follow('/reference', 'nav')
    await page.getByRole('navigation', { name: /operations/i }).waitFor()
  })

  test('an active agreement › explains how to read the data: address, statement, tools', async () => {
    await navigate(page, '/access/journeys-for-arrival-forecast')
    const card = page.locator('section').filter({ has: heading('Use it') })
    await card.getByText('warehouse.velmora.example', { exact: true }).waitFor()
    await card.getByRole('button', { name: 'Copy: Host' }).click()
    assert.equal(await readClipboard(visitor), 'warehouse.velmora.example')
    await card.getByRole('button', { name: 'Copy: Statement' }).click()
    assert.match(await readClipboard(visitor), /FROM "wagon_journeys_v2"."journey"\nLIMIT 10;$/)
    await card.getByRole('tab', { name: 'psql' }).focus()
    await page.keyboard.press('ArrowRight')
    const panel = card.getByRole('tabpanel', { name: 'JDBC' })
    await panel.getByText('jdbc:postgresql://warehouse.velmora.example:5432/').waitFor()
    await card.getByRole('link', { name: '#wagon-fleet' }).waitFor()
    assert.deepEqual(visitor.problems, [])
  })

  test('an output port › explains how to connect, also without access', async () => {
    await navigate(page, '/data-products/wagon-journeys?port=journeys')
    await page.getByRole('button', { name: 'How to connect to Journeys', exact: true }).click()
    await page.getByText('You have no access. Request access to read the data.').waitFor()
    await page.getByRole('tab', { name: 'psql' }).waitFor()
    assert.deepEqual(visitor.problems, [])
  })

  test('Assets › integrations come before what clients register', async () => {
    await navigate(page, '/assets')
    const names = page.getByRole('row').filter({ hasText: /\d/ })
    await names.first().waitFor()
    assert.match(await names.first().innerText(), /Customer portal/)
  })
})

/** Returns the text of a contract without the lines of a field of its schema. */
async function removeField(catalog: Catalog, id: string, field: string): Promise<string> {
  const text = await catalog.storedYaml(`/api/datacontracts/${id}`)
  const lines = text.split('\n')
  const start = lines.findIndex((line) => line.includes(`- name: ${field}`))
  const indent = lines[start]?.search(/\S/) ?? 0
  const length = lines.slice(start + 1).findIndex((line) => line.search(/\S/) <= indent)
  assert.ok(start !== -1 && length > 0, `the contract ${id} has no field ${field}`)
  return lines.toSpliced(start, length + 1).join('\n')
}

/** Returns whether a node of a graph is completely inside the graph's viewport. */
async function isInGraph(card: Locator): Promise<boolean> {
  if ((await card.count()) !== 1) return false
  return await card.evaluate((element) => {
    const inner = element.getBoundingClientRect()
    const outer = element.closest('.react-flow')?.getBoundingClientRect()
    return (
      outer !== undefined &&
      inner.left >= outer.left &&
      inner.right <= outer.right &&
      inner.top >= outer.top &&
      inner.bottom <= outer.bottom
    )
  })
}
