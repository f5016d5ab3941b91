/**
 * The catalog with only the keyboard: after opening the first address there are only key presses, and
 * the focus is visible at every stop.
 */

import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import type { Page } from 'playwright-core'
import { eventually } from '../eventually.ts'
import { inBrowser, newVisitor, type Visitor } from './browser.ts'
import { startJourney } from './journey.ts'
import {
  productDocument,
  putTeam,
  newSignedInVisitor,
  startSite,
  requestJson,
  type Site,
} from './people.ts'

const TEAM = 'yard'
const PRODUCT = 'wagons'
const STOPS_MAX = 80
const MOVES_MS_MAX = 5000

/** The focused element. */
interface Stop {
  tag: string
  /** Its accessible name: its label or its text. */
  name: string
  /** Whether the browser draws a focus ring, or the element shows a mark. */
  isVisible: boolean
  isInDialog: boolean
}

// An editor shows its cursor and border, a selected option its background: they need no focus ring.
const READ_FOCUS = `(() => {
  const at = document.activeElement
  if (at === null || at === document.body) return { tag: 'body', name: '', isVisible: false, isInDialog: false }
  const style = getComputedStyle(at)
  const ring = style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) > 0
  const label = at.getAttribute('aria-label') ?? at.labels?.[0]?.textContent ?? at.textContent ?? ''
  return {
    tag: at.tagName.toLowerCase(),
    name: label.trim(),
    isVisible: ring || style.boxShadow !== 'none' || at.closest('[cmdk-root], .cm-editor') !== null,
    isInDialog: at.closest('[role=dialog], [role=alertdialog]') !== null,
  }
})()`

