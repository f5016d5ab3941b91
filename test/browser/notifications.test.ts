/** A data product is followed on its page, appears on the home page, and notifies of a breaking change. */

import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import type { Page } from 'playwright-core'
import { eventually } from '../eventually.ts'
import { inBrowser, newVisitor, type Visitor } from './browser.ts'
import { signInQuickly, startCatalog, type Catalog } from './catalog.ts'
import { startJourney } from './journey.ts'

const PRODUCT = 'wagon-positions'

inBrowser('notifications', (browser) => {
  const step = startJourney(() => visitor)
  let catalog: Catalog
  let visitor: Visitor
  let page: Page

  before(async () => {
    catalog = await startCatalog()
    await catalog.call('PUT', '/api/teams/telematics', { id: 'telematics', name: 'Telematics' })
    await catalog.call('PUT', `/api/dataproducts/${PRODUCT}`, {
      apiVersion: 'v1.0.0',
      kind: 'DataProduct',
      id: PRODUCT,
      name: 'Wagon positions',
      status: 'active',
      description: { purpose: 'The position of every wagon, each minute' },
      team: { name: 'telematics' },
    })
    visitor = await newVisitor(browser(), catalog.url)
    page = visitor.page
    await signInQuickly(visitor, catalog.owner)
  })
  after(() => visitor.close())

  // The catalog finds recipients in the background.
  async function untilUnread(count: number): Promise<void> {
    const isSo = (): Promise<boolean> =>
      page.evaluate(async (expected) => {
        const answer = (await (await fetch('/ui/notifications/unread')).json()) as { count: number }
        return answer.count === expected
      }, count)
    await eventually(30_000, isSo, `${count} unread notifications`)
  }

  const button = (name: string) => page.getByRole('button', { name, exact: true })

  const putPorts = (...names: readonly string[]) =>
    catalog.call('PUT', `/api/dataproducts/${PRODUCT}`, {
      apiVersion: 'v1.0.0',
      kind: 'DataProduct',
      id: PRODUCT,
      name: 'Wagon positions <b>&amp;',
      status: 'active',
      team: { name: 'telematics' },
      outputPorts: names.map((name) => ({ name, version: '1' })),
    })

  step('the page of a product › follows it with the keyboard, and shows the number', async () => {
    await page.goto(`/data-products/${PRODUCT}`)
    await button('Follow 0').press('Enter')
    await button('Following 1').waitFor()
  })

  step('the home page › lists the followed product', async () => {
    await page.goto('/')
    const heading = page.getByRole('heading', { name: 'Followed' })
    const panel = page.locator('section').filter({ has: heading })
    await panel.getByRole('link', { name: 'Wagon positions' }).click()
    await page.waitForURL((url) => url.pathname === `/data-products/${PRODUCT}`)
  })

  step(
    'the bell › counts a breaking change, and leads to the comparison of its versions',
    async () => {
      await putPorts('live', 'history')
      await putPorts('live')
      await untilUnread(1)
      await page.reload()
      await button('Notifications, 1 unread').click()
      const bell = page.getByRole('dialog', { name: 'Newest notifications' })
      await bell.getByText('Unread').waitFor()
      await bell.getByRole('link', { name: 'Breaking change of Wagon positions <b>&amp;' }).click()
      await page.waitForURL((url) => url.pathname === `/data-products/${PRODUCT}/versions`)
      assert.equal(new URL(page.url()).searchParams.get('from'), '2')
      await button('Notifications').waitFor()
    },
  )

  step('the page of notifications › filters them, and marks all as read', async () => {
    await putPorts()
    await untilUnread(1)
    await page.goto('/notifications')
    const list = page.getByRole('region', { name: 'List' })
    await list.getByRole('listitem').nth(1).waitFor()
    await page.getByLabel('Unread only').check()
    await list.getByRole('listitem').nth(1).waitFor({ state: 'detached' })
    await button('Mark all as read').click()
    await list.getByText('No notifications match').waitFor()
  })

  step('the settings › switch a kind off, and nothing arrives', async () => {
    await page.goto('/settings/notifications')
    await page.getByText('E-mail is off').waitFor()
    assert.ok(await page.getByRole('combobox', { name: 'Deleted by e-mail' }).isDisabled())
    const box = page.getByRole('checkbox', { name: 'Breaking change on the page' })
    const stored = page.waitForResponse((response) => response.request().method() === 'PUT')
    // Its state changes with the next rendering, which `uncheck` does not wait for.
    await box.click()
    await stored
    await page.reload()
    assert.equal(await box.isChecked(), false)
    await putPorts('a')
    await putPorts('b')
    // The deletion is a notification of another kind, and comes after both changes.
    await catalog.call('DELETE', `/api/dataproducts/${PRODUCT}`)
    await untilUnread(1)
  })

  step('a search › is followed on its page and ended in the settings', async () => {
    await page.goto('/search?query=wagon&resourceType=DATA_PRODUCT')
    await button('Follow this search').click()
    await button('Following').waitFor()
    await page.goto('/settings/notifications')
    const row = page.getByRole('row', { name: /wagon/ })
    await row.getByRole('button', { name: /Unfollow/ }).click()
    await row.waitFor({ state: 'detached' })
  })

  step('the whole journey › has no console errors or policy violations', () => {
    assert.deepEqual(visitor.problems, [])
  })
})
