/** The page of the directory in the browser: connecting one, replacing a key, and reading why a request was rejected. */

import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { findViolations } from './axe.ts'
import { inBrowser, type Visitor } from './browser.ts'
import { navigate } from './navigation.ts'
import { newSignedInVisitor, requestJson, startSite } from './people.ts'

inBrowser('directory', (browser) => {
  let owner: Visitor
  before(async () => {
    const site = await startSite()
    owner = await newSignedInVisitor(browser(), site, site.owner)
  })

  test('the page explains how to connect a directory, and shows a new key once', async () => {
    const { page } = owner
    await navigate(page, '/settings/directory')
    await page.getByRole('heading', { name: 'Connect a directory' }).waitFor()
    assert.deepEqual(await findViolations(page), [])
    await page.getByRole('button', { name: 'Create key' }).click()
    const secret = page.getByRole('group', { name: 'Key of the directory' })
    assert.match((await secret.textContent()) ?? '', /^pbd_\w{49}$/)
    assert.deepEqual(await findViolations(page), [])
    await page.getByRole('button', { name: 'I have saved it' }).click()
    await secret.waitFor({ state: 'detached' })
    await page.getByText('1 of 2').waitFor()
  })

  test('a second key replaces the first, and a third is not possible', async () => {
    const { page } = owner
    await navigate(page, '/settings/directory')
    await page.getByRole('button', { name: 'Create key' }).click()
    await page.getByRole('button', { name: 'I have saved it' }).click()
    await page.getByText('2 of 2').waitFor()
    await page
      .getByRole('button', { name: /^Delete the key pbd_/ })
      .first()
      .click()
    const dialog = page.getByRole('alertdialog').or(page.getByRole('dialog'))
    assert.deepEqual(await findViolations(page), [])
    await dialog.getByRole('button', { name: 'Delete key' }).click()
    await page.getByText('1 of 2').waitFor()
    const { keys } = await requestJson<{ keys: object[] }>(owner, 'GET', '/ui/directory')
    assert.equal(keys.length, 1)
  })
})
