/** Erasing a member in the browser: the dialog shows what happens, asks for the address, and lists what is left. */

import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { findViolations } from './axe.ts'
import { inBrowser, type Visitor } from './browser.ts'
import { chooseAction } from './members-steps.ts'
import { navigate } from './navigation.ts'
import {
  acceptInvitation,
  newSignedInVisitor,
  requestJson,
  startSite,
  type Site,
} from './people.ts'

inBrowser('erasing a member', (browser) => {
  let site: Site
  let owner: Visitor
  before(async () => {
    site = await startSite()
    owner = await newSignedInVisitor(browser(), site, site.owner)
  })

  test('an owner erases a member, and sees which documents contain the address', async () => {
    const { page } = owner
    const email = 'vera.vane@velmora.example'
    const person = await acceptInvitation(owner, site, { email, name: 'Vera Vane', role: 'Member' })
    const member = await newSignedInVisitor(browser(), site, person)
    const team = { id: 'depot', name: 'Depot', members: [{ emailAddress: email, role: 'Editor' }] }
    await requestJson(owner, 'PUT', '/api/teams/depot', team)
    await chooseAction(owner, 'Vera Vane', 'Erase person')
    const dialog = page.getByRole('dialog', { name: 'Erase Vera Vane?' })
    await dialog.getByText('This cannot be undone.').waitFor()
    await dialog.getByText(/session/).waitFor()
    await dialog.getByRole('link', { name: 'depot' }).waitFor()
    const button = dialog.getByRole('button', { name: 'Erase person' })
    assert.equal(await button.getAttribute('aria-disabled'), 'true')
    await dialog.getByLabel(`Type ${email} to confirm`).fill(email)
    assert.deepEqual(await findViolations(page), [])
    await button.click()
    const result = page.getByRole('dialog', { name: 'The person was erased' })
    await result.getByRole('link', { name: 'depot' }).waitFor()
    await result.getByRole('button', { name: 'Done' }).click()
    assert.equal(await page.getByRole('rowheader', { name: /Vera Vane/ }).count(), 0)
    await navigate(page, '/activity?kind=member')
    await page.getByText('Erased person').first().waitFor()
    assert.equal(await page.getByText('Vera').count(), 0)
    await member.page.goto(`${site.url}/teams`)
    await member.page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await member.close()
    await owner.close()
  })
})
