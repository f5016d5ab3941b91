/**
 * A user in two organizations: switching changes all content, nothing of the other organization leaks,
 * a link into the other one offers to switch, and signing out ends a session for good.
 */

import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { inBrowser, newVisitor, type Visitor } from './browser.ts'
import { signIn } from './catalog.ts'
import { navigate, waitUntilQuiet } from './navigation.ts'
import {
  request,
  productDocument,
  putTeam,
  newSignedInVisitor,
  startSite,
  requestJson,
  type Site,
} from './people.ts'

const COOKIE = '__Host-portbook-session'

/** The test's data in an organization; each of its texts contains the organization's mark. */
interface Side {
  id: string
  name: string
  mark: string
  product: string
}

inBrowser('organizations', (browser) => {
  let site: Site
  let visitor: Visitor
  let first: Side
  let second: Side
  before(async () => {
    site = await startSite()
    visitor = await newSignedInVisitor(browser(), site, site.owner)
    const { organization } = await requestJson<{ organization: { id: string; name: string } }>(
      visitor,
      'GET',
      '/ui/session',
    )
    first = await fill(organization, 'mulberry')
  })

  /** Puts a team, a product and a key into an organization. */
  async function fill({ id, name }: Pick<Side, 'id' | 'name'>, mark: string): Promise<Side> {
    const product = `wagons-${mark}`
    await putTeam(visitor, `team-${mark}`, [], id)
    const document = productDocument(product, `team-${mark}`)
    await requestJson(visitor, 'PUT', `/api/dataproducts/${product}`, document, id)
    const key = { scope: 'organization', displayName: `Key ${mark}` }
    await requestJson(visitor, 'POST', '/ui/api-keys', key, id)
    return { id, name, mark, product }
  }

  /** Switches with the menu at the top left. */
  async function switchTo({ name }: Side): Promise<void> {
    const { page } = visitor
    await page.getByRole('button', { name: 'Switch organization' }).click()
    await page.getByRole('menuitem', { name, exact: true }).click()
    await page.getByRole('button', { name: `${name} Switch organization` }).waitFor()
  }

  /** Visits the pages with lists: they contain only data of the current organization. */
  async function assertOnlyContent(current: Side, other: Side): Promise<void> {
    const { page } = visitor
    const places = [
      ['Home', current.product],
      ['Data products', current.product],
      ['Teams', `team-${current.mark}`],
      ['API keys', `Key ${current.mark}`],
    ] as const
    for (const [place, expected] of places) {
      await page
        .getByRole('navigation', { name: 'Catalog' })
        .getByRole('link', { name: place })
        .click()
      await page.getByRole('main').getByText(expected).first().waitFor()
      await page.waitForLoadState('networkidle')
      assert.doesNotMatch(await page.locator('body').innerText(), new RegExp(other.mark), place)
    }
    await navigate(page, `/search?query=${other.mark}`)
    await page.getByRole('main').getByText('No results', { exact: true }).first().waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog').getByRole('combobox').fill(other.mark)
    await page
      .getByText(/nothing|no /i)
      .first()
      .waitFor()
    await page.waitForLoadState('networkidle')
    const options = (await page.getByRole('option').allInnerTexts()).map((text) => text.trim())
    assert.deepEqual(options, [`Search for "${other.mark}"`])
    await page.keyboard.press('Escape')
  }

  test('a new organization › is empty, with the user as its owner', async () => {
    const { page } = visitor
    const name = 'Second Quay'
    await page.goto('/')
    await page.getByRole('button', { name: 'Switch organization' }).click()
    await page.getByRole('menuitem', { name: 'New organization' }).click()
    await page.getByRole('dialog').getByLabel('Name').fill(name)
    await page.getByRole('button', { name: 'Create organization' }).click()
    await page.getByRole('button', { name: `${name} Switch organization` }).waitFor()
    await page.getByText('First steps').waitFor()
    assert.doesNotMatch(await page.locator('body').innerText(), new RegExp(first.mark))
    const { organizations } = await requestJson<{
      organizations: { id: string; name: string; role: string }[]
    }>(visitor, 'GET', '/ui/session')
    const made = organizations.find((one) => one.name === name)
    assert.equal(made?.role, 'Owner')
    await page.getByRole('button', { name: 'Hide the first steps' }).click()
    await page.reload()
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor()
    await page.waitForLoadState('networkidle')
    assert.equal(await page.getByText('First steps').count(), 0)
    second = await fill({ id: made?.id ?? '', name }, 'saxophone')
  })

  test('switching › changes home, lists, search, palette and keys, in both directions', async () => {
    await visitor.page.reload()
    await assertOnlyContent(second, first)
    await switchTo(first)
    assert.equal(visitor.page.url(), `${site.url}/`)
    await assertOnlyContent(first, second)
    assert.deepEqual(visitor.problems, [])
  })

  test('switching › keeps unsaved input in its organization and restores it there', async () => {
    const { page } = visitor
    const name = 'Typed in the first'
    await page.goto('/data-products/new')
    await page.getByLabel('Name', { exact: true }).fill(name)
    await page.getByLabel('Source of the data product').getByText(name).waitFor()
    await switchTo(second)
    await page.getByText(`Product ${second.product}`).first().waitFor()
    await page.goto('/data-products/new')
    await page.getByLabel('Name', { exact: true }).waitFor()
    assert.equal(await page.getByLabel('Name', { exact: true }).inputValue(), '')
    await switchTo(first)
    await page.getByText(`Product ${first.product}`).first().waitFor()
    await page.goto('/data-products/new')
    await page.getByText('Your unsaved changes were restored').waitFor()
    assert.equal(await page.getByLabel('Name', { exact: true }).inputValue(), name)
    await page.getByRole('button', { name: 'Discard changes' }).click()
    assert.deepEqual(visitor.problems, [])
  })

  test('a link into the other organization › offers to switch, which works', async () => {
    const { page } = visitor
    for (const address of [`/data-products/${second.product}`, `/teams/team-${second.mark}`]) {
      await page.goto(address)
      await page.getByText(/belongs? to another organization/).waitFor()
      assert.doesNotMatch(
        await page.locator('body').innerText(),
        new RegExp(`Product ${second.product}`),
      )
    }
    const answer = await request(
      visitor,
      'GET',
      `/api/dataproducts/${second.product}`,
      undefined,
      first.id,
    )
    const missing = await request(visitor, 'GET', '/api/dataproducts/nowhere', undefined, first.id)
    assert.equal(answer.status(), 404)
    const [a, b] = [await answer.text(), await missing.text()]
    assert.equal(
      a.replaceAll(second.product, '?'),
      b.replaceAll('nowhere', '?'),
      'no hint in the response',
    )
    await page.goto(`/data-products/${second.product}`)
    await switchTo(second)
    await page.goBack()
    await page.getByRole('heading', { level: 1, name: `Product ${second.product}` }).waitFor()
    await switchTo(first)
    assert.deepEqual(visitor.problems, [])
  })

  test('a removal from one of two › is announced in the open browser, which switches to the other', async () => {
    const { page, traffic } = visitor
    const name = 'Typed, and not to be saved'
    await page.goto('/data-products/new')
    await page.getByLabel('Name', { exact: true }).fill(name)
    await page.getByLabel('Source of the data product').getByText(name).waitFor()
    await page.getByRole('link', { name: 'Cancel' }).click()
    const leave = page.getByRole('button', { name: 'Keep draft and leave' })
    await leave.waitFor()
    // A request of the form, such as a delayed one for its plan, would detect the removal before the click.
    await waitUntilQuiet(page, traffic)
    const clicked = Promise.withResolvers<void>()
    await page.route(/\/(api|ui)\//, async (route) => {
      await clicked.promise
      await route.continue()
    })
    await site.query(`
      delete from api_key where user_id is not null;
      delete from organization_member where organization_id = '${first.id}'`)
    await leave.click()
    clicked.resolve()
    await page.getByText(`You are no longer a member of ${first.name}.`).first().waitFor()
    await page.getByRole('button', { name: `${second.name} Switch organization` }).waitFor()
    await page.getByText(`Product ${second.product}`).first().waitFor()
    assert.equal(page.url(), `${site.url}/`)
    await page.waitForLoadState('networkidle')
    assert.doesNotMatch(await page.locator('body').innerText(), new RegExp(first.mark))
    assert.deepEqual(visitor.problems, [])
  })

  test('signing out › ends only this session and invalidates copies of its cookie', async () => {
    const [one, two] = [
      await newVisitor(browser(), site.url),
      await newVisitor(browser(), site.url),
    ]
    await signIn(one, site.owner)
    await signIn(two, site.owner)
    const copied = await readCookie(one)
    assert.equal(await requestStatus(copied), 200)
    await one.page.getByRole('button', { name: /^Account of/ }).click()
    await one.page.getByRole('menuitem', { name: 'Sign out' }).click()
    await one.page.getByRole('heading', { name: 'Sign in' }).waitFor()
    assert.equal(await requestStatus(copied), 401)
    await one.page.goBack()
    await one.page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await two.page.reload()
    await two.page.getByRole('navigation', { name: 'Catalog' }).waitFor()
    assert.deepEqual([...one.problems, ...two.problems], [])
    await Promise.all([one.close(), two.close()])
  })

  test('signing out everywhere › ends every session and invalidates copied cookies', async () => {
    const other = await newVisitor(browser(), site.url)
    await signIn(other, site.owner, '/teams')
    const copied = [await readCookie(visitor), await readCookie(other)]
    const { page } = visitor
    await page.goto('/settings/profile')
    await page.getByRole('button', { name: 'Sign out everywhere', exact: true }).click()
    await page
      .getByRole('alertdialog')
      .getByRole('button', { name: 'Sign out everywhere', exact: true })
      .click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    assert.deepEqual(await Promise.all(copied.map(requestStatus)), [401, 401])
    await other.page.getByRole('link', { name: 'Integrations' }).click()
    await other.page.getByRole('dialog', { name: 'You were signed out' }).waitFor()
    assert.deepEqual([...visitor.problems, ...other.problems], [])
    await other.close()
  })

  async function requestStatus(cookie: string): Promise<number> {
    const headers = { cookie: `${COOKIE}=${cookie}` }
    return (await fetch(`${site.url}/ui/session`, { headers })).status
  }
})

async function readCookie({ context }: Visitor): Promise<string> {
  const found = (await context.cookies()).find(({ name }) => name === COOKIE)
  assert.ok(found?.httpOnly === true && found.secure)
  return found.value
}
