import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, test } from 'node:test'
import { sql } from 'kysely'
import { expectProblem, readText } from '../../../test/answers.ts'
import {
  invite,
  newBrowser,
  newMember,
  newPerson,
  PASSWORD,
  setUpOwner,
} from '../../../test/people.ts'
import type { Browser } from '../../../test/people.ts'
import { newProvider, newSession } from '../../../test/session.ts'
import { onStore } from '../../../test/stores.ts'
import { newProduct, uniqueId, type Product } from '../../../test/world.ts'
import { fixedClock } from '../../platform/kit/clock.ts'
import { hashToken } from '../../platform/kit/token.ts'
import { openSealed } from '../../platform/sealed-secrets.ts'
import type { ProviderSessionStart } from './session.ts'
import { deleteEndedSessions, startSession } from './session-service.ts'

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

onStore((store) => {
  let product: Product
  let owner: Browser
  let userId: string
  let organizationId: string
  let providerId: string
  before(async () => {
    product = newProduct(store())
    const { browser, session } = await setUpOwner(product)
    owner = browser
    userId = session.user.id
    organizationId = session.organization?.id ?? ''
    providerId = await newProvider(store().db, organizationId)
  })

  async function readStart(token: string | undefined): Promise<Record<string, unknown>> {
    return await store()
      .db.selectFrom('session')
      .select([
        'method',
        'client',
        'user_agent',
        'organization_id',
        'provider_id',
        'subject',
        'sid',
      ])
      .where('token_hash', '=', hashToken(token ?? ''))
      .executeTakeFirstOrThrow()
  }

  async function countSessions(id: string): Promise<number> {
    const rows = await store()
      .db.selectFrom('session')
      .select('id')
      .where('user_id', '=', id)
      .execute()
    return rows.length
  }

  const ofProvider = (more: Partial<ProviderSessionStart> = {}): ProviderSessionStart => ({
    method: 'provider',
    client: '4:3221225985',
    userAgent: FIREFOX,
    requestId: 'r',
    organizationId,
    providerId,
    subject: 'sub',
    sid: 'sid',
    hours: 2,
    ...more,
  })

  test('every sign-in › records its way, the client and the user agent, cut to a limit', async () => {
    const person = await newPerson(product, owner)
    const invited = `${uniqueId()}@example.test`
    const joining = newBrowser(product, '192.0.2.7')
    const acceptance = { token: await invite(owner, invited), name: 'N', password: PASSWORD }
    const headers = { 'user-agent': FIREFOX }
    await readText(joining.ask('POST', '/ui/invitations/accept', acceptance, headers))
    const signing = newBrowser(product, '2001:db8:1:2:3::4')
    const long = { 'user-agent': 'x'.repeat(5000) }
    const credentials = { email: person.email, password: PASSWORD }
    await readText(signing.ask('POST', '/ui/sign-in', credentials, long))
    const none = { organization_id: null, provider_id: null, subject: null, sid: null }
    const invitation = { method: 'invitation', client: '192.0.2.7', user_agent: FIREFOX, ...none }
    assert.deepEqual(await readStart(joining.token), invitation)
    assert.deepEqual(await readStart(signing.token), {
      method: 'password',
      client: '2001:db8:1:2::/64',
      user_agent: 'x'.repeat(500),
      ...none,
    })
    assert.equal((await readStart(owner.token))['method'], 'set-up')
  })

  test('POST /ui/password › the session keeps how it began, also its provider and its end', async () => {
    const { db, clock } = product.services
    const person = await newPerson(product, owner)
    const browser = newBrowser(product)
    browser.token = await startSession(db, clock, person.session.user.id, ofProvider())
    const former = await readStart(browser.token)
    const former_token = browser.token
    const change = { currentPassword: PASSWORD, newPassword: 'another long password' }
    await readText(browser.ask('POST', '/ui/password', change), 204)
    assert.notEqual(browser.token, former_token)
    assert.deepEqual(await readStart(browser.token), former)
    assert.equal(former['provider_id'], providerId)
    const { rows } = await sql<{ hours: number }>`
      select extract(epoch from expires_at - created_at)::integer / 3600 as hours
      from session
      where token_hash = ${hashToken(browser.token ?? '')}
    `.execute(db)
    assert.deepEqual(rows, [{ hours: 2 }])
  })

  test('a session of a provider › 401 after the hours of the provider', async () => {
    const token = await startSession(
      store().db,
      fixedClock('2031-03-01T00:00:00Z'),
      userId,
      ofProvider(),
    )
    const getAt = (instant: string): Promise<Response> => {
      const browser = newBrowser(newProduct(store(), { clock: fixedClock(instant) }))
      browser.token = token
      return browser.ask('GET', '/ui/session')
    }
    await readText(getAt('2031-03-01T01:59:59.999Z'))
    await expectProblem(getAt('2031-03-01T02:00:00Z'), 401, /over/)
  })

  test('the job ended-sessions › deletes the sessions that are over, and no others', async () => {
    const { db } = store()
    const person = await newMember(product, organizationId)
    const { id } = person.session.user
    await newSession(db, fixedClock('2020-01-01T00:00:00Z'), id)
    await startSession(db, fixedClock('2020-01-01T00:00:00Z'), id, ofProvider({ hours: 1 }))
    await deleteEndedSessions(db, fixedClock('2020-01-01T01:00:00Z'))
    assert.equal(await countSessions(id), 2)
    await deleteEndedSessions(db, product.services.clock)
    assert.equal(await countSessions(id), 1)
  })

  test('startSession › seals the ID token for its session, and starts none with a provider for strangers', async () => {
    const { db, clock, secretBox } = product.services
    const idToken = { text: 'the.id.token', secretBox }
    const token = await startSession(db, clock, userId, ofProvider({ idToken }))
    const { rows } = await sql<{ id: string; sealed: Buffer; key_id: string }>`
      select session.id, session_id_token.sealed, session_id_token.key_id
      from session
      join session_id_token on session_id_token.session_id = session.id
      where session.token_hash = ${hashToken(token)}
    `.execute(db)
    const [row] = rows
    assert.ok(row !== undefined)
    assert.equal(row.key_id, secretBox.keyId)
    assert.equal(openSealed(secretBox, 'session_id_token', [row.id], row.sealed), 'the.id.token')
    const stranger = randomUUID()
    await sql`
      insert into user_account (id, email, email_key, name, password_hash)
      values (${stranger}, 's@example.test', 's@example.test', 'S', '')
    `.execute(db)
    await assert.rejects(startSession(db, clock, stranger, ofProvider()), { code: 'not_found' })
  })
})
