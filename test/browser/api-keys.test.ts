/**
 * API keys by hand: each of the six kinds is made on the page, carried to a program by the clipboard,
 * does there what it may and nothing else, and ends when it is deleted.
 */

import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { eventually } from '../eventually.ts'
import { violationsOf } from './axe.ts'
import { inBrowser, type Visitor } from './browser.ts'
import { choose } from './choose.ts'
import {
  clipboardOf,
  productDocument,
  putTeam,
  signedIn,
  startSite,
  told,
  type Site,
} from './people.ts'

const A = 'brakes'
const B = 'wheels'
const KEYS_MAX = 100
const SECOND_MS = 1000

/** What a kind of key may do: the catalog read, a product of each team and a team put. */
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
    visitor = await signedIn(browser(), site, site.owner)
    await putTeam(visitor, A)
    await putTeam(visitor, B)
  })

  /** Creates a key on the page and copies its secret. */
  async function create(name: string, title: string, lastDay?: string): Promise<CreatedKey> {
    const { page } = visitor
    await page.goto('/api-keys')
    await page.getByRole('button', { name: 'Create API key' }).first().click()
    const dialog = page.getByRole('dialog', { name: 'Create API key' })
    await dialog
      .getByRole('radio', { name: new RegExp(`^${title} ?(?:Reads|Does|Registers)`) })
      .check()
    if (title.startsWith('Team')) await choose(dialog.getByRole('combobox', { name: 'Team' }), A)
    await dialog.getByLabel('Name').fill(name)
    if (lastDay !== undefined) await dialog.getByLabel('Expires on').fill(lastDay)
    await dialog.getByRole('button', { name: 'Create API key' }).click()
    await page.getByRole('heading', { name: `API key “${name}” created` }).waitFor()
    await page.getByRole('button', { name: 'Copy: Secret of the new key' }).click()
    await page.getByRole('button', { name: 'Copied' }).waitFor()
    return { name, secret: await clipboardOf(visitor) }
  }

  function rowOf(name: string) {
    return visitor.page.getByRole('row').filter({ hasText: name })
  }

  async function statusOf(secret: string, method: string, path: string, body?: object) {
    const answer = await fetch(`${site.url}${path}`, {
      method,
      headers: { 'x-api-key': secret, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    await answer.arrayBuffer()
    return answer.status
  }

  describe('every kind does over HTTP what it may, and is refused the rest', () => {
    for (const { title, scope, a, b, team } of KINDS) {
      test(title, async () => {
        const { secret } = await create(`Key of scope ${scope}`, title)
        const productOf = (id: string, owner: string) =>
          statusOf(secret, 'PUT', `/api/dataproducts/${id}`, productDocument(id, owner))
        assert.equal(await statusOf(secret, 'GET', '/api/dataproducts'), 200)
        assert.equal(await statusOf(secret, 'GET', '/api/organization/settings'), 200)
        assert.equal(await productOf(`${scope}-own`, A), a, 'a product of its team')
        assert.equal(await productOf(`${scope}-other`, B), b, 'a product of another team')
        const newTeam = { id: `${scope}-team`, name: 'New team', type: 'Team' }
        const teamPath = `/api/teams/${newTeam.id}`
        assert.equal(await statusOf(secret, 'PUT', teamPath, newTeam), team, 'a new team')
        assert.equal(await statusOf(secret, 'GET', '/ui/api-keys'), 401)
        const settings = await fetch(`${site.url}/api/organization/settings`, {
          headers: { 'x-api-key': secret },
        })
        const { caller } = (await settings.json()) as { caller: { scope: string } }
        assert.equal(caller.scope, scope)
        assert.deepEqual(visitor.problems, [])
      })
    }
  })

  test('the list › says kind, team, maker and last use, and changes with the use', async () => {
    const { page } = visitor
    const { name, secret } = await create('Key in use', 'Team')
    const { user } = await told<{ user: { name: string } }>(visitor, 'GET', '/ui/session')
    const row = rowOf(name)
    await row.waitFor()
    const [scope, of, created = '', lastUsed = '', expires] = await row
      .getByRole('cell')
      .allInnerTexts()
    assert.deepEqual([scope, of, expires], ['Team', `Team ${A}`, 'never'])
    assert.ok(created.includes(`by ${user.name}`), created)
    assert.match(lastUsed, /never/)
    assert.equal(await statusOf(secret, 'GET', '/api/teams'), 200)
    await eventually(5 * SECOND_MS, async () => (await usedOf(name)) !== null, 'the use is noted')
    await page.getByRole('button', { name: 'I have saved it' }).click()
    await page.reload()
    await row.waitFor()
    assert.doesNotMatch((await row.getByRole('cell').allInnerTexts())[3] ?? '', /never/)
    assert.deepEqual(visitor.problems, [])
  })

  test('a key with a last day › says in words until when it works', async () => {
    const { page } = visitor
    const lastDay = `${new Date().getUTCFullYear() + 1}-03-09`
    const { name, secret } = await create('Key with a last day', 'Personal, read-only', lastDay)
    const told = `9 March ${lastDay.slice(0, 4)}`
    await page
      .getByText(new RegExp(`works through the end of 9 Mar\\w* ${lastDay.slice(0, 4)}, UTC`))
      .waitFor()
    assert.match(await rowOf(name).innerText(), new RegExp(told.replace('March', 'Mar\\w*')))
    assert.equal(await statusOf(secret, 'GET', '/api/teams'), 200)
  })

  test('an expired key › is refused, marked, and stands last', async () => {
    const { page } = visitor
    const { name, secret } = await create('Outdated key', 'Organization, read-only', '2999-12-31')
    // Nobody can make a key that has expired: its last day has to pass.
    await site.query(
      `update api_key set expires_on = current_date - 2 where display_name = '${name}'`,
    )
    assert.equal(await statusOf(secret, 'GET', '/api/teams'), 401)
    await page.goto('/api-keys')
    await rowOf(name)
      .getByText(/^Expired /)
      .waitFor()
    assert.match(await page.getByRole('row').last().innerText(), new RegExp(name))
  })

  test('a deleted key › stops within a second, and leaves the list', async () => {
    const { page } = visitor
    const { name, secret } = await create('Key to delete', 'Organization')
    assert.equal(await statusOf(secret, 'GET', '/api/teams'), 200)
    await page.getByRole('button', { name: `Delete ${name}` }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete API key' }).click()
    await page.getByText('API key deleted').first().waitFor()
    const isRefused = async () => (await statusOf(secret, 'GET', '/api/teams')) === 401
    await eventually(SECOND_MS, isRefused, 'the deleted key is refused')
    await rowOf(name).waitFor({ state: 'detached' })
    assert.deepEqual(visitor.problems, [])
  })

  test('replacing a key › its link on Home opens the form with its settings', async () => {
    const { page } = visitor
    const { name } = await create('Key to replace', 'Team', '2999-12-31')
    await site.query(
      `update api_key set expires_on = current_date + 3 where display_name = '${name}'`,
    )
    await page.goto('/')
    const item = page.getByRole('listitem').filter({ hasText: `"${name}"` })
    await item.getByRole('link', { name: 'Replace the key' }).click()
    const dialog = page.getByRole('dialog', { name: 'Replace API key' })
    assert.equal(await dialog.getByLabel('Name').inputValue(), name)
    assert.ok(await dialog.getByRole('radio', { name: /^Team ?Registers/ }).isChecked())
    assert.equal(await dialog.getByLabel('Team', { exact: true }).inputValue(), `Team ${A}`)
    assert.notEqual(await dialog.getByLabel('Expires on').inputValue(), '')
    assert.deepEqual(await violationsOf(page), [])
    await dialog.getByRole('button', { name: 'Create API key' }).click()
    await page.getByRole('heading', { name: `API key “${name}” created` }).waitFor()
    // The list is read again after the key is created.
    await rowOf(name).nth(1).waitFor()
    const prefixes = await rowOf(name)
      .getByText(/^pbk_\w{4}…$/)
      .allInnerTexts()
    assert.equal(new Set(prefixes).size, 2, 'two keys of one name can be told apart')
    assert.deepEqual(visitor.problems, [])
  })

  test('several keys › are selected and deleted together', async () => {
    const { page } = visitor
    const names = ['First of many', 'Second of many']
    for (const displayName of names) {
      await told(visitor, 'POST', '/ui/api-keys', { scope: 'user_read', displayName })
    }
    await page.goto('/api-keys')
    for (const name of names) await page.getByLabel(`Select ${name}`).check()
    await page.getByText('2 selected').waitFor()
    // Otherwise the bar at the top of the page covers a part of what was scrolled below it.
    await page.evaluate('scrollTo(0, 0)')
    assert.deepEqual(await violationsOf(page), [])
    await page.getByRole('button', { name: 'Delete selected' }).click()
    const dialog = page.getByRole('alertdialog', { name: 'Delete 2 API keys?' })
    for (const name of names) await dialog.getByText(`${name}:`).waitFor()
    await dialog.getByRole('button', { name: 'Delete 2 API keys' }).click()
    await page.getByText('2 API keys deleted').first().waitFor()
    for (const name of names) await rowOf(name).waitFor({ state: 'detached' })
    assert.equal(await page.getByText('2 selected').count(), 0)
    assert.deepEqual(visitor.problems, [])
  })

  test('the 101st key › the open form says what to do and keeps what was typed; then the button says why', async () => {
    const { page } = visitor
    const { count } = await told<{ count: number }>(visitor, 'GET', '/ui/api-keys')
    await page.goto('/api-keys?new=key')
    const dialog = page.getByRole('dialog', { name: 'Create API key' })
    await dialog.getByLabel('Name').fill('The one too many')
    const more = { scope: 'user_read', teamId: null, expiresAt: null, displayName: 'one of many' }
    for (let at = count; at < KEYS_MAX; at += 1) await told(visitor, 'POST', '/ui/api-keys', more)
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

  async function usedOf(name: string): Promise<string | null> {
    const { keys } = await told<{ keys: { displayName: string; lastUsedAt: string | null }[] }>(
      visitor,
      'GET',
      '/ui/api-keys',
    )
    return keys.find(({ displayName }) => displayName === name)?.lastUsedAt ?? null
  }
})
