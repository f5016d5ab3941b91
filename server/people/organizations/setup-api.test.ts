import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { sql } from 'kysely'
import { expectProblem, expectViolations, readJson, readText } from '../../../test/answers.ts'
import { newBrowser, PASSWORD, signInPerson } from '../../../test/people.ts'
import { onStore } from '../../../test/stores.ts'
import { newProduct, type Product } from '../../../test/world.ts'
import { newToken } from '../../platform/kit/token.ts'
import { VERSION } from '../../platform/version.ts'
import { SYSTEM } from '../../ledger/activity/entry.ts'
import { recordDemoPerson } from './demo-service.ts'
import { deleteMember } from './member-store.ts'
import { addMember, createOrganization, isEmpty, newSetupToken } from './service.ts'
import type { Session } from './signed-in.ts'

const SET_UP = '/ui/set-up'
const FILLED_IN = {
  organization: 'Rail & Co',
  name: 'Olga Owner',
  email: 'Owner@rail.example',
  password: PASSWORD,
}

onStore((store) => {
  let product: Product
  beforeEach(async () => {
    await sql`truncate organization, user_account, setup_link cascade`.execute(store().db)
    product = newProduct(store())
  })

  const submit = (body: unknown, to = product): Promise<Response> =>
    newBrowser(to).ask('POST', SET_UP, body)

  test('GET /ui/start › 200 with whether the database is set up', async () => {
    const browser = newBrowser(product)
    const start = (): Promise<unknown> => readJson(browser.ask('GET', '/ui/start'))
    assert.deepEqual(await start(), { isSetUp: false, version: VERSION, demoPeople: [] })
    await readText(submit({ ...FILLED_IN, token: await newSetupToken(store().db) }), 201)
    assert.deepEqual(await start(), { isSetUp: true, version: VERSION, demoPeople: [] })
  })

  async function listNames(): Promise<string[]> {
    const { demoPeople } = await readJson<{ demoPeople: { name: string }[] }>(
      newBrowser(product).ask('GET', '/ui/start'),
    )
    return demoPeople.map(({ name }) => name)
  }

  /** Adds a member, and records them as a person of the demo. */
  async function addDemoPerson(
    organizationId: string,
    name: string,
    more: { passwordHash?: string; position?: number } = {},
  ): Promise<{ userId: string; email: string }> {
    const { passwordHash = 'none', position = 0 } = more
    const email = `${name}@velmora.example`
    const person = { email, name, passwordHash, role: 'Member' as const }
    const userId = await addMember(store().db, organizationId, person)
    const recorded = { userId, position, email, role: 'Owner of the organization' }
    await recordDemoPerson(store().db, organizationId, recorded)
    return { userId, email }
  }

  describe('GET /ui/start › 200 with the people of a demo', () => {
    beforeEach(() => {
      product.services.installation.isDemo = true
    })

    test('in their order, with address and role', async () => {
      const id = await createOrganization(store().db, 'Demo')
      await addDemoPerson(id, 'grace', { position: 1 })
      const { email } = await addDemoPerson(id, 'ada')
      assert.deepEqual(await listNames(), ['ada', 'grace'])
      const text = await readText(newBrowser(product).ask('GET', '/ui/start'))
      assert.ok(text.includes(email) && text.includes('Owner of the organization'))
    })

    test('none of a process that was started without the demo', async () => {
      product.services.installation.isDemo = false
      await addDemoPerson(await createOrganization(store().db, 'Demo'), 'ada')
      assert.deepEqual(await listNames(), [])
    })

    test('none of a database that was not loaded as a demo, and no other member', async () => {
      const id = await createOrganization(store().db, 'Demo')
      const other = await createOrganization(store().db, 'Other')
      const member = { email: 'eve@velmora.example', passwordHash: 'none', role: 'Owner' as const }
      for (const organizationId of [id, other]) {
        await addMember(store().db, organizationId, member)
      }
      assert.deepEqual(await listNames(), [])
      await addDemoPerson(id, 'ada')
      assert.deepEqual(await listNames(), ['ada'])
    })

    test('not who was removed, has another address or cannot sign in', async () => {
      const id = await createOrganization(store().db, 'Demo')
      const elsewhere = await createOrganization(store().db, 'Elsewhere')
      const removed = await addDemoPerson(id, 'removed')
      const person = { email: removed.email, passwordHash: 'none', role: 'Member' as const }
      await addMember(store().db, elsewhere, person)
      await deleteMember(store().db, id, removed.userId, SYSTEM)
      const renamed = await addDemoPerson(id, 'renamed')
      await sql`
        update user_account set email = 'private@home.example' where id = ${renamed.userId}
      `.execute(store().db)
      await addDemoPerson(id, 'closed', { passwordHash: '' })
      await addDemoPerson(id, 'ada')
      assert.deepEqual(await listNames(), ['ada'])
    })
  })

  test(`POST ${SET_UP} › 201: creates the organization and its owner without a key, and signs the owner in`, async () => {
    const token = await newSetupToken(store().db)
    const browser = newBrowser(product)
    const typed = { ...FILLED_IN, organization: ' Rail <b>& Co ', token }
    const answer = await browser.ask('POST', SET_UP, typed)
    const text = await readText(Promise.resolve(answer), 201)
    assert.ok(!text.includes(PASSWORD) && !text.includes(token))
    const session = JSON.parse(text) as Session
    assert.partialDeepStrictEqual(session, {
      user: { name: 'Olga Owner', email: 'Owner@rail.example' },
      organization: { name: 'Rail <b>& Co', role: 'Owner' },
      teams: [],
    })
    assert.deepEqual(session.organizations, [session.organization])
    assert.deepEqual(await readJson(browser.ask('GET', '/ui/session')), session)
    const again = await signInPerson(product, 'owner@RAIL.example')
    assert.deepEqual(await readJson(again.ask('GET', '/ui/session')), session)
    const { rows } = await store().pool.query('select 1 from api_key')
    assert.deepEqual(rows, [])
  })

  test(`POST ${SET_UP} › 404 for a wrong or used token, before and after setup`, async () => {
    const token = await newSetupToken(store().db)
    const wrong = ['', 'x', newToken('pbs_'), token.slice(0, -1), `${token} `, token.toUpperCase()]
    for (const other of wrong) {
      await expectProblem(submit({ ...FILLED_IN, token: other }), 404, /used or unknown/)
    }
    assert.equal(await isEmpty(store().db), true)
    await readText(submit({ ...FILLED_IN, token }), 201)
    for (const used of [token, ...wrong]) {
      await expectProblem(submit({ ...FILLED_IN, token: used }), 404, /used or unknown/)
    }
  })

  test(`POST ${SET_UP} › expires the links of all processes once one is used, also for concurrent requests`, async () => {
    const { db } = store()
    const products = [product, newProduct(store()), newProduct(store()), newProduct(store())]
    const [one, other] = [await newSetupToken(db), await newSetupToken(db)]
    const tokens = [one, other, one, other]
    const answers = await Promise.all(
      tokens.map(async (token, at) => (await submit({ ...FILLED_IN, token }, products[at])).status),
    )
    assert.deepEqual(
      answers.toSorted((a, b) => a - b),
      [201, 404, 404, 404],
    )
    for (const token of tokens) await expectProblem(submit({ ...FILLED_IN, token }), 404)
    const { rows } = await store().pool.query('select 1 from organization')
    assert.equal(rows.length, 1)
  })

  for (const [what, field, value, says] of [
    ['no organization', 'organization', '  ', 'must not be empty'],
    ['a long organization', 'organization', 'x'.repeat(201), 'is too long'],
    [
      'a line break in the organization',
      'organization',
      'a\nb',
      'must not contain control characters',
    ],
    ['an empty name', 'name', '', 'must not be empty'],
    ['no address', 'email', 'owner', 'must be an e-mail address'],
    ['a short password', 'password', 'elevenchars', 'must have at least 12 characters'],
    ['a long password', 'password', 'x'.repeat(201), 'is too long'],
    ['a field that is missing', 'name', undefined, 'is missing'],
  ] as const) {
    test(`POST ${SET_UP} › 422 for ${what}, and the link is still open`, async () => {
      const token = await newSetupToken(store().db)
      const { violations } = await expectProblem(
        submit({ ...FILLED_IN, token, [field]: value }),
        422,
      )
      assert.deepEqual(violations, [{ field, message: says }])
      assert.equal(await isEmpty(store().db), true)
      await readText(submit({ ...FILLED_IN, token }), 201)
    })
  }

  test(`POST ${SET_UP} › 422 with every problem at once, and 413 above 16 KiB`, async () => {
    const token = await newSetupToken(store().db)
    await expectViolations(submit({ token }), 422, ['email', 'name', 'organization', 'password'])
    await expectProblem(submit({ ...FILLED_IN, token, name: 'x'.repeat(16 * 1024) }), 413)
    assert.equal(await isEmpty(store().db), true)
  })

  test(`POST ${SET_UP} › 403 from another site, 401 with a key: the link is still open`, async () => {
    const token = await newSetupToken(store().db)
    const body = { ...FILLED_IN, token }
    const browser = newBrowser(product)
    await expectProblem(browser.ask('POST', SET_UP, body, { 'sec-fetch-site': 'cross-site' }), 403)
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    await expectProblem(
      browser.ask('POST', SET_UP, new URLSearchParams(body).toString(), form),
      403,
    )
    await expectProblem(browser.ask('POST', SET_UP, body, { 'x-api-key': newToken('pbk_') }), 401)
    await readText(browser.ask('POST', SET_UP, body), 201)
  })
})
