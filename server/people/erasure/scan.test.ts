/** A person with canaries as name and address does what people do, is erased, and is looked for everywhere. */

import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { sql } from 'kysely'
import { addAgreement } from '../../../test/agreements.ts'
import { readJson, readText } from '../../../test/answers.ts'
import {
  expectScimError,
  GROUP_SCHEMA,
  newDirectory,
  USER_SCHEMA,
} from '../../../test/directory.ts'
import { testConfig } from '../../../test/full-store.ts'
import { addIntegration } from '../../../test/integrations.ts'
import { notifyAll } from '../../../test/notifications.ts'
import { newBrowser, newMember, PASSWORD, type Browser } from '../../../test/people.ts'
import { onStore } from '../../../test/stores.ts'
import { addSpans, newSpan } from '../../../test/usage.ts'
import { expectOk, newProduct, newWorld, odps, putOne, type World } from '../../../test/world.ts'
import { endAccessOfPerson } from '../../agreements/occasion-service.ts'
import { api } from '../../api.ts'
import { SYSTEM } from '../../ledger/activity/entry.ts'
import { sealActivity } from '../../ledger/activity/seal-service.ts'
import { openSecretBox } from '../../encryption.ts'
import { eraseNotices } from '../../notices/notifications/erasure-service.ts'
import { verifyStore } from '../../transfer/verify.ts'
import { ui } from '../../ui.ts'
import { recordDirectoryRequests } from '../directory/state-service.ts'
import type { Session } from '../organizations/signed-in.ts'
import { TEXT_TABLES } from './document-store.ts'
import { eraseAddress, listAllDocuments } from './erasure-service.ts'

const NAME = 'Canaria Vogelsang'
const EMAIL = 'canaria.vogelsang@example.test'
const KEY_NAME = 'Canaria laptop'
const CANARY = /canaria/i
const ERASURE = { endMembership: endAccessOfPerson, eraseNotices }
// The texts that clients sent, and what the search finds in them.
const LEFT = new Set([...TEXT_TABLES.map(({ table }) => table), 'search_document', 'search_word'])

const ERASED_TABLES = [
  'api_key',
  'directory_refusal',
  'directory_user',
  'invitation',
  'notification',
  'person_name',
  'user_account',
]
const GRANT_TABLES = ['asset_grant', 'grantee_administrator', 'grantee_identity', 'grantee_member']

const TOMORROW = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)

/** Makes the person a member by an invitation; without a name, with the existing account. */
async function join(at: World, name?: string): Promise<Browser> {
  const invited = at.asPerson('Uo', 'POST', '/ui/invitations', {
    body: { email: EMAIL, role: 'Member' },
  })
  const { link } = await readJson<{ link: string }>(invited, 201)
  const token = new URL(link).hash.slice(1)
  const browser = newBrowser(at)
  const form = { token, password: PASSWORD, ...(name === undefined ? {} : { name }) }
  await expectOk(browser.ask('POST', '/ui/invitations/accept', form))
  return browser
}

