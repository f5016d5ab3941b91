/** The example mesh, registered by the script with only `curl`, and loaded by `--demo`. */

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { newHttpClient, type HttpClient } from '../http-client.ts'
import { startProduct, createUnattendedStart, type ProductProcess } from '../process.ts'
import { newStorePlace, type StorePlace } from '../stores.ts'
import {
  EARLIER,
  earlierLines,
  filesIn,
  hasCurl,
  MESH,
  PATHS,
  runScript,
  SCRIPT,
  toLines,
} from './example-mesh.ts'

const DAY_MS = 24 * 60 * 60 * 1000

// The tests must also pass after the end of DCS.
const IN_TIME = { PORTBOOK_DCS_UNTIL: '9999-12-31' }
const ENDED = { PORTBOOK_DPS_UNTIL: '2020-12-31', PORTBOOK_DCS_UNTIL: '2020-12-31' }

// Documents in formats with an end date.
const OLD = [
  'datacontracts/wagon-mileage-daily',
  'datacontracts/wagon-positions',
  'datacontracts/wagon-sensor-readings',
  'datacontracts/wheelset-due-list',
  'dataproducts/wagon-mileage',
  'dataproducts/wagon-telematics',
  'dataproducts/wheelset-maintenance',
]

// Contracts that products refer to but that do not exist: those of partners, and a planned one.
const UNRESOLVED = [
  'im-running-messages',
  'network-statements',
  'traction-energy-monthly',
  'un-number-list',
]

const places: StorePlace[] = []
const products: ProductProcess[] = []
const clients: HttpClient[] = []
let registered: HttpClient
let loaded: HttpClient
let key: string
let signInFile: string

before(async () => {
  const [registeredPlace, loadedPlace] = [await newStorePlace(), await newStorePlace()]
  places.push(registeredPlace, loadedPlace)
  const start = createUnattendedStart(registeredPlace)
  const [empty, demo] = [
    await startProduct({ ...start.environment, ...IN_TIME }),
    await startProduct({ ...loadedPlace.environment, ...IN_TIME }, ['serve', '--demo']),
  ]
  products.push(empty, demo)
  key = start.key()
  registered = newHttpClient(empty.url, key)
  const demoKeyFile = join(loadedPlace.environment['PORTBOOK_DATA_DIR'] ?? '', 'demo-api-key')
  assert.equal(statSync(demoKeyFile).mode & 0o777, 0o600)
  signInFile = join(loadedPlace.environment['PORTBOOK_DATA_DIR'] ?? '', 'demo-sign-in')
  loaded = newHttpClient(demo.url, readFileSync(demoKeyFile, 'utf8').trim())
  clients.push(registered, loaded)
})
after(async () => {
  for (const client of clients) client.close()
  for (const product of products) await product.stop()
  for (const place of places) await place.remove()
})

test('register.sh registers every document, and changes nothing when run again', async (t) => {
  if (!hasCurl(t)) return
  assert.equal(PATHS.length, 11 + 4 + 6 + 3 + 2 + 1 + 14 + 143 + 27 + 22)
  const first = await runScript(products[0]?.url, key)
  assert.deepEqual(first, [...toLines(PATHS), ...earlierLines('200')].toSorted())
  const events = await waitForFeed(registered, PATHS.length)
  const second = await runScript(products[0]?.url, key)
  assert.deepEqual(second, [...toLines(PATHS), ...earlierLines('412')].toSorted())
  assert.equal((await registered.ok('GET', '/api/events')).text, events)
})

test('register.sh exits with 1 and the reason when a document is rejected', async (t) => {
  if (!hasCurl(t)) return
  const child = spawn(SCRIPT, [], {
    env: { PATH: process.env.PATH, PORTBOOK_URL: products[0]?.url, PORTBOOK_API_KEY: 'pbk_no' },
  })
  let stderr = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
  const [code] = await once(child, 'close')
  assert.equal(code, 1)
  assert.equal(JSON.parse(stderr).status, 401)
})

test('--demo loads the same mesh, except the assets that it ingests', async (t) => {
  if (!hasCurl(t)) return
  for (const folder of ['teams', 'sourcesystems', 'assets', 'datacontracts', 'dataproducts']) {
    const [byScript, byDemo] = await Promise.all(
      [registered, loaded].map(async (client) =>
        removeIngested(await listDocuments(client, folder)),
      ),
    )
    assert.ok((byDemo?.length ?? 0) > 5)
    assert.deepEqual(byDemo, byScript)
  }
})

