/** Searching a mesh: on the search page, whose state is in its URL, and in the palette. */

import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import type { Page } from 'playwright-core'
import { inBrowser, newVisitor, type Visitor } from './browser.ts'
import { signInQuickly, shareDemo, type Catalog } from './catalog.ts'
import { choose } from './choose.ts'
import { navigate } from './navigation.ts'

const ACTION_OPACITY = `(() => {
  const isAction = (link) => /^Request access\\b/.test(link.textContent)
  return getComputedStyle([...document.querySelectorAll('a')].find(isAction)).opacity
})()`

inBrowser('search', (browser) => {
  let catalog: Catalog
  let visitor: Visitor
  let page: Page
  before(async () => {
    catalog = await shareDemo()
    visitor = await newVisitor(browser(), catalog.url)
    page = visitor.page
    await signInQuickly(visitor, catalog.owner)
  })
  beforeEach(() => {
    visitor.problems.length = 0
  })
  after(() => visitor.close())

  const field = () => page.getByLabel('Search the catalog')
  const results = () => page.getByRole('region', { name: 'Results' }).getByRole('article')
  // While results load, the page shows those of the previous search.
  const total = async (): Promise<number> => {
    await page.locator('[aria-busy=true]').waitFor({ state: 'detached' })
    const text = await page.getByText(/^[\d,]+ results?( for|$)/).innerText()
    return Number(/^[\d,]+/.exec(text)?.[0].replaceAll(',', ''))
  }

  test('typing › searches immediately, highlights matches, and keeps the query in the URL', async () => {
    await page.goto('/search')
    await field().pressSequentially('wagon journ')
    await page.waitForURL((url) => url.searchParams.get('query') === 'wagon journ')
    await page.getByText(/results for "wagon journ"$/).waitFor()
    const first = results().first()
    await first.getByRole('link', { name: 'Wagon Journeys' }).waitFor()
    const marks = await first.locator('mark').allInnerTexts()
    assert.ok(
      marks.some((text) => /^wagon$/i.test(text)),
      `marked: ${marks.join(', ')}`,
    )
    assert.ok(marks.some((text) => /^journ/i.test(text)))
    assert.deepEqual(visitor.problems, [])
  })

  test('a matching column › is shown as the reason', async () => {
    await navigate(page, '/search?query=journey_id')
    await results().first().waitFor()
    await results()
      .filter({ hasText: /Matched .*column .*journey_id/ })
      .first()
      .waitFor()
  })

  test('a typo › finds similar words, and reports that', async () => {
    await navigate(page, '/search?query=consignmnet')
    await results().first().waitFor()
    await results().filter({ hasText: 'similar spelling' }).first().waitFor()
    assert.ok(
      (await results()
        .filter({ hasText: /consignment/i })
        .count()) > 0,
      'the results contain a consignment',
    )
  })

  test('facets › are kept in the URL: by reload and Back, and removed by Clear all', async () => {
    await navigate(page, '/search?query=wagon')
    await page.getByText(/results for "wagon"$/).waitFor()
    const all = await total()
    const filters = page.getByRole('region', { name: 'Filters' })
    await filters.getByRole('checkbox', { name: /^Data product/ }).check()
    await page.waitForURL((url) => url.searchParams.get('resourceType') === 'DATA_PRODUCT')
    await page.getByRole('list', { name: 'Active filters' }).waitFor()
    const products = await total()
    assert.ok(products > 0 && products < all, `${products} of ${all}`)

    await filters.getByRole('checkbox', { name: /^active/i }).check()
    await page.waitForURL((url) => url.searchParams.get('status') !== null)
    const address = page.url()
    await page.reload()
    await results().first().waitFor()
    assert.equal(page.url(), address)
    assert.ok(await filters.getByRole('checkbox', { name: /^Data product/ }).isChecked())
    assert.ok(await filters.getByRole('checkbox', { name: /^active/i }).isChecked())

    await page.goBack()
    await page.waitForURL((url) => url.searchParams.get('status') === null)
    await page.getByText(`${products} results for`).waitFor()
    assert.ok(await filters.getByRole('checkbox', { name: /^Data product/ }).isChecked())

    await page.goForward()
    await page.waitForURL(address)
    await page.getByRole('link', { name: 'Clear all' }).click()
    await page.waitForURL((url) => url.search === '?query=wagon')
    await page.getByRole('list', { name: 'Active filters' }).waitFor({ state: 'detached' })
    assert.equal(await total(), all)
    assert.deepEqual(visitor.problems, [])
  })

  test('the order › is chosen near the results, and kept in the URL and by filters', async () => {
    await navigate(page, '/search?q=wagon&resourceType=DATA_PRODUCT')
    await page.getByText(/results for "wagon"$/).waitFor()
    const names = () => results().getByRole('heading', { level: 2 }).allInnerTexts()
    const best = await names()
    const sort = page.getByRole('combobox', { name: 'Sort by' })
    await choose(sort, 'Name')
    await page.waitForURL((url) => url.searchParams.get('sort') === 'name')
    await total()
    const sorted = await names()
    assert.deepEqual(sorted, best.toSorted())
    await page.reload()
    await results().first().waitFor()
    assert.equal(await sort.inputValue(), 'Name')
    assert.deepEqual(await names(), sorted)
    await choose(sort, 'Relevance')
    await page.waitForURL((url) => url.searchParams.get('sort') === null)
    assert.deepEqual(visitor.problems, [])
  })

  test('a product › shows its action on hover and focus, and has it in its menu', async () => {
    await navigate(page, '/search?resourceType=DATA_PRODUCT')
    const link = page.getByRole('link', { name: /^Request access to / }).first()
    await link.waitFor()
    const row = results().filter({ has: link }).first()
    const opacity = () => page.evaluate<string>(ACTION_OPACITY)
    await page.mouse.move(0, 0)
    assert.equal(await opacity(), '0')
    await row.hover()
    assert.equal(await opacity(), '1')
    await page.mouse.move(0, 0)
    await link.focus()
    assert.equal(await opacity(), '1')
    await row.getByRole('button', { name: /^Actions of / }).click()
    await page.getByRole('menuitem', { name: 'Request access' }).click()
    await page.waitForURL('**/data-products/*')
    assert.deepEqual(visitor.problems, [])
  })

  test('no results › suggests filters to remove', async () => {
    await navigate(page, '/search?query=zzqqxxyy&resourceType=TEAM')
    await page.getByText('No results').waitFor()
    assert.equal(await page.getByRole('link', { name: /^Search without/ }).count(), 0)
    await navigate(page, '/search?query=journey_id&resourceType=TEAM')
    await page.getByText('No results').waitFor()
    await page.getByRole('link', { name: 'Search without type Team' }).click()
    await page.waitForURL((url) => url.searchParams.get('resourceType') === null)
    await results().first().waitFor()
  })

  test('an unusual URL › is not an error', async () => {
    await page.goto(`/search?query=${'x'.repeat(2000)}&p=999999999&tag=%00&tag=&status=__proto__`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.waitForLoadState('networkidle')
    await page.getByLabel('Search the catalog').waitFor()
    assert.deepEqual(visitor.problems, [])
  })

  test('the palette › finds and opens a product and pages with only the keyboard', async () => {
    await navigate(page, '/')
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.keyboard.press('Control+k')
    const palette = page.getByRole('dialog', { name: 'Search or jump to' })
    await palette.waitFor()
    await page.keyboard.type('wheelset maintenance')
    await palette
      .getByRole('option', { name: /Wheelset Maintenance/ })
      .first()
      .waitFor()
    await palette.getByText(/\d+ results? in the catalog/).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Wheelset Maintenance' }).waitFor()

    await page.keyboard.press('Control+k')
    await palette.waitFor()
    await page.keyboard.type('members')
    await palette.getByRole('option', { name: /^Members and invitations/ }).waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL('**/settings/members')

    await page.keyboard.press('Control+k')
    await palette.waitFor()
    await page.keyboard.press('Escape')
    await palette.waitFor({ state: 'detached' })
    assert.deepEqual(visitor.problems, [])
  })

  test('the palette › passes a query on to the search page', async () => {
    await navigate(page, '/teams')
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.keyboard.press('/')
    const palette = page.getByRole('dialog', { name: 'Search or jump to' })
    await palette.waitFor()
    // New results move the options below them.
    const response = page.waitForResponse(/\/api\/search\?.*query=telematics(?:&|$)/)
    await page.keyboard.type('telematics')
    await response
    await palette
      .getByRole('option', { name: /Telematics/ })
      .nth(1)
      .waitFor()
    await palette.getByRole('option', { name: /^Search for/ }).click()
    await page.waitForURL((url) => url.pathname === '/search' && url.search === '?query=telematics')
    await results().first().waitFor()
  })

  test('a synonym added by an owner › is used by the search', async () => {
    await navigate(page, '/settings')
    const panel = page.getByRole('form', { name: 'Search synonyms' })
    await panel.getByRole('button', { name: 'Add group' }).click()
    for (const word of ['wheelset', 'radsatz']) {
      await panel.getByLabel('Group 1').last().fill(word)
      await page.keyboard.press('Enter')
    }
    await panel.getByRole('button', { name: 'Save synonyms' }).click()
    await page.getByText('Synonyms saved.', { exact: true }).waitFor()
    await navigate(page, '/search?query=radsatz')
    await results()
      .filter({ hasText: /Wheelset Maintenance/ })
      .first()
      .waitFor()
    assert.deepEqual(visitor.problems, [])
  })
})