inBrowser('with only the keyboard', (browser) => {
  let site: Site
  let visitor: Visitor
  const step = startJourney(() => visitor)
  before(async () => {
    site = await startSite()
    const owner = await newSignedInVisitor(browser(), site, site.owner)
    await putTeam(owner, TEAM)
    await putTeam(owner, `${TEAM}-south`)
    await requestJson(owner, 'PUT', `/api/dataproducts/${PRODUCT}`, productDocument(PRODUCT, TEAM))
    await owner.close()
    visitor = await newVisitor(browser(), site.url)
  })
  after(async () => visitor.close())

  async function press(...keys: string[]): Promise<void> {
    for (const key of keys) await visitor.page.keyboard.press(key)
  }

  async function type(text: string): Promise<void> {
    await visitor.page.keyboard.type(text)
  }

  /** Waits until the element with an id has the focus. */
  async function waitForFocusAt(id: string): Promise<void> {
    const isThere = () => visitor.page.evaluate<boolean>(`document.activeElement?.id === '${id}'`)
    await eventually(MOVES_MS_MAX, isThere, `the focus is at ${id}`)
  }

  /** Waits until the focus has returned: it moves a moment after the focused element disappears. */
  async function waitForFocusBackAt(isThere: (stop: Stop) => boolean, name: string): Promise<void> {
    const isBack = async () => isThere(await readFocus(visitor.page))
    await eventually(MOVES_MS_MAX, isBack, `the focus is back at ${name}`)
  }

  /** Presses a key until an element with this name has the focus; asserts that every stop is visible. */
  async function moveTo(name: string | RegExp, key = 'Tab'): Promise<Stop> {
    for (let stops = 0; stops < STOPS_MAX; stops += 1) {
      const stop = await readFocus(visitor.page)
      if (typeof name === 'string' ? stop.name === name : name.test(stop.name)) return stop
      await press(key)
      const next = await readFocus(visitor.page)
      // After the last stop, the browser's own controls get the focus.
      if (next.tag !== 'body')
        assert.ok(next.isVisible, `the focus at <${next.tag}> "${next.name}" is visible`)
    }
    assert.fail(`${key} does not reach ${name}`)
  }

  step('sign in', async () => {
    const { page } = visitor
    await page.goto('/')
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await moveTo('E-mail address')
    await type(site.owner.email)
    await press('Tab')
    await type(site.owner.password)
    await press('Enter')
    await page.getByRole('navigation', { name: 'Catalog' }).waitFor()
    assert.equal(page.url(), `${site.url}/`)
  })

  step('the skip link › is the first stop, and skips the navigation', async () => {
    const { page } = visitor
    await page.reload()
    await page.getByRole('heading', { level: 1 }).waitFor()
    await press('Tab')
    const skip = await readFocus(page)
    assert.deepEqual([skip.name, skip.isVisible], ['Skip to the content', true])
    const box = await page.getByRole('link', { name: 'Skip to the content' }).boundingBox()
    assert.ok(box !== null && box.y >= 0, 'it is visible while it has the focus')
    await press('Enter')
    await waitForFocusAt('content')
    await press('Tab')
    assert.equal(await page.evaluate("document.activeElement.closest('main') !== null"), true)
  })

  step('the palette › opens by its shortcut, traps the focus, and returns it', async () => {
    const { page } = visitor
    const before = await readFocus(page)
    await press('Control+k')
    const palette = page.getByRole('dialog', { name: 'Search or jump to' })
    await palette.waitFor()
    for (let stops = 0; stops < 5; stops += 1) {
      assert.ok((await readFocus(page)).isInDialog, 'the focus stays in the palette')
      await press('Tab')
    }
    await press('Escape')
    await palette.waitFor({ state: 'detached' })
    await waitForFocusBackAt((stop) => isDeepStrictEqual(stop, before), before.name)
  })

  step('keyboard help › opens by ? outside text fields, and returns the focus', async () => {
    const { page } = visitor
    // Home begins with a text field.
    await moveTo('Skip to the content', 'Shift+Tab')
    const before = await readFocus(page)
    await press('?')
    const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    await help.waitFor()
    assert.ok((await readFocus(page)).isInDialog, 'the focus is in the dialog')
    await help.getByText('Search or jump to a page').waitFor()
    await press('Escape')
    await help.waitFor({ state: 'detached' })
    await waitForFocusBackAt((stop) => isDeepStrictEqual(stop, before), before.name)
    await press('/')
    const palette = page.getByRole('dialog', { name: 'Search or jump to' })
    await palette.waitFor()
    await type('?')
    assert.equal(await palette.getByRole('combobox').inputValue(), '?')
    assert.equal(await help.count(), 0, 'a question mark in a text field is text')
    await press('Escape')
    await palette.waitFor({ state: 'detached' })
    await waitForFocusBackAt((stop) => isDeepStrictEqual(stop, before), before.name)
  })

  step('the palette › opens a product by part of its name', async () => {
    const { page } = visitor
    await press('Control+k')
    await page.getByRole('dialog', { name: 'Search or jump to' }).waitFor()
    await type(PRODUCT)
    const option = page.getByRole('option', { name: new RegExp(`Product ${PRODUCT}`) })
    await option.waitFor()
    for (let moves = 0; (await option.getAttribute('aria-selected')) !== 'true'; moves += 1) {
      assert.ok(moves < STOPS_MAX, 'the arrow keys reach the results')
      await press('ArrowDown')
    }
    await press('Enter')
    await page.getByRole('heading', { level: 1, name: `Product ${PRODUCT}` }).waitFor()
    assert.equal((await readFocus(page)).tag, 'main', 'the focus moves to the new page')
  })

  step(
    'the editor › can be entered, edited and left; the change is reviewed in a dialog and saved',
    async () => {
      const { page } = visitor
      await moveTo('Edit')
      await press('Enter')
      await page.getByRole('heading', { level: 1, name: `Edit Product ${PRODUCT}` }).waitFor()
      await page.getByLabel('Source of the data product').waitFor()
      await page.getByLabel('Name', { exact: true }).waitFor()
      await moveTo('Name')
      await press('Control+a')
      await type(`Cars ${PRODUCT}`)
      await moveTo('Status')
      await press('Control+a')
      await type('act')
      const choices = page.getByRole('listbox')
      await choices.waitFor()
      await press('ArrowDown', 'Enter')
      await choices.waitFor({ state: 'detached' })
      assert.equal((await readFocus(page)).name, 'Status', 'the field keeps the focus')
      assert.equal(await page.getByRole('combobox', { name: 'Status' }).inputValue(), 'active')
      await moveTo('Source of the data product')
      await press('Escape', 'Tab')
      assert.notEqual(
        (await readFocus(page)).name,
        'Source of the data product',
        'the editor can be left',
      )
      await moveTo('Review and save', 'Shift+Tab')
      await press('Enter')
      const review = page.getByRole('dialog', { name: 'Review changes' })
      await review.waitFor()
      for (let stops = 0; stops < 8; stops += 1) {
        assert.ok((await readFocus(page)).isInDialog, 'the dialog traps the focus')
        await press('Tab')
      }
      // On a button with a tooltip, Escape first closes the tooltip.
      await moveTo('Keep editing')
      await press('Escape')
      await review.waitFor({ state: 'detached' })
      await waitForFocusBackAt(({ name }) => name === 'Review and save', 'Review and save')
      await press('Enter')
      await page
        .locator('button:not([aria-disabled])')
        .and(page.getByRole('button', { name: 'Save data product' }))
        .waitFor()
      await moveTo('Save data product')
      await press('Enter')
      await page.getByRole('heading', { level: 1, name: `Cars ${PRODUCT}` }).waitFor()
    },
  )

  step('a toast › stays while it has the focus, is reached by F8, and is dismissed', async () => {
    const { page } = visitor
    const dismiss = page.getByRole('button', { name: 'Dismiss' })
    await dismiss.first().waitFor()
    await press('F8')
    await moveTo('Dismiss')
    await press('Enter')
    await dismiss.waitFor({ state: 'detached' })
  })

  step('a menu › opens, moves by arrow keys, and returns the focus', async () => {
    const { page } = visitor
    await moveTo(/^Account of/)
    await press('Enter')
    await page.getByRole('menu').waitFor()
    await press('ArrowDown')
    assert.equal(await page.evaluate("document.activeElement.getAttribute('role')"), 'menuitem')
    await press('Escape')
    await page.getByRole('menu').waitFor({ state: 'detached' })
    await waitForFocusBackAt(({ name }) => name.startsWith('Account of'), 'the menu')
  })

  step('the team tree › is one stop, moves by arrow keys, and opens a team by Enter', async () => {
    const { page } = visitor
    await moveTo('Skip to the content', 'Shift+Tab')
    await moveTo('Teams')
    await press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Teams' }).waitFor()
    await page.getByText(`Team ${TEAM}-south`).waitFor()
    await moveTo(new RegExp(`^Team ${TEAM}(?!-south)`))
    await press('Enter')
    await page.getByRole('heading', { level: 1, name: `Team ${TEAM}` }).waitFor()
  })

  step(
    'a key › is created, the focus is next to its secret, and the table can be reached',
    async () => {
      const { page } = visitor
      await press('Control+k')
      await page.getByRole('dialog', { name: 'Search or jump to' }).waitFor()
      await type('Create API key')
      await page.getByRole('option', { name: 'Create API key', exact: true }).waitFor()
      await press('Enter')
      await page.getByRole('dialog', { name: 'Create API key' }).waitFor()
      await waitForFocusBackAt(
        ({ isInDialog, tag }) => isInDialog && tag === 'input',
        'the first field',
      )
      await type('Keyboard key')
      await press('Enter')
      await page.getByRole('heading', { name: 'API key "Keyboard key" created' }).waitFor()
      await waitForFocusAt('new-key')
      await moveTo('Copy: Secret of the new key')
      await press('Enter')
      await page.getByRole('button', { name: 'Copied' }).waitFor()
      await moveTo('I have saved it')
      await press('Enter')
      await page
        .getByRole('heading', { name: 'API key "Keyboard key" created' })
        .waitFor({ state: 'detached' })
      await waitForFocusBackAt(({ tag }) => tag !== 'body', 'an element of the page')
      await moveTo('API keys')
      await moveTo('Delete Keyboard key')
      await press('Enter')
      await page.getByRole('alertdialog').waitFor()
      assert.ok((await readFocus(page)).isInDialog)
      await press('Escape')
      await page.getByRole('alertdialog').waitFor({ state: 'detached' })
      await waitForFocusBackAt(({ name }) => name === 'Delete Keyboard key', 'Delete Keyboard key')
      assert.deepEqual(visitor.problems, [])
    },
  )
})

async function readFocus(page: Page): Promise<Stop> {
  return await page.evaluate<Stop>(READ_FOCUS)
}
