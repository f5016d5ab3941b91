/** Stores that have the names of people in their activity: the migration, and imports of their exports. */

import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { listEntries } from '../../test/activity.ts'
import { addAgreement } from '../../test/agreements.ts'
import { eventually } from '../../test/eventually.ts'
import { dropNames, NAMES_MIGRATION, restoreNames } from '../../test/former-names.ts'
import { notifyAll } from '../../test/notifications.ts'
import { invite, newMember, newPerson, setUpOwner, type Browser } from '../../test/people.ts'
import { readText } from '../../test/answers.ts'
import { openTestStore } from '../../test/stores.ts'
import { expectOk, newProduct, newWorld, type World } from '../../test/world.ts'
import { sealActivity } from '../ledger/activity/seal-service.ts'
import type { Store } from '../store.ts'
import { exportStore } from './export.ts'
import { importStore } from './import.ts'
import { verifyStore } from './verify.ts'

const CANARY = 'Canary'
const ENTRIES_OF_SEAL = 7
const MIGRATION = new URL(`../migrations/${NAMES_MIGRATION}`, import.meta.url)
const directory = mkdtempSync(join(tmpdir(), 'portbook-names-'))

let store: Store
let target: Store
let world: World
let owner: Browser
before(async () => {
  ;[store, target] = await Promise.all([openTestStore(), openTestStore()])
  const product = newProduct(store)
  const setUp = await setUpOwner(product)
  owner = setUp.browser
  world = await newWorld(product)
})
after(async () => {
  await Promise.all([store.close(), target.close()])
  rmSync(directory, { recursive: true })
})

const getEntries = async (): Promise<unknown[]> => {
  const text = await readText(owner.ask('GET', '/api/activity?limit=200'))
  return JSON.parse(text)
}

const listFindings = async ({ db }: Store): Promise<string[]> =>
  (await verifyStore(db)).flatMap(({ rule, findings }) => findings.map((one) => `${rule}: ${one}`))

interface Seal {
  hash: Buffer
  /** The other columns, without the fingerprints. */
  of: object
}

async function listSeals({ db }: Store): Promise<Seal[]> {
  const { rows } = await sql<Seal>`
    select hash, to_jsonb(activity_seal) - 'hash' - 'fingerprints' as of
    from activity_seal
    order by organization_id, number
  `.execute(db)
  return rows
}

async function isSettled(): Promise<boolean> {
  const { rows } = await sql`
    select from activity_entry where transaction_id >= pg_snapshot_xmin(pg_current_snapshot()) limit 1
  `.execute(store.db)
  return rows.length === 0
}

async function seal(): Promise<void> {
  await eventually(20_000, isSettled, 'the entries are settled')
  await sealActivity(world.services, ENTRIES_OF_SEAL)
}

/** Does what a person does whose name the activity had; returns the id of a person who gets access. */
async function act(): Promise<string> {
  const product = newProduct(store)
  const { browser, session } = await newPerson(product, owner, 'Member', `${CANARY} One`)
  await expectOk(browser.ask('PUT', '/ui/profile', { name: `${CANARY} Two` }))
  const key = { scope: 'user', displayName: `${CANARY} laptop` }
  await expectOk(browser.ask('POST', '/ui/api-keys', key))
  await invite(owner, `${CANARY}@example.test`)
  const consumer = await newMember(product, world.organizationId, 'Member', CANARY)
  await addAgreement(world, { consumer: { userId: consumer.session.user.id }, isApproved: true })
  await notifyAll(world)
  await expectOk(owner.ask('DELETE', `/ui/members/${session.user.id}`))
  return consumer.session.user.id
}

async function migrate(): Promise<void> {
  await dropNames(store.db)
  const client = await store.pool.connect()
  await client.query('begin')
  await client.query(readFileSync(MIGRATION, 'utf8'))
  await client.query('commit')
  client.release()
}

async function expectSeparated(
  one: Store,
  former: readonly Seal[],
  consumerId: string,
): Promise<void> {
  const findings = await listFindings(one)
  assert.deepEqual(
    findings.filter((finding) => !finding.includes('search index')),
    [],
  )
  const seals = await listSeals(one)
  assert.deepEqual(
    seals.map(({ of }) => of),
    former.map(({ of }) => of),
  )
  assert.ok(seals.every(({ hash }, at) => !hash.equals(former[at]?.hash ?? hash)))
  const entries = await sql`
    select from activity_entry where activity_entry::text like ${`%${CANARY}%`}
  `.execute(one.db)
  assert.equal(entries.rows.length, 0)
  const names = await sql<{ name: string }>`
    select kind || ' ' || name as name
    from person_name
    where name like ${`${CANARY}%`}
    order by kind, name
  `.execute(one.db)
  assert.deepEqual(
    names.rows.map(({ name }) => name),
    [
      `account ${CANARY}`,
      `account ${CANARY} Two`,
      `api-key ${CANARY} laptop`,
      `invitation ${CANARY}@example.test`,
    ],
  )
  const consumers = await sql<{ id: string }>`
    select distinct data ->> 'consumerUser' as id from notification where data ->> 'consumer' = ${CANARY}
  `.execute(one.db)
  assert.deepEqual(consumers.rows, [{ id: consumerId }])
}

test('an import and the migration › move names into person_name, seal again, and verify passes', async () => {
  const consumerId = await act()
  const before = await getEntries()
  await restoreNames(store.db)
  await seal()
  const former = await listSeals(store)
  assert.ok(former.length > 4)
  const file = join(directory, 'former.jsonl')
  await exportStore(store.connection, file, '0.0.1')
  assert.ok(!readFileSync(file, 'utf8').split('\n')[0]?.includes(NAMES_MIGRATION))
  await importStore({ connection: target.connection, path: file, assertEncryptionKey() {} })
  await migrate()
  await expectSeparated(store, former, consumerId)
  await expectSeparated(target, former, consumerId)
  assert.deepEqual(await getEntries(), before)
})

test('an entry with a name is rejected by the database afterwards, and so is a change of an entry', async () => {
  for (const { db } of [store, target]) {
    const change = sql`update activity_entry set name = ''`.execute(db)
    await assert.rejects(change, /only grows/)
    const insert = sql`
      insert into activity_entry (organization_id, at, principal, kind, subject, name, action)
      values (${world.organizationId}, now(), 'system', 'member', ${world.userIds.Um}, 'Ada', 'joined')
    `.execute(db)
    await assert.rejects(insert, /activity_entry_person/)
  }
})

test('separate_person_names › leaves a seal that does not fit, so that verify still finds the change', async () => {
  await restoreNames(store.db)
  await seal()
  const [entry] = await listEntries(world, 'member')
  const client = await store.pool.connect()
  try {
    await client.query('begin')
    await client.query('alter table activity_entry disable trigger activity_entry_only_grows')
    await client.query('alter table activity_seal disable trigger activity_seal_only_grows')
    await client.query(
      `update activity_entry set principal = 'user:other' where subject = $1 and kind = 'member'`,
      [entry?.subject],
    )
    await client.query('select separate_person_names()')
    await client.query('commit')
  } finally {
    client.release()
  }
  const findings = (await listFindings(store)).join('\n')
  assert.match(
    findings,
    /no sealed entry of the activity was changed, deleted or inserted: seal \d/,
  )
  assert.match(
    findings,
    /the seals of the activity are a chain: seal \d+: its entries are not those/,
  )
  // Every other seal follows from the one before it.
  assert.doesNotMatch(findings, /its hash does not follow/)
})
