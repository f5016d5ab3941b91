/**
 * An owner connects a provider past planted faults, and enforces it; a new colleague signs in and lands in the right team;
 * a removed one is out.
 */

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { PROVIDER_CLIENT, failAt, startProvider, type RunningProvider } from '../oidc/provider.ts'
import { inBrowser, newVisitor, type Visitor } from './browser.ts'
import { newSignedInVisitor, startSite, type Site } from './people.ts'

const TEAM = 'fleet'
const MAPPING = `scimGroupMappings:
  - {scimGroup: Fleet crew, type: teamMemberRole, teamId: ${TEAM}, teamMemberRole: Editor}
`

inBrowser('signing in with a provider', (browser) => {
  let provider: RunningProvider
  let site: Site
  let owner: Visitor
  before(async () => {
    provider = await startProvider({
      people: {
        juno: { email: 'owner@velmora.example', email_verified: true, name: 'Juno' },
        nell: {
          email: 'nell@velmora.example',
          email_verified: true,
          name: 'Nell Ito',
          groups: ['Fleet crew'],
        },
      },
    })
    site = await startSite({ PORTBOOK_IDENTITY_ALLOWED: '127.0.0.1' })
    await site.query(
      `insert into organization_domain (organization_id, domain, challenge, verified_at, proof, updated_by)
       select id, 'velmora.example', 'challenge', now(), 'dns', 'test' from organization`,
    )
    owner = await newSignedInVisitor(browser(), site, site.owner)
  })
  after(async () => {
    await owner.close()
    await provider.close()
  })

  test('an owner connects a provider past planted faults', async () => {
    const { page } = owner
    await page.goto('/settings/sign-in')
    await page.getByRole('button', { name: /Another provider/ }).click()
    const dialog = page.getByRole('dialog', { name: 'Connect Another provider' })
    const result = dialog.getByRole('list', { name: 'Result of the test' })
    const expectFault = async (sentence: RegExp): Promise<void> => {
      await dialog.getByRole('button', { name: 'Test provider' }).click()
      await result.getByText(sentence).first().waitFor()
    }
    const fill = async (label: string, value: string): Promise<void> =>
      await dialog.getByLabel(new RegExp(`^${label}`)).fill(value)
    await fill('Name', 'Velmora ID')
    await fill('Issuer', 'http://id.velmora.example')
    await fill('Client ID', PROVIDER_CLIENT.client_id)
    await fill('Client secret', 'not the secret')
    await expectFault(/does not begin with https/)
    await fill('Issuer', `${provider.issuer}/`)
    await expectFault(/but the issuer here is/)
    await fill('Issuer', provider.issuer)
    provider.fault = failAt('/.well-known/openid-configuration', 404)
    await expectFault(/404/)
    provider.fault = failAt('/jwks', 200, '{"keys":[]}')
    await expectFault(/has no key/)
    provider.fault = undefined
    await expectFault(/refused the client id or the client secret/)
    await fill('Client secret', PROVIDER_CLIENT.client_secret)
    await dialog.getByRole('button', { name: 'Test provider' }).click()
    await result.getByText('The client id and the secret are right.').waitFor()
    await fill('Claim with the groups', 'groups')
    await dialog.getByRole('radio', { name: 'People in a mapped group' }).check()
    await fill('Domains', 'velmora.example')
    await dialog.getByLabel(/^Domains/).press('Enter')
    await dialog.getByRole('button', { name: 'Connect provider' }).click()
    await page.getByRole('heading', { name: 'Velmora ID' }).waitFor()
    // The redirect address is known only now; the provider checks it at a sign-in.
    const [row] = await site.query('select id::text from identity_provider')
    const [client] = provider.clients
    assert.ok(client !== undefined && row !== undefined)
    client.redirect_uris = [`${site.url}/sign-in/${String(row['id'])}/callback`]
    await provider.apply()
  })

  test('an owner signs in with it, and requires it, also after another owner changed the rule', async () => {
    const { page } = owner
    await page.goto('/settings/profile')
    await page.getByRole('button', { name: 'Link account' }).click()
    await signInAtProvider(page, 'juno')
    await page.getByRole('button', { name: 'Unlink' }).waitFor()
    await page.context().clearCookies()
    await signInWithProvider(page, site.url, 'juno')
    await page.goto('/settings/sign-in')
    await page.getByRole('radio', { name: /Only with a provider/ }).check()
    await page.getByRole('checkbox').first().check()
    const status = await page.evaluate<number>(NAME_BREAK_GLASS)
    assert.ok(status < 300, `${status}`)
    const save = page.getByRole('button', { name: 'Save sign-in rule' })
    await save.click()
    await page.getByRole('alert').getByRole('button', { name: 'Keep mine' }).click()
    await save.click()
    await page.getByText('Sign-in rule changed', { exact: true }).waitFor()
  })

  test('a new colleague signs in, and lands in the right team', async () => {
    const { page } = owner
    await page.goto('/teams/new')
    await page.getByLabel('Name', { exact: true }).fill('Fleet')
    await page.getByLabel('Id', { exact: true }).fill(TEAM)
    await page.getByRole('button', { name: 'Create team' }).click()
    await page.getByRole('heading', { level: 1, name: 'Fleet' }).waitFor()
    const status = await page.evaluate<number>(`(${PUT_MAPPING})(${JSON.stringify(MAPPING)})`)
    assert.ok(status < 300, `${status}`)
    const colleague = await newVisitor(browser(), site.url)
    await signInWithProvider(colleague.page, site.url, 'nell')
    await colleague.page.goto(`/teams/${TEAM}`)
    const member = colleague.page.getByRole('row', { name: /Nell Ito/ })
    await member.getByText('Editor').first().waitFor()
    await suspendByDirectory(page, site.url, 'nell@velmora.example')
    await colleague.page.goto('/teams')
    await colleague.page
      .getByText(/suspended/i)
      .first()
      .waitFor()
    await colleague.close()
  })
})

