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
        await startProduct(start.environment),
        await startProduct(loadedPlace.environment, ['serve', '--demo']),
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
      const paths = [
        ...readdirSync(join(MESH, 'teams')).map((file) => `teams/${withoutEnding(file)}`),
        ...readdirSync(join(MESH, 'data-products')).map(
          (file) => `dataproducts/${withoutEnding(file)}`,
        ),
      ]
      assert.equal(paths.length, 6 + 8)
      const first = await runScript(products[0]?.url, key)
      assert.deepEqual(first, linesOf(paths))
      const events = await settledFeed(registered, paths.length)
      const second = await runScript(products[0]?.url, key)
      assert.deepEqual(second, linesOf(paths))
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
      for (const folder of ['teams', 'dataproducts']) {
        const [byScript, byDemo] = await Promise.all(
          [registered, loaded].map(async (client) => await documentsOf(client, folder)),
        )
        assert.ok((byDemo?.length ?? 0) > 5)
        assert.deepEqual(byDemo, byScript)
      }
    })

    test('--demo leaves a store alone that is set up', async () => {
      const place = places[0]
      assert.ok(place !== undefined)
      const before = await registered.ok('GET', '/api/events')
      await products[0]?.stop()
      products[0] = await startProduct(place.environment, ['--demo'])
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
