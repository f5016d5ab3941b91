/** Steps and checks of the tests of members, and the organizations that they need. */

import assert from 'node:assert/strict'
import type { Browser, Locator } from 'playwright-core'
import { findViolations } from './axe.ts'
import { newVisitor, type Visitor } from './browser.ts'
import type { Person } from './catalog.ts'
import {
  acceptInvitation,
  newSignedInVisitor,
  PASSWORD,
  request,
  requestJson,
  type Site,
} from './people.ts'

const NEW_PASSWORD = 'a quite different password'

/** Returns the user of a browser session. */
export async function readUser(visitor: Visitor): Promise<{ id: string; name: string }> {
  type Session = { user: { id: string; name: string } }
  return (await requestJson<Session>(visitor, 'GET', '/ui/session')).user
}

/** Opens the menu of a member and chooses an action. */
export async function chooseAction(owner: Visitor, name: string, action: string): Promise<void> {
  const { page } = owner
  await page.goto('/settings/members')
  await page.getByRole('button', { name: `Actions for ${name}` }).click()
  await page.getByRole('menuitem', { name: action }).click()
}

/** Sets a new password by a link, in a browser that is not signed in, and signs in with it. */
export async function resetPassword(
  browser: Browser,
  site: Site,
  link: string,
  { email, name }: { email: string; name: string },
): Promise<void> {
  const guest = await newVisitor(browser, site.url)
  const { page } = guest
  await page.goto(link)
  await page.getByRole('heading', { name: 'Set a new password' }).waitFor()
  await page.getByText(email).waitFor()
  assert.equal(new URL(page.url()).hash, '', 'the secret is removed from the address')
  await page.getByText('your personal API keys are deleted').waitFor()
  assert.deepEqual(await findViolations(page), [])
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

/**
 * Creates a second organization with an owner of its own, which the member joins and the first owner
 * leaves; returns its owner.
 */
export async function joinSecondOrganization(
  browser: Browser,
  site: Site,
  owner: Visitor,
  member: Person & { visitor: Visitor },
): Promise<Visitor> {
  const created = await requestJson<{ organizations: { id: string; name: string }[] }>(
    owner,
    'POST',
    '/ui/organizations',
    { name: 'Second works' },
  )
  const second = created.organizations.find((one) => one.name === 'Second works')?.id ?? ''
  const wish = { email: 'otis.other@velmora.example', name: 'Otis Other', role: 'Owner' } as const
  const other = await newSignedInVisitor(
    browser,
    site,
    await acceptInvitation(owner, site, wish, second),
  )
  const user = await readUser(owner)
  assert.equal(
    (await request(owner, 'DELETE', `/ui/members/${user.id}`, undefined, second)).status(),
    204,
  )
  const { link: invitation } = await requestJson<{ link: string }>(
    other,
    'POST',
    '/ui/invitations',
    {
      email: member.email,
      role: 'Member',
    },
  )
  const token = new URL(invitation).hash.slice(1)
  await requestJson(member.visitor, 'POST', '/ui/invitations/accept', {
    token,
    password: PASSWORD,
  })
  return other
}

/** Asserts that the server rejects the requests of a member that only owners or editors may send. */
export async function assertRejected(
  visitor: Visitor,
  userId: string,
  product: string,
  document: object,
): Promise<void> {
  const requests = [
    ['GET', '/ui/invitations'],
    ['POST', '/ui/invitations', { email: 'x@velmora.example', role: 'Owner' }],
    ['PUT', '/ui/organization', { name: 'Mine' }],
    ['POST', '/ui/organizations', { name: 'Mine' }],
    ['PUT', `/ui/members/${userId}`, { role: 'Member' }],
    ['DELETE', `/ui/members/${userId}`],
    ['PUT', `/api/dataproducts/${product}`, document],
  ] as const
  for (const [method, path, body] of requests) {
    const answer = await request(visitor, method, path, body)
    assert.equal(answer.status(), 403, `${method} ${path}`)
  }
}

/** Asserts that a control is visible but disabled, and that its tooltip explains why. */
export async function assertDisabled(control: Locator, reason: string | RegExp): Promise<void> {
  await control.waitFor()
  await control.and(control.page().locator('[aria-disabled=true]')).waitFor()
  // A control that was just pressed already has the focus; its tooltip opens only when it gets the
  // focus.
  await control.blur()
  await control.focus()
  await control.page().getByRole('tooltip', { name: reason }).waitFor()
  await control.blur()
}