test('--demo links the ports of products to the assets that it ingests', async () => {
  const products = JSON.stringify(await listDocuments(loaded, 'dataproducts'))
  const named = new Set(products.match(INGESTED_ID))
  const names: string[] = []
  for (const id of named) {
    const { text } = await loaded.ok('GET', `/api/assets/${id}`)
    names.push(JSON.parse(text).info.qualifiedName.replace(/^\w*operations\./, ''))
  }
  assert.deepEqual(names.toSorted(), [
    'crew_duties.duty',
    'crew_duties.duty_leg',
    'driver_hours.driver_day',
    'safety.incident',
    'train_movements.delays_daily',
    'wagon_journeys_v1.journey',
    'wagon_journeys_v2.journey',
  ])
  assert.doesNotMatch(products, CLIENT_ID)
})

test('--demo backdates its history in the order of the feed, with a person for each change', async () => {
  for (const path of EARLIER) {
    const { text } = await loaded.ok('GET', `/api/${path}/versions`)
    const versions = JSON.parse(text) as { version: number; validFrom: string; level: string }[]
    assert.deepEqual(
      versions.map(({ version }) => version),
      [2, 1],
      path,
    )
    const [later, first] = versions.map(({ validFrom }) => Date.parse(validFrom))
    assert.ok((later ?? 0) - (first ?? 0) > 2 * DAY_MS, path)
    assert.ok(Date.now() - (later ?? 0) < 7 * DAY_MS, path)
    assert.notEqual(versions[0]?.level, 'none', path)
  }
  const events = JSON.parse((await loaded.ok('GET', '/api/events')).text) as { time: string }[]
  const times = events.map(({ time }) => time)
  assert.deepEqual(times, times.toSorted())
})

test('--demo prints three users with passwords, who can all sign in', async () => {
  assert.equal(statSync(signInFile).mode & 0o777, 0o600)
  const lines = readFileSync(signInFile, 'utf8').trim().split('\n')
  assert.equal(lines.length, 3)
  const roles: (string | undefined)[] = []
  const hasTeams: boolean[] = []
  for (const line of lines) {
    const [email, password] = line.split(' ')
    assert.match(password ?? '', /^demo_\w{49}$/)
    const answer = await fetch(`${products[1]?.url}/ui/sign-in`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
      body: JSON.stringify({ email, password }),
    })
    const text = await answer.text()
    assert.equal(answer.status, 200, text)
    const { user, organization, teams } = JSON.parse(text)
    assert.ok(user.name.includes(' '), text)
    hasTeams.push(teams.length > 0)
    roles.push(organization.role)
    assert.ok(!products[1]?.stderr().includes(password ?? ''), 'the log contains a password')
  }
  assert.deepEqual(roles, ['Owner', 'Member', 'Member'])
  assert.deepEqual(hasTeams, [true, true, false])
})

test('--demo fills the home page', async () => {
  const [email, password] = readFileSync(signInFile, 'utf8').split(/\s+/)
  const url = products[1]?.url
  const asked = { email, password }
  const session = await fetch(`${url}/ui/sign-in`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
    body: JSON.stringify(asked),
  })
  const cookie = session.headers.get('set-cookie')?.split(';')[0] ?? ''
  const home = JSON.parse(await (await fetch(`${url}/ui/home`, { headers: { cookie } })).text())
  assert.deepEqual(home.counts, {
    dataProducts: 22,
    dataContracts: 27,
    teams: 11,
    assets: 95 + 92,
    sourceSystems: 14,
    integrations: 4,
  })
  assert.equal(home.productsAreMine, true)
  const groups = [...home.activity.breaking, ...home.activity.latest]
  assert.ok(groups.length > 0)
  assert.ok(groups.every(({ actorName }: { actorName: unknown }) => actorName))
  const kinds = new Set(home.attention.map((one: { kind: string }) => one.kind))
  for (const kind of ['deletes_held', 'key_expiring', 'contract_missing', 'format_ending']) {
    assert.ok(kinds.has(kind), kind)
  }
})

