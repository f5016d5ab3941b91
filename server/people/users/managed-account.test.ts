/** Managed accounts: the identity provider or the directory of an organization decides about them. */

import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { SYSTEM } from '../../ledger/activity/entry.ts'
import { expectProblem, readJson, readText } from '../../../test/answers.ts'
import { invite, newBrowser, PASSWORD, setUpOwner, type Browser } from '../../../test/people.ts'
import { newSession } from '../../../test/session.ts'
import { onStore } from '../../../test/stores.ts'
import { newProduct, uniqueId, type Product } from '../../../test/world.ts'
import { removeMember } from '../organizations/member-service.ts'
import { insertMember } from '../organizations/member-store.ts'
import type { MemberRole } from '../organizations/member.ts'
import type { Session } from '../organizations/signed-in.ts'
import { createOperatorLinks } from './reset-service.ts'
import { createManagedUser } from './service.ts'

onStore((store) => {
  let product: Product
  let owner: Browser
  let organizationId: string
  before(async () => {
    product = newProduct(store())
    const first = await setUpOwner(product)
    owner = first.browser
    organizationId = first.session.organization?.id ?? ''
  })

  const createMember = async (email: string, role: MemberRole = 'Member'): Promise<string> => {
    const { db } = product.services
    const userId = await createManagedUser(db, organizationId, { email, name: 'Jo' })
    await insertMember(db, organizationId, userId, { role, origin: 'provider' }, SYSTEM)
    return userId
  }

  const newManaged = async (role?: MemberRole) => {
    const email = `managed-${uniqueId()}@example.test`
    const userId = await createMember(email, role)
    const browser = newBrowser(product)
    browser.token = await newSession(product.services.db, product.services.clock, userId)
    return { browser, userId, email }
  }

  const operatorLinks = (email: string) =>
    createOperatorLinks(store().db, product.services.clock, { baseUrl: 'https://c.example', email })

  test('GET /ui/session › names the organization that manages the account', async () => {
    const { browser } = await newManaged()
    const { user, organization } = await readJson<Session>(browser.ask('GET', '/ui/session'))
    assert.equal(user.managedBy, organization?.name)
    const own = await readJson<Session>(owner.ask('GET', '/ui/session'))
    assert.equal(own.user.managedBy, null)
  })

  test('a managed account changes neither name nor password and founds no organization', async () => {
    const { browser } = await newManaged('Owner')
    const changes: [string, string, object][] = [
      ['PUT', '/ui/profile', { name: 'Other' }],
      ['POST', '/ui/password', { currentPassword: '', newPassword: 'a long new password' }],
      ['POST', '/ui/organizations', { name: 'Own' }],
    ]
    for (const [method, path, body] of changes) {
      const problem = await expectProblem(browser.ask(method, path, body), 409, /managed by/)
      assert.equal(problem.code, 'managed_by_provider', path)
    }
    const { user, organizations } = await readJson<Session>(browser.ask('GET', '/ui/session'))
    assert.equal(user.name, 'Jo')
    assert.equal(organizations.length, 1)
  })

  test('a managed account gets no reset link, from an owner or the operator', async () => {
    const { userId, email } = await newManaged()
    const link = owner.ask('POST', `/ui/members/${userId}/password-reset`)
    assert.equal((await expectProblem(link, 409)).code, 'managed_by_provider')
    await assert.rejects(operatorLinks(email), { code: 'managed_by_provider' })
  })

  test('no password opens a managed account', async () => {
    const { email } = await newManaged()
    for (const password of ['', PASSWORD]) {
      await expectProblem(newBrowser(product).ask('POST', '/ui/sign-in', { email, password }), 401)
    }
  })

  test('a reset link from before an account was managed no longer works', async () => {
    const { userId, email } = await newManaged()
    await removeMember(store().db, { organizationId, userId }, async () => {})
    const [created] = await operatorLinks(email)
    const token = new URL(created?.link ?? '').hash.slice(1)
    const look = () => newBrowser(product).ask('POST', '/ui/password-reset/look', { token })
    await readText(look())
    assert.equal(await createMember(email), userId)
    await expectProblem(look(), 404)
    const reset = { token, password: 'a long new password' }
    await expectProblem(newBrowser(product).ask('POST', '/ui/password-reset', reset), 404)
  })

  test('a removed person is no longer managed, and joins again with a password of their own', async () => {
    const { userId, email } = await newManaged()
    await removeMember(store().db, { organizationId, userId }, async () => {})
    const token = await invite(owner, email)
    const accepted = { token, name: 'Jo again', password: PASSWORD }
    const browser = newBrowser(product)
    const { user } = await readJson<Session>(
      browser.ask('POST', '/ui/invitations/accept', accepted),
    )
    assert.deepEqual([user.id, user.managedBy], [userId, null])
  })
})
