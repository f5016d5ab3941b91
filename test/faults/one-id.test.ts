/** Many clients PUT one product at the same time: some may have to retry, and no write is lost. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isLong } from '../eventually.ts'
import { listFeed } from '../feed.ts'
import { newHttpClient, type HttpClient } from '../http-client.ts'
import { onPlace } from '../operator.ts'
import { startProduct, createUnattendedStart } from '../process.ts'
import {
  checkStore,
  createDocument,
  newLedger,
  newMarker,
  registerTeam,
  listVersions,
} from './load.ts'

const PUTS = isLong ? 10_000 : 1000
// In the long run more than the process handles concurrently; in the short run fewer.
const CONNECTIONS = isLong ? 1500 : 400

test(`${PUTS} concurrent PUTs on one id › 200, 429 or 503, versions gapless`, async () => {
  await onPlace(async (place) => {
    const start = createUnattendedStart(place)
    // A single address may hold 512 connections unless it is a trusted proxy.
    const environment = { ...start.environment, PORTBOOK_TRUSTED_PROXIES: '127.0.0.1' }
    const product = await startProduct(environment)
    const client = newHttpClient(product.url, start.key(), { connectionsMax: CONNECTIONS })
    await registerTeam(client)
    const ledger = newLedger(0)
    let left = PUTS
    const put = async (): Promise<void> => {
      while ((left -= 1) >= 0) {
        const marker = newMarker()
        const answer = await client.send('PUT', '/api/dataproducts/crowded', {
          body: createDocument('crowded', marker),
          timeoutMs: 60_000,
        })
        ledger.statuses.set(answer.status, (ledger.statuses.get(answer.status) ?? 0) + 1)
        if (answer.status === 200) ledger.acknowledged.set(marker, 'crowded')
        else assert.match(String(answer.headers['retry-after']), /^\d+$/, answer.text)
      }
    }
    await Promise.all(Array.from({ length: CONNECTIONS }, put))
    for (const status of ledger.statuses.keys()) assert.ok([200, 429, 503].includes(status))
    const acknowledgedCount = ledger.statuses.get(200) ?? 0
    assert.ok(acknowledgedCount > 0)
    const versions = await listVersions(client, 'crowded')
    assert.ok(versions.length >= acknowledgedCount && versions.length <= PUTS)
    // The write of a 503 may have succeeded after the response; without a 503 the counts are equal.
    if (acknowledgedCount === PUTS) assert.equal(versions.length, PUTS)
    assert.deepEqual(
      versions,
      versions.map((_, index) => versions.length - index),
    )
    // After the load, the product is as fast as before.
    await client.ok('PUT', '/api/dataproducts/crowded', {
      body: createDocument('crowded', newMarker()),
      timeoutMs: 2000,
    })
    client.close()
    await product.stop()
    await checkStore(place, ledger)
  })
})

test('one document PUT by many clients › one version, one event', async () => {
  await onPlace(async (place) => {
    const start = createUnattendedStart(place)
    const product = await startProduct(start.environment)
    const client = newHttpClient(product.url, start.key(), { connectionsMax: 100 })
    await registerTeam(client)
    const body = createDocument('same', 'same')
    await Promise.all(
      Array.from({ length: 100 }, async () => {
        await client.ok('PUT', '/api/dataproducts/same', { body })
      }),
    )
    assert.deepEqual(await listVersions(client, 'same'), [1])
    assert.deepEqual(await listEvents(client, 'same'), [
      'DataProductCreatedEvent',
      'OutputPortCreatedEvent',
    ])
    client.close()
    await product.stop()
  })
})

/** Lists the events of a product so far. */
async function listEvents(client: HttpClient, id: string): Promise<string[]> {
  const own = (await listFeed(client)).filter(({ subject }) => subject === id)
  return own.map(({ type }) => type.split('.').at(-1) ?? '')
}
