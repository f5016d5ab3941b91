/** Roles by groups in the browser, and a person who is suspended while the page is open. */

import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { findViolations } from './axe.ts'
import { inBrowser, type Visitor } from './browser.ts'
import { navigate } from './navigation.ts'
import {
  acceptInvitation,
  newSignedInVisitor,
  putTeam,
  requestJson,
  startSite,
  type Site,
} from './people.ts'

const TEAM = 'yard'
const EMAIL = 'gro.group@velmora.example'

inBrowser('groups', (browser) => {
  let site: Site
  let owner: Visitor
  let member: Visitor
  before(async () => {
    site = await startSite()
    owner = await newSignedInVisitor(browser(), site, site.owner)
    const person = await acceptInvitation(owner, site, { email: EMAIL, name: 'Gro Group' })
    member = await newSignedInVisitor(browser(), site, person)
    await putTeam(owner, TEAM)
    await site.query(`
      with crew as (
        insert into directory_group (organization_id, id, display_name, display_name_key, updated_by)
        select organization.id, gen_random_uuid(), given.name, lower(given.name), 'system'
        from organization
        cross join unnest(array['Crew', 'Drivers']) as given (name)
        returning organization_id, id
      )
      insert into directory_group_member (organization_id, group_id, user_id)
      select crew.organization_id, crew.id, account.id
      from crew
      join user_account as account on account.email_key = '${EMAIL}'`)
  })

  test('an owner › maps a group, and sees its people and the groups without a role', async () => {
    const { page } = owner
    await navigate(page, '/settings/scim-mapping')
    await page.getByRole('region', { name: 'Groups that have no role' }).getByText('Crew').waitFor()
    await requestJson(owner, 'PUT', '/api/settings/scim-mapping', {
      scimGroupMappings: [
        { scimGroup: 'CREW', type: 'teamMemberRole', teamId: TEAM, teamMemberRole: 'Editor' },
        { scimGroup: 'crew', type: 'organizationOwner' },
        { scimGroup: 'Crew', type: 'teamMember', teamId: 'later' },
      ],
    })
    await page.reload()
    await page.getByText('1 person is in this group.').first().waitFor()
    await page.getByText('The team "later" does not exist yet.').waitFor()
    await page
      .getByRole('region', { name: 'Groups that have no role' })
      .getByText('Drivers')
      .waitFor()
    assert.deepEqual(await findViolations(page), [])
  })

  test('everyone › sees the group of a role among the members and on the page of the team', async () => {
    const { page } = owner
    await navigate(page, '/settings/members')
    const row = page.getByRole('row').filter({ hasText: EMAIL })
    await row.getByText('by group crew', { exact: true }).waitFor()
    await row.getByText('Editor by group CREW').waitFor()
    assert.deepEqual(await findViolations(page), [])
    await navigate(page, `/teams/${TEAM}`)
    const people = page.getByRole('region', { name: 'Members of the team' })
    await people.getByText('by group CREW').waitFor()
    assert.deepEqual(await findViolations(page), [])
  })

  test('a suspended person › sees the reason at the next request, and owners see it', async () => {
    const { page } = member
    await navigate(page, '/teams')
    await site.query(`
      update organization_member
      set suspended_at = now()
      where user_id = (select id from user_account where email_key = '${EMAIL}')`)
    await navigate(page, `/teams/${TEAM}`)
    await page.getByRole('heading', { name: 'Your account is suspended' }).waitFor()
    assert.deepEqual(await findViolations(page), [])
    await navigate(owner.page, '/settings/members')
    const row = owner.page.getByRole('row').filter({ hasText: EMAIL })
    await row.getByText('Suspended').waitFor()
    await navigate(owner.page, `/teams/${TEAM}`)
    assert.equal(await owner.page.getByText(EMAIL).count(), 0)
  })
})
