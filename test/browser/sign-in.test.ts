/**
 * Signing in by hand: it leads to where one wanted to go and to nobody else's site, tells what is
 * wrong, limits guessing, and neither the end of a session nor a restart takes what was typed.
 */

import assert from 'node:assert/strict'
import { afterEach, before, beforeEach, describe, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { inBrowser, newVisitor, type Visitor } from './browser.ts'
import { signInQuickly, type Person } from './catalog.ts'
import {
  ask,
  invitedBy,
  productDocument,
  putTeam,
  signedIn,
  startSite,
  told,
  type Site,
} from './people.ts'

const TEAM = 'yard'
const FREE_GUESSES = 5

const FOREIGN = [
  '//evil.example',
  'https://evil.example/',
  '/\\evil.example',
  '\\\\evil.example',
  '/\t/evil.example',
  '/.//evil.example',
  'javascript:alert(1)',
  'data:text/html,evil',
  'evil.example',
  '/sign-in?to=//evil.example',
]

inBrowser('signing in', (browser) => {
  let site: Site
  let owner: Visitor
  let visitor: Visitor
  before(async () => {
    site = await startSite()
    owner = await signedIn(browser(), site, site.owner)
    await putTeam(owner, TEAM)
  })
  beforeEach(async () => {
    visitor = await newVisitor(browser(), site.url)
  })
  afterEach(async () => {
    const { problems } = visitor
    await visitor.close()
    assert.deepEqual(problems, [])
  })

  async function putProduct(id: string): Promise<void> {
    await told(owner, 'PUT', `/api/dataproducts/${id}`, productDocument(id, TEAM))
  }

  function requestsElsewhere(): string[] {
    const found: string[] = []
    visitor.context.on('request', (request) => {
      if (new URL(request.url()).origin !== site.url) found.push(request.url())
    })
    return found
  }

  describe('?to= leads only to our own pages', () => {
    for (const to of ['//evil.example', 'javascript:alert(1)']) {
      test(`who signs in with ${to} arrives at home`, async () => {
        const { page } = visitor
        const elsewhere = requestsElsewhere()
        await page.goto(`/sign-in?to=${encodeURIComponent(to)}`)
        await fillIn(page, site.owner)
        await page.getByRole('navigation', { name: 'Catalog' }).waitFor()
        assert.equal(page.url(), `${site.url}/`)
        assert.deepEqual(elsewhere, [])
      })
    }

    test('who is signed in is led on by the same rule, however the other site is written', async () => {
      const { page } = visitor
      const elsewhere = requestsElsewhere()
      await signInQuickly(visitor, site.owner)
      for (const to of FOREIGN) {
        await page.goto(`/sign-in?to=${encodeURIComponent(to)}`)
        await page.waitForURL(`${site.url}/`)
        assert.deepEqual(elsewhere, [], to)
      }
      await page.goto('/sign-in?to=/settings/profile')
      await page.waitForURL(`${site.url}/settings/profile`)
    })

    test('who asked for a page comes back to it with its query, and stays there', async () => {
      const { page } = visitor
      const asked = `/search?query=${TEAM}&resourceType=TEAM&resourceType=DATA_PRODUCT`
      await page.goto(asked)
      await page.getByRole('heading', { name: 'Sign in' }).waitFor()
      assert.equal(new URL(page.url()).searchParams.get('to'), asked)
      await fillIn(page, site.owner)
      await page
        .getByRole('link', { name: `Team ${TEAM}` })
        .first()
        .waitFor()
      await page.waitForLoadState('networkidle')
      assert.equal(page.url(), `${site.url}${asked}`)
      // The form that is done is nowhere on the way back.
      await page.goBack()
      assert.doesNotMatch(page.url(), /sign-in/)
    })
  })

  test('a wrong password and an unknown address are told alike; the address stays, the password goes', async () => {
    const { page } = visitor
    await page.goto('/sign-in')
    for (const email of [site.owner.email, 'nobody@velmora.example']) {
      await fillIn(page, { email, password: 'not the right one' })
      const alert = page.getByRole('alert')
      await alert.getByText('Wrong e-mail address or password').waitFor()
      assert.match(await alert.innerText(), /Check both and try again\./)
      assert.equal(await page.getByLabel('E-mail address').inputValue(), email)
      assert.equal(await page.getByLabel('Password', { exact: true }).inputValue(), '')
      await page.reload()
    }
  })

  test('guessing › the page says how long to wait, and the right password has to wait too', async () => {
    const { page } = visitor
    const petra = { email: 'petra.person@velmora.example', name: 'Petra Person' }
    const person = await invitedBy(owner, site, petra)
    await page.goto('/sign-in')
    const wrong = { email: person.email, password: 'a guess, and not a good one' }
    // What guesses beside the page counts as well.
    for (let guess = 0; guess <= FREE_GUESSES; guess += 1)
      await ask(visitor, 'POST', '/ui/sign-in', wrong)
    // The first waits are over before a slow machine has asked; who guesses on waits longer.
    await site.query(
      `update password_guess set guess_count = 20 where guess_count >= ${FREE_GUESSES}`,
    )
    await fillIn(page, person)
    const alert = page.getByRole('alert')
    await alert.getByText('Too many attempts').waitFor()
    assert.match(
      await alert.innerText(),
      /Try again in .+, at .+\. Until then, even the correct password/,
    )
    assert.match(page.url(), /\/sign-in$/)
  })

  test('the end of a session › the password is asked for over the page, and the edit goes on', async () => {
    const { page } = visitor
    const id = 'brakes'
    await putProduct(id)
    const name = 'Brakes of all wagons'
    await signInQuickly(visitor, site.owner)
    await page.goto(`/data-products/${id}/edit`)
    await page.getByLabel('Name', { exact: true }).fill(name)
    await page.getByRole('button', { name: 'Review and save' }).click()
    const review = page.getByRole('dialog', { name: 'Review changes' })
    await ready(review, 'Save data product').waitFor()
    await site.query('delete from session')
    await ready(page, 'Save data product').click()
    const again = page.getByRole('dialog', { name: 'You were signed out' })
    await again.getByLabel('Password', { exact: true }).fill('not the right one')
    await again.getByRole('button', { name: 'Sign in' }).click()
    await again.getByRole('alert').waitFor()
    await again.getByLabel('Password', { exact: true }).fill(site.owner.password)
    await again.getByRole('button', { name: 'Sign in' }).click()
    await again.waitFor({ state: 'detached' })
    const notice = page.getByRole('alert').filter({ hasText: 'You were signed out' })
    await notice.waitFor({ state: 'detached' })
    await ready(page, 'Save data product').click()
    await page.getByRole('heading', { level: 1, name }).waitFor()
    assert.equal(new URL(page.url()).pathname, `/data-products/${id}`)
    await signInQuickly(owner, site.owner)
  })

  test('the end of a session › a form is sent after signing in again, as it was filled in', async () => {
    const { page } = visitor
    const id = 'drivers'
    await signInQuickly(visitor, site.owner)
    await page.goto('/teams/new')
    await page.getByLabel('Name', { exact: true }).fill(`Crew ${id}`)
    await page.getByLabel('Id', { exact: true }).fill(id)
    await page.getByLabel('Description').fill('Whoever drives, and who plans it.')
    await site.query('delete from session')
    await page.getByRole('button', { name: 'Create team' }).click()
    const again = page.getByRole('dialog', { name: 'You were signed out' })
    await again.getByLabel('Password', { exact: true }).fill(site.owner.password)
    await page.keyboard.press('Enter')
    await again.waitFor({ state: 'detached' })
    assert.equal(await page.getByText('You were signed out').count(), 0)
    assert.equal(
      await page.getByLabel('Description').inputValue(),
      'Whoever drives, and who plans it.',
    )
    await page.getByRole('button', { name: 'Create team' }).click()
    await page.getByRole('heading', { level: 1, name: `Crew ${id}` }).waitFor()
    await page.getByText('Whoever drives, and who plans it.').waitFor()
    await signInQuickly(owner, site.owner)
  })

  test('a restart of the server › the text of the editor and a half-filled form are still there, and can be saved', async () => {
    const { page, context, problems } = visitor
    const id = 'wheels'
    await putProduct(id)
    await signInQuickly(visitor, site.owner)
    const name = 'Wheels of all wagons'
    const teamName = 'Night crew'
    const form = await context.newPage()
    await form.goto('/teams/new')
    await form.getByLabel('Name', { exact: true }).fill(teamName)
    await page.goto(`/data-products/${id}/edit`)
    await page.getByLabel('Name', { exact: true }).fill(name)
    await page.getByLabel('Source of the data product').getByText(name).waitFor()
    await site.stop()
    await form.getByLabel('Description').fill('Typed while nobody answered.')
    await form.getByRole('button', { name: 'Create team' }).click()
    await form.getByText('Portbook cannot be reached').waitFor()
    assert.equal(await form.getByLabel('Description').inputValue(), 'Typed while nobody answered.')
    await page.getByLabel('Domain').fill('crew')
    await page.getByLabel('Source of the data product').getByText('"crew"').waitFor()
    await site.start()
    await form.getByRole('button', { name: 'Create team' }).click()
    await form.getByRole('heading', { level: 1, name: teamName }).waitFor()

    // A page that is loaded anew finds it again.
    await page.reload()
    await page.getByText('Your unsaved changes were restored').waitFor()
    assert.equal(await page.getByLabel('Name', { exact: true }).inputValue(), name)
    assert.equal(await page.getByLabel('Domain').inputValue(), 'crew')
    await page.getByRole('button', { name: 'Review and save' }).click()
    await ready(page, 'Save data product').click()
    await page.getByRole('heading', { level: 1, name }).waitFor()
    // The browser says by itself that nobody answered.
    const told = problems.splice(0).filter((one) => !one.includes('ERR_CONNECTION_REFUSED'))
    assert.deepEqual(told, [])
  })
})

/** A button that waits for an answer of the server before it can be used, once it can. */
function ready(place: Page | Locator, name: string): Locator {
  return place.locator('button:not([aria-disabled])').and(place.getByRole('button', { name }))
}

async function fillIn(page: Page, { email, password }: Person): Promise<void> {
  await page.getByLabel('E-mail address').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}
