/**
 * The forms of the editor: they react to every click, also while a field begins to report an error; long ones have
 * sections that fold, with marks of problems and changes; form and source stay at the same place.
 */

import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { eventually } from '../eventually.ts'
import { inBrowser, newVisitor, type Visitor } from './browser.ts'
import { newOrganization, signInQuickly } from './catalog.ts'
import { LONG_CONTRACT, writeLongContract } from './editor-steps.ts'
import { startJourney } from './journey.ts'

// As long as people press a button.
const PRESS_MS = 100
const STEP_MS_MAX = 20_000

inBrowser('the form of an editor', (browser) => {
  const step = startJourney(() => visitor)
  let visitor: Visitor
  let page: Page
  let sections: Locator

  before(async () => {
    const catalog = await newOrganization()
    await catalog.call('PUT', '/api/teams/yard', { id: 'yard', name: 'Yard', type: 'Team' })
    await catalog.call('PUT', `/api/datacontracts/${LONG_CONTRACT}`, writeLongContract())
    visitor = await newVisitor(browser(), catalog.url)
    page = visitor.page
    sections = page.getByRole('navigation', { name: 'Sections of the form' })
    await signInQuickly(visitor, catalog.owner)
  })
  after(() => visitor.close())

  const assertCurrent = async (name: string): Promise<void> =>
    await sections.locator('[aria-current=location]').getByText(name, { exact: true }).waitFor()
  const follow = async (name: string): Promise<void> =>
    await sections.getByRole('link', { name, exact: true }).click()
  const section = (name: string): Locator => page.locator(`details#form-${name}`)
  // The line that the editor marks because the form shows it.
  const assertMarkedLine = async (text: string): Promise<void> =>
    await page.locator('.cm-formField').filter({ hasText: text }).waitFor()
  step('a click below a field that is left empty › has its effect', async () => {
    await page.goto('/data-products/new')
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('')
    await page.getByRole('button', { name: 'New team' }).click({ delay: PRESS_MS })
    const dialog = page.getByRole('dialog', { name: 'New team' })
    await dialog.getByRole('button', { name: 'Close' }).click()
    await page.getByText('This field is blank').first().waitFor()
    await sections.getByRole('button', { name: /error.* in Basics/ }).waitFor()
  })

  step('a long form › is folded, with a summary of each section', async () => {
    await page.goto(`/data-contracts/${LONG_CONTRACT}/edit`)
    await page.getByText('40: model_0, model_1, model_2 and 37 more').waitFor()
    await page.getByText('2: reader, writer').waitFor()
    const open = await page.locator('details[data-section][open]').count()
    assert.equal(open, 1, 'the basics are open')
  })

  step('the list of sections › opens one, leads there and follows the scroll', async () => {
    await follow('Service levels')
    await page.getByRole('group', { name: 'latency' }).waitFor()
    await assertCurrent('Service levels')
    await assertMarkedLine('"slaProperties"')
    assert.equal(new URL(page.url()).hash, '#form-service-levels')
    await follow('Models')
    await assertCurrent('Models')
    await page.mouse.move(400, 500)
    await page.mouse.wheel(0, -10_000)
    await assertCurrent('Basics')
  })

  step('the form › moves the source to the field that is focused', async () => {
    await page.locator('summary', { hasText: /^model_39$/ }).click()
    await page.getByRole('button', { name: /^field_11/ }).click()
    const description = page.getByLabel('Field description')
    await description.fill('The last one.')
    await page.locator('.cm-content').getByText('The last one.').waitFor()
    await page.getByLabel('Version').first().focus()
    await assertMarkedLine('"version": "1.0.0"')
    await description.focus()
    await assertMarkedLine('The last one.')
  })

  step('the source › moves the form to the line of the cursor, not the focus', async () => {
    const source = page.getByRole('textbox', { name: /^Source of/ })
    await source.press('Control+End')
    await assertInView(section('roles').locator('summary').first())
    await source.press('Control+Home')
    await source.press('ArrowDown')
    await assertInView(section('basics').locator('summary').first())
    assert.ok(await source.evaluate((node) => node === node.ownerDocument.activeElement))
  })

  step('marks › count problems and changes, and lead into what is folded', async () => {
    await follow('Price')
    await page.getByLabel('Price amount').fill('much')
    await sections.getByRole('button', { name: '1 error in Price' }).waitFor()
    await sections.getByRole('button', { name: '1 change in Models' }).waitFor()
    for (const name of ['price', 'models']) await section(name).locator('summary').first().click()
    await sections.getByRole('button', { name: '1 error in Price' }).click()
    await page.locator('[aria-invalid=true]:focus').waitFor()
    await page.getByLabel('Price amount').fill('2')
    await sections.getByRole('button', { name: '1 change in Models' }).click()
    await page.locator('textarea:focus').waitFor()
    assert.equal(await page.locator('textarea:focus').inputValue(), 'The last one.')
  })

  step('what is open › is remembered, and an address opens its section', async () => {
    await section('service-levels').locator('summary').first().click()
    await section('links').locator('summary').first().click()
    await page.getByRole('link', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: /^Discard/ }).click()
    await page.goto(`/data-contracts/${LONG_CONTRACT}/edit#form-roles`)
    await page.getByRole('group', { name: 'reader' }).waitFor()
    await page.getByText('Add links to definitions').waitFor()
    await section('service-levels').getByText('1: latency').waitFor()
  })

  step('a narrow page › has the sections behind a button, and keeps the place', async () => {
    await page.setViewportSize({ width: 390, height: 844 })
    await page.getByRole('button', { name: /^Section: / }).click()
    await follow('Roles')
    await page.getByRole('button', { name: 'Section: Roles' }).waitFor()
    await assertInView(section('roles').locator('summary').first())
    await page.getByRole('button', { name: 'Source', exact: true }).click()
    await assertMarkedLine('"roles"')
    const overflow = await page.evaluate<number>(
      'document.documentElement.scrollWidth - document.documentElement.clientWidth',
    )
    assert.ok(overflow <= 0)
  })

  step('the whole journey › has no console errors or policy violations', () => {
    assert.deepEqual(visitor.problems, [])
  })
})

async function assertInView(element: Locator): Promise<void> {
  const isInView = async (): Promise<boolean> =>
    await element.evaluate((node) => {
      const { top, bottom } = node.getBoundingClientRect()
      return top >= 48 && bottom <= node.ownerDocument.documentElement.clientHeight
    })
  await eventually(STEP_MS_MAX, isInView, 'it is in view')
}
