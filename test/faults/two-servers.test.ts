/** Two servers on one PostgreSQL that write the same products concurrently. */

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { createApiKey } from '../../server/people/api-keys/service.ts'
import { storeClock } from '../../server/platform/kit/clock.ts'
import { PATCH_SCHEMA, USER_SCHEMA } from '../directory.ts'
import { isLong, toLimit } from '../eventually.ts'
import { newHttpClient, type HttpClient } from '../http-client.ts'
import { startProduct, createUnattendedStart, type ProductProcess } from '../process.ts'
import { newSession } from '../session.ts'
import { newOwner, onDatabase } from '../sources.ts'
import { newStorePlace, type StorePlace } from '../stores.ts'
import { withSession } from '../world.ts'
import {
  checkStore,
  checkThroughHttp,
  createDocument,
  newLedger,
  newMarker,
  registerTeam,
  startWriters,
  TEAM,
  listVersions,
} from './load.ts'

const WRITES = isLong ? 2000 : 60
const WRITERS_EACH = 4
const INCREMENTS_EACH = isLong ? 100 : 10
const KEY_ROUNDS = isLong ? 100 : 5
const ENDED_WITHIN_MS = 1000
const SUSPENSION = { op: 'replace', path: 'active', value: false }
const PERSONAL_KEY = {
  scope: 'user' as const,
  team: undefined,
  displayName: 'laptop',
  expiresOn: undefined,
}

let place: StorePlace
const products: ProductProcess[] = []
const clients: HttpClient[] = []

before(async () => {
  place = await newStorePlace()
  const start = createUnattendedStart(place)
  for (let server = 0; server < 2; server += 1) {
    const product = await startProduct(start.environment)
    products.push(product)
    clients.push(newHttpClient(product.url, start.key()))
  }
  await registerTeam(one())
})
after(async () => {
  for (const client of clients) client.close()
  for (const product of products) await product.stop()
  await place.remove()
})

function one(): HttpClient {
  return at(0)
}

function other(): HttpClient {
  return at(1)
}

function at(index: number): HttpClient {
  const client = clients[index]
  assert.ok(client !== undefined)
  return client
}

test('concurrent PUTs on one id through both › versions distinct and gapless, none lost', async () => {
  const path = '/api/dataproducts/contended'
  const tags = new Map<string, number>()
  let pendingWrites = WRITES
  const write = async (client: HttpClient): Promise<void> => {
    while ((pendingWrites -= 1) >= 0) {
      const marker = newMarker()
      const answer = await client.ok('PUT', path, { body: createDocument('contended', marker) })
      assert.equal(JSON.parse(answer.text).version, marker)
      const tag = String(answer.headers['etag'])
      tags.set(tag, (tags.get(tag) ?? 0) + 1)
    }
  }
  await Promise.all(
    Array.from({ length: WRITERS_EACH }, () => [write(one()), write(other())]).flat(),
  )
  assert.equal(tags.size, WRITES, 'every write has a distinct entity tag')
  const versions = await listVersions(one(), 'contended')
  assert.deepEqual(
    versions,
    Array.from({ length: WRITES }, (_, index) => WRITES - index),
  )
  assert.deepEqual(await listVersions(other(), 'contended'), versions)
})

test('counters raised with If-Match through both › no update is lost', async () => {
  const path = '/api/dataproducts/counter'
  await one().ok('PUT', path, { body: createDocument('counter', '0') })
  let conflicts = 0
  const raise = async (client: HttpClient): Promise<void> => {
    for (let done = 0; done < INCREMENTS_EACH;) {
      const read = await client.ok('GET', path)
      const next = String(Number(JSON.parse(read.text).version) + 1)
      const answer = await client.send('PUT', path, {
        body: createDocument('counter', next),
        headers: { 'if-match': String(read.headers['etag']) },
      })
      assert.ok(answer.status === 200 || answer.status === 412, answer.text)
      if (answer.status === 200) done += 1
      else conflicts += 1
    }
  }
  await Promise.all(
    Array.from({ length: WRITERS_EACH }, () => [raise(one()), raise(other())]).flat(),
  )
  const total = 2 * WRITERS_EACH * INCREMENTS_EACH
  assert.equal(JSON.parse((await one().ok('GET', path)).text).version, String(total))
  assert.equal((await listVersions(one(), 'counter')).length, total + 1)
  assert.ok(conflicts > 0, 'some writes conflicted')
})

test('If-None-Match: * on one new id through both › exactly one creates it', async () => {
  for (let round = 0; round < INCREMENTS_EACH; round += 1) {
    const id = `new-${round}`
    const answers = await Promise.all(
      [one(), other(), one(), other()].map(
        async (client) =>
          await client.send('PUT', `/api/dataproducts/${id}`, {
            body: createDocument(id, newMarker()),
            headers: { 'if-none-match': '*' },
          }),
      ),
    )
    const statuses = answers.map(({ status }) => status).toSorted((a, b) => a - b)
    assert.deepEqual(statuses, [200, 412, 412, 412])
  }
})

