/** The health of the installation in the browser: as its owner, as a member, and with problems. */

import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { findViolations } from './axe.ts'
import { inBrowser, type Visitor } from './browser.ts'
import { navigate } from './navigation.ts'
import { acceptInvitation, newSignedInVisitor, startSite, type Site } from './people.ts'

inBrowser('health', (browser) => {
  let site: Site
  let owner: Visitor
  before(async () => {
    site = await startSite()
    owner = await newSignedInVisitor(browser(), site, site.owner)
  })

  test('health › shows an owner that everything works, with processes, work, jobs and tables', async () => {
    const { page } = owner
    await navigate(page, '/settings/health')
    await page.getByText(/^(Everything works|No problem found)$/).waitFor()
    await page.getByText('answered this page').waitFor()
    for (const title of ['Processes', 'Background work', 'Jobs', 'Database', 'Largest tables']) {
      await page.getByRole('heading', { name: title }).waitFor()
    }
    await page.getByText('Serves and works').waitFor()
    assert.deepEqual(await findViolations(page), [])
  })

  test('health › shows a problem first, with what to do', async () => {
    const { page } = owner
    await site.query(
      `update job set succeeded_at = null, created_at = now() - interval '1 day' where name = 'usage'`,
    )
    await navigate(page, '/settings/health')
    const problem = page.getByText('The job "deleting expired usage" last succeeded 24 h ago')
    await problem.waitFor()
    await page.getByText('The limit is 4 h.').waitFor()
    const link = page.getByRole('link', { name: 'What to do' })
    assert.equal(await link.getAttribute('href'), '/guides/alerts#portbookjoblate')
    assert.deepEqual(await findViolations(page), [])
  })

  test('health › shows a member who can see it', async () => {
    const member = await acceptInvitation(owner, site, {
      email: 'nora@rail.example',
      name: 'Nora',
    })
    const { page } = await newSignedInVisitor(browser(), site, member)
    await navigate(page, '/settings/health')
    await page.getByText('Not visible to you').waitFor()
    await page.getByText(/owners of the organization/i).waitFor()
    assert.deepEqual(await findViolations(page), [])
  })
})
