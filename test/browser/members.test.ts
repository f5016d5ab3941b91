/**
 * Members by hand: somebody joins by a link, sees what a member may and why not more, and what an
 * owner changes about them holds at once in the browser that they have open.
 */

import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Locator } from 'playwright-core'
import { runProduct } from '../process.ts'
import { violationsOf } from './axe.ts'
import { inBrowser, newVisitor, type Visitor } from './browser.ts'
import { signIn } from './catalog.ts'
import {
  ask,
  clipboardOf,
  invitedBy,
  PASSWORD,
  productDocument,
  putTeam,
  signedIn,
  startSite,
  told,
  type Site,
} from './people.ts'

const TEAM = 'yard'
const PRODUCT = 'wagons'
const NEW_PASSWORD = 'a quite different password'
const OWNERS_ONLY = 'Only owners of the organization can do this.'

inBrowser('members', (browser) => {
  let site: Site
  let owner: Visitor
  before(async () => {
    site = await startSite()
    owner = await signedIn(browser(), site, site.owner)
    await putTeam(owner, TEAM)
    await told(owner, 'PUT', `/api/dataproducts/${PRODUCT}`, productDocument(PRODUCT, TEAM))
  })

  /** Somebody who has joined, before a browser of their own. */
  async function newMember(name: string, role: 'Owner' | 'Member' = 'Member') {
    const email = `${name.toLowerCase().replace(' ', '.')}@velmora.example`
    const person = await invitedBy(owner, site, { email, name, role })
    return { ...person, visitor: await signedIn(browser(), site, person) }
  }

  /** Opens what the owner can do with a member, and chooses. */
  async function choose(name: string, action: string): Promise<void> {
    const { page } = owner
    await page.goto('/settings/members')
    await page.getByRole('button', { name: `Actions for ${name}` }).click()
    await page.getByRole('menuitem', { name: action }).click()
  }

  test('an invitation › its link, copied on the page, is accepted once in a fresh browser', async () => {
    const { page } = owner
    const email = 'bo.ferrer@velmora.example'
    await page.goto('/settings/members')
    await page.getByRole('button', { name: 'Invite', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Invite a person' })
    await dialog.getByLabel('E-mail address').fill(email)
    await dialog.getByRole('button', { name: 'Create link' }).click()
    await page.getByRole('heading', { name: `Send this link to ${email}` }).waitFor()
    await page.getByRole('button', { name: 'Copy: Invitation link' }).click()
    await page.getByRole('button', { name: 'Copied' }).waitFor()
    const link = await clipboardOf(owner)
    assert.ok(link.startsWith(`${site.url}/invitation#`), link)
    await page.getByRole('region', { name: 'Invitations' }).getByText(email).waitFor()

    const guest = await newVisitor(browser(), site.url)
    await guest.page.goto(link)
    await guest.page.getByRole('heading', { name: `Join ${site.organization}` }).waitFor()
    assert.equal(new URL(guest.page.url()).hash, '', 'the secret leaves the address')
    await guest.page.getByLabel('Your name').fill('Bo Ferrer')
    await guest.page.getByLabel('Choose a password').fill(PASSWORD)
    await guest.page.getByRole('button', { name: 'Join' }).click()
    await guest.page.getByRole('button', { name: 'Account of Bo Ferrer' }).waitFor()
    assert.equal(guest.page.url(), `${site.url}/`)

    const late = await newVisitor(browser(), site.url)
    await late.page.goto(link)
    await late.page.getByRole('heading', { name: 'This invitation is not valid' }).waitFor()
    await page.reload()
    await page.getByRole('rowheader', { name: new RegExp(`Bo Ferrer.*${email}`, 's') }).waitFor()
    assert.equal(
      await page.getByRole('region', { name: 'Invitations' }).getByText(email).count(),
      0,
    )
    assert.deepEqual(
      [owner, guest, late].flatMap(({ problems }) => problems),
      [],
    )
    await Promise.all([guest.close(), late.close()])
  })

  test('an invitation › always offers a new account and the password of an existing one', async () => {
    const known = await newMember('Kim Known')
    for (const email of ['kim.known@velmora.example', 'nils.new@velmora.example']) {
      // The address of a member cannot be invited here, so its person leaves first.
      if (email.startsWith('kim')) {
        const { user } = await told<{ user: { id: string } }>(known.visitor, 'GET', '/ui/session')
        await ask(owner, 'DELETE', `/ui/members/${user.id}`)
      }
      const body = { email, role: 'Member' }
      const { link } = await told<{ link: string }>(owner, 'POST', '/ui/invitations', body)
      const guest = await newVisitor(browser(), site.url)
      const { page } = guest
      await page.goto(link)
      assert.ok(await page.getByLabel('Create an account').isChecked(), email)
      await page.getByLabel('Use my account').check()
      assert.equal(await page.getByLabel('Your name').count(), 0)
      await page.getByLabel('Your password').fill('not the password of anybody')
      await page.getByRole('button', { name: 'Join' }).click()
      await page.getByText('This is not the password of an account with this address.').waitFor()
      await page.getByLabel('Create an account').check()
      await page.getByLabel('Your name').fill('Kim or Nils')
      await page.getByLabel('Choose a password').fill(PASSWORD)
      await page.getByRole('button', { name: 'Join' }).click()
      await page.getByRole('button', { name: 'Account of Kim or Nils' }).waitFor()
      await guest.close()
    }
    await known.visitor.close()
  })

  /** Sets a new password by a link, from a browser that is not signed in, and signs in with it. */
  async function resetBy(link: string, { email, name }: { email: string; name: string }) {
    const guest = await newVisitor(browser(), site.url)
    const { page } = guest
    await page.goto(link)
    await page.getByRole('heading', { name: 'Set a new password' }).waitFor()
    await page.getByText(email).waitFor()
    assert.equal(new URL(page.url()).hash, '', 'the secret leaves the address')
    await page.getByText('your personal API keys are deleted').waitFor()
    assert.deepEqual(await violationsOf(page), [])
    await page.getByLabel('New password', { exact: true }).fill(NEW_PASSWORD)
    await page.getByRole('button', { name: 'Set password' }).click()
    await page.getByRole('heading', { name: 'Your password is set' }).waitFor()
    await page.getByRole('link', { name: 'Sign in' }).click()
    await page.getByLabel('E-mail address').fill(email)
    await page.getByLabel('Password', { exact: true }).fill(NEW_PASSWORD)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('button', { name: `Account of ${name}` }).waitFor()
    await page.goto(link)
    await page.getByRole('heading', { name: 'This link is not valid' }).waitFor()
    assert.deepEqual(guest.problems, [])
    await guest.close()
  }

  test('a forgotten password › an owner creates a link, which sets a new one once and ends all sessions', async () => {
    const name = 'Rea Reset'
    const { visitor, email } = await newMember(name)
    const guest = await newVisitor(browser(), site.url)
    await guest.page.goto('/sign-in')
    await guest.page.getByText('Ask an owner of your organization for a reset link').waitFor()
    assert.deepEqual(await violationsOf(guest.page), [])
    await guest.close()
    await choose(name, 'Reset password')
    const dialog = owner.page.getByRole('dialog', { name: `Reset the password of ${name}` })
    await dialog.getByRole('button', { name: 'Create link' }).click()
    await dialog.getByText('It is not shown again', { exact: false }).waitFor()
    assert.deepEqual(await violationsOf(owner.page), [])
    await dialog.getByRole('button', { name: 'Copy: Reset link' }).click()
    await dialog.getByRole('button', { name: 'Copied' }).waitFor()
    const link = await clipboardOf(owner)
    await dialog.getByRole('button', { name: 'Done' }).click()
    await resetBy(link, { email, name })
    assert.equal((await ask(visitor, 'GET', '/ui/session')).status(), 401)
    await visitor.close()
  })

  test('a forgotten password › of a member of two organizations, the second owner gets the link', async () => {
    const name = 'Tom Two'
    const member = await newMember(name)
    const created = await told<{ organizations: { id: string; name: string }[] }>(
      owner,
      'POST',
      '/ui/organizations',
      { name: 'Second works' },
    )
    const second = created.organizations.find((one) => one.name === 'Second works')?.id ?? ''
    const wish = { email: 'otis.other@velmora.example', name: 'Otis Other', role: 'Owner' } as const
    const other = await signedIn(browser(), site, await invitedBy(owner, site, wish, second))
    const { user } = await told<{ user: { id: string } }>(owner, 'GET', '/ui/session')
    assert.equal(
      (await ask(owner, 'DELETE', `/ui/members/${user.id}`, undefined, second)).status(),
      204,
    )
    const { link: invitation } = await told<{ link: string }>(other, 'POST', '/ui/invitations', {
      email: member.email,
      role: 'Member',
    })
    const token = new URL(invitation).hash.slice(1)
    await told(member.visitor, 'POST', '/ui/invitations/accept', { token, password: PASSWORD })

    await choose(name, 'Reset password')
    const dialog = owner.page.getByRole('dialog', { name: `Reset the password of ${name}` })
    await dialog.getByRole('button', { name: 'Create link' }).click()
    await dialog.getByText('Another organization must agree').waitFor()
    assert.doesNotMatch(await dialog.innerText(), /Second works/)
    assert.deepEqual(await violationsOf(owner.page), [])
    const { page } = other
    await page.goto('/settings/members')
    await page.getByRole('button', { name: `Actions for ${name}` }).click()
    await page.getByRole('menuitem', { name: 'Reset password' }).click()
    await page.getByRole('button', { name: 'Create link' }).click()
    const link = await page.getByRole('group', { name: 'Reset link' }).innerText()
    await resetBy(link.trim(), { email: member.email, name })
    await Promise.all([other.close(), member.visitor.close()])
  })

  test('a member › finds forbidden actions disabled, each with its reason', async () => {
    const { visitor } = await newMember('Mona Member')
    const { page } = visitor
    await page.goto(`/data-products/${PRODUCT}`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await isRefused(
      page.getByRole('button', { name: 'Edit' }),
      /^Only editors of .+ can edit this\.$/,
    )
    await page.goto('/settings/members')
    await isRefused(page.getByRole('button', { name: 'Invite', exact: true }), OWNERS_ONLY)
    assert.equal(await page.getByRole('heading', { name: 'Invitations' }).count(), 0)
    await page.getByRole('button', { name: 'Actions for owner' }).click()
    for (const action of ['Make member', 'Remove from organization']) {
      const item = page.getByRole('menuitem', { name: action })
      assert.equal(await item.getAttribute('aria-disabled'), 'true', action)
      await item.getByText(OWNERS_ONLY).waitFor()
    }
    await page.keyboard.press('Escape')
    await page.goto('/settings')
    await isRefused(page.getByRole('button', { name: 'New organization' }), OWNERS_ONLY)
    await isRefused(page.getByRole('button', { name: 'Rename' }), OWNERS_ONLY)
    await page.goto('/api-keys?new=key')
    const organizationKey = page.getByRole('radio', { name: /^Organization ?Does/ })
    await organizationKey.waitFor()
    assert.equal(await organizationKey.isDisabled(), true)
    assert.match(await page.getByRole('dialog').innerText(), new RegExp(OWNERS_ONLY))
    assert.deepEqual(visitor.problems, [])
    await visitor.close()
  })

  test('a new product › a team typed by its name and a taken id are reported once, in words', async () => {
    const { page } = owner
    const named = 'Yard crew'
    await told(owner, 'PUT', '/api/teams/y-1', { id: 'y-1', name: named })
    await page.goto('/data-products/new')
    const source = page.getByRole('textbox', { name: 'Source of the data product' })
    const write = async (document: object): Promise<void> => {
      await source.press('Control+a')
      await page.keyboard.insertText(JSON.stringify(document))
    }
    await write(productDocument('new-wagons', named))
    const suggestion = page.getByRole('button', { name: `Use ${named}` })
    await suggestion.waitFor()
    const sentence = `There is no team “${named}”. Did you mean ${named} (id y-1)?`
    assert.equal(await page.getByText(sentence).count(), 1)
    const main = page.getByRole('main')
    assert.doesNotMatch(await main.innerText(), /Unprocessable|PUT \/api|register it first/)
    assert.deepEqual(await violationsOf(page), [])
    await suggestion.click()
    await source.getByText('"y-1"').waitFor()
    await suggestion.waitFor({ state: 'detached' })
    await write(productDocument(PRODUCT, TEAM))
    const taken = page.getByRole('alert').filter({ hasText: `The id “${PRODUCT}” is taken` })
    await taken.waitFor()
    assert.equal(await page.getByText(`The id “${PRODUCT}” is taken`).count(), 1)
    assert.doesNotMatch(await main.innerText(), /Precondition|If-None-Match/)
    await taken.getByRole('link', { name: 'Open the existing data product' }).click()
    await page.getByRole('button', { name: 'Discard and leave' }).click()
    await page.getByRole('heading', { level: 1, name: `Product ${PRODUCT}` }).waitFor()
  })

  test('a member › an address of an owner’s opens nothing, and the server refuses beside the pages', async () => {
    const { visitor } = await newMember('Milo Member')
    const { page } = visitor
    for (const address of ['/settings/members?new=invitation', '/settings?new=organization']) {
      await page.goto(address)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await page.waitForLoadState('networkidle')
      assert.equal(await page.getByRole('dialog').count(), 0, address)
    }
    const { user } = await told<{ user: { id: string } }>(owner, 'GET', '/ui/session')
    const asked = [
      ['GET', '/ui/invitations'],
      ['POST', '/ui/invitations', { email: 'x@velmora.example', role: 'Owner' }],
      ['PUT', '/ui/organization', { name: 'Mine' }],
      ['POST', '/ui/organizations', { name: 'Mine' }],
      ['PUT', `/ui/members/${user.id}`, { role: 'Member' }],
      ['DELETE', `/ui/members/${user.id}`],
      ['PUT', `/api/dataproducts/${PRODUCT}`, productDocument(PRODUCT, TEAM)],
    ] as const
    for (const [method, path, body] of asked) {
      const answer = await ask(visitor, method, path, body)
      assert.equal(answer.status(), 403, `${method} ${path}`)
    }
    assert.deepEqual(visitor.problems, [])
    await visitor.close()
  })

  test('a role › raised and lowered by an owner, it holds at the next thing that is asked, and is told', async () => {
    const name = 'Rosa Role'
    const { visitor } = await newMember(name)
    const { page } = visitor
    await choose(name, 'Make owner')
    await owner.page.getByRole('button', { name: 'Make owner' }).click()
    await owner.page.getByText(`${name} is now an owner`).first().waitFor()
    await page.goto('/settings')
    const field = page.getByLabel('Name', { exact: true })
    await field.fill('A name that will be refused')

    await choose(name, 'Make member')
    await owner.page.getByRole('button', { name: 'Make member' }).click()
    await owner.page.getByText(`${name} is now a member`).first().waitFor()
    await page.getByRole('button', { name: 'Rename' }).click()
    await page.getByText(`You are now a member of ${site.organization}.`).first().waitFor()
    await isRefused(page.getByRole('button', { name: 'Rename' }), OWNERS_ONLY)
    assert.equal(await field.inputValue(), 'A name that will be refused')
    const { organization } = await told<{ organization: { name: string } }>(
      owner,
      'GET',
      '/ui/session',
    )
    assert.equal(organization.name, site.organization)
    assert.deepEqual(visitor.problems, [])
    await visitor.close()
  })

  test('a removal › the open browser asks to sign in, and then says that there is no organization', async () => {
    const name = 'Remo Removed'
    const { visitor } = await newMember(name)
    const { page } = visitor
    await page.goto('/teams')
    await page.getByText(`Team ${TEAM}`).first().waitFor()
    await choose(name, 'Remove from organization')
    await owner.page.getByRole('button', { name: 'Remove', exact: true }).click()
    await owner.page.getByText(`${name} removed`).first().waitFor()
    await page.getByRole('link', { name: 'Integrations' }).click()
    const again = page.getByRole('dialog', { name: 'You were signed out' })
    await again.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await again.getByRole('button', { name: 'Sign in' }).click()
    await page.getByText(`You are no longer a member of ${site.organization}.`).first().waitFor()
    const nowhere = page.getByRole('heading', { name: 'You are in no organization' })
    await nowhere.waitFor()
    await page.goto(`/teams/${TEAM}`)
    await nowhere.waitFor()
    assert.equal(await page.getByRole('navigation').count(), 0)
    assert.deepEqual(await violationsOf(page), [])
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    assert.deepEqual(visitor.problems, [])
    await visitor.close()
  })

  test('the last owner › cannot leave or become a member, and is told what to do first', async () => {
    const { page } = owner
    const other = await newMember('Otto Owner', 'Owner')
    await page.goto('/settings/members')
    const { user } = await told<{ user: { id: string; name: string } }>(owner, 'GET', '/ui/session')
    await page.getByRole('button', { name: `Actions for ${user.name}`, exact: true }).click()
    const leave = page.getByRole('menuitem', { name: 'Leave organization' })
    await leave.waitFor()
    assert.equal(await leave.getAttribute('aria-disabled'), null, 'there is another owner')
    await page.keyboard.press('Escape')
    const session = await told<{ user: { id: string } }>(other.visitor, 'GET', '/ui/session')
    assert.equal((await ask(owner, 'DELETE', `/ui/members/${session.user.id}`)).status(), 204)
    await page.reload()
    await page.getByRole('button', { name: `Actions for ${user.name}`, exact: true }).click()
    for (const action of ['Leave organization', 'Make member']) {
      const item = page.getByRole('menuitem', { name: action })
      assert.equal(await item.getAttribute('aria-disabled'), 'true')
      await item
        .getByText('An organization needs an owner. Make another member an owner first.')
        .waitFor()
    }
    assert.equal((await ask(owner, 'DELETE', `/ui/members/${user.id}`)).status(), 422)
    assert.deepEqual(owner.problems, [])
    await other.visitor.close()
  })

  test('signing in › the person is found by name, address and password that they chose', async () => {
    const { visitor, ...person } = await newMember('Sina Signer')
    await visitor.close()
    const again = await newVisitor(browser(), site.url)
    await signIn(again, person)
    await again.page.getByRole('button', { name: 'Account of Sina Signer' }).waitFor()
    assert.deepEqual(again.problems, [])
    await again.close()
  })

  test('a forgotten password › of the only owner, the operator prints a link', async () => {
    const { user } = await told<{ user: { name: string } }>(owner, 'GET', '/ui/session')
    const { email } = site.owner
    const environment = { ...site.place.environment, PORTBOOK_BASE_URL: site.url }
    const { code, stdout, stderr } = await runProduct(environment, ['reset-password', email])
    assert.equal(code, 0, stderr)
    await resetBy(stdout.trim(), { email, name: user.name })
    assert.equal((await ask(owner, 'GET', '/ui/session')).status(), 401)
  })
})

/** It is there, cannot be used, and says why to who stops at it. */
async function isRefused(control: Locator, reason: string | RegExp): Promise<void> {
  await control.waitFor()
  await control.and(control.page().locator('[aria-disabled=true]')).waitFor()
  // What was just pressed has the focus already, and tells its reason to who comes to it.
  await control.blur()
  await control.focus()
  await control.page().getByRole('tooltip', { name: reason }).waitFor()
  await control.blur()
}
