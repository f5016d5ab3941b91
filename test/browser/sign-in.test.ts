/**
 * Signing in with the form: it continues to the requested page and never to another site, reports
 * errors, throttles attempts, and keeps unsaved input when a session ends or the server restarts.
 */

import assert from 'node:assert/strict'
import { afterEach, before, beforeEach, describe, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { inBrowser, newVisitor, type Visitor } from './browser.ts'
import { signInQuickly, type Person } from './catalog.ts'
import {
  request,
  acceptInvitation,
  productDocument,
  putTeam,
  newSignedInVisitor,
  startSite,
  requestJson,
  type Site,
} from './people.ts'

const TEAM = 'yard'
const FREE_ATTEMPTS = 5

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
    owner = await newSignedInVisitor(browser(), site, site.owner)
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
    await requestJson(owner, 'PUT', `/api/dataproducts/${id}`, productDocument(id, TEAM))
  }

  function recordForeignRequests(): string[] {
    const urls: string[] = []
    visitor.context.on('request', (request) => {
      if (new URL(request.url()).origin !== site.url) urls.push(request.url())
    })
    return urls
  }

  describe('?to= redirects only to pages of the catalog', () => {
    for (const to of ['//evil.example', 'javascript:alert(1)']) {
      test(`signing in with ${to} opens home`, async () => {
        const { page } = visitor
        const foreignRequests = recordForeignRequests()
        await page.goto(`/sign-in?to=${encodeURIComponent(to)}`)
        await fillIn(page, site.owner)
        await page.getByRole('navigation', { name: 'Catalog' }).waitFor()
        assert.equal(page.url(), `${site.url}/`)
        assert.deepEqual(foreignRequests, [])
      })
    }

    test('a signed-in user is redirected by the same rule, however the other site is written', async () => {
      const { page } = visitor
      const foreignRequests = recordForeignRequests()
      await signInQuickly(visitor, site.owner)
      for (const to of FOREIGN) {
        await page.goto(`/sign-in?to=${encodeURIComponent(to)}`)
        await page.waitForURL(`${site.url}/`)
        assert.deepEqual(foreignRequests, [], to)
      }
      await page.goto('/sign-in?to=/settings/profile')
      await page.waitForURL(`${site.url}/settings/profile`)
    })

    test('a requested page opens after signing in, with its query', async () => {
      const { page } = visitor
      const requestedPath = `/search?query=${TEAM}&resourceType=TEAM&resourceType=DATA_PRODUCT`
      await page.goto(requestedPath)
      await page.getByRole('heading', { name: 'Sign in' }).waitFor()
      assert.equal(new URL(page.url()).searchParams.get('to'), requestedPath)
      await fillIn(page, site.owner)
      await page
        .getByRole('link', { name: `Team ${TEAM}` })
        .first()
        .waitFor()
      await page.waitForLoadState('networkidle')
      assert.equal(page.url(), `${site.url}${requestedPath}`)
      // The sign-in form is not in the history.
      await page.goBack()
      assert.doesNotMatch(page.url(), /sign-in/)
    })
  })

  test('a wrong password and an unknown address give the same error; the address is kept, the password cleared', async () => {
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

  test('throttling › shows how long to wait, and the right password has to wait too', async () => {
    const { page } = visitor
    const petra = { email: 'petra.person@velmora.example', name: 'Petra Person' }
    const person = await acceptInvitation(owner, site, petra)
    await page.goto('/sign-in')
    const wrong = { email: person.email, password: 'a wrong password' }
    // Attempts without the page count as well.
    for (let attempt = 0; attempt <= FREE_ATTEMPTS; attempt += 1)
      await request(visitor, 'POST', '/ui/sign-in', wrong)
    // On a slow machine the first waiting times are over before the next request; more attempts wait
    // longer.
    await site.query(
      `update password_guess set guess_count = 20 where guess_count >= ${FREE_ATTEMPTS}`,
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

  test('an expired session › asks for the password in a dialog, and editing continues', async () => {
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

  test('an expired session › a form is submitted as it was after signing in again', async () => {
    const { page } = visitor
    const id = 'drivers'
    await signInQuickly(visitor, site.owner)
    await page.goto('/teams/new')
    await page.getByLabel('Name', { exact: true }).fill(`Crew ${id}`)
    await page.getByLabel('Id', { exact: true }).fill(id)
    await page.getByLabel('Description').fill('Drivers and planners.')
    await site.query('delete from session')
    await page.getByRole('button', { name: 'Create team' }).click()
    const again = page.getByRole('dialog', { name: 'You were signed out' })
    await again.getByLabel('Password', { exact: true }).fill(site.owner.password)
    await page.keyboard.press('Enter')
    await again.waitFor({ state: 'detached' })
    assert.equal(await page.getByText('You were signed out').count(), 0)
    assert.equal(await page.getByLabel('Description').inputValue(), 'Drivers and planners.')
    await page.getByRole('button', { name: 'Create team' }).click()
    await page.getByRole('heading', { level: 1, name: `Crew ${id}` }).waitFor()
    await page.getByText('Drivers and planners.').waitFor()
    await signInQuickly(owner, site.owner)
  })

  test('a restart of the server › keeps the text of the editor and of a form, which can be saved afterwards', async () => {
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
    await form.getByLabel('Description').fill('Typed while the server was down.')
    await form.getByRole('button', { name: 'Create team' }).click()
    await form.getByText('Portbook cannot be reached').waitFor()
    assert.equal(
      await form.getByLabel('Description').inputValue(),
      'Typed while the server was down.',
    )
    await page.getByLabel('Domain').fill('crew')
    await page.getByLabel('Source of the data product').getByText('"crew"').waitFor()
    await site.start()
    await form.getByRole('button', { name: 'Create team' }).click()
    await form.getByRole('heading', { level: 1, name: teamName }).waitFor()

    // A reloaded page restores it.
    await page.reload()
    await page.getByText('Your unsaved changes were restored').waitFor()
    assert.equal(await page.getByLabel('Name', { exact: true }).inputValue(), name)
    assert.equal(await page.getByLabel('Domain').inputValue(), 'crew')
    await page.getByRole('button', { name: 'Review and save' }).click()
    await ready(page, 'Save data product').click()
    await page.getByRole('heading', { level: 1, name }).waitFor()
    // The browser itself reports the failed requests.
    const unexpectedProblems = problems
      .splice(0)
      .filter((one) => !one.includes('ERR_CONNECTION_REFUSED'))
    assert.deepEqual(unexpectedProblems, [])
  })
})

/** Returns a button that is enabled by a response of the server, once it is. */
function ready(place: Page | Locator, name: string): Locator {
  return place.locator('button:not([aria-disabled])').and(place.getByRole('button', { name }))
}

async function fillIn(page: Page, { email, password }: Person): Promise<void> {
  await page.getByLabel('E-mail address').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}
