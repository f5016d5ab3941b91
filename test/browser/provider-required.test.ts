/** A rule of an organization that reaches a person in the middle of a form: the form stays, and is sent afterwards. */

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { PROVIDER_CLIENT, startProvider, type RunningProvider } from '../oidc/provider.ts'
import { inBrowser } from './browser.ts'
import { newSignedInVisitor, startSite, type Site } from './people.ts'

inBrowser('an organization that requires its provider', (browser) => {
  let provider: RunningProvider
  let site: Site
  before(async () => {
    provider = await startProvider({
      people: { juno: { email: 'owner@velmora.example', email_verified: true, name: 'Juno' } },
    })
    site = await startSite({
      PORTBOOK_OIDC_ISSUER: provider.issuer,
      PORTBOOK_OIDC_CLIENT_ID: PROVIDER_CLIENT.client_id,
      PORTBOOK_OIDC_CLIENT_SECRET: PROVIDER_CLIENT.client_secret,
      PORTBOOK_OIDC_NAME: 'Velmora ID',
      PORTBOOK_OIDC_DOMAINS: 'velmora.example',
      PORTBOOK_IDENTITY_ALLOWED: '127.0.0.1',
    })
    const [row] = await site.query('select id::text from identity_provider')
    const [client] = provider.clients
    assert(client !== undefined && row !== undefined)
    client.redirect_uris = [`${site.url}/sign-in/${String(row['id'])}/callback`]
    await provider.apply()
  })
  after(async () => {
    await provider.close()
  })

  test('a form keeps its input while the person signs in with the provider in a new tab', async () => {
    const visitor = await newSignedInVisitor(browser(), site, site.owner)
    const { page, context } = visitor
    await page.goto('/teams/new')
    await page.getByLabel('Name', { exact: true }).fill('Crew of drivers')
    await page.getByLabel('Id', { exact: true }).fill('drivers')
    await page.getByLabel('Description').fill('Drivers and planners.')
    await site.query(
      "insert into organization_sign_in (organization_id, rule, updated_by) select id, 'provider', 'test' from organization",
    )
    await page.getByRole('button', { name: 'Create team' }).click()
    const dialog = page.getByRole('dialog', {
      name: 'This organization requires signing in with Velmora ID',
    })
    await dialog.waitFor()
    assert.equal(await dialog.getByLabel('Password').count(), 0)
    const opened = context.waitForEvent('page')
    await dialog.getByRole('button', { name: 'Continue with Velmora ID' }).click()
    const tab = await opened
    await tab.locator('[name=login]').fill('juno')
    await tab.locator('[name=password]').fill('any')
    await tab.locator('[type=submit]').click()
    await tab.locator('[name=prompt][value=consent]').waitFor({ state: 'attached' })
    await tab.locator('[type=submit]').click()
    await dialog.waitFor({ state: 'detached' })
    assert.equal(await page.getByLabel('Description').inputValue(), 'Drivers and planners.')
    await page.getByRole('button', { name: 'Create team' }).click()
    await page.getByRole('heading', { level: 1, name: 'Crew of drivers' }).waitFor()
    await visitor.close()
  })
})
