/**
 * Members in the browser: a person joins by a link and sees what members may do and why not more;
 * changes by an owner apply immediately in the member's open browser.
 */

import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { runProduct } from '../process.ts'
import { findViolations } from './axe.ts'
import { inBrowser, newVisitor, type Visitor } from './browser.ts'
import { signIn } from './catalog.ts'
import {
  assertDisabled,
  assertRejected,
  chooseAction,
  joinSecondOrganization,
  readUser,
  resetPassword,
} from './members-steps.ts'
import { navigate } from './navigation.ts'
import {
  request,
  readClipboard,
  acceptInvitation,
  PASSWORD,
  productDocument,
  putTeam,
  newSignedInVisitor,
  startSite,
  requestJson,
  type Site,
} from './people.ts'

const TEAM = 'yard'
const PRODUCT = 'wagons'
const OWNERS_ONLY = 'Only owners of the organization can do this.'

inBrowser('members', (browser) => {
  let site: Site
  let owner: Visitor
  before(async () => {
    site = await startSite()
    owner = await newSignedInVisitor(browser(), site, site.owner)
    await putTeam(owner, TEAM)
    await requestJson(owner, 'PUT', `/api/dataproducts/${PRODUCT}`, productDocument(PRODUCT, TEAM))
  })

  /** A member with a browser session. */
  async function newMember(name: string, role: 'Owner' | 'Member' = 'Member') {
    const email = `${name.toLowerCase().replace(' ', '.')}@velmora.example`
    const person = await acceptInvitation(owner, site, { email, name, role })
    return { ...person, visitor: await newSignedInVisitor(browser(), site, person) }
  }

  test('an invitation › is accepted once in a new browser by the link copied from the page', async () => {
    const { page } = owner
    const email = 'bo.ferrer@velmora.example'
    await navigate(page, '/settings/members')
    await page.getByRole('button', { name: 'Invite', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Invite a person' })
    await dialog.getByLabel('E-mail address').fill(email)
    await dialog.getByRole('button', { name: 'Create link' }).click()
    await page.getByRole('heading', { name: `Send this link to ${email}` }).waitFor()
    await page.getByRole('button', { name: 'Copy: Invitation link' }).click()
    await page.getByRole('button', { name: 'Copied' }).waitFor()
    const link = await readClipboard(owner)
    assert.ok(link.startsWith(`${site.url}/invitation#`), link)
    await page.getByRole('region', { name: 'Invitations' }).getByText(email).waitFor()

    const guest = await newVisitor(browser(), site.url)
    await guest.page.goto(link)
    await guest.page.getByRole('heading', { name: `Join ${site.organization}` }).waitFor()
    assert.equal(new URL(guest.page.url()).hash, '', 'the secret is removed from the address')
    await guest.page.getByLabel('Your name').fill('Bo Ferrer')
    await guest.page.getByLabel('Choose a password').fill(PASSWORD)
    await guest.page.getByRole('button', { name: 'Join' }).click()
    await guest.page.getByRole('button', { name: 'Account of Bo Ferrer' }).waitFor()
    assert.equal(guest.page.url(), `${site.url}/teams?next=yes`)
    await guest.page.getByText('Next: join a team').waitFor()

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

  test('an invitation › always offers a new account and an existing one', async () => {
    const existing = await newMember('Kim Known')
    for (const email of ['kim.known@velmora.example', 'nils.new@velmora.example']) {
      // A member cannot be invited again, so this person leaves first.
      if (email.startsWith('kim')) {
        const user = await readUser(existing.visitor)
        await request(owner, 'DELETE', `/ui/members/${user.id}`)
      }
      const body = { email, role: 'Member' }
      const { link } = await requestJson<{ link: string }>(owner, 'POST', '/ui/invitations', body)
      const guest = await newVisitor(browser(), site.url)
      const { page } = guest
      await page.goto(link)
      assert.ok(await page.getByLabel('Create an account').isChecked(), email)
      await page.getByLabel('Use my account').check()
      assert.equal(await page.getByLabel('Your name').count(), 0)
      await page.getByLabel('Your password').fill('an unknown password 1234')
      await page.getByRole('button', { name: 'Join' }).click()
      await page.getByText('This is not the password of an account with this address.').waitFor()
      await page.getByLabel('Create an account').check()
      await page.getByLabel('Your name').fill('Kim or Nils')
      await page.getByLabel('Choose a password').fill(PASSWORD)
      await page.getByRole('button', { name: 'Join' }).click()
      await page.getByRole('button', { name: 'Account of Kim or Nils' }).waitFor()
      await guest.close()
    }
    await existing.visitor.close()
  })

  test('a forgotten password › is reset once by a link of an owner, which ends all sessions', async () => {
    const name = 'Rea Reset'
    const { visitor, email } = await newMember(name)
    const guest = await newVisitor(browser(), site.url)
    await guest.page.goto('/sign-in')
    await guest.page.getByText('Ask an owner of your organization for a reset link').waitFor()
    assert.deepEqual(await findViolations(guest.page), [])
    await guest.close()
    await chooseAction(owner, name, 'Reset password')
    const dialog = owner.page.getByRole('dialog', { name: `Reset the password of ${name}` })
    await dialog.getByRole('button', { name: 'Create link' }).click()
    await dialog.getByText('It is not shown again', { exact: false }).waitFor()
    assert.deepEqual(await findViolations(owner.page), [])
    await dialog.getByRole('button', { name: 'Copy: Reset link' }).click()
    await dialog.getByRole('button', { name: 'Copied' }).waitFor()
    const link = await readClipboard(owner)
    await dialog.getByRole('button', { name: 'Done' }).click()
    await resetPassword(browser(), site, link, { email, name })
    assert.equal((await request(visitor, 'GET', '/ui/session')).status(), 401)
    await visitor.close()
  })

  test('a forgotten password › of a member of two organizations, is reset by the second owner', async () => {
    const name = 'Tom Two'
    const member = await newMember(name)
    const other = await joinSecondOrganization(browser(), site, owner, member)

    await chooseAction(owner, name, 'Reset password')
    const dialog = owner.page.getByRole('dialog', { name: `Reset the password of ${name}` })
    await dialog.getByRole('button', { name: 'Create link' }).click()
    await dialog.getByText('Another organization must agree').waitFor()
    assert.doesNotMatch(await dialog.innerText(), /Second works/)
    assert.deepEqual(await findViolations(owner.page), [])
    const { page } = other
    await navigate(page, '/settings/members')
    await page.getByRole('button', { name: `Actions for ${name}` }).click()
    await page.getByRole('menuitem', { name: 'Reset password' }).click()
    await page.getByRole('button', { name: 'Create link' }).click()
    const link = await page.getByRole('group', { name: 'Reset link' }).innerText()
    await resetPassword(browser(), site, link.trim(), { email: member.email, name })
    await Promise.all([other.close(), member.visitor.close()])
  })

  test('a member › sees forbidden actions disabled, each with its reason', async () => {
    const { visitor } = await newMember('Mona Member')
    const { page } = visitor
    await navigate(page, `/data-products/${PRODUCT}`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await assertDisabled(
      page.getByRole('button', { name: 'Edit' }),
      /^Only editors of .+ can edit this data product\.$/,
    )
    await navigate(page, '/settings/members')
    await assertDisabled(page.getByRole('button', { name: 'Invite', exact: true }), OWNERS_ONLY)
    assert.equal(await page.getByRole('heading', { name: 'Invitations' }).count(), 0)
    await page.getByRole('button', { name: 'Actions for owner' }).click()
    for (const action of ['Make member', 'Remove from organization']) {
      const item = page.getByRole('menuitem', { name: action })
      assert.equal(await item.getAttribute('aria-disabled'), 'true', action)
      await item.getByText(OWNERS_ONLY).waitFor()
    }
    await page.keyboard.press('Escape')
    await navigate(page, '/settings')
    await assertDisabled(page.getByRole('button', { name: 'New organization' }), OWNERS_ONLY)
    await assertDisabled(page.getByRole('button', { name: 'Rename' }), OWNERS_ONLY)
    await navigate(page, '/api-keys?new=key')
    const organizationKey = page.getByRole('radio', { name: /^Organization ?Does/ })
    await organizationKey.waitFor()
    assert.equal(await organizationKey.isDisabled(), true)
    assert.match(await page.getByRole('dialog').innerText(), new RegExp(OWNERS_ONLY))
    assert.deepEqual(visitor.problems, [])
    await visitor.close()
  })

  test('a new product › reports a team given by its name and a taken id in plain words, at the field and in the list', async () => {
    const { page } = owner
    const teamName = 'Yard crew'
    await requestJson(owner, 'PUT', '/api/teams/y-1', { id: 'y-1', name: teamName })
    await navigate(page, '/data-products/new')
    const source = page.getByRole('textbox', { name: 'Source of the data product' })
    const write = async (document: object): Promise<void> => {
      await source.press('Control+a')
      await page.keyboard.insertText(JSON.stringify(document))
    }
    await write(productDocument('new-wagons', teamName))
    const suggestion = page.getByRole('button', { name: `Use ${teamName}` })
    await suggestion.waitFor()
    const sentence = `There is no team "${teamName}". Did you mean ${teamName} (id y-1)?`
    await page.getByRole('alert').filter({ hasText: sentence }).waitFor()
    await page.getByRole('listitem').filter({ hasText: sentence }).waitFor()
    assert.equal(await page.getByText(sentence).count(), 2)
    const main = page.getByRole('main')
    assert.doesNotMatch(await main.innerText(), /Unprocessable|PUT \/api|register it first/)
    assert.deepEqual(await findViolations(page), [])
    await suggestion.click()
    await source.getByText('"y-1"').waitFor()
    await suggestion.waitFor({ state: 'detached' })
    await write(productDocument(PRODUCT, TEAM))
    const taken = page.getByRole('alert').filter({ hasText: `The id "${PRODUCT}" is taken` })
    await taken.waitFor()
    assert.equal(await page.getByText(`The id "${PRODUCT}" is taken`).count(), 1)
    assert.doesNotMatch(await main.innerText(), /Precondition|If-None-Match/)
    await taken.getByRole('link', { name: 'Open the existing data product' }).click()
    await page.getByRole('button', { name: 'Discard and leave' }).click()
    await page.getByRole('heading', { level: 1, name: `Product ${PRODUCT}` }).waitFor()
  })

  test('a member › cannot open pages of owners, and the server rejects their requests', async () => {
    const { visitor } = await newMember('Milo Member')
    const { page } = visitor
    for (const address of ['/settings/members?new=invitation', '/settings?new=organization']) {
      await page.goto(address)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await page.waitForLoadState('networkidle')
      assert.equal(await page.getByRole('dialog').count(), 0, address)
    }
    const user = await readUser(owner)
    const document = productDocument(PRODUCT, TEAM)
    await assertRejected(visitor, user.id, PRODUCT, document)
    assert.deepEqual(visitor.problems, [])
    await visitor.close()
  })

  test('a changed role › applies to the next request of the member and is announced', async () => {
    const name = 'Rosa Role'
    const { visitor } = await newMember(name)
    const { page } = visitor
    await chooseAction(owner, name, 'Make owner')
    await owner.page.getByRole('button', { name: 'Make owner' }).click()
    await owner.page.getByText(`${name} is now an owner`).first().waitFor()
    await navigate(page, '/settings')
    const field = page.getByLabel('Name', { exact: true })
    await field.fill('A name that will be rejected')

    await chooseAction(owner, name, 'Make member')
    await owner.page.getByRole('button', { name: 'Make member' }).click()
    await owner.page.getByText(`${name} is now a member`).first().waitFor()
    await page.getByRole('button', { name: 'Rename' }).click()
    await page.getByText(`You are now a member of ${site.organization}.`).first().waitFor()
    await assertDisabled(page.getByRole('button', { name: 'Rename' }), OWNERS_ONLY)
    assert.equal(await field.inputValue(), 'A name that will be rejected')
    const { organization } = await requestJson<{ organization: { name: string } }>(
      owner,
      'GET',
      '/ui/session',
    )
    assert.equal(organization.name, site.organization)
    assert.deepEqual(visitor.problems, [])
    await visitor.close()
  })

  test('a removal › asks for sign-in in the open browser, and then reports the missing organization', async () => {
    const name = 'Remo Removed'
    const { visitor } = await newMember(name)
    const { page } = visitor
    await page.goto('/teams')
    await page.getByText(`Team ${TEAM}`).first().waitFor()
    await chooseAction(owner, name, 'Remove from organization')
    await owner.page.getByRole('button', { name: 'Remove', exact: true }).click()
    await owner.page.getByText(`${name} removed`).first().waitFor()
    await page.getByRole('link', { name: 'Integrations' }).click()
    const again = page.getByRole('dialog', { name: 'You were signed out' })
    await again.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await again.getByRole('button', { name: 'Sign in' }).click()
    await page.getByText(`You are no longer a member of ${site.organization}.`).first().waitFor()
    const nowhere = page.getByRole('heading', { name: 'You are not a member of an organization' })
    await nowhere.waitFor()
    await page.goto(`/teams/${TEAM}`)
    await nowhere.waitFor()
    assert.equal(await page.getByRole('navigation').count(), 0)
    assert.deepEqual(await findViolations(page), [])
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    assert.deepEqual(visitor.problems, [])
    await visitor.close()
  })

  test('the last owner › cannot leave or become a member, and sees what to do first', async () => {
    const { page } = owner
    const other = await newMember('Otto Owner', 'Owner')
    await navigate(page, '/settings/members')
    const user = await readUser(owner)
    await page.getByRole('button', { name: `Actions for ${user.name}`, exact: true }).click()
    const leave = page.getByRole('menuitem', { name: 'Leave organization' })
    await leave.waitFor()
    assert.equal(await leave.getAttribute('aria-disabled'), null, 'there is another owner')
    await page.keyboard.press('Escape')
    const leaver = await readUser(other.visitor)
    assert.equal((await request(owner, 'DELETE', `/ui/members/${leaver.id}`)).status(), 204)
    await page.reload()
    await page.getByRole('button', { name: `Actions for ${user.name}`, exact: true }).click()
    for (const action of ['Leave organization', 'Make member']) {
      const item = page.getByRole('menuitem', { name: action })
      assert.equal(await item.getAttribute('aria-disabled'), 'true')
      await item
        .getByText('An organization needs an owner. Make another member an owner first.')
        .waitFor()
    }
    assert.equal((await request(owner, 'DELETE', `/ui/members/${user.id}`)).status(), 422)
    assert.deepEqual(owner.problems, [])
    await other.visitor.close()
  })

  test('signing in › accepts the chosen address and password, and shows the chosen name', async () => {
    const { visitor, ...person } = await newMember('Sina Signer')
    await visitor.close()
    const again = await newVisitor(browser(), site.url)
    await signIn(again, person)
    await again.page.getByRole('button', { name: 'Account of Sina Signer' }).waitFor()
    assert.deepEqual(again.problems, [])
    await again.close()
  })

  test('a forgotten password › of the only owner, is reset by a link that the operator prints', async () => {
    const user = await readUser(owner)
    const { email } = site.owner
    const environment = { ...site.place.environment, PORTBOOK_BASE_URL: site.url }
    const { code, stdout, stderr } = await runProduct(environment, ['reset-password', email])
    assert.equal(code, 0, stderr)
    await resetPassword(browser(), site, stdout.trim(), { email, name: user.name })
    assert.equal((await request(owner, 'GET', '/ui/session')).status(), 401)
  })
})
