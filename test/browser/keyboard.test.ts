/**
 * The catalog by the keyboard alone: after the first address nothing but keys, and at every stop it is
 * seen where the focus is.
 */

import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import type { Page } from 'playwright-core'
import { eventually } from '../eventually.ts'
import { inBrowser, newVisitor, type Visitor } from './browser.ts'
import { newJourney } from './journey.ts'
import { productDocument, putTeam, signedIn, startSite, told, type Site } from './people.ts'

const TEAM = 'yard'
const PRODUCT = 'wagons'
const STOPS_MAX = 80
const MOVES_MS_MAX = 5000

/** Where the focus is. */
interface Stop {
  tag: string
  /** What it is called, by its label or its text. */
  name: string
  /** Whether the browser draws a ring, or the place itself shows a mark. */
  isSeen: boolean
  isInDialog: boolean
}

// An editor shows its cursor and its frame, a chosen option its ground: no ring of their own is asked.
const WHERE = `(() => {
  const at = document.activeElement
  if (at === null || at === document.body) return { tag: 'body', name: '', isSeen: false, isInDialog: false }
  const style = getComputedStyle(at)
  const ring = style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) > 0
  const label = at.getAttribute('aria-label') ?? at.labels?.[0]?.textContent ?? at.textContent ?? ''
  return {
    tag: at.tagName.toLowerCase(),
    name: label.trim(),
    isSeen: ring || style.boxShadow !== 'none' || at.closest('[cmdk-root], .cm-editor') !== null,
    isInDialog: at.closest('[role=dialog], [role=alertdialog]') !== null,
  }
})()`

