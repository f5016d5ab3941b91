/** Settings of an organization in the browser: team roles, features and customization. */

import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { findViolations } from './axe.ts'
import { choose } from './choose.ts'
import { inBrowser, type Visitor } from './browser.ts'
import { navigate } from './navigation.ts'
import { newSignedInVisitor, productDocument, putTeam, requestJson, startSite } from './people.ts'

interface TeamRoles {
  mode: string
  'team-roles'?: { name: string; permissions: string[] }[]
}

const toMapping = (scimGroup: string) => ({
  scimGroupMappings: [{ scimGroup, type: 'organizationOwner' }],
})

const toCustomization = (displayName: string) => ({
  dataProduct: { customFilters: [{ displayName, customField: 'confidentiality' }] },
})

inBrowser('settings', (browser) => {
  let owner: Visitor
  before(async () => {
    const site = await startSite()
    owner = await newSignedInVisitor(browser(), site, site.owner)
    const members = [
      { emailAddress: 'a@velmora.example', role: 'Editor' },
      { emailAddress: 'b@velmora.example', role: 'Editor' },
    ]
    await putTeam(owner, 'yard', members)
    const product = productDocument('wagons', 'yard', {
      customProperties: [{ property: 'confidentiality', value: 'internal' }],
    })
    await requestJson(owner, 'PUT', '/api/dataproducts/wagons', product)
  })

  const readRoles = (): Promise<TeamRoles> =>
    requestJson<TeamRoles>(owner, 'GET', '/api/settings/team-roles')

  test('team roles › show what members gain and lose before they are saved', async () => {
    const { page } = owner
    await navigate(page, '/settings/team-roles')
    await page.getByRole('radio', { name: 'Custom roles' }).check()
    await page.getByText('No member gains or loses a permission.').waitFor()
    await page.getByRole('button', { name: 'Edit Editor' }).click()
    const dialog = page.getByRole('dialog', { name: 'Edit role' })
    await dialog.getByLabel('Delete data products').uncheck()
    await dialog.getByLabel('Edit the team').check()
    assert.deepEqual(await findViolations(page), [])
    await dialog.getByRole('button', { name: 'Apply' }).click()
    const effect = page.getByRole('list', { name: 'Effect' })
    await effect.getByText('Editor: 2 members').waitFor()
    await effect.getByText('They gain: Edit the team').waitFor()
    await effect.getByText('They lose: Delete data products').waitFor()
    assert.deepEqual(await findViolations(page), [])
    await page.getByRole('button', { name: 'Save roles' }).click()
    await page.getByText('Team roles saved', { exact: true }).waitFor()
    const { mode, 'team-roles': roles = [] } = await readRoles()
    assert.equal(mode, 'custom-team-roles')
    const editor = roles.find(({ name }) => name === 'Editor')
    assert.ok(editor?.permissions.includes('TEAM_EDIT'))
    assert.ok(!editor?.permissions.includes('DATAPRODUCT_DELETE'))
    assert.equal(roles.length, 5)
  })

  test('team roles › a role that members have cannot be removed', async () => {
    const { page } = owner
    await navigate(page, '/settings/team-roles')
    await page.getByRole('button', { name: 'Remove Editor' }).click()
    await page.getByText('The role is missing.').waitFor()
    const save = page.getByRole('button', { name: 'Save roles' })
    assert.equal(await save.getAttribute('aria-disabled'), 'true')
    await save.hover()
    await page
      .getByRole('tooltip')
      .getByText(/Members have the role "Editor"/)
      .waitFor()
    await page.getByRole('button', { name: 'Add role' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add role' })
    await dialog.getByLabel('Name', { exact: true }).fill('Data Keeper')
    await dialog.getByRole('button', { name: 'Apply' }).click()
    await page.getByRole('rowheader', { name: 'Data Keeper' }).waitFor()
    // The button is disabled, but reachable: pressing it must not save.
    const before = await readRoles()
    await save.press('Enter')
    await page.getByRole('button', { name: 'Remove Data Keeper' }).click()
    await page.getByRole('rowheader', { name: 'Data Keeper' }).waitFor({ state: 'detached' })
    assert.ok(before['team-roles']?.some(({ name }) => name === 'Editor'))
    assert.deepEqual(await readRoles(), before)
  })

  test('features › the policy of tags is saved, and other features are kept', async () => {
    const { page } = owner
    await requestJson(owner, 'PUT', '/api/organization/features', { customScript: 'kept' })
    await navigate(page, '/settings/features')
    await page.getByLabel('Allow only managed tags').check()
    assert.equal(await page.getByText('kept').count(), 0, 'what changes nothing is not shown')
    await page.getByRole('button', { name: 'Save rules' }).click()
    await page.getByText('Rules saved', { exact: true }).waitFor()
    const features = await requestJson<Record<string, unknown>>(
      owner,
      'GET',
      '/api/organization/features',
    )
    assert.equal(features['managedTagsPolicy'], 'only-managed-tags-allowed')
    assert.equal(features['customScript'], 'kept')
  })

  test('customization › the preview shows the values of a custom property', async () => {
    const { page } = owner
    const filters = [{ displayName: 'Confidentiality', customField: 'unknown' }]
    const document = { dataProduct: { customFilters: filters }, dataContract: { icon: 'lock' } }
    await requestJson(owner, 'PUT', '/api/settings/customization', document)
    await navigate(page, '/settings/customization')
    await page.getByText('No data product has the custom property unknown.').waitFor()
    const filter = page.getByRole('group', { name: 'Filter 1' })
    await filter.getByLabel('Custom property').fill('confidentiality')
    await page.getByRole('main').getByText('internal', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Add filter' }).click()
    const second = page.getByRole('group', { name: 'Filter 2' })
    await second.getByLabel('Name').fill('Region')
    await second.getByLabel('Custom property').fill('region')
    assert.deepEqual(await findViolations(page), [])
    await page.getByRole('button', { name: 'Save customization' }).click()
    await page.getByText('Customization saved', { exact: true }).waitFor()
    const text = JSON.stringify(document).replace('unknown', 'confidentiality')
    const expected = JSON.parse(text)
    expected.dataProduct.customFilters.push({ displayName: 'Region', customField: 'region' })
    assert.deepEqual(await requestJson(owner, 'GET', '/api/settings/customization'), expected)
    await page.getByRole('button', { name: 'Edit as text' }).click()
    await page.getByRole('textbox', { name: 'Customization' }).getByText('icon: lock').waitFor()
  })

  test('customization › its filters are facets of search, and kept in the address', async () => {
    const { page } = owner
    const filters = [{ displayName: 'Confidentiality', customField: 'confidentiality' }]
    const document = { dataProduct: { customFilters: filters } }
    await requestJson(owner, 'PUT', '/api/settings/customization', document)
    const other = productDocument('cargo', 'yard', {
      customProperties: [{ property: 'confidentiality', value: 'public' }],
    })
    await requestJson(owner, 'PUT', '/api/dataproducts/cargo', other)
    await page.goto('/search?resourceType=DATA_PRODUCT')
    const facet = page.getByRole('group', { name: 'Confidentiality' })
    await facet.getByRole('checkbox', { name: 'internal 1' }).click()
    await page.waitForURL((url) => url.searchParams.get('custom') === 'confidentiality=internal')
    await page.getByText('1 result').waitFor()
    await facet.getByRole('checkbox', { name: 'public 1' }).waitFor()
    assert.deepEqual(await findViolations(page), [])
    const active = page.getByRole('list', { name: 'Active filters' })
    await active.getByRole('link', { name: /Confidentiality: ?internal/ }).click()
    await page.getByText('2 results').waitFor()
    await page.goto('/search?query=nowhere&custom=confidentiality%3Dinternal')
    await page.getByText('No results', { exact: true }).waitFor()
  })

  test('SCIM mapping › gives a group a role in a team, and keeps what the page does not show', async () => {
    const { page } = owner
    const admins = { scimGroup: 'admins', type: 'organizationOwner' }
    const scimGroupDefaults = { defaultTeamMemberRole: 'Member' }
    await requestJson(owner, 'PUT', '/api/settings/scim-mapping', {
      scimGroupDefaults,
      scimGroupMappings: [admins],
    })
    await navigate(page, '/settings/scim-mapping')
    await page.getByRole('group', { name: 'admins' }).waitFor()
    await page.getByRole('button', { name: 'Add group' }).click()
    await page.getByRole('group', { name: 'Group 2' }).getByLabel('SCIM group').fill('yard editors')
    const row = page.getByRole('group', { name: 'yard editors' })
    await choose(row.getByLabel('Team'), 'yard')
    await choose(row.getByLabel('Role'), 'Editor')
    assert.deepEqual(await findViolations(page), [])
    await page.getByRole('button', { name: 'Save mapping' }).click()
    await page.getByText('SCIM mapping saved', { exact: true }).waitFor()
    assert.deepEqual(await requestJson(owner, 'GET', '/api/settings/scim-mapping'), {
      scimGroupDefaults,
      scimGroupMappings: [
        admins,
        {
          scimGroup: 'yard editors',
          type: 'teamMemberRole',
          teamId: 'yard',
          teamMemberRole: 'Editor',
        },
      ],
    })
    await page.getByRole('button', { name: 'Remove admins' }).click()
    await page.getByRole('group', { name: 'admins' }).waitFor({ state: 'detached' })
    await page.goto('/settings/scim-mapping')
    await page.getByRole('group', { name: 'admins' }).waitFor()
  })

  const notice = () => owner.page.getByText('Changed by another person since you started')

  /** Saves a setting as another person does, who has the page open at the same time. */
  const putAsOther = async (path: string, body: object): Promise<void> => {
    await requestJson(owner, 'PUT', path, body)
  }

  test('SCIM mapping › edits are kept when another person saves first', async () => {
    const { page } = owner
    const path = '/api/settings/scim-mapping'
    await putAsOther(path, toMapping('admins'))
    await page.goto('/settings/scim-mapping')
    await page.getByRole('group', { name: 'admins' }).getByLabel('SCIM group').fill('mine')
    await putAsOther(path, toMapping('theirs'))
    await page.getByRole('button', { name: 'Save mapping' }).click()
    await notice().waitFor()
    assert.deepEqual(await findViolations(page), [])
    await page.getByRole('group', { name: 'mine' }).waitFor()
    assert.deepEqual(await requestJson(owner, 'GET', path), toMapping('theirs'))
    await page.getByRole('button', { name: 'Keep mine' }).click()
    await notice().waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Save mapping' }).click()
    await page.getByText('SCIM mapping saved', { exact: true }).waitFor()
    assert.deepEqual(await requestJson(owner, 'GET', path), toMapping('mine'))
    await putAsOther(path, toMapping('theirs'))
    await page.getByRole('group', { name: 'mine' }).getByLabel('SCIM group').fill('other')
    await page.getByRole('button', { name: 'Save mapping' }).click()
    await page.getByRole('button', { name: 'Use theirs' }).click()
    await page.getByRole('group', { name: 'theirs' }).waitFor()
    await notice().waitFor({ state: 'detached' })
  })

  test('customization › a text is kept when another person saves first', async () => {
    const { page } = owner
    const path = '/api/settings/customization'
    await putAsOther(path, toCustomization('Before'))
    await page.goto('/settings/customization?as=text')
    const editor = page.getByRole('textbox', { name: 'Customization' })
    await editor.fill(JSON.stringify(toCustomization('Mine')))
    await putAsOther(path, toCustomization('Theirs'))
    await page.getByRole('button', { name: 'Save customization' }).click()
    await notice().waitFor()
    await page.getByRole('heading', { name: 'Mine' }).waitFor()
    await page.getByRole('button', { name: 'Keep mine' }).click()
    await page.getByRole('button', { name: 'Save customization' }).click()
    await page.getByText('Customization saved', { exact: true }).waitFor()
    assert.deepEqual(await requestJson(owner, 'GET', path), toCustomization('Mine'))
  })

  test('e-mail texts › edits are kept when another person saves first', async () => {
    const { page } = owner
    const path = '/api/settings/email-templates'
    await page.goto('/settings/email-templates')
    await page.getByRole('button', { name: 'Add type' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add type' })
    await dialog.getByRole('textbox', { name: 'Type' }).fill('digest')
    await dialog.getByRole('button', { name: 'Apply' }).click()
    await putAsOther(path, { templates: { invitation: {} } })
    await page.getByRole('button', { name: 'Save texts' }).click()
    await notice().waitFor()
    await page.getByRole('rowheader', { name: 'digest' }).waitFor()
    await page.getByRole('button', { name: 'Use theirs' }).click()
    await page.getByRole('rowheader', { name: 'invitation' }).waitFor()
    await page.getByRole('rowheader', { name: 'digest' }).waitFor({ state: 'detached' })
    await putAsOther(path, {})
  })

  test('e-mail texts › what is edited while a save ends is kept', async () => {
    const { page } = owner
    const path = '/api/settings/email-templates'
    const add = async (name: string): Promise<void> => {
      await page.getByRole('button', { name: 'Add type' }).click()
      const dialog = page.getByRole('dialog', { name: 'Add type' })
      await dialog.getByRole('textbox', { name: 'Type' }).fill(name)
      await dialog.getByRole('button', { name: 'Apply' }).click()
    }
    await page.goto('/settings/email-templates')
    await add('digest')
    const isEdited = Promise.withResolvers<void>()
    await page.route(`**${path}`, async (route) => {
      if (route.request().method() === 'GET') await isEdited.promise
      await route.continue()
    })
    await page.getByRole('button', { name: 'Save texts' }).click()
    await page.getByText('E-mail texts saved', { exact: true }).waitFor()
    await add('reminder')
    isEdited.resolve()
    // The button is busy until the stored texts are loaded.
    await page.locator('button:not([aria-busy=true])', { hasText: 'Save texts' }).click()
    await page.getByRole('rowheader', { name: 'reminder' }).waitFor()
    await page.getByText('E-mail texts saved', { exact: true }).nth(1).waitFor()
    const { templates } = (await requestJson(owner, 'GET', path)) as { templates: object }
    assert.deepEqual(Object.keys(templates).toSorted(), ['digest', 'reminder'])
    await page.unroute(`**${path}`)
    await putAsOther(path, {})
  })

  test('e-mail texts › a type gets a text in a language, and is removed again', async () => {
    const { page } = owner
    await navigate(page, '/settings/email-templates')
    await page.getByRole('button', { name: 'Add type' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add type' })
    await dialog.getByRole('textbox', { name: 'Type' }).fill('access_decided')
    await dialog.getByRole('button', { name: 'Add language' }).click()
    await dialog.getByLabel('Language').fill('de')
    await dialog.getByLabel('Subject').fill('Zugriff erteilt')
    await dialog.getByLabel('Body').fill('Guten Tag')
    assert.deepEqual(await findViolations(page), [])
    await dialog.getByRole('button', { name: 'Apply' }).click()
    await page.getByRole('rowheader', { name: 'access_decided' }).waitFor()
    assert.deepEqual(await findViolations(page), [])
    await page.getByRole('button', { name: 'Save texts' }).click()
    await page.getByText('E-mail texts saved', { exact: true }).waitFor()
    const text = { subject: 'Zugriff erteilt', body: 'Guten Tag', customized: true }
    assert.deepEqual(await requestJson(owner, 'GET', '/api/settings/email-templates'), {
      templates: { access_decided: { languages: { de: text } } },
    })
    await page.getByRole('button', { name: 'Edit access_decided' }).click()
    const edit = page.getByRole('dialog', { name: 'Edit type' })
    await edit.getByLabel('Enabled').uncheck()
    await edit.getByRole('button', { name: 'Apply' }).click()
    await page.getByRole('button', { name: 'Save texts' }).click()
    await page.getByRole('row', { name: /access_decided No de/ }).waitFor()
    await page.getByRole('button', { name: 'Remove access_decided' }).click()
    await page.getByText('No e-mail texts', { exact: true }).waitFor()
  })
})