onStore((store) => {
  let world: World
  let other: World
  let person: Browser
  let userId: string
  let namesakeId: string
  let integration: string
  const product = () => newProduct(store())

  before(async () => {
    world = await newWorld(product())
    other = await newWorld(product())
    const namesake = await newMember(product(), other.organizationId, 'Member', NAME)
    namesakeId = namesake.session.user.id
    person = await join(world, NAME)
    const { user } = await readJson<Session>(person.ask('GET', '/ui/session'))
    userId = user.id
    await act()
  })

  const ask = async (method: string, path: string, body?: unknown): Promise<void> =>
    void (await expectOk(person.ask(method, path, body)))

  async function act(): Promise<void> {
    const members = [{ emailAddress: EMAIL, role: 'Owner' }]
    await putOne(world, 'teams', { id: 'crew', name: 'Crew', members })
    await ask('PUT', '/ui/profile', { name: 'Canaria Former' })
    await ask('PUT', '/ui/profile', { name: NAME })
    await ask('POST', '/ui/api-keys', {
      scope: 'user',
      displayName: KEY_NAME,
      expiresAt: TOMORROW,
    })
    await ask('PUT', '/api/dataproducts/flown', odps('flown', { team: { name: 'crew' } }))
    await ask(
      'PUT',
      '/api/dataproducts/flown',
      odps('flown', { team: { name: 'crew' }, tags: [EMAIL] }),
    )
    await ask('PUT', '/ui/follow', { kind: 'data-product', id: 'flown', muted: false })
    await ask('PUT', '/api/dataproducts/flown/star')
    await ask('PUT', '/ui/notification-digest', { hour: 8 })
    const path = await addAgreement(world, { owner: 'crew' })
    await notifyAll(world)
    await ask('POST', `${path}/approve`)
    await addAgreement(world, { consumer: { userId }, isApproved: true })
    const removed = await addAgreement(world, { consumer: { userId } })
    await notifyAll(world)
    await expectOk(world.as('O', 'DELETE', removed))
    await addSpans(world, 'flown', [newSpan({ user: EMAIL, role: 'r', accessId: 'a', rows: 1 })])
    await provision()
    await reportGrants()
    const reset = `/ui/members/${userId}/password-reset`
    await expectOk(world.asPerson('Uo', 'POST', reset))
    await newBrowser(world).ask('POST', '/ui/sign-in', { email: EMAIL, password: 'wrong' })
    // Was a member of another organization, which keeps the name, and is invited there again.
    await join(other)
    await expectOk(other.asPerson('Uo', 'DELETE', `/ui/members/${userId}`))
    const again = { body: { email: EMAIL, role: 'Member' } }
    await expectOk(other.asPerson('Uo', 'POST', '/ui/invitations', again))
    await notifyAll(world)
  }

  /** The directory of the organization describes the person, and a request that quotes the address is refused. */
  async function provision(): Promise<void> {
    const directory = await newDirectory(world)
    await directory.ask('PUT', `/Users/${userId}`, {
      schemas: [USER_SCHEMA],
      userName: EMAIL,
      name: { givenName: 'Canaria', familyName: 'Vogelsang' },
    })
    const refused = directory.send('POST', '/Groups', {
      schemas: [GROUP_SCHEMA],
      displayName: 'Crew',
      members: [{ value: EMAIL }],
    })
    assert.match(await expectScimError(refused, 400, 'invalidValue'), CANARY)
    await recordDirectoryRequests(world.services)
  }

  /** A source reports the login name of the person, which is the address. */
  async function reportGrants(): Promise<void> {
    // Records the key that seals the password.
    await openSecretBox(testConfig(), store().db)
    const externalId = await addIntegration(world, 'a')
    const grants = sql`${world.organizationId}, (
      select id from integration where organization_id = ${world.organizationId} and external_id = ${externalId}
    )`
    integration = externalId
    for (const statement of [
      sql`insert into grant_reading (organization_id, integration_id, enabled, updated_by)
        values (${grants}, true, 'system')`,
      sql`insert into asset_grant (organization_id, integration_id, id, path, grantee_kind, grantee_name, privilege, effect,
          with_grant)
        values (${grants}, gen_random_uuid(), '["db","public","wagons"]', 'user', ${EMAIL}, 'SELECT', 'read', false)`,
      sql`insert into grantee_member (organization_id, integration_id, role_kind, role, member_kind, member, is_inherited,
          is_settable)
        values (${grants}, 'role', 'readers', 'user', ${EMAIL}, true, false)`,
      sql`insert into grantee_administrator (organization_id, integration_id, grantee_kind, grantee_name)
        values (${grants}, 'user', ${EMAIL})`,
      sql`insert into grantee_identity (organization_id, integration_id, grantee_kind, grantee_name, subject_kind,
          subject_id, origin, mapped_by)
        values (${grants}, 'user', ${EMAIL}, 'user', ${userId}, 'hand', 'system')`,
    ]) {
      await statement.execute(store().db)
    }
  }

  const countEvery = async (): Promise<Map<string, number>> => {
    const { rows: tables } = await sql<{ name: string }>`
      select relname as name
      from pg_class
      where relnamespace = 'public'::regnamespace
        and relkind = 'r'
    `.execute(store().db)
    const counts = tables.map(
      ({ name }) => sql`
        select ${sql.lit(name)} as name, count(*)::integer as count
        from ${sql.table(name)} as stored
        where stored::text ~* ${CANARY.source}`,
    )
    const { rows } = await sql<{ name: string; count: number }>`
      ${sql.join(counts, sql` union all `)}
    `.execute(store().db)
    return new Map(rows.filter(({ count }) => count > 0).map(({ name, count }) => [name, count]))
  }

  async function listAnswers(): Promise<Map<string, string>> {
    const paths = [...api, ...ui]
      .filter(({ method, path }) => method === 'GET' && !path.includes('{'))
      .map(({ path }) => path)
    const answers = new Map<string, string>()
    const more = [
      '/api/activity?limit=200',
      '/api/activity?format=csv',
      '/ui/activity?kind=account',
    ]
    for (const path of [...paths, ...more, `/ui/principals?id=user:${userId}`]) {
      const answer = await world.asPerson('Uo', 'GET', path)
      answers.set(path, await answer.text())
    }
    return answers
  }

  test('eraseAddress › leaves the name and the address only in the texts that clients sent', async () => {
    const before = await countEvery()
    for (const name of [...ERASED_TABLES, ...GRANT_TABLES]) {
      assert.ok(before.has(name), `${name} never had the canary`)
    }
    assert.ok(!before.has('activity_entry'))
    await eraseAddress(store().db, ` ${EMAIL.toUpperCase()} `, ERASURE, SYSTEM)
    const left = await countEvery()
    assert.deepEqual(
      [...left].filter(([name]) => !LEFT.has(name)).toSorted(([a], [b]) => a.localeCompare(b)),
      // The namesake.
      [
        ['person_name', 1],
        ['user_account', 1],
      ].filter(([name]) => left.has(String(name))),
    )
    const { rows } = await sql<{ name: string; id: string }>`
      select name, id from user_account where name ~* 'canaria'
      union all
      select name, id from person_name where name ~* 'canaria'
    `.execute(store().db)
    assert.deepEqual(rows, [
      { name: NAME, id: namesakeId },
      { name: NAME, id: namesakeId },
    ])
  })

  test('eraseAddress › lists what contains the address, with kind, id and page', async () => {
    const listed = await listAllDocuments(store().db, EMAIL)
    assert.deepEqual(
      listed.map(({ kind, id, page, isFormer }) => `${kind} ${id} ${page} ${isFormer}`),
      [
        'data-product flown /data-products/flown false',
        `integration ${integration} /integrations/${integration} false`,
        'team crew /teams/crew false',
        'usage flown /data-products/flown false',
      ],
    )
  })

  test('GET › no answer has the name or the address, except for the texts that clients sent', async () => {
    const showing = [...(await listAnswers())].filter(([, text]) => CANARY.test(text))
    const documents =
      /^\/api\/(dataproducts|teams|events|catalog|search|v1\/traces)|^\/catalog|^\/ui\/(home|search)/
    assert.deepEqual(
      showing.map(([path]) => path).filter((path) => !documents.test(path)),
      [],
    )
  })

  test('the activity › records the erasing in each organization that had the name, without the name', async () => {
    for (const at of [world, other]) {
      const text = await readText(at.asPerson('Uo', 'GET', `/api/activity?subject=${userId}`))
      const entries: { kind: string; action: string; name: string }[] = JSON.parse(text)
      assert.equal(entries[0]?.action, 'erased')
      assert.ok(entries.every(({ name }) => name === 'Erased person'))
      assert.ok(entries.some(({ action }) => action === 'joined'))
    }
    const { rows } = await sql<{ name: string }>`
      select name from person_name where person = ${userId} and kind = 'api-key'
    `.execute(store().db)
    assert.deepEqual(rows, [{ name: 'Erased key' }])
  })

  test('the person › is signed out, has no key, and cannot sign in', async () => {
    assert.equal((await person.ask('GET', '/ui/session')).status, 401)
    const signIn = { email: EMAIL, password: PASSWORD }
    assert.equal((await newBrowser(world).ask('POST', '/ui/sign-in', signIn)).status, 401)
    const open = await sql`
      select from access_agreement where consumer_user = ${userId} and state in ('requested', 'active')
    `.execute(store().db)
    assert.equal(open.rows.length, 0)
  })

  test('verify › finds nothing, also after sealing; a second erasing changes nothing', async () => {
    await sealActivity(world.services)
    const digest = async (): Promise<unknown> =>
      (
        await sql`select md5(string_agg(e::text, '' order by position)) from activity_entry e`.execute(
          store().db,
        )
      ).rows
    const first = await digest()
    await eraseAddress(store().db, EMAIL, ERASURE, SYSTEM)
    assert.deepEqual(await digest(), first)
    const rules = await verifyStore(store().db)
    const findings = rules.flatMap(({ rule, findings: some }) =>
      some.map((one) => `${rule}: ${one}`),
    )
    assert.deepEqual(
      findings.filter((one) => !one.includes('search index')),
      [],
    )
  })
})
