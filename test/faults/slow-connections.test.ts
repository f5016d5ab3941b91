/**
 * Clients that hold connections without using them: silent, slow, and numerous. Requests of an honest
 * client still succeed, and their connections are eventually closed.
 */

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import type { Socket } from 'node:net'
import { after, before, test } from 'node:test'
import { eventually, isLong } from '../eventually.ts'
import { newHttpClient, type HttpClient } from '../http-client.ts'
import { startProduct, createUnattendedStart, type ProductProcess } from '../process.ts'
import { closePeers } from '../silent-peer.ts'
import { newStorePlace, type StorePlace } from '../stores.ts'
import { ATTACKS, openPeers, startDripping } from './attacks.ts'

const METRICS_TOKEN = 'metrics-token-of-the-tests'
// Headers have ten seconds and bodies fifteen; a loaded machine may take much longer.
const CLOSED_WITHIN_MS = 180_000
const HONEST_TIMEOUT_MS = 60_000
const HONEST_REQUESTS = isLong ? 200 : 25
const HONEST_CONNECTIONS = 4
const MEMORY_MB_MAX = 512

let place: StorePlace
let product: ProductProcess
let client: HttpClient
let key: string
const peers: Socket[] = []

before(async () => {
  place = await newStorePlace()
  const start = createUnattendedStart(place)
  product = await startProduct({
    ...start.environment,
    PORTBOOK_METRICS_TOKEN: METRICS_TOKEN,
    PORTBOOK_LOG_LEVEL: 'warn',
  })
  key = start.key()
  client = newHttpClient(product.url, key)
})
after(async () => {
  await closePeers(peers)
  client.close()
  await product.stop()
  await place.remove()
})

/** Sends requests as an honest client would, on kept and on new connections; each must succeed. */
async function sendHonestRequests(): Promise<void> {
  for (let count = 0; count < HONEST_REQUESTS; count += 1) {
    const options = { timeoutMs: HONEST_TIMEOUT_MS }
    await client.ok('GET', '/api/organization/settings', options)
    await client.ok('GET', '/api/teams', { ...options, headers: { connection: 'close' } })
  }
}

async function countConnections(): Promise<number> {
  const { text } = await client.ok('GET', '/metrics', {
    key: null,
    headers: { authorization: `Bearer ${METRICS_TOKEN}` },
    timeoutMs: HONEST_TIMEOUT_MS,
  })
  return Number(/^portbook_http_connections (\d+)/m.exec(text)?.[1])
}

/** Returns the memory of the process; 0 if it cannot be read. */
function residentMegabytes(): number {
  if (process.platform !== 'linux') return 0
  const status = readFileSync(`/proc/${product.pid}/status`, 'utf8')
  return (Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]) * 1024) / 1e6
}

const port = (): number => Number(new URL(product.url).port)

for (const [name, attack] of Object.entries(ATTACKS)) {
  const count = isLong ? attack.count : attack.shortCount
  test(`${count} ${name} › honest requests succeed, and memory stays within its limit`, async () => {
    const idleMegabytes = residentMegabytes()
    peers.push(...(await openPeers(port(), count, attack.text(key), attack.addressCount)))
    await sendHonestRequests()
    assert.ok(residentMegabytes() - idleMegabytes < MEMORY_MB_MAX)
  })
}

test('connections that drip their headers › honest requests succeed, and clients that read receive the reason', async () => {
  const dripping = await startDripping(port(), isLong ? 400 : 100)
  await sendHonestRequests()
  const received = await Promise.all(dripping.map(({ cut }) => cut))
  // Bytes in transit while the server closes can destroy its last response.
  const timeouts = received.filter((text) => text.startsWith('HTTP/1.1 408 Request Timeout\r\n'))
  assert.ok(timeouts.length > 0)
  assert.deepEqual(
    received.filter((text) => text !== '' && !text.startsWith('HTTP/1.1 408')),
    [],
  )
})

// The attackers of all tests above still keep their connections open.
test('every attacker › is disconnected although it neither reads nor closes', async () => {
  assert.ok(peers.length > 1000)
  await eventually(
    CLOSED_WITHIN_MS,
    async () => (await countConnections()) <= HONEST_CONNECTIONS,
    'all of them are closed',
  )
  await sendHonestRequests()
})
