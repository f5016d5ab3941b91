/** The example mesh: registered by the script with `curl` alone, and loaded by `--demo`. */

import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test, type TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import { newHttpClient, type HttpClient } from '../http-client.ts'
import { startProduct, unattended, type ProductProcess } from '../process.ts'
import { newStorePlace, type StorePlace } from '../stores.ts'

const SCRIPT = fileURLToPath(new URL('../../examples/register.sh', import.meta.url))
const MESH = fileURLToPath(new URL('../../examples/mesh', import.meta.url))

// The tests hold after the end of DCS as well.
const IN_TIME = { PORTBOOK_DCS_UNTIL: '9999-12-31' }
const ENDED = { PORTBOOK_DPS_UNTIL: '2020-12-31', PORTBOOK_DCS_UNTIL: '2020-12-31' }

const PATHS = [
  ...filesIn('teams').map((file) => `teams/${withoutEnding(file)}`),
  ...filesIn('data-contracts').map((file) => `datacontracts/${withoutEnding(file)}`),
  ...filesIn('data-products').map((file) => `dataproducts/${withoutEnding(file)}`),
]

// Documents in formats that have an end.
const OLD = [
  'datacontracts/wagon-mileage-daily',
  'datacontracts/wagon-positions',
  'datacontracts/wagon-sensor-readings',
  'datacontracts/wheelset-due-list',
  'dataproducts/wagon-mileage',
  'dataproducts/wagon-telematics',
  'dataproducts/wheelset-maintenance',
]

// Contracts that products name and that nobody has written: a partner's, and one that is promised.
const UNRESOLVED = ['im-running-messages', 'traction-energy-monthly']

for (const kind of ['postgres', 'embedded'] as const) {
  describe(`on ${kind}`, () => {
    const places: StorePlace[] = []
    const products: ProductProcess[] = []
    const clients: HttpClient[] = []
    let registered: HttpClient
    let loaded: HttpClient
    let key: string

    before(async () => {
      const [registeredPlace, loadedPlace] = [await newStorePlace(kind), await newStorePlace(kind)]
      places.push(registeredPlace, loadedPlace)
      const start = unattended(registeredPlace)
      const [empty, demo] = [
        await startProduct({ ...start.environment, ...IN_TIME }),
        await startProduct({ ...loadedPlace.environment, ...IN_TIME }, ['serve', '--demo']),
      ]
      products.push(empty, demo)
      key = start.key()
      registered = newHttpClient(empty.url, key)
      const demoKeyFile = join(loadedPlace.environment['PORTBOOK_DATA_DIR'] ?? '', 'demo-api-key')
      assert.equal(statSync(demoKeyFile).mode & 0o777, 0o600)
      loaded = newHttpClient(demo.url, readFileSync(demoKeyFile, 'utf8').trim())
      clients.push(registered, loaded)
    })
    after(async () => {
      for (const client of clients) client.close()
      for (const product of products) await product.stop()
      for (const place of places) await place.remove()
    })

    test('register.sh registers every document, and changes nothing the second time', async (t) => {
      if (!hasCurl(t)) return
      assert.equal(PATHS.length, 6 + 15 + 8)
      const first = await runScript(products[0]?.url, key)
      assert.deepEqual(first, linesOf(PATHS))
      const events = await settledFeed(registered, PATHS.length)
      const second = await runScript(products[0]?.url, key)
      assert.deepEqual(second, linesOf(PATHS))
      assert.equal((await registered.ok('GET', '/api/events')).text, events)
    })

    test('register.sh ends with 1 and the reason when a document is refused', async (t) => {
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

    test('--demo loads the same mesh', async (t) => {
      if (!hasCurl(t)) return
      for (const folder of ['teams', 'datacontracts', 'dataproducts']) {
        const [byScript, byDemo] = await Promise.all(
          [registered, loaded].map(async (client) => await documentsOf(client, folder)),
        )
        assert.ok((byDemo?.length ?? 0) > 5)
        assert.deepEqual(byDemo, byScript)
      }
    })

    test('the contracts are read whole, and all that products name is there but two', async () => {
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

    test('after the end of DPS and DCS, --demo and register.sh leave those documents out', async (t) => {
      if (kind !== 'postgres' || !hasCurl(t)) return
      const place = await newStorePlace(kind)
      places.push(place)
      const demo = await startProduct({ ...place.environment, ...ENDED }, ['--demo'])
      products.push(demo)
      const keyFile = join(place.environment['PORTBOOK_DATA_DIR'] ?? '', 'demo-api-key')
      const demoKey = readFileSync(keyFile, 'utf8').trim()
      const client = newHttpClient(demo.url, demoKey)
      clients.push(client)
      for (const path of PATHS) {
        const { status } = await client.send('GET', `/api/${path}`)
        assert.equal(status, OLD.includes(path) ? 404 : 200, path)
      }
      const notes = OLD.map(
        (path) => `register.sh: left ${path} out, because its format has ended.`,
      )
      const kept = PATHS.filter((path) => !OLD.includes(path))
      const refused = OLD.map((path) => `${path} 422`)
      const expected = [...linesOf(kept), ...refused, ...notes].toSorted()
      assert.deepEqual(await runScript(demo.url, demoKey), expected)
    })

    test('--demo leaves a store alone that is set up', async () => {
      const place = places[0]
      assert.ok(place !== undefined)
      const before = await registered.ok('GET', '/api/events')
      await products[0]?.stop()
      products[0] = await startProduct({ ...place.environment, ...IN_TIME }, ['--demo'])
      const again = newHttpClient(products[0].url, key)
      clients.push(again)
      const after = await again.ok('GET', '/api/events')
      assert.deepEqual(idsOf(after.text), idsOf(before.text))
    })
  })
}

function hasCurl(t: TestContext): boolean {
  const found = spawnSync('curl', ['--version']).status === 0
  assert.ok(found || process.env['CI'] !== 'true', 'curl is missing')
  if (!found) t.skip('curl is missing')
  return found
}

function filesIn(folder: string): string[] {
  return readdirSync(join(MESH, folder))
}

function withoutEnding(file: string): string {
  return file.replace(/\.\w+$/, '')
}

function linesOf(paths: readonly string[]): string[] {
  return paths.map((path) => `${path} 200`).toSorted()
}

async function runScript(url: string | undefined, key: string): Promise<string[]> {
  const child = spawn(SCRIPT, [], {
    env: { PATH: process.env.PATH, PORTBOOK_URL: url, PORTBOOK_API_KEY: key },
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (output += text))
  }
  const [code] = await once(child, 'close')
  assert.equal(code, 0, output)
  return output.trim().split('\n').toSorted()
}

async function documentsOf(client: HttpClient, folder: string): Promise<unknown[]> {
  const documents = JSON.parse((await client.ok('GET', `/api/${folder}`)).text) as { id: string }[]
  return documents.toSorted((a, b) => (a.id < b.id ? -1 : 1))
}

function idsOf(events: string): string[] {
  return (JSON.parse(events) as { id: string }[]).map(({ id }) => id)
}

/**
 * The feed once it tells of so many documents. Transactions of other tests on the same server hold
 * it back for a moment.
 */
async function settledFeed(client: HttpClient, documentCount: number): Promise<string> {
  for (;;) {
    const { text } = await client.ok('GET', '/api/events')
    const events: { subject: string }[] = JSON.parse(text)
    if (new Set(events.map(({ subject }) => subject)).size === documentCount) return text
  }
}