// As another owner would.
const NAME_BREAK_GLASS = `(async () => {
  const { owners } = await (await fetch('/ui/sign-in-rule')).json()
  const breakGlass = owners.map(({ userId }) => userId)
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify({ rule: 'any', breakGlass })
  return (await fetch('/ui/sign-in-rule', { method: 'PUT', headers, body })).status
})()`

const PUT_MAPPING = `async (body) => (await fetch('/api/settings/scim-mapping', {
  method: 'PUT', headers: { 'content-type': 'application/yaml' }, body
})).status`

const CREATE_KEY = `async () => await (await fetch('/ui/directory/keys', {
  method: 'POST', headers: { 'content-type': 'application/json' }
})).json()`

/** Suspends a member as a directory does that has removed them. */
async function suspendByDirectory(page: Page, url: string, userName: string): Promise<void> {
  const { key } = await page.evaluate<{ key?: string }>(`(${CREATE_KEY})()`)
  assert.ok(key !== undefined)
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/scim+json' }
  const send = async (method: string, path: string, body?: object): Promise<string> => {
    const answer = await fetch(`${url}/api/scim/v2${path}`, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    assert.ok(answer.ok, text)
    return text
  }
  const filter = encodeURIComponent(`userName eq "${userName}"`)
  const { Resources } = JSON.parse(await send('GET', `/Users?filter=${filter}`)) as {
    Resources: { id: string }[]
  }
  await send('PATCH', `/Users/${Resources[0]?.id}`, {
    schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
    Operations: [{ op: 'replace', path: 'active', value: false }],
  })
}

async function signInWithProvider(page: Page, url: string, login: string): Promise<void> {
  await page.goto(`${url}/sign-in`)
  await page.getByRole('button', { name: 'Continue with Velmora ID' }).click()
  await signInAtProvider(page, login)
  await page.getByRole('navigation').first().waitFor()
}

async function signInAtProvider(page: Page, login: string): Promise<void> {
  const named: Locator = page.locator('[name=login]')
  await named.fill(login)
  await page.locator('[name=password]').fill('any')
  await page.locator('[type=submit]').click()
  await page.locator('[name=prompt][value=consent]').waitFor({ state: 'attached' })
  await page.locator('[type=submit]').click()
}
