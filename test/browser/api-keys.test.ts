/**
 * API keys in the browser: each of the six kinds is created on its page, copied to a program, limited
 * to its permissions, and unusable once deleted.
 */

import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { eventually } from '../eventually.ts'
import { findViolations } from './axe.ts'
import { inBrowser, type Visitor } from './browser.ts'
import { choose } from './choose.ts'
import { navigate } from './navigation.ts'
import {
  readClipboard,
  productDocument,
  putTeam,
  newSignedInVisitor,
  startSite,
  requestJson,
  type Site,
} from './people.ts'

const A = 'brakes'
const B = 'wheels'
const KEYS_MAX = 100
const SECOND_MS = 1000

/** The HTTP status that each kind of key gets: for a product of each team and for a new team. */
const KINDS = [
  { title: 'Personal, read-only', scope: 'user_read', a: 403, b: 403, team: 403 },
  { title: 'Personal', scope: 'user', a: 200, b: 200, team: 200 },
  { title: 'Team, read-only', scope: 'team_read', a: 403, b: 403, team: 403 },
  { title: 'Team', scope: 'team', a: 200, b: 403, team: 403 },
  { title: 'Organization, read-only', scope: 'organization_read', a: 403, b: 403, team: 403 },
  { title: 'Organization', scope: 'organization', a: 200, b: 200, team: 200 },
] as const

interface CreatedKey {
  name: string
  secret: string
}

