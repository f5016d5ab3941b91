/** An unavailable and an upgraded server, as seen by an open page. */

import assert from 'node:assert/strict'
import type { Page, Route } from 'playwright-core'
import { findViolations } from './axe.ts'
import type { Visitor } from './browser.ts'
import { waitUntilSettled } from './mesh.ts'

const WIDE = { width: 1440, height: 900 }
const SERVER = /\/(static|api|ui)\/|\/healthz$/
// Errors that the browser and React report themselves when a file cannot be loaded.
const EXPECTED = /Failed to load resource|Problem: |Failed to fetch dynamically imported module/

/** Opens a page while the server is unavailable, and waits there until it is back. */
export async function surviveOutage({ page, problems }: Visitor): Promise<void> {
  await page.setViewportSize(WIDE)
  await page.goto('/')
  await waitUntilSettled(page)
  await page.route(SERVER, async (route) => await route.abort())
  await page.getByRole('link', { name: 'Teams', exact: true }).click()
  await page.getByRole('heading', { name: 'This page could not be loaded' }).waitFor()
  await page.getByText('Connection lost. Reconnecting…').waitFor()
  await page.getByRole('button', { name: 'Retry' }).waitFor()
  assert.equal(new URL(page.url()).pathname, '/teams')
  assert.deepEqual(await findViolations(page), [])
  await page.unroute(SERVER)
  // The browser reports that the network is back; otherwise the next retry would be seconds away.
  await page.evaluate("dispatchEvent(new Event('online'))")
  await page.getByText('Back online').waitFor()
  await page.getByRole('heading', { level: 1, name: 'Teams' }).waitFor()
  await waitUntilSettled(page)
  takeExpected(problems)
}

/** Leaves a form with a draft while the server is upgraded, twice. */
export async function surviveUpgrade({ page, problems }: Visitor): Promise<void> {
  await page.setViewportSize(WIDE)
  await page.goto('/teams/new')
  await waitUntilSettled(page)
  await page.getByLabel('Name', { exact: true }).fill('Yard Inspection')
  await upgrade(page)
  await leaveFor(page, 'Assets')
  await page
    .getByText('Portbook was updated and this page was reloaded.', { exact: true })
    .waitFor()
  await page.getByRole('heading', { level: 1, name: 'Assets' }).waitFor()
  await page.goto('/teams/new')
  await waitUntilSettled(page)
  assert.equal(await page.getByLabel('Name', { exact: true }).inputValue(), 'Yard Inspection')
  // The page does not reload again for the same new version, or it would reload forever.
  await upgrade(page)
  await leaveFor(page, 'Integrations')
  await page.getByText('Portbook was updated', { exact: true }).waitFor()
  await page.unrouteAll()
  await page.evaluate('sessionStorage.clear()')
  takeExpected(problems)
}

// Until the page is reloaded, files of the old version do not exist.
async function upgrade(page: Page): Promise<void> {
  let isOld = true
  const answer = async (route: Route, body: string, status: number): Promise<void> => {
    if (route.request().resourceType() === 'document') isOld = false
    await (isOld ? route.fulfill({ status, body, contentType: 'text/html' }) : route.continue())
  }
  await page.route(/\/static\//, async (route) => await answer(route, 'Not found', 404))
  await page.route(
    isDocument,
    async (route) => await answer(route, '<script type="module" src="/static/new.js">', 200),
  )
}

function isDocument(url: URL): boolean {
  return ['/', '/assets', '/integrations', '/teams/new'].includes(url.pathname)
}

async function leaveFor(page: Page, name: string): Promise<void> {
  await page.getByRole('link', { name, exact: true }).click()
  await page.getByRole('button', { name: 'Keep draft and leave' }).click()
}

function takeExpected(problems: string[]): void {
  const others = problems.filter((problem) => !EXPECTED.test(problem))
  problems.length = 0
  assert.deepEqual(others, [])
}
