/**
 * The disk under the embedded store fills up. Writes are refused or the process ends, as it likes;
 * but once there is room again it starts by itself, and nothing that was acknowledged is missing.
 */

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { cpSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { newHttpClient } from '../http-client.ts'
import { startProduct, unattended } from '../process.ts'
import { newStorePlace, type StorePlace } from '../stores.ts'
import { checkStore, documentOf, isLong, newLedger, newMarker, registerTeam } from './load.ts'

const DISK = '160m'
const ROUNDS = 5
const BALLAST_BYTES = 8 * 1024 * 1024
const DOCUMENT_BYTES = 300_000
const PUTS_MAX = 2000

test('the disk fills up › nothing acknowledged is missing when there is room again', async (t) => {
  if (!isLong) return t.skip('only in `npm run faults`')
  const disk = mountSmallDisk(t)
  if (disk === undefined) return
  const made = await newStorePlace('embedded')
  const directory = join(disk, 'data')
  cpSync(made.environment['PORTBOOK_DATA_DIR'] ?? '', directory, { recursive: true })
  const place: StorePlace = { ...made, environment: { PORTBOOK_DATA_DIR: directory } }
  const start = unattended(place)
  const ledger = newLedger(0)
  const ballast = join(disk, 'ballast')
  let refusals = 0
  let ends = 0
  try {
    for (let round = 0; round < ROUNDS; round += 1) {
      const product = await startProduct(start.environment)
      const client = newHttpClient(product.url, start.key())
      if (round === 0) await registerTeam(client)
      // The less is left, the later in the life of a statement it is missing.
      fillUp(disk, ballast, BALLAST_BYTES + round * 3_000_000)
      let ended = false
      for (let put = 0; put < PUTS_MAX && !ended; put += 1) {
        const marker = newMarker()
        const id = `on-disk-${put % 7}`
        const body = {
          ...documentOf(id, marker),
          ballast: randomBytes(DOCUMENT_BYTES).toString('base64'),
        }
        const answer = await client
          .send('PUT', `/api/dataproducts/${id}`, { body })
          .catch(() => undefined)
        if (answer?.status === 200) ledger.acknowledged.set(marker, id)
        else if (answer === undefined) ended = true
        else {
          assert.equal(answer.status, 503, answer.text)
          refusals += 1
          if (refusals % 20 === 0) break
        }
      }
      client.close()
      rmSync(ballast)
      if (ended) {
        ends += 1
        const { code, stderr } = await product.untilEnd()
        assert.equal(code, 1, stderr)
      } else await product.stop()
    }
    t.diagnostic(`${ledger.acknowledged.size} acknowledged, ${refusals} refused, ${ends} ends`)
    assert.ok(refusals + ends > 0, 'the disk was full')
    const product = await startProduct(start.environment)
    const client = newHttpClient(product.url, start.key())
    assert.equal((await client.send('GET', '/readyz')).status, 200)
    await client.ok('PUT', '/api/dataproducts/after', { body: documentOf('after', newMarker()) })
    client.close()
    await product.stop()
    await checkStore(place, ledger)
  } finally {
    await made.remove()
  }
})

/** Mounts a small file system in memory, which only root may; skips the test where it cannot. */
function mountSmallDisk(t: TestContext): string | undefined {
  const directory = mkdtempSync(join(tmpdir(), 'portbook-disk-'))
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK}`, 'portbook', directory], {
    encoding: 'utf8',
  })
  if (mounted.status !== 0) {
    t.skip(`no small disk can be mounted here: ${mounted.stderr?.trim() ?? mounted.error?.message}`)
    return undefined
  }
  t.after(() => {
    spawnSync('umount', ['-l', directory])
    rmSync(directory, { recursive: true, force: true })
  })
  return directory
}

/** Writes a file that leaves so many bytes free. */
function fillUp(disk: string, ballast: string, leftBytes: number): void {
  const { bavail, bsize } = statfsSync(disk)
  const bytes = bavail * bsize - leftBytes
  assert.ok(bytes > 0, 'the disk is too small for its store')
  writeFileSync(ballast, Buffer.alloc(bytes, 1))
}
