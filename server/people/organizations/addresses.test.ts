/** An address proves nothing: an invited person gets an account that only they can open. */

import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { expectProblem, readJson, readText } from '../../../test/answers.ts'
import { invite, newBrowser, newMember, PASSWORD, setUpOwner } from '../../../test/people.ts'
import type { Browser } from '../../../test/people.ts'
import { onStore } from '../../../test/stores.ts'
import { newProduct, uniqueId, type Product } from '../../../test/world.ts'
import { fixedClock } from '../../platform/kit/clock.ts'
import { createOrganization } from './service.ts'
import type { Session } from './signed-in.ts'

const SQUATTER = 'the password of a squatter'
const OWN = 'the password of the person'

function newEmail(): string {
  return `victim-${uniqueId()}@example.test`
}

async function readOrganizations(answer: Promise<Response>): Promise<string[]> {
  return (await readJson<Session>(answer)).organizations.map(({ id }) => id)
}

onStore((store) => {
  let product: Product
  /** The owner of organization A, and Bob, the owner of organization B. */
  let owner: Browser
  let bob: Browser
  let a: string
  let b: string
  before(async () => {
    product = newProduct(store())
    const first = await setUpOwner(product)
    owner = first.browser
    a = first.session.organization?.id ?? ''
    b = await createOrganization(store().db, 'Organization B')
    bob = (await newMember(product, b, 'Owner', 'Bob')).browser
  })

  const accept = (token: string, body: object, browser = newBrowser(product)): Promise<Response> =>
    browser.ask('POST', '/ui/invitations/accept', { token, ...body })
  const signIn = (email: string, password: string, on = product, from?: string) =>
    newBrowser(on, from).ask('POST', '/ui/sign-in', { email, password })
  /** Creates an account for an address in Bob's organization, with a password that Bob chose. */
  const squat = async (email: string): Promise<Session> =>
    await readJson<Session>(
      accept(await invite(bob, email), { name: 'Squatter', password: SQUATTER }),
    )

  test('an address with an account in another organization › lets the invited person join with their own password', async () => {
    const email = newEmail()
    const squatter = await squat(email)
    const joined = await readJson<Session>(
      accept(await invite(owner, email), { name: 'Vera', password: OWN }),
    )
    assert.notEqual(joined.user.id, squatter.user.id)
    assert.deepEqual(
      joined.organizations.map(({ id }) => id),
      [a],
    )
  })

  test('an address with an account in another organization › opens only one organization with each password', async () => {
    const email = newEmail()
    await squat(email)
    await readText(accept(await invite(owner, email, 'Owner'), { name: 'Vera', password: OWN }))
    assert.deepEqual(await readOrganizations(signIn(email, OWN)), [a])
    assert.deepEqual(await readOrganizations(signIn(email, SQUATTER)), [b])
    const squatter = newBrowser(product)
    await readText(squatter.ask('POST', '/ui/sign-in', { email, password: SQUATTER }))
    squatter.organization = a
    await expectProblem(squatter.ask('GET', '/ui/members'), 403)
  })

  test('an address with an account in another organization › has no team roles there', async () => {
    const email = newEmail()
    await squat(email)
    const team = {
      id: `t-${uniqueId()}`,
      name: 'T',
      members: [{ emailAddress: email, role: 'Owner' }],
    }
    await readText(owner.ask('PUT', `/api/teams/${team.id}`, team))
    const { teams } = await readJson<Session>(signIn(email, SQUATTER))
    assert.deepEqual(teams, [])
  })

  test('an invitation › has the same answers for addresses with and without an account', async () => {
    const known = (await newMember(product, a)).email
    const answers = await Promise.all(
      [known, newEmail()].map(async (email) => {
        const token = await invite(bob, email)
        const looked = await readJson<object>(
          newBrowser(product).ask('POST', '/ui/invitations/look', { token }),
        )
        const refused = await expectProblem(accept(token, { password: SQUATTER }), 401)
        const joined = await readJson<Session>(accept(token, { name: 'N', password: SQUATTER }))
        const { user, ...rest } = joined
        return { looked: Object.keys(looked), refused, name: user.name, rest }
      }),
    )
    assert.deepEqual(answers[0], answers[1])
    assert.ok(!JSON.stringify(answers).includes('hasAccount'))
  })

  test('an invitation › names the address with which its page asks for the ways to sign in', async () => {
    const token = await invite(bob, newEmail())
    const [looked, own] = await Promise.all([
      readJson<{ vanityUrl: string }>(
        newBrowser(product).ask('POST', '/ui/invitations/look', { token }),
      ),
      readJson<{ vanityUrl: string }>(bob.ask('GET', '/api/organization/settings')),
    ])
    assert.equal(looked.vanityUrl, own.vanityUrl)
  })

  test('an invitation › creates account IDs that reveal nothing about older accounts of the address', async () => {
    const { email, session } = await newMember(product, a)
    await readText(owner.ask('DELETE', `/ui/members/${session.user.id}`), 204)
    const joined = await squat(email)
    assert.notEqual(joined.user.id, session.user.id)
  })

  test('a person without an organization › sets a new password with an invitation, which replaces the old one', async () => {
    const { email, session } = await newMember(product, a)
    await readText(owner.ask('DELETE', `/ui/members/${session.user.id}`), 204)
    const signedInAgain = newBrowser(product)
    await readText(signedInAgain.ask('POST', '/ui/sign-in', { email, password: PASSWORD }))
    const joined = await readJson<Session>(
      accept(await invite(owner, email), { name: 'Vera', password: OWN }),
    )
    assert.equal(joined.user.id, session.user.id, 'the organization recognizes the person')
    assert.equal(joined.user.name, 'Vera')
    await expectProblem(signIn(email, PASSWORD), 401)
    await expectProblem(signedInAgain.ask('GET', '/ui/session'), 401)
    assert.deepEqual(await readOrganizations(signIn(email, OWN)), [a])
  })

  test('a person removed from another organization › gets a new account, and the old password stops working', async () => {
    const { email, session } = await newMember(product, b)
    await readText(bob.ask('DELETE', `/ui/members/${session.user.id}`), 204)
    await readText(accept(await invite(owner, email), { name: 'Vera', password: OWN }))
    await expectProblem(signIn(email, PASSWORD), 401)
    assert.deepEqual(await readOrganizations(signIn(email, OWN)), [a])
  })

  test('a person with an account in another organization › joins with its password and keeps one account', async () => {
    const { email, session } = await newMember(product, b)
    const token = await invite(owner, email)
    await expectProblem(accept(token, { password: OWN }), 401, /address or the password/)
    const joined = await readJson<Session>(accept(token, { password: PASSWORD }))
    assert.equal(joined.user.id, session.user.id)
    assert.deepEqual(joined.organizations.map(({ id }) => id).toSorted(), [a, b].toSorted())
  })

  test('two accounts with the same address and password › sign in the one whose password was set last', async () => {
    const { email } = await newMember(product, b)
    await readText(accept(await invite(owner, email), { name: 'Vera', password: PASSWORD }))
    assert.deepEqual(await readOrganizations(signIn(email, PASSWORD)), [a])
  })

  test('an organization › has one member per address: 409', async () => {
    const { email, session } = await newMember(product, b)
    const token = await invite(owner, email)
    await readText(accept(token, { name: 'Vera', password: OWN }))
    await expectProblem(owner.ask('POST', '/ui/invitations', { email, role: 'Member' }), 409)
    // An invitation from before the person joined, as two concurrent processes can leave it.
    const late = await invite(owner, newEmail())
    await store().pool.query(
      `update invitation set email = $1, email_key = $1 where created_at =
        (select max(created_at) from invitation where organization_id = $2)`,
      [email, a],
    )
    for (const body of [{ name: 'V', password: OWN }, { password: PASSWORD }]) {
      await expectProblem(accept(late, body), 409, /is already a member/)
    }
    assert.deepEqual(session.organizations.length, 1)
  })

  test('failed attempts › cannot be reset by the owner of another account with the same address', async () => {
    const email = newEmail()
    await squat(email)
    await readText(accept(await invite(owner, email), { name: 'Vera', password: OWN }))
    const there = newProduct(store(), { clock: fixedClock('2032-03-01T00:00:00Z') })
    const from = '2a00:77::1'
    for (let round = 0; round < 5; round += 1) {
      await expectProblem(signIn(email, `wrong password ${round}`, there, from), 401)
      await readText(signIn(email, SQUATTER, there, from))
    }
    // From here, only the squatter's own account is still tried: the other password would be correct.
    await expectProblem(signIn(email, OWN, there, from), 401)
    await expectProblem(signIn(email, OWN, there), 429)
  })
})