inBrowser('by the keyboard alone', (browser) => {
  let site: Site
  let visitor: Visitor
  const step = newJourney(() => visitor)
  before(async () => {
    site = await startSite()
    const owner = await signedIn(browser(), site, site.owner)
    await putTeam(owner, TEAM)
    await putTeam(owner, `${TEAM}-south`)
    await told(owner, 'PUT', `/api/dataproducts/${PRODUCT}`, productDocument(PRODUCT, TEAM))
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

  /** Waits until the focus is at the element of an id. */
  async function untilAt(id: string): Promise<void> {
    const isThere = () => visitor.page.evaluate<boolean>(`document.activeElement?.id === '${id}'`)
    await eventually(MOVES_MS_MAX, isThere, `the focus is at ${id}`)
  }

  /** Waits until the focus is back where it was: it comes a moment after what had it is gone. */
  async function untilBackAt(isThere: (stop: Stop) => boolean, name: string): Promise<void> {
    const isBack = async () => isThere(await where(visitor.page))
    await eventually(MOVES_MS_MAX, isBack, `the focus is back at ${name}`)
  }

  /** Goes on with a key until the focus is at something of this name; every stop on the way is seen. */
  async function goTo(name: string | RegExp, key = 'Tab'): Promise<Stop> {
    for (let stops = 0; stops < STOPS_MAX; stops += 1) {
      const stop = await where(visitor.page)
      if (typeof name === 'string' ? stop.name === name : name.test(stop.name)) return stop
      await press(key)
      const next = await where(visitor.page)
      // After the last stop the browser's own controls come.
      if (next.tag !== 'body')
        assert.ok(next.isSeen, `the focus at <${next.tag}> “${next.name}” is seen`)
    }
    assert.fail(`${key} does not lead to ${name}`)
  }

  step('sign in', async () => {
    const { page } = visitor
    await page.goto('/')
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await goTo('E-mail address')
    await type(site.owner.email)
    await press('Tab')
    await type(site.owner.password)
    await press('Enter')
    await page.getByRole('navigation', { name: 'Catalog' }).waitFor()
    assert.equal(page.url(), `${site.url}/`)
  })

  step(
    'the skip link › is the first stop, and leads past the navigation into the content',
    async () => {
      const { page } = visitor
      await page.reload()
      await page.getByRole('heading', { level: 1 }).waitFor()
      await press('Tab')
      const skip = await where(page)
      assert.deepEqual([skip.name, skip.isSeen], ['Skip to the content', true])
      const box = await page.getByRole('link', { name: 'Skip to the content' }).boundingBox()
      assert.ok(box !== null && box.y >= 0, 'it is on the screen while it has the focus')
      await press('Enter')
      await untilAt('content')
      await press('Tab')
      assert.equal(await page.evaluate("document.activeElement.closest('main') !== null"), true)
    },
  )

  step('the palette › opens by its keys, keeps the focus, and gives it back', async () => {
    const { page } = visitor
    const before = await where(page)
    await press('Control+k')
    const palette = page.getByRole('dialog', { name: 'Search or jump to' })
    await palette.waitFor()
    for (let stops = 0; stops < 5; stops += 1) {
      assert.ok((await where(page)).isInDialog, 'the focus stays in the palette')
      await press('Tab')
    }
    await press('Escape')
    await palette.waitFor({ state: 'detached' })
    await untilBackAt((stop) => isDeepStrictEqual(stop, before), before.name)
  })

  step('keyboard help › opens by ? outside text fields, and gives the focus back', async () => {
    const { page } = visitor
    // Home starts with a text field.
    await goTo('Skip to the content', 'Shift+Tab')
    const before = await where(page)
    await press('?')
    const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    await help.waitFor()
    assert.ok((await where(page)).isInDialog, 'the focus is in the dialog')
    await help.getByText('Search or jump to a page').waitFor()
    await press('Escape')
    await help.waitFor({ state: 'detached' })
    await untilBackAt((stop) => isDeepStrictEqual(stop, before), before.name)
    await press('/')
    const palette = page.getByRole('dialog', { name: 'Search or jump to' })
    await palette.waitFor()
    await type('?')
    assert.equal(await palette.getByRole('combobox').inputValue(), '?')
    assert.equal(await help.count(), 0, 'a question mark in a text field is text')
    await press('Escape')
    await palette.waitFor({ state: 'detached' })
    await untilBackAt((stop) => isDeepStrictEqual(stop, before), before.name)
  })

  step('the palette › leads to a product by a part of its name', async () => {
    const { page } = visitor
    await press('Control+k')
    await page.getByRole('dialog', { name: 'Search or jump to' }).waitFor()
    await type(PRODUCT)
    const option = page.getByRole('option', { name: new RegExp(`Product ${PRODUCT}`) })
    await option.waitFor()
    for (let moves = 0; (await option.getAttribute('aria-selected')) !== 'true'; moves += 1) {
      assert.ok(moves < STOPS_MAX, 'the arrows reach what was found')
      await press('ArrowDown')
    }
    await press('Enter')
    await page.getByRole('heading', { level: 1, name: `Product ${PRODUCT}` }).waitFor()
    assert.equal((await where(page)).tag, 'main', 'one begins in the new page')
  })

  step(
    'the editor › is reached, written in and left; the change is reviewed in a dialog and saved',
    async () => {
      const { page } = visitor
      await goTo('Edit')
      await press('Enter')
      await page.getByRole('heading', { level: 1, name: `Edit Product ${PRODUCT}` }).waitFor()
      await page.getByLabel('Source of the data product').waitFor()
      await page.getByLabel('Name', { exact: true }).waitFor()
      await goTo('Name')
      await press('Control+a')
      await type(`Cars ${PRODUCT}`)
      await goTo('Status')
      await press('Control+a')
      await type('act')
      const choices = page.getByRole('listbox')
      await choices.waitFor()
      await press('ArrowDown', 'Enter')
      await choices.waitFor({ state: 'detached' })
      assert.equal((await where(page)).name, 'Status', 'the field keeps the focus')
      assert.equal(await page.getByRole('combobox', { name: 'Status' }).inputValue(), 'active')
      await goTo('Source of the data product')
      await press('Escape', 'Tab')
      assert.notEqual(
        (await where(page)).name,
        'Source of the data product',
        'the editor can be left',
      )
      await goTo('Review and save', 'Shift+Tab')
      await press('Enter')
      const review = page.getByRole('dialog', { name: 'Review changes' })
      await review.waitFor()
      for (let stops = 0; stops < 8; stops += 1) {
        assert.ok((await where(page)).isInDialog, 'the dialog keeps the focus')
        await press('Tab')
      }
      // At a button with a tooltip, Escape would first close that.
      await goTo('Keep editing')
      await press('Escape')
      await review.waitFor({ state: 'detached' })
      await untilBackAt(({ name }) => name === 'Review and save', 'Review and save')
      await press('Enter')
      await page
        .locator('button:not([aria-disabled])')
        .and(page.getByRole('button', { name: 'Save data product' }))
        .waitFor()
      await goTo('Save data product')
      await press('Enter')
      await page.getByRole('heading', { level: 1, name: `Cars ${PRODUCT}` }).waitFor()
    },
  )

  step('a message › waits while it has the focus, is reached by F8, and is dismissed', async () => {
    const { page } = visitor
    const dismiss = page.getByRole('button', { name: 'Dismiss' })
    await dismiss.first().waitFor()
    await press('F8')
    await goTo('Dismiss')
    await press('Enter')
    await dismiss.waitFor({ state: 'detached' })
  })

  step('a menu › opens, is walked by arrows, and gives the focus back', async () => {
    const { page } = visitor
    await goTo(/^Account of/)
    await press('Enter')
    await page.getByRole('menu').waitFor()
    await press('ArrowDown')
    assert.equal(await page.evaluate("document.activeElement.getAttribute('role')"), 'menuitem')
    await press('Escape')
    await page.getByRole('menu').waitFor({ state: 'detached' })
    await untilBackAt(({ name }) => name.startsWith('Account of'), 'the menu')
  })

  step('the teams › their tree is one stop, walked by arrows; Enter opens a team', async () => {
    const { page } = visitor
    await goTo('Skip to the content', 'Shift+Tab')
    await goTo('Teams')
    await press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Teams' }).waitFor()
    await page.getByText(`Team ${TEAM}-south`).waitFor()
    await goTo(new RegExp(`^Team ${TEAM}(?!-south)`))
    await press('Enter')
    await page.getByRole('heading', { level: 1, name: `Team ${TEAM}` }).waitFor()
  })

  step('a key › is made, its secret has the focus nearby, and the table is reached', async () => {
    const { page } = visitor
    await press('Control+k')
    await page.getByRole('dialog', { name: 'Search or jump to' }).waitFor()
    await type('Create API key')
    await page.getByRole('option', { name: 'Create API key', exact: true }).waitFor()
    await press('Enter')
    await page.getByRole('dialog', { name: 'Create API key' }).waitFor()
    await untilBackAt(({ isInDialog, tag }) => isInDialog && tag === 'input', 'the first field')
    await type('By keys alone')
    await press('Enter')
    await page.getByRole('heading', { name: 'API key “By keys alone” created' }).waitFor()
    await untilAt('new-key')
    await goTo('Copy: Secret of the new key')
    await press('Enter')
    await page.getByRole('button', { name: 'Copied' }).waitFor()
    await goTo('I have saved it')
    await press('Enter')
    await page
      .getByRole('heading', { name: 'API key “By keys alone” created' })
      .waitFor({ state: 'detached' })
    await untilBackAt(({ tag }) => tag !== 'body', 'something of the page')
    await goTo('API keys')
    await goTo('Delete By keys alone')
    await press('Enter')
    await page.getByRole('alertdialog').waitFor()
    assert.ok((await where(page)).isInDialog)
    await press('Escape')
    await page.getByRole('alertdialog').waitFor({ state: 'detached' })
    await untilBackAt(({ name }) => name === 'Delete By keys alone', 'Delete By keys alone')
    assert.deepEqual(visitor.problems, [])
  })
})

async function where(page: Page): Promise<Stop> {
  return await page.evaluate<Stop>(WHERE)
}
