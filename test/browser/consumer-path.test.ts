/**
 * The path of a consumer through the demo: from a question to data, to the notice of a change and a renewal, without
 * waiting for anything. Clicks and fields are counted.
 */

import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { inBrowser, type Visitor } from './browser.ts'
import { shareDemo, type Catalog, type Person } from './catalog.ts'
import { newSignedInVisitor } from './people.ts'

const CLICKS_MAX = 12
const FIELDS_MAX = 3
const DECISION_CLICKS_MAX = 3

const QUESTION = 'where are my trains'

/** A person in front of the pages, with the number of clicks and of filled fields. */
class Counted {
  clicks = 0
  fields = 0
  readonly #visitor: Visitor

  constructor(visitor: Visitor) {
    this.#visitor = visitor
  }

  get page(): Page {
    return this.#visitor.page
  }

  async click(target: Locator): Promise<void> {
    this.clicks += 1
    await target.click()
  }

  async fill(target: Locator, text: string): Promise<void> {
    this.fields += 1
    await target.fill(text)
  }

  async heading(name: string | RegExp): Promise<void> {
    await this.page.getByRole('heading', { level: 1, name }).waitFor()
  }

  async close(): Promise<void> {
    const { problems } = this.#visitor
    await this.#visitor.close()
    assert.deepEqual(problems, [])
  }
}

inBrowser('the path of a consumer', (browser) => {
  let catalog: Catalog
  before(async () => {
    catalog = await shareDemo()
  })

  async function open(person: Person | undefined): Promise<Counted> {
    if (person === undefined) throw new Error('the demo lacks a person')
    const visitor = await newSignedInVisitor(browser(), catalog, person)
    await visitor.page.goto('/')
    return new Counted(visitor)
  }

  test('question, product, request, decision, connection, notice of a change and renewal › in 12 clicks and 3 fields', async () => {
    const consumer = await open(catalog.people[1])
    const owner = await open(catalog.people[0])
    await requestAccess(consumer)
    await approve(owner)
    await copyConnection(consumer)
    await readChange(consumer)
    await renew(consumer)
    assert.ok(consumer.clicks <= CLICKS_MAX, `${consumer.clicks} clicks`)
    assert.ok(consumer.fields <= FIELDS_MAX, `${consumer.fields} fields`)
    assert.ok(owner.clicks <= DECISION_CLICKS_MAX, `${owner.clicks} clicks of the owner`)
    assert.equal(owner.fields, 0)
    await consumer.close()
    await owner.close()
  })
})

/** Asks a question on the first page, and requests access to the product that answers it. */
async function requestAccess(consumer: Counted): Promise<void> {
  const { page } = consumer
  await consumer.fill(page.getByRole('main').getByLabel('Search the catalog'), QUESTION)
  await consumer.click(page.getByRole('main').getByRole('button', { name: 'Search' }))
  const results = page.getByRole('region', { name: 'Results' })
  await consumer.click(results.getByRole('link', { name: 'Train Movements' }).first())
  await consumer.heading('Train Movements')
  await consumer.click(page.getByRole('link', { name: 'Request access to Running events' }))
  await consumer.heading('Request access')
  const purpose = page.getByLabel('Purpose')
  await consumer.fill(purpose, 'Answer customers who wait for a train.')
  await consumer.click(page.getByRole('button', { name: 'Request access' }))
  await page.getByRole('heading', { name: 'Access requested' }).waitFor()
}

/** Decides on the request, from the first page of the owner. */
async function approve(owner: Counted): Promise<void> {
  const { page } = owner
  await page.goto('/')
  await owner.click(page.getByRole('link', { name: 'Decide on the requests' }))
  const request = page
    .getByRole('listitem')
    .filter({ hasText: 'Answer customers who wait for a train.' })
  await owner.click(request.getByRole('button', { name: /^Approve/ }))
  const dialog = page.getByRole('dialog')
  await owner.click(dialog.getByRole('button', { name: /^Approve/ }))
  await dialog.waitFor({ state: 'detached' })
}

/** Opens the agreement, and copies what connects to the data. */
async function copyConnection(consumer: Counted): Promise<void> {
  const { page } = consumer
  await consumer.click(page.getByRole('main').getByRole('link', { name: /^Train Movements/ }))
  await consumer.heading(/^Train Movements/)
  const card = page
    .locator('section')
    .filter({ has: page.getByRole('heading', { name: 'Use it' }) })
  await card.getByText('broker.velmora.example').first().waitFor()
  await consumer.click(card.getByRole('button', { name: /^Copy/ }).first())
}

/** Opens an agreement whose contract has changed in a breaking way since. */
async function readChange(consumer: Counted): Promise<void> {
  const { page } = consumer
  await consumer.click(page.getByRole('link', { name: 'My data' }).first())
  const changed = page
    .getByRole('listitem')
    .filter({ hasText: 'Train Movements' })
    .filter({ hasText: 'Breaking change since approval' })
  await consumer.click(changed.getByRole('link', { name: /^Train Movements/ }).first())
  await consumer.heading(/^Train Movements/)
  await page.getByText('The contract has a breaking change since the approval').waitFor()
  await consumer.click(page.getByRole('link', { name: 'Compare versions' }))
  await page.getByText('time_source').first().waitFor()
}

/** Requests the renewal of access that ends soon. */
async function renew(consumer: Counted): Promise<void> {
  const { page } = consumer
  await consumer.click(page.getByRole('link', { name: 'My data' }).first())
  const ending = page.getByRole('listitem').filter({ hasText: 'Ends in 10 days' })
  await consumer.click(ending.getByRole('link', { name: /^Renew/ }))
  await consumer.heading('Request access')
  await consumer.click(page.getByRole('button', { name: 'Request access' }))
  await page.getByRole('heading', { name: 'Access requested' }).waitFor()
}