test('a key deleted through one process is rejected by the other within a second', async () => {
  for (let round = 0; round < KEY_ROUNDS; round += 1) {
    const created = JSON.parse(
      (await one().ok('POST', '/api/api-keys', { body: { scope: 'team', teamId: TEAM } })).text,
    )
    const ask: Ask = async (client) =>
      (await client.send('GET', '/api/organization/settings', { key: created.key })).status
    // Used just before, so that both processes have it cached.
    assert.deepEqual([await ask(one()), await ask(other())], [200, 200])
    await one().ok('DELETE', `/api/api-keys/${created.organizationApiKeyId}`)
    await assertEndsWithinASecond(ask, performance.now())
  }
})

test('a directory suspends a person through one process › the other refuses them within a second', async () => {
  const owner = await newOwner(place)
  const path = '/api/scim/v2/Users'
  const headers = { ...withSession(owner.session), 'content-type': 'application/json' }
  const made = await one().ok('POST', '/ui/directory/keys', { key: null, headers })
  const directory = {
    key: null,
    headers: {
      authorization: `Bearer ${JSON.parse(made.text).key}`,
      'content-type': 'application/scim+json',
    },
  }
  for (let round = 0; round < KEY_ROUNDS; round += 1) {
    const user = { schemas: [USER_SCHEMA], userName: `person-${round}@velmora.example` }
    const created = await one().ok('POST', path, { ...directory, body: user })
    const { id: userId } = JSON.parse(created.text) as { id: string }
    const { session, key } = await onDatabase(place, async (db) => {
      const { rows } = await sql<{ id: string }>`
        select organization_id as id from organization_member where user_id = ${userId}
      `.execute(db)
      const wish = { ...PERSONAL_KEY, userId }
      const { secret } = await createApiKey(db, storeClock, rows[0]?.id ?? '', wish, 'system')
      return { session: await newSession(db, storeClock, userId), key: secret }
    })
    const ways = [{ key: null, headers: withSession(session) }, { key }]
    const asks = ways.map((way): Ask => async (client) => {
      return (await client.send('GET', '/api/organization/settings', way)).status
    })
    for (const ask of asks) assert.deepEqual([await ask(one()), await ask(other())], [200, 200])
    const suspend = { schemas: [PATCH_SCHEMA], Operations: [SUSPENSION] }
    await one().ok('PATCH', `${path}/${userId}`, { ...directory, body: suspend })
    const endedAtMs = performance.now()
    await Promise.all(asks.map((ask) => assertEndsWithinASecond(ask, endedAtMs)))
  }
})

/** Sends a request to a process, and returns the status of its answer. */
type Ask = (client: HttpClient) => Promise<number>

/** Asserts that what the first process has just ended works there no more, and in the other one for a second at most. */
async function assertEndsWithinASecond(ask: Ask, endedAtMs: number): Promise<void> {
  assert.equal(await ask(one()), 401, 'immediately in the process that ended it')
  for (let sentAtMs = performance.now(); (await ask(other())) !== 401;) {
    // Requests sent more than a second after the end must not succeed.
    assert.ok(sentAtMs - endedAtMs < toLimit(ENDED_WITHIN_MS), 'it still works after a second')
    sentAtMs = performance.now()
  }
}

test('a team deleted through one process while the other assigns products to it › leaves no dangling reference', async () => {
  for (let round = 0; round < INCREMENTS_EACH; round += 1) {
    const team = `short-lived-${round}`
    await one().ok('PUT', `/api/teams/${team}`, { body: { id: team, name: team } })
    const body = { ...createDocument(`of-${team}`, newMarker()), team: { name: team } }
    const [put, removal] = await Promise.all([
      other().send('PUT', `/api/dataproducts/of-${team}`, { body }),
      one().send('DELETE', `/api/teams/${team}`),
    ])
    assert.ok(
      (put.status === 200 && removal.status === 422) ||
        (put.status === 422 && removal.status === 200),
      `PUT ${put.status}, DELETE ${removal.status}: ${put.text}`,
    )
  }
})

test('writers on both while one is killed › lose no acknowledged write', async () => {
  const ledger = newLedger(WRITERS_EACH * 2)
  const half = { ...ledger, own: ledger.own.slice(WRITERS_EACH) }
  const remainingWriters = startWriters(one(), {
    ...ledger,
    own: ledger.own.slice(0, WRITERS_EACH),
  })
  const killedWriters = startWriters(other(), half)
  await killedWriters.acknowledged(WRITES)
  await products[1]?.kill('SIGKILL')
  products.pop()
  await Promise.all([killedWriters.stop(), remainingWriters.acknowledged(1)])
  await remainingWriters.stop()
  await checkThroughHttp(one(), ledger)
  await checkStore(place, ledger)
})