test('the contracts are read completely, and all but four references of products exist', async () => {
  const named = new Set<string>()
  for (const file of filesIn('data-products')) {
    const text = readFileSync(join(MESH, 'data-products', file), 'utf8')
    for (const [, id] of text.matchAll(/[cC]ontractId"?: *"?([\w-]+)/g)) named.add(id ?? '')
  }
  for (const id of named) {
    const answer = await loaded.send('GET', `/api/datacontracts/${id}/model`)
    assert.equal(answer.status, UNRESOLVED.includes(id) ? 404 : 200, id)
    if (answer.status === 404) continue
    const { models, warnings } = JSON.parse(answer.text)
    assert.ok(models.length > 0 && models[0].fields.length >= 5, id)
    assert.deepEqual(warnings, [], id)
  }
  assert.equal(named.size, filesIn('data-contracts').length + UNRESOLVED.length)
})

test('after the end of DPS and DCS, --demo and register.sh skip those documents', async (t) => {
  if (!hasCurl(t)) return
  const place = await newStorePlace()
  places.push(place)
  const demo = await startProduct({ ...place.environment, ...ENDED }, ['--demo'])
  products.push(demo)
  const keyFile = join(place.environment['PORTBOOK_DATA_DIR'] ?? '', 'demo-api-key')
  const demoKey = readFileSync(keyFile, 'utf8').trim()
  const client = newHttpClient(demo.url, demoKey)
  clients.push(client)
  for (const path of PATHS.filter((one) => !isOfSource(one))) {
    const { status } = await client.send('GET', `/api/${path}`)
    assert.equal(status, OLD.includes(path) ? 404 : 200, path)
  }
  const notes = OLD.map((path) => `register.sh: skipped ${path}, because its format has ended.`)
  const registeredPaths = PATHS.filter((path) => !OLD.includes(path))
  const rejectedLines = OLD.map((path) => `${path} 422`)
  const expected = [
    ...toLines(registeredPaths),
    ...earlierLines('412'),
    ...rejectedLines,
    ...notes,
  ].toSorted()
  assert.deepEqual(await runScript(demo.url, demoKey), expected)
})

test('--demo does not change an existing store', async () => {
  const place = places[0]
  assert.ok(place !== undefined)
  const before = await registered.ok('GET', '/api/events')
  await products[0]?.stop()
  products[0] = await startProduct({ ...place.environment, ...IN_TIME }, ['--demo'])
  const again = newHttpClient(products[0].url, key)
  clients.push(again)
  const after = await again.ok('GET', '/api/events')
  assert.deepEqual(listEventIds(after.text), listEventIds(before.text))
})

// The database `operations` is a source of the demo: there, the assets that clients PUT come from runs.
const INGESTED_ID = /postgres-[a-z2-7]{26}/g
const CLIENT_ID = /warehouse\.operations(?:\.\w+){0,2}(?=")/g

function isOfSource(path: string): boolean {
  return /^assets\/warehouse\.operations(?:$|\.)/.test(path)
}

function removeIngested(documents: readonly unknown[]): unknown[] {
  return documents
    .map((document) => JSON.stringify(document))
    .filter((text) => !/^\{"id":"(?:postgres-|warehouse\.operations[".])/.test(text))
    .map((text) => JSON.parse(text.replace(INGESTED_ID, '').replace(CLIENT_ID, '')))
}

// Not every document contains its id; each has another text.
async function listDocuments(client: HttpClient, folder: string): Promise<unknown[]> {
  const documents: unknown[] = JSON.parse((await client.ok('GET', `/api/${folder}`)).text)
  const texts = documents.map((document) => JSON.stringify(document)).toSorted()
  return texts.map((text): unknown => JSON.parse(text))
}

function listEventIds(events: string): string[] {
  return (JSON.parse(events) as { id: string }[]).map(({ id }) => id)
}

/**
 * Returns the feed once it contains a number of documents. Transactions of other tests on the same
 * server delay it for a moment.
 */
async function waitForFeed(client: HttpClient, documentCount: number): Promise<string> {
  for (;;) {
    const { text } = await client.ok('GET', '/api/events')
    const events: { type: string; subject: string }[] = JSON.parse(text)
    // A contract and a product may have the same id. Ports have that of their product; drift and incidents are not documents.
    const documents = events
      .filter(({ type }) => /(?<!OutputPort)(Created|Updated)Event$/.test(type))
      .map(({ type, subject }) => `${type.replace(/(Created|Updated)Event$/, '')} ${subject}`)
    if (new Set(documents).size === documentCount) return text
  }
}
