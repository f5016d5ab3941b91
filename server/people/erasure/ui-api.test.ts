import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { listEntries } from '../../../test/activity.ts'
import { expectProblem, readJson, readText } from '../../../test/answers.ts'
import {
  invite,
  newBrowser,
  newMember,
  newPerson,
  PASSWORD,
  setUpOwner,
  signInPerson,
  type Browser,
} from '../../../test/people.ts'
import { onStore } from '../../../test/stores.ts'
import { addTwin, expectUntouched, type Twin } from '../../../test/twin.ts'
import { expectOk, newProduct, newWorld, uniqueId, type Product } from '../../../test/world.ts'
import { endAccessOfPerson } from '../../agreements/occasion-service.ts'
import { SYSTEM } from '../../ledger/activity/entry.ts'
import { eraseNotices } from '../../notices/notifications/erasure-service.ts'
import { addMember } from '../organizations/service.ts'
import { eraseAddress, findErasure } from './erasure-service.ts'

const ERASURE = { endMembership: endAccessOfPerson, eraseNotices }

const toPath = (userId: string): string => `/ui/members/${userId}/erasure`

onStore((store) => {
  let product: Product
  let owner: Browser
  let ownerId: string
  let organizationId: string
  before(async () => {
    product = newProduct(store())
    const setUp = await setUpOwner(product)
    owner = setUp.browser
    ownerId = setUp.session.user.id
    organizationId = setUp.session.organization?.id ?? ''
  })

  const erase = (userId: string, email: string, by = owner): Promise<Response> =>
    by.ask('POST', toPath(userId), { email })
  const findAccount = async (userId: string): Promise<unknown> =>
    await store()
      .db.selectFrom('user_account')
      .select(['name', 'email', 'password_hash as hash'])
      .where('id', '=', userId)
      .executeTakeFirst()

  async function eraseWhileActing(): Promise<void> {
    const { browser, session, email } = await newPerson(product, owner, 'Owner')
    const { id } = session.user
    const [erased, ...others] = await Promise.all([
      erase(id, email),
      browser.ask('PUT', '/ui/profile', { name: 'Zombie' }),
      browser.ask('POST', '/ui/organizations', { name: `Zombie ${uniqueId()}` }),
    ])
    for (const { status } of others) assert.ok(status < 500)
    const { rows } = await sql`
      select from organization_member where user_id = ${id}
    `.execute(store().db)
    // If the organization came first, the person is a member of another one.
    assert.deepEqual([erased.status, rows.length], erased.status === 200 ? [200, 0] : [409, 2])
    if (erased.status !== 200) return
    assert.match(JSON.stringify(await findAccount(id)), /Erased person/)
    const names = await sql`
      select from person_name where person = ${id} and name = 'Zombie'
    `.execute(store().db)
    assert.equal(names.rows.length, 0)
  }

  describe('GET /ui/members/{userId}/erasure', () => {
    test('200: counts what is deleted, and lists what contains the address, but changes nothing', async () => {
      const { browser, session, email } = await newPerson(product, owner)
      const { id } = session.user
      await expectOk(browser.ask('POST', '/ui/api-keys', { scope: 'user', displayName: 'Laptop' }))
      await expectOk(
        browser.ask('PUT', '/ui/follow', { kind: 'search', id: 'query=x', muted: false }),
      )
      const team = {
        id: `t-${uniqueId()}`,
        name: 'T',
        members: [{ emailAddress: email, role: 'Owner' }],
      }
      await expectOk(owner.ask('PUT', `/api/teams/${team.id}`, team))
      const preview = await readJson(owner.ask('GET', toPath(id)))
      assert.deepEqual(preview, {
        counts: {
          sessions: 1,
          apiKeys: 1,
          follows: 1,
          notifications: 0,
          agreements: 0,
          invitations: 0,
        },
        documents: [{ kind: 'team', id: team.id, page: `/teams/${team.id}`, isFormer: false }],
        isComplete: true,
      })
      assert.equal((await browser.ask('GET', '/ui/session')).status, 200)
    })

    test('403 for a member, 404 for an unknown person', async () => {
      const { browser, session } = await newPerson(product, owner)
      await expectProblem(browser.ask('GET', toPath(session.user.id)), 403)
      await expectProblem(owner.ask('GET', toPath(randomUUID())), 404)
    })
  })

  describe('POST /ui/members/{userId}/erasure', () => {
    test('200: erases the person, and answers with what contains the address', async () => {
      const { browser, session, email } = await newPerson(product, owner)
      const { id } = session.user
      const answer = await readText(erase(id, ` ${email.toUpperCase()}`))
      assert.deepEqual(JSON.parse(answer), { documents: [], isComplete: true })
      assert.deepEqual(await findAccount(id), {
        name: 'Erased person',
        email: `erased:${id}`,
        hash: '',
      })
      assert.equal((await browser.ask('GET', '/ui/session')).status, 401)
      const entries = await listEntries({ organizationId, services: product.services }, 'member')
      const last = entries.findLast(({ subject }) => subject === id)
      assert.deepEqual(
        [last?.action, last?.principal, last?.name],
        ['erased', `user:${ownerId}`, ''],
      )
      assert.ok(!JSON.stringify(entries).includes(email))
      await expectProblem(erase(id, email), 404)
    })

    test('403 for a member, also for the own account, and for an owner who would erase themselves', async () => {
      const { browser, session, email } = await newPerson(product, owner)
      await expectProblem(erase(session.user.id, email, browser), 403)
      const other = await newPerson(product, owner, 'Owner')
      await expectProblem(erase(other.session.user.id, other.email, other.browser), 403)
    })

    test('404 for no id, an unknown person, and a member of another organization', async () => {
      const other = await newMember(product, (await newWorld(product)).organizationId)
      for (const id of ['x', randomUUID(), other.session.user.id]) {
        await expectProblem(erase(id, other.email), 404)
      }
    })

    test('409 for a member of another organization, also a former one', async () => {
      const { browser, session, email } = await newPerson(product, owner)
      const { id } = session.user
      const world = await newWorld(product)
      const person = { email, passwordHash: 'none', role: 'Member' } as const
      await addMember(product.services.db, world.organizationId, person)
      const problem = await expectProblem(erase(id, email), 409)
      assert.equal(problem.code, 'member_elsewhere')
      await expectOk(world.asPerson('Uo', 'DELETE', `/ui/members/${id}`))
      await expectProblem(erase(id, email), 409)
      assert.equal((await browser.ask('GET', '/ui/session')).status, 200)
    })

    test('422 for another address, and without one', async () => {
      const { session } = await newPerson(product, owner)
      const { id } = session.user
      await expectProblem(erase(id, 'other@example.test'), 422)
      await expectProblem(owner.ask('POST', toPath(id), {}), 422)
      assert.notDeepEqual(await findAccount(id), undefined)
    })

    test('changes no row of another organization, also of its invitation to the address', async () => {
      const { session, email } = await newPerson(product, owner)
      const world = await newWorld(product)
      const invitation = { body: { email, role: 'Member' } }
      await expectOk(world.asPerson('Uo', 'POST', '/ui/invitations', invitation))
      const twin: Twin = await addTwin(world)
      await expectUntouched([twin], async () => await readText(erase(session.user.id, email)))
      const invitations = await readText(world.asPerson('Uo', 'GET', '/ui/invitations'))
      assert.ok(invitations.includes(email))
    })
  })

  describe('at the same time', () => {
    test('a sign-in with the right password does not outlive the erasing', async () => {
      const { session, email } = await newPerson(product, owner)
      const signIn = { email, password: PASSWORD }
      await Promise.all([
        readText(erase(session.user.id, email)),
        ...[1, 2, 3].map(() => newBrowser(product).ask('POST', '/ui/sign-in', signIn)),
      ])
      const { rows } = await sql`
        select from session where user_id = ${session.user.id}
      `.execute(store().db)
      assert.equal(rows.length, 0)
    })

    test('two owners, and a removal: one erases, and nothing is left', async () => {
      const second = await newPerson(product, owner, 'Owner')
      for (let round = 0; round < 3; round += 1) {
        // oxlint-disable-next-line no-await-in-loop
        const { session, email } = await newPerson(product, owner)
        const { id } = session.user
        // oxlint-disable-next-line no-await-in-loop
        const answers = await Promise.all([
          erase(id, email),
          erase(id, email, second.browser),
          second.browser.ask('DELETE', `/ui/members/${id}`),
        ])
        const statuses = answers.map(({ status }) => status)
        assert.ok(
          statuses.every((status) => [200, 204, 404].includes(status)),
          statuses.join(),
        )
        assert.equal(statuses.filter((status) => status !== 404).length, 1, statuses.join())
      }
    })

    test('a person who renames or creates an organization at the same time keeps neither', async () => {
      for (let round = 0; round < 4; round += 1) {
        // oxlint-disable-next-line no-await-in-loop
        await eraseWhileActing()
      }
    })

    test('an invitation to the address that is accepted afterwards is withdrawn', async () => {
      const { session, email } = await newPerson(product, owner)
      const other = await newWorld(product)
      const token = await invite(
        { ask: (method, path, body) => other.asPerson('Uo', method, path, { body }) },
        email,
      )
      await eraseAddress(store().db, email, ERASURE, SYSTEM)
      const form = { token, password: PASSWORD, name: 'Again' }
      await expectProblem(newBrowser(product).ask('POST', '/ui/invitations/accept', form), 404)
      assert.match(JSON.stringify(await findAccount(session.user.id)), /Erased person/)
    })
  })

  describe('eraseAddress', () => {
    test('refuses the last owner of an organization, names it, and changes nothing', async () => {
      const { browser, session, email } = await newPerson(product, owner, 'Owner')
      const name = `Own ${uniqueId()}`
      await expectOk(browser.ask('POST', '/ui/organizations', { name }))
      await assert.rejects(eraseAddress(store().db, email, ERASURE, SYSTEM), (error: Error) => {
        assert.match(error.message, new RegExp(`last owner of "${name}"`))
        return true
      })
      assert.match(JSON.stringify(await findAccount(session.user.id)), /Petra Person/)
      assert.ok((await signInPerson(product, email)).token !== undefined)
    })

    test('findErasure › lists every account of the address, with its organizations', async () => {
      const email = `two-${uniqueId()}@example.test`
      const [one, two] = [await newWorld(product), await newWorld(product)]
      for (const world of [one, two]) {
        const asOwner = {
          ask: (method: string, path: string, body?: unknown) =>
            world.asPerson('Uo', method, path, { body }),
        }
        const token = await invite(asOwner, email)
        const form = { token, password: PASSWORD, name: 'Ada' }
        await expectOk(newBrowser(product).ask('POST', '/ui/invitations/accept', form))
      }
      const { accounts } = await findErasure(store().db, email)
      assert.deepEqual(
        accounts.map(({ memberships }) => memberships.map((of) => of.organizationId)),
        [[one.organizationId], [two.organizationId]],
      )
      await eraseAddress(store().db, email, ERASURE, SYSTEM)
      assert.deepEqual((await findErasure(store().db, email)).accounts, [])
    })
  })
})
