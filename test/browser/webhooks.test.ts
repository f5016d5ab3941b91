/** Webhooks on the pages: creating one, its secret, its ledger, replay, and what disabled it. */

import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import type { Page } from 'playwright-core'
import { eventually } from '../eventually.ts'
import { respond, startReceiver, type WebhookReceiver } from '../webhook-receiver.ts'
import { odps } from '../world.ts'
import { findViolations } from './axe.ts'
import { inBrowser, newVisitor, type Visitor } from './browser.ts'
import { newOrganization, signInQuickly, type Catalog } from './catalog.ts'
import { choose } from './choose.ts'
import { startJourney } from './journey.ts'

inBrowser('webhooks', (browser) => {
  const step = startJourney(() => visitor)
  let catalog: Catalog
  let visitor: Visitor
  let page: Page
  let receiver: WebhookReceiver

  before(async () => {
    receiver = await startReceiver()
    catalog = await newOrganization()
    await catalog.call('PUT', '/api/teams/a', { id: 'a', name: 'Fleet' })
    visitor = await newVisitor(browser(), catalog.url)
    page = visitor.page
    await signInQuickly(visitor, catalog.owner)
  })
  after(async () => {
    await visitor.close()
    await receiver.close()
  })

  const button = (name: string | RegExp) => page.getByRole('button', { name })
  const ledger = () => page.getByRole('region', { name: 'Deliveries' })

  step('an empty list explains what a webhook is', async () => {
    await page.goto('/settings/webhooks')
    await page.getByText('No webhooks yet').waitFor()
    assert.deepEqual(await findViolations(page), [])
  })

  step('the form rejects an address that cannot be one', async () => {
    await button('Create webhook').first().click()
    const dialog = page.getByRole('dialog', { name: 'Create webhook' })
    await dialog.getByLabel('Name').fill('Deploy checks')
    await dialog.getByLabel('URL').fill('ftp://example.com')
    await dialog.getByRole('button', { name: 'Create webhook' }).click()
    await dialog.getByText('must be a URL with https').waitFor()
    assert.deepEqual(await findViolations(page), [])
  })

  step(
    'a webhook of a team is created for chosen events, and its secret is shown once',
    async () => {
      const dialog = page.getByRole('dialog', { name: 'Create webhook' })
      await dialog.getByLabel('URL').fill(`${receiver.url}/hook`)
      await choose(dialog.getByLabel('Belongs to'), 'Fleet')
      await dialog.getByLabel('Chosen events').first().check()
      await dialog.getByRole('group', { name: 'Data product' }).getByLabel('Created').check()
      await dialog.getByRole('button', { name: 'Create webhook' }).click()
      await page.getByRole('heading', { name: 'Webhook "Deploy checks" created' }).waitFor()
      assert.match(
        await page.getByRole('group', { name: 'Secret of the webhook' }).innerText(),
        /whsec_/,
      )
      assert.deepEqual(await findViolations(page), [])
      await button('I have saved it').click()
      await page.getByText('whsec_').waitFor({ state: 'detached' })
      await page.getByRole('link', { name: 'Deploy checks' }).waitFor()
    },
  )

  step('events of the team appear in the ledger', async () => {
    await page.getByRole('link', { name: 'Deploy checks' }).click()
    await page.getByText('No deliveries yet').waitFor()
    const body = odps('journeys', { name: 'Journeys' })
    await catalog.call('PUT', '/api/dataproducts/journeys', body)
    await untilListed('Delivered')
    assert.equal(receiver.requests.length, 1)
  })

  async function untilListed(state: string): Promise<void> {
    const isListed = ledger().getByText(state, { exact: true }).first()
    for (let look = 0; look < 60; look += 1) {
      await button('Refresh').click()
      try {
        await isListed.waitFor({ timeout: 500 })
        return
      } catch {
        // The feed is delayed by transactions of other tests.
      }
    }
    assert.fail(`no delivery is ${state}`)
  }

  step('a delivery shows its payload and its attempts, and can be sent again', async () => {
    await ledger().getByRole('link', { name: 'DataProductCreatedEvent' }).click()
    const dialog = page.getByRole('dialog', { name: 'DataProductCreatedEvent' })
    await dialog.getByText('Status 204').waitFor()
    await dialog.getByText('"subject": "journeys"').waitFor()
    await dialog.getByRole('button', { name: 'Send again' }).click()
    await page.getByText('Delivery is sent again', { exact: true }).waitFor()
    // Otherwise it would get the answer that the next step prepares.
    await eventually(
      30_000,
      async () => receiver.requests.length === 2,
      'the delivery was sent again',
    )
    await dialog.getByRole('button', { name: 'Close' }).click()
  })

  step('a test event that fails shows why, on a phone too', async () => {
    receiver.answer(respond(410, 'no such hook'))
    await page.setViewportSize({ width: 390, height: 844 })
    await button('Send test event').click()
    await page.getByText('Test event sent', { exact: true }).waitFor()
    await untilListed('Failed')
    await page.reload()
    await page.getByText(/Disabled by Portbook on/).waitFor()
    await page
      .getByText(/410 Gone/)
      .first()
      .waitFor()
    assert.deepEqual(await findViolations(page), [])
    const widthPx = await page.evaluate<number>('document.documentElement.scrollWidth')
    assert.ok(widthPx <= 390, 'the page is not wider than the phone')
    await page.setViewportSize({ width: 1280, height: 800 })
  })

  step('the ledger is filtered by state, and a range is replayed', async () => {
    receiver.answer(respond(200))
    await button('Enable').click()
    await page.getByText('Webhook enabled', { exact: true }).waitFor()
    await choose(
      page.getByRole('search', { name: 'Filter deliveries' }).getByLabel('State'),
      'Failed',
    )
    await ledger().getByText('WebhookTestEvent').waitFor()
    await button('Replay').click()
    const dialog = page.getByRole('dialog', { name: 'Replay deliveries' })
    await dialog.getByLabel('From').fill('2026-01-01T00:00')
    await dialog.getByRole('button', { name: 'Replay deliveries' }).click()
    await page.getByText('1 delivery is sent again', { exact: true }).waitFor()
  })

  step('the secret is replaced, and the webhook is deleted', async () => {
    await button('Replace secret').click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Replace secret' }).click()
    await page.getByRole('heading', { name: 'New secret' }).waitFor()
    await button('I have saved it').click()
    await page.getByText('Signs too until').waitFor()
    await button('Delete').click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete webhook' }).click()
    await page.getByText('No webhooks yet').waitFor()
  })

  step('the form that is opened from the page of a team belongs to the team', async () => {
    await page.goto('/teams/a')
    await page.getByRole('link', { name: 'Add webhook' }).click()
    const dialog = page.getByRole('dialog', { name: 'Create webhook' })
    await dialog.getByLabel('Name').waitFor()
    assert.equal(await dialog.getByLabel('Belongs to').inputValue(), 'Fleet')
    assert.deepEqual(await findViolations(page), [])
  })
})