inBrowser('API keys', (browser) => {
  let site: Site
  let visitor: Visitor
  before(async () => {
    site = await startSite()
    visitor = await newSignedInVisitor(browser(), site, site.owner)
    await putTeam(visitor, A)
    await putTeam(visitor, B)
  })

  /** Creates a key on the page and copies its secret. */
  async function create(name: string, title: string, lastDay?: string): Promise<CreatedKey> {
    const { page } = visitor
    await navigate(page, '/api-keys')
    await page.getByRole('button', { name: 'Create API key' }).first().click()
    const dialog = page.getByRole('dialog', { name: 'Create API key' })
    await dialog
      .getByRole('radio', { name: new RegExp(`^${title} ?(?:Reads|Does|Registers)`) })
      .check()
    if (title.startsWith('Team')) await choose(dialog.getByRole('combobox', { name: 'Team' }), A)
    await dialog.getByLabel('Name').fill(name)
    if (lastDay !== undefined) await dialog.getByLabel('Expires on').fill(lastDay)
    await dialog.getByRole('button', { name: 'Create API key' }).click()
    await page.getByRole('heading', { name: `API key "${name}" created` }).waitFor()
    await page.getByRole('button', { name: 'Copy: Secret of the new key' }).click()
    await page.getByRole('button', { name: 'Copied' }).waitFor()
    return { name, secret: await readClipboard(visitor) }
  }

  function findRow(name: string) {
    return visitor.page.getByRole('row').filter({ hasText: name })
  }

  async function requestStatus(secret: string, method: string, path: string, body?: object) {
    const answer = await fetch(`${site.url}${path}`, {
      method,
      headers: { 'x-api-key': secret, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    await answer.arrayBuffer()
    return answer.status
  }

  describe('every kind › is limited to its permissions over HTTP', () => {
    for (const { title, scope, a, b, team } of KINDS) {
      test(title, async () => {
        const { secret } = await create(`Key of scope ${scope}`, title)
        const putProduct = (id: string, owner: string) =>
          requestStatus(secret, 'PUT', `/api/dataproducts/${id}`, productDocument(id, owner))
        assert.equal(await requestStatus(secret, 'GET', '/api/dataproducts'), 200)
        assert.equal(await requestStatus(secret, 'GET', '/api/organization/settings'), 200)
        assert.equal(await putProduct(`${scope}-own`, A), a, 'a product of its team')
        assert.equal(await putProduct(`${scope}-other`, B), b, 'a product of another team')
        const newTeam = { id: `${scope}-team`, name: 'New team', type: 'Team' }
        const teamPath = `/api/teams/${newTeam.id}`
        assert.equal(await requestStatus(secret, 'PUT', teamPath, newTeam), team, 'a new team')
        assert.equal(await requestStatus(secret, 'GET', '/ui/api-keys'), 401)
        const settings = await fetch(`${site.url}/api/organization/settings`, {
          headers: { 'x-api-key': secret },
        })
        const { caller } = (await settings.json()) as { caller: { scope: string } }
        assert.equal(caller.scope, scope)
        assert.deepEqual(visitor.problems, [])
      })
    }
  })

  test('the list › shows kind, team, creator and last use, and updates after a use', async () => {
    const { page } = visitor
    const { name, secret } = await create('Key in use', 'Team')
    const { user } = await requestJson<{ user: { name: string } }>(visitor, 'GET', '/ui/session')
    const row = findRow(name)
    await row.waitFor()
    const [scope, of, created = '', lastUsed = '', expires] = await row
      .getByRole('cell')
      .allInnerTexts()
    assert.deepEqual([scope, of, expires], ['Team', `Team ${A}`, 'never'])
    assert.ok(created.includes(`by ${user.name}`), created)
    assert.match(lastUsed, /never/)
    assert.equal(await requestStatus(secret, 'GET', '/api/teams'), 200)
    await eventually(
      5 * SECOND_MS,
      async () => (await findLastUse(name)) !== null,
      'the use is recorded',
    )
    await page.getByRole('button', { name: 'I have saved it' }).click()
    await page.reload()
    await row.waitFor()
    assert.doesNotMatch((await row.getByRole('cell').allInnerTexts())[3] ?? '', /never/)
    assert.deepEqual(visitor.problems, [])
  })

  test('a limited key › is chosen by a preset, does only that, and shows its permissions', async () => {
    const { page } = visitor
    await navigate(page, '/api-keys')
    await page.getByRole('button', { name: 'Create API key' }).first().click()
    const dialog = page.getByRole('dialog', { name: 'Create API key' })
    await dialog.getByRole('radio', { name: /^Team Registers/ }).check()
    await choose(dialog.getByRole('combobox', { name: 'Team' }), A)
    await dialog.getByLabel('Name').fill('Limited')
    await dialog.getByRole('radio', { name: /^Only chosen permissions/ }).check()
    await dialog.getByText('Nothing is chosen: the key only reads.').waitFor()
    await dialog.getByRole('button', { name: 'Publish data products from CI' }).click()
    await dialog.getByText('4 chosen.').waitFor()
    await dialog.getByRole('checkbox', { name: /^Publish data products No effect yet/ }).check()
    assert.deepEqual(await findViolations(page), [])
    await dialog.getByRole('button', { name: 'Create API key' }).click()
    await page.getByRole('heading', { name: 'API key "Limited" created' }).waitFor()
    await page.getByRole('button', { name: 'Copy: Secret of the new key' }).click()
    await page.getByRole('button', { name: 'Copied' }).waitFor()
    const secret = await readClipboard(visitor)
    const product = productDocument('limited', A)
    assert.equal(await requestStatus(secret, 'PUT', '/api/dataproducts/limited', product), 200)
    assert.equal(await requestStatus(secret, 'DELETE', '/api/dataproducts/limited'), 403)
    await page.getByRole('button', { name: '5 permissions, Limited' }).click()
    const list = page.getByRole('dialog', { name: 'Permissions of "Limited"' })
    // Away from the button that the dialog focuses, which shows its name outside of every landmark.
    await list.getByText('Add data contracts').click()
    assert.deepEqual(await findViolations(page), [])
    await page.keyboard.press('Escape')
  })

  test('a key with an expiry date › shows its last day', async () => {
    const { page } = visitor
    const lastDay = `${new Date().getUTCFullYear() + 1}-03-09`
    const { name, secret } = await create('Key with an expiry date', 'Personal, read-only', lastDay)
    const displayedDate = `9 March ${lastDay.slice(0, 4)}`
    await page
      .getByText(new RegExp(`works through the end of 9 Mar\\w* ${lastDay.slice(0, 4)}, UTC`))
      .waitFor()
    assert.match(
      await findRow(name).innerText(),
      new RegExp(displayedDate.replace('March', 'Mar\\w*')),
    )
    assert.equal(await requestStatus(secret, 'GET', '/api/teams'), 200)
  })

  test('an expired key › is rejected, marked, and listed last', async () => {
    const { page } = visitor
    const { name, secret } = await create('Outdated key', 'Organization, read-only', '2999-12-31')
    // The API does not create expired keys: the date has to pass.
    await site.query(
      `update api_key set expires_on = current_date - 2 where display_name = '${name}'`,
    )
    assert.equal(await requestStatus(secret, 'GET', '/api/teams'), 401)
    await navigate(page, '/api-keys')
    await findRow(name)
      .getByText(/^Expired /)
      .waitFor()
    assert.match(await page.getByRole('row').last().innerText(), new RegExp(name))
  })

  test('a deleted key › is rejected within a second, and disappears from the list', async () => {
    const { page } = visitor
    const { name, secret } = await create('Key to delete', 'Organization')
    assert.equal(await requestStatus(secret, 'GET', '/api/teams'), 200)
    await page.getByRole('button', { name: `Delete ${name}` }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete API key' }).click()
    await page.getByText('API key deleted').first().waitFor()
    const isRejected = async () => (await requestStatus(secret, 'GET', '/api/teams')) === 401
    await eventually(SECOND_MS, isRejected, 'the deleted key is rejected')
    await findRow(name).waitFor({ state: 'detached' })
    assert.deepEqual(visitor.problems, [])
  })

  test('replacing a key › its link on Home opens the form with its settings', async () => {
    const { page } = visitor
    const { name } = await create('Key to replace', 'Team', '2999-12-31')
    await site.query(
      `update api_key set expires_on = current_date + 3 where display_name = '${name}'`,
    )
    await navigate(page, '/')
    const item = page.getByRole('listitem').filter({ hasText: `"${name}"` })
    await item.getByRole('link', { name: 'Replace the key' }).click()
    const dialog = page.getByRole('dialog', { name: 'Replace API key' })
    assert.equal(await dialog.getByLabel('Name').inputValue(), name)
    assert.ok(await dialog.getByRole('radio', { name: /^Team ?Registers/ }).isChecked())
    assert.equal(await dialog.getByLabel('Team', { exact: true }).inputValue(), `Team ${A}`)
    assert.notEqual(await dialog.getByLabel('Expires on').inputValue(), '')
    assert.deepEqual(await findViolations(page), [])
    await dialog.getByRole('button', { name: 'Create API key' }).click()
    await page.getByRole('heading', { name: `API key "${name}" created` }).waitFor()
    // The list is read again after the key is created.
    await findRow(name).nth(1).waitFor()
    const prefixes = await findRow(name)
      .getByText(/^pbk_\w{4}…$/)
      .allInnerTexts()
    assert.equal(new Set(prefixes).size, 2, 'keys with the same name have different prefixes')
    assert.deepEqual(visitor.problems, [])
  })

  test('several keys › are selected and deleted together', async () => {
    const { page } = visitor
    const names = ['First of many', 'Second of many']
    for (const displayName of names) {
      await requestJson(visitor, 'POST', '/ui/api-keys', { scope: 'user_read', displayName })
    }
    await navigate(page, '/api-keys')
    for (const name of names) await page.getByLabel(`Select ${name}`).check()
    await page.getByText('2 selected').waitFor()
    // Otherwise the bar at the top of the page covers some of the content that was scrolled below it.
    await page.evaluate('scrollTo(0, 0)')
    assert.deepEqual(await findViolations(page), [])
    await page.getByRole('button', { name: 'Delete selected' }).click()
    const dialog = page.getByRole('alertdialog', { name: 'Delete 2 API keys?' })
    for (const name of names) await dialog.getByText(`${name}:`).waitFor()
    await dialog.getByRole('button', { name: 'Delete 2 API keys' }).click()
    await page.getByText('2 API keys deleted').first().waitFor()
    for (const name of names) await findRow(name).waitFor({ state: 'detached' })
    assert.equal(await page.getByText('2 selected').count(), 0)
    assert.deepEqual(visitor.problems, [])
  })

  test('the 101st key › the open form explains the limit and keeps its input; then the button is disabled with the reason', async () => {
    const { page } = visitor
    const { count } = await requestJson<{ count: number }>(visitor, 'GET', '/ui/api-keys')
    await page.goto('/api-keys?new=key')
    const dialog = page.getByRole('dialog', { name: 'Create API key' })
    await dialog.getByLabel('Name').fill('The one too many')
    const more = { scope: 'user_read', teamId: null, expiresAt: null, displayName: 'one of many' }
    for (let at = count; at < KEYS_MAX; at += 1)
      await requestJson(visitor, 'POST', '/ui/api-keys', more)
    await dialog.getByRole('button', { name: 'Create API key' }).click()
    const alert = dialog.getByRole('alert')
    await alert.getByText('All keys of the organization are in use').waitFor()
    assert.match(await alert.innerText(), /Delete a key that is expired or no longer used/)
    assert.equal(await dialog.getByLabel('Name').inputValue(), 'The one too many')
    await page.keyboard.press('Escape')
    await page.reload()
    await page.getByText(`All ${KEYS_MAX} keys are in use`).waitFor()
    const button = page.getByRole('button', { name: 'Create API key' })
    assert.equal(await button.getAttribute('aria-disabled'), 'true')
    await button.focus()
    await page.getByRole('tooltip', { name: /All 100 keys are in use/ }).waitFor()
    assert.deepEqual(visitor.problems, [])
  })

  async function findLastUse(name: string): Promise<string | null> {
    const { keys } = await requestJson<{
      keys: { displayName: string; lastUsedAt: string | null }[]
    }>(visitor, 'GET', '/ui/api-keys')
    return keys.find(({ displayName }) => displayName === name)?.lastUsedAt ?? null
  }
})
