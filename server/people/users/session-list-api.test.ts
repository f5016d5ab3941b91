import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { expectProblem, readJson, readText } from '../../../test/answers.ts'
import { newBrowser, newMember, PASSWORD, type Browser } from '../../../test/people.ts'
import { newProvider, newProviderSession, newSession } from '../../../test/session.ts'
import { onStore } from '../../../test/stores.ts'
import { newProduct, type Product } from '../../../test/world.ts'
import { addMember, createOrganization } from '../organizations/service.ts'
import type { ListedSession, MemberSessions } from './session-list.ts'

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

async function list(browser: Browser): Promise<ListedSession[]> {
  return await readJson<ListedSession[]>(browser.ask('GET', '/ui/sessions'))
}

async function listSeen(owner: Browser, userId: string): Promise<MemberSessions> {
  return await readJson<MemberSessions>(owner.ask('GET', `/ui/members/${userId}/sessions`))
}

onStore((store) => {
  let product: Product
  let there: Product
  let a: string
  let b: string
  let providerOfA: string
  let providerOfB: string
  before(async () => {
    product = newProduct(store())
    there = newProduct(store())
    a = await createOrganization(store().db, 'A')
    b = await createOrganization(store().db, 'B')
    providerOfA = await newProvider(store().db, a)
    providerOfB = await newProvider(store().db, b)
  })

  function openBrowser(token: string, at = there): Browser {
    const browser = newBrowser(at)
    browser.token = token
    return browser
  }

  const getStatus = async (token: string): Promise<number> =>
    (await openBrowser(token).ask('GET', '/ui/session')).status

  /** A member of A, and of B if asked for, with a session of each kind. */
  async function newPerson(isInB: boolean) {
    const { db, clock } = product.services
    const { session, email, browser } = await newMember(product, a)
    const userId = session.user.id
    if (isInB) await addMember(db, b, { email, passwordHash: 'x', role: 'Member' })
    const start = { organizationId: a, providerId: providerOfA }
    return {
      userId,
      email,
      first: browser,
      password: await newSession(db, clock, userId),
      ofA: await newProviderSession(product.services, userId, start),
      ofB: isInB
        ? await newProviderSession(product.services, userId, {
            organizationId: b,
            providerId: providerOfB,
          })
        : '',
    }
  }

  const newOwner = async (organizationId: string): Promise<Browser> =>
    (await newMember(product, organizationId, 'Owner')).browser

  test('GET /ui/sessions › the own ones with device, client, way and end, without secrets; this one is marked', async () => {
    const { email } = await newMember(product, a)
    const browser = newBrowser(product, '192.0.2.7')
    const credentials = { email, password: PASSWORD }
    await readText(browser.ask('POST', '/ui/sign-in', credentials, { 'user-agent': FIREFOX }))
    const text = await readText(browser.ask('GET', '/ui/sessions'))
    assert.ok(!text.includes(browser.token ?? ''))
    const sessions = await list(browser)
    assert.equal(sessions.length, 2)
    const current = sessions.filter(({ isCurrent }) => isCurrent)
    assert.partialDeepStrictEqual(current, [
      {
        device: 'Firefox 140 on Linux',
        client: '192.0.2.7',
        method: 'password',
        provider: null,
        organization: null,
      },
    ])
    const [{ startedAt, endsAt } = { startedAt: '', endsAt: '' }] = current
    assert.equal(Date.parse(endsAt) - Date.parse(startedAt), 12 * 60 * 60 * 1000)
  })

  test('DELETE /ui/sessions/{id} › ends it at once in every process; 404 for one of another person', async () => {
    const person = await newPerson(false)
    const stranger = await newPerson(false)
    const own = openBrowser(person.password, product)
    const ofA = (await list(own)).find(({ provider }) => provider !== null)
    assert.deepEqual([ofA?.provider, ofA?.organization, ofA?.method], ['Velmora', 'A', 'provider'])
    const path = `/ui/sessions/${ofA?.id}`
    await expectProblem(openBrowser(stranger.password).ask('DELETE', path, {}), 404)
    assert.equal(await getStatus(person.ofA), 200)
    await readText(own.ask('DELETE', path, {}), 204)
    assert.equal(await getStatus(person.ofA), 401)
    await expectProblem(own.ask('DELETE', path, {}), 404)
    await expectProblem(own.ask('DELETE', '/ui/sessions/x', {}), 404)
    const current = (await list(own)).find(({ isCurrent }) => isCurrent)
    await readText(own.ask('DELETE', `/ui/sessions/${current?.id}`, {}), 204)
    assert.equal(own.token, undefined)
    assert.equal(await getStatus(person.password), 401)
  })

  test('DELETE /ui/sessions › ends all other sessions of the person, and none of others', async () => {
    const person = await newPerson(true)
    const other = await newPerson(true)
    await readText(openBrowser(person.password).ask('DELETE', '/ui/sessions', {}), 204)
    assert.deepEqual(
      [await getStatus(person.password), await getStatus(person.ofA), await getStatus(person.ofB)],
      [200, 401, 401],
    )
    assert.equal(await getStatus(other.ofA), 200)
  })

  test('a session of a provider of A › sees and ends nothing that also acts in B', async () => {
    const person = await newPerson(true)
    const all = await list(openBrowser(person.password))
    const limited = openBrowser(person.ofA)
    const listed = await list(limited)
    assert.deepEqual(
      listed.map(({ organization }) => organization),
      ['A'],
    )
    for (const { id, organization } of all) {
      if (organization === 'A') continue
      await expectProblem(limited.ask('DELETE', `/ui/sessions/${id}`, {}), 404)
    }
    await readText(limited.ask('DELETE', '/ui/sessions', {}), 204)
    assert.equal(await getStatus(person.password), 200)
    await readText(limited.ask('POST', '/ui/sign-out-everywhere', {}), 204)
    assert.deepEqual(
      [await getStatus(person.ofA), await getStatus(person.password), await getStatus(person.ofB)],
      [401, 200, 200],
    )
    const alone = await newPerson(false)
    assert.equal((await list(openBrowser(alone.ofA))).length, 3)
  })

  test('an owner of A › sees and ends the sessions of a member that concern only A, never those of B', async () => {
    const [ownerOfA, ownerOfB] = [await newOwner(a), await newOwner(b)]
    const person = await newPerson(true)
    const inA = await listSeen(ownerOfA, person.userId)
    const inB = await listSeen(ownerOfB, person.userId)
    assert.deepEqual(
      [inA, inB].map(({ sessions, actsElsewhere }) => [
        sessions.map(({ organization }) => organization),
        actsElsewhere,
      ]),
      [
        [['A'], true],
        [['B'], true],
      ],
    )
    const path = `/ui/members/${person.userId}/sessions`
    for (const { id, organization } of await list(openBrowser(person.password))) {
      if (organization === 'A') continue
      await expectProblem(ownerOfA.ask('DELETE', `${path}/${id}`, {}), 404)
    }
    await readText(ownerOfA.ask('DELETE', `${path}/${inA.sessions[0]?.id}`, {}), 204)
    assert.deepEqual(
      [await getStatus(person.ofA), await getStatus(person.password), await getStatus(person.ofB)],
      [401, 200, 200],
    )
    const single = await newPerson(false)
    const { sessions, actsElsewhere } = await listSeen(ownerOfA, single.userId)
    assert.deepEqual([sessions.length, actsElsewhere], [3, false])
    const ofSingle = `/ui/members/${single.userId}/sessions`
    for (const { id } of sessions) {
      await expectProblem(ownerOfB.ask('DELETE', `${ofSingle}/${id}`, {}), 404)
      await expectProblem(ownerOfA.ask('DELETE', `${path}/${id}`, {}), 404)
      await readText(ownerOfA.ask('DELETE', `${ofSingle}/${id}`, {}), 204)
    }
    assert.equal(await getStatus(single.password), 401)
    await expectProblem(ownerOfB.ask('GET', ofSingle), 404)
  })
})
