/** The members of a team in the browser: what a member without further permissions may do there. */

import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { inBrowser, type Visitor } from './browser.ts'
import { assertDisabled } from './members-steps.ts'
import { navigate } from './navigation.ts'
import { acceptInvitation, newSignedInVisitor, putTeam, startSite, type Site } from './people.ts'

const TEAM = 'yard'
const EDIT_RULE = /can edit the team/

inBrowser('members of a team', (browser) => {
  let site: Site
  let owner: Visitor
  before(async () => {
    site = await startSite()
    owner = await newSignedInVisitor(browser(), site, site.owner)
  })

  test('a member › leaves the team in its form, and cannot save another change', async () => {
    const email = 'lea.leaver@velmora.example'
    const person = await acceptInvitation(owner, site, { email, name: 'Lea Leaver' })
    await putTeam(owner, TEAM, [
      { emailAddress: email, role: 'Member' },
      { emailAddress: site.owner.email, role: 'Owner' },
    ])
    const visitor = await newSignedInVisitor(browser(), site, person)
    const { page } = visitor
    await navigate(page, `/teams/${TEAM}`)
    await page.getByRole('link', { name: 'Edit' }).click()
    await page.getByText('You can only leave this team').waitFor()
    const save = page.getByRole('button', { name: 'Save team' })
    const name = page.getByLabel('Name', { exact: true })
    const before = await name.inputValue()
    await name.fill('Another name')
    // Scrolling closes a tooltip.
    await save.scrollIntoViewIfNeeded()
    await assertDisabled(save, EDIT_RULE)
    await name.fill(before)
    await page.getByRole('button', { name: `Remove ${email}` }).click()
    await save.click()
    await page.getByText('Team saved').first().waitFor()
    await assertDisabled(page.getByRole('button', { name: 'Edit' }), EDIT_RULE)
    assert.equal(
      await page.getByRole('region', { name: 'Members of the team' }).getByText(email).count(),
      0,
    )
    assert.deepEqual(visitor.problems, [])
    await visitor.close()
  })
})
