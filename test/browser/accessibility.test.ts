/** The pages around the documents: sources and runs, people, keys and settings; and what opens over them. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { violationsOf } from './axe.ts'
import { PHONE, testPages, WIDE } from './every-page.ts'
import { pageNames, settled } from './mesh.ts'

const names = pageNames.filter((name) => !/^(home|search|data )/.test(name))

testPages(names, (visitor) => {
  test('an open menu, palette and navigation › nothing for axe-core to tell', async () => {
    const { page, problems } = visitor()
    problems.length = 0
    await page.emulateMedia({ colorScheme: 'light' })
    await page.setViewportSize(WIDE)
    await page.goto('/nowhere')
    await settled(page)
    await page.getByRole('button', { name: /^Account of / }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).waitFor()
    assert.deepEqual(await violationsOf(page), [])
    await page.keyboard.press('Escape')
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog').waitFor()
    assert.deepEqual(await violationsOf(page), [])
    await page.keyboard.press('Escape')
    await page.setViewportSize(PHONE)
    await page.getByRole('button', { name: 'Open the navigation' }).click()
    await page.getByRole('dialog', { name: 'Navigation' }).waitFor()
    assert.deepEqual(await violationsOf(page), [])
    assert.deepEqual(problems, [])
  })
})
