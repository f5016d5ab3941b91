/**
 * Two servers on one PostgreSQL: one changes agreements, the other what they refer to. In any order, either one of
 * the two is refused with its documented answer, or both hold.
 */

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createApiKey } from '../../server/people/api-keys/service.ts'
import { storeClock } from '../../server/platform/kit/clock.ts'
import { openDatabase, type OpenDatabase } from '../../server/platform/kit/database.ts'
import { addMember } from '../../server/people/organizations/service.ts'
import { verifyStore } from '../../server/transfer/verify.ts'
import type { Tables } from '../../server/platform/tables.ts'
import { newSession } from '../session.ts'
import {
  AGREEMENT_OPERATIONS,
  buildConsumer,
  buildContract,
  buildPair,
  buildProvider,
  PARTY_OPERATIONS,
  RULES,
  TEAMS,
  UNMARKED_CONTRACTS,
  type AgreementOperation,
  type Operation,
  type PartyOperation,
  type Scene,
} from '../access-pairs.ts'
import { eventually, isLong } from '../eventually.ts'
import { newHttpClient, type HttpAnswer, type HttpClient } from '../http-client.ts'
import { query } from '../operator.ts'
import { createUnattendedStart, startProduct, type ProductProcess } from '../process.ts'
import { newStorePlace, type StorePlace } from '../stores.ts'
import { uniqueId, withSession } from '../world.ts'

// At once: this many rounds of each pair, several of them in parallel. One after the other: one round of each order.
const ROUNDS = isLong ? 200 : 5
const PARALLEL = 10

const MARKED_WITHIN_MS = 30_000

let place: StorePlace
let database: OpenDatabase<Tables>
const products: ProductProcess[] = []
const clients: HttpClient[] = []
let organizationId: string
let owner: Record<string, string>

before(async () => {
  place = await newStorePlace()
  const start = createUnattendedStart(place)
  for (let server = 0; server < 2; server += 1) {
    const product = await startProduct(start.environment)
    products.push(product)
    clients.push(newHttpClient(product.url, start.key()))
  }
  const limits = { connectionsMax: 4, connectTimeoutMs: 30_000 }
  const connection = { connectionString: place.environment['DATABASE_URL'] ?? '' }
  database = openDatabase<Tables>(connection, { ...limits, queryTimeoutMs: 30_000 }, assert.fail)
  const [member] = await query(place, 'select * from organization_member')
  organizationId = String(member?.['organization_id'])
  const session = await newSession(database.db, storeClock, String(member?.['user_id']))
  owner = { ...withSession(session), 'content-type': 'application/json' }
  for (const team of TEAMS) await at(0).ok('PUT', `/api/teams/${team}`, { body: { name: team } })
})
after(async () => {
  for (const client of clients) client.close()
  for (const product of products) await product.stop()
  await database.close()
  await place.remove()
})

function at(server: number): HttpClient {
  const client = clients[server]
  assert.ok(client !== undefined)
  return client
}

async function addConsumer(
  name: string,
  of: PartyOperation['of'],
): Promise<Pick<Scene, 'consumer' | 'key'>> {
  if (of === 'dataproduct') {
    await at(0).ok('PUT', `/api/dataproducts/consumer-${name}`, { body: buildConsumer({ name }) })
    return { consumer: { dataProductId: `consumer-${name}` }, key: undefined }
  }
  if (of === 'user') {
    const person = { email: `${name}@example.test`, passwordHash: 'none', role: 'Member' } as const
    const userId = await addMember(database.db, organizationId, person)
    const wish = { scope: 'user', userId, team: undefined, displayName: name } as const
    const whole = { ...wish, expiresOn: undefined }
    const made = await createApiKey(database.db, storeClock, organizationId, whole, 'system')
    return { consumer: { userId }, key: made.secret }
  }
  await at(0).ok('PUT', `/api/teams/team-${name}`, { body: { name } })
  return { consumer: { teamId: `team-${name}` }, key: undefined }
}

async function addScene(
  { before: state }: AgreementOperation,
  { of }: PartyOperation,
): Promise<Scene> {
  const name = uniqueId()
  const contract = `/api/datacontracts/contract-${name}`
  const [consumer] = await Promise.all([
    addConsumer(name, of),
    at(0).ok('PUT', contract, { body: buildContract({ name }) }),
    at(1).ok('PUT', `/api/dataproducts/provider-${name}`, { body: buildProvider({ name }) }),
  ])
  const scene = { name, owner, ...consumer }
  if (state === 'none') return scene
  const path = `/api/access/agreement-${name}`
  await at(0).ok('PUT', path, { body: buildPair(scene) })
  if (state === 'active') await at(0).ok('POST', `${path}/approve`)
  return scene
}

function assertDocumented({ status, text }: HttpAnswer, { refusals }: Operation): void {
  if (status >= 200 && status < 300) return
  const { code } = JSON.parse(text) as { code: string }
  assert.ok(refusals.includes(code), `${status} ${text}`)
}

const ORDERS = ['the agreement first', 'the agreement last', 'at once'] as const

async function runRound(
  order: (typeof ORDERS)[number],
  [left, right]: [AgreementOperation, PartyOperation],
  round: number,
): Promise<void> {
  const scene = await addScene(left, right)
  const runLeft = async (): Promise<void> => {
    assertDocumented(await left.run(at(round % 2).send, scene), left)
  }
  const runRight = async (): Promise<void> => {
    assertDocumented(await right.run(at((round + 1) % 2).send, scene), right)
  }
  const both = order === 'the agreement last' ? [runRight, runLeft] : [runLeft, runRight]
  if (order !== 'at once') {
    for (const run of both) await run()
    return
  }
  const serialize = round % 4 < 2 ? both : both.toReversed()
  await Promise.all(serialize.map((run) => run()))
}

async function assertRules(): Promise<void> {
  for (const [rule, statement] of Object.entries(RULES)) {
    assert.deepEqual(await query(place, statement), [], rule)
  }
  await eventually(MARKED_WITHIN_MS, areContractsMarked, 'access under a former contract is marked')
}

async function areContractsMarked(): Promise<boolean> {
  return (await query(place, UNMARKED_CONTRACTS)).length === 0
}

for (const [called, right] of Object.entries(PARTY_OPERATIONS)) {
  test(`${called} and each operation on the agreement, in both orders and at once › one is refused or both hold`, async () => {
    for (const left of Object.values(AGREEMENT_OPERATIONS)) {
      await Promise.all(ORDERS.slice(0, 2).map((order) => runRound(order, [left, right], 0)))
      for (let done = 0; done < ROUNDS; done += PARALLEL) {
        const rounds = Array.from({ length: Math.min(PARALLEL, ROUNDS - done) }, (_, at) => at)
        await Promise.all(rounds.map((round) => runRound('at once', [left, right], done + round)))
      }
    }
    await assertRules()
  })
}

test('verify finds nothing afterwards', async () => {
  const results = await verifyStore(database.db)
  const findings = results.flatMap((result) => result.findings)
  assert.deepEqual(findings, [])
})
