/**
 * Signing out with unsaved input: a user with input confirms first, or cancels and keeps it. A user
 * without input is not asked.
 */

import assert from 'node:assert/strict'
import { afterEach, before, beforeEach, test } from 'node:test'
import type { Locator } from 'playwright-core'
import { inBrowser, newVisitor, type Visitor } from './browser.ts'
import { signInQuickly } from './catalog.ts'
import { putTeam, newSignedInVisitor, startSite, type Site } from './people.ts'

const TEAM = 'quay'
const QUESTION = 'Sign out and discard unsaved text?'
const TYPED = 'Loads the ships'

inBrowser('signing out', (browser) => {
  let site: Site
  let visitor: Visitor
  before(async () => {
    site = await startSite()
    const owner = await newSignedInVisitor(browser(), site, site.owner)
    await putTeam(owner, TEAM)
    await owner.close()
  })
  beforeEach(async () => {
    visitor = await newVisitor(browser(), site.url)
    await signInQuickly(visitor, site.owner)
  })
  afterEach(async () => {
    const { problems } = visitor
    await visitor.close()
    assert.deepEqual(problems, [])
  })

  const question = (): Locator => visitor.page.getByRole('alertdialog', { name: QUESTION })

  async function typeDescription(): Promise<void> {
    await visitor.page.goto(`/teams/${TEAM}/edit`)
    await visitor.page.getByLabel('Description').fill(TYPED)
  }

  async function askToSignOut(): Promise<void> {
    await visitor.page.getByRole('button', { name: /^Account of/ }).click()
    await visitor.page.getByRole('menuitem', { name: 'Sign out' }).click()
  }

  test('no input › signs out without confirmation', async () => {
    await visitor.page.goto(`/teams/${TEAM}/edit`)
    await askToSignOut()
    await visitor.page.waitForURL('**/sign-in')
    assert.equal(await question().count(), 0)
  })

  test('unsaved input › Cancel keeps the session and the text', async () => {
    await typeDescription()
    await askToSignOut()
    await question().getByRole('button', { name: 'Cancel' }).click()
    await question().waitFor({ state: 'detached' })
    const { page } = visitor
    assert.equal(await page.getByLabel('Description').inputValue(), TYPED)
    assert.ok((await page.request.get('/ui/session')).ok())
  })

  test('unsaved input on another page › also asks for confirmation', async () => {
    await typeDescription()
    const { page } = visitor
    await page.goto('/')
    await page.getByRole('heading', { name: 'Home' }).waitFor()
    await page.keyboard.press('Control+k')
    await page.getByPlaceholder('Search the catalog').fill('sign out')
    await page.getByRole('option', { name: 'Sign out', exact: true }).click()
    await question().getByRole('button', { name: 'Cancel' }).click()
    await page.goto(`/teams/${TEAM}/edit`)
    assert.equal(await page.getByLabel('Description').inputValue(), TYPED)
  })

  test('unsaved input › confirming signs out and discards the text', async () => {
    await typeDescription()
    await askToSignOut()
    await question().getByRole('button', { name: 'Sign out' }).click()
    await visitor.page.waitForURL('**/sign-in')
    await signInQuickly(visitor, site.owner)
    await visitor.page.goto(`/teams/${TEAM}/edit`)
    assert.notEqual(await visitor.page.getByLabel('Description').inputValue(), TYPED)
  })

  test('signing out everywhere › also warns about the unsaved text', async () => {
    await typeDescription()
    const { page } = visitor
    await page.goto('/settings/profile')
    await page.getByRole('button', { name: 'Sign out everywhere', exact: true }).click()
    const warning = page.getByRole('alertdialog')
    await warning.getByText('This tab holds text that you have not saved.').waitFor()
    await warning.getByRole('button', { name: 'Cancel' }).click()
  })
})
