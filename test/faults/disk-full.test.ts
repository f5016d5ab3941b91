/**
 * The disk of the data directory fills up completely: reads continue, writes are answered 503, and both
 * a killed PostgreSQL and a restarted product recover. Once there is space, writes recover without
 * intervention, and no acknowledged write is missing.
 */

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { rmSync, statfsSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { eventually } from '../eventually.ts'
import { newHttpClient, type HttpClient } from '../http-client.ts'
import { postmasterPid } from '../operator.ts'
import { startProduct, createUnattendedStart } from '../process.ts'
import { mountSmallDisk } from '../small-disk.ts'
import type { StorePlace } from '../stores.ts'
import { checkStore, createDocument, newLedger, newMarker, registerTeam } from './load.ts'

// The data take 40 MB, and the reserve for a full disk 48 MB.
const DISK = '320m'
const MEGABYTE = 1024 * 1024
const LARGE_TEXT_BYTES = 300_000
const PUTS_BEFORE = 10
const REJECTED_COUNT = 10
const HEALED_WITHIN_MS = 10_000

test('a full disk › keeps reads working, answers writes 503 until there is space, and loses no write', async (t) => {
  const disk = mountSmallDisk(t, DISK)
  if (disk === undefined) return
  const place: StorePlace = {
    environment: { PORTBOOK_DATA_DIR: join(disk, 'data') },
    remove: () => Promise.resolve(),
  }
  const start = createUnattendedStart(place)
  const ledger = newLedger(0)
  const product = await startProduct(start.environment)
  const client = newHttpClient(product.url, start.key())
  await registerTeam(client)
  await eventually(
    HEALED_WITHIN_MS,
    async () => await hasReserve(client, disk),
    'the reserve exists',
  )

  let rejectedCount = 0
  for (let put = 0; rejectedCount < REJECTED_COUNT; put += 1) {
    if (put === PUTS_BEFORE) fill(disk, 4 * MEGABYTE)
    const id = `on-disk-${put % 7}`
    const marker = newMarker()
    const large = randomBytes(LARGE_TEXT_BYTES).toString('base64')
    const body = { ...createDocument(id, marker), large }
    const { status, text, headers } = await client.send('PUT', `/api/dataproducts/${id}`, { body })
    if (status === 200) ledger.acknowledged.set(marker, id)
    else {
      assert.equal(status, 503, text)
      assert.match(String(headers['retry-after']), /^\d+$/)
      rejectedCount += 1
    }
    // PostgreSQL restarts if it cannot create the next file of its log; whether it has to, depends on the place in the present file.
    await eventually(
      HEALED_WITHIN_MS,
      async () => (await client.send('GET', '/api/dataproducts')).status === 200,
      'reads continue',
    )
  }
  assert.ok(ledger.acknowledged.size >= PUTS_BEFORE)

  fill(disk, 0)
  const pid = postmasterPid(place)
  process.kill(pid, 'SIGKILL')
  // Sessions outlive their postmaster for a moment, so a successful response is not sufficient.
  await eventually(
    HEALED_WITHIN_MS,
    async () => {
      const { status } = await client.send('GET', '/api/dataproducts')
      return status === 200 && ![0, pid].includes(postmasterPid(place))
    },
    'PostgreSQL recovers on a full disk',
  )
  client.close()
  await product.stop()

  const restarted = await startProduct(start.environment)
  const reader = newHttpClient(restarted.url, start.key())
  assert.equal((await reader.send('GET', '/api/dataproducts')).status, 200)
  const write = { body: createDocument('late', newMarker()) }
  rmSync(join(disk, 'filled-4194304'))
  await eventually(
    HEALED_WITHIN_MS,
    async () => (await reader.send('PUT', '/api/dataproducts/late', write)).status === 200,
    'writes succeed again',
  )
  reader.close()
  await restarted.stop()
  await checkStore(place, ledger)
})

function measureFreeBytes(disk: string): number {
  const { bavail, bsize } = statfsSync(disk)
  return bavail * bsize
}

/** Sends a request between checks, so that the product has time to write. */
async function hasReserve(client: HttpClient, disk: string): Promise<boolean> {
  await client.ok('GET', '/readyz')
  const { size } =
    statSync(join(disk, 'data', 'postgres', 'reserve'), { throwIfNoEntry: false }) ?? {}
  return size === 48 * MEGABYTE
}

/** Writes a file that leaves `leftBytes` free. */
function fill(disk: string, leftBytes: number): void {
  const bytes = measureFreeBytes(disk) - leftBytes
  if (bytes > 0) writeFileSync(join(disk, `filled-${leftBytes}`), Buffer.alloc(bytes, 1))
}
