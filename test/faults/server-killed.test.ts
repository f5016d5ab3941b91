/**
 * kill -9 of the server in a loop under write load: it is ready again within ten seconds without a
 * manual step, no acknowledged write is missing, and nothing is partially written.
 */

import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { test } from 'node:test'
import { isLong, toLimit } from '../eventually.ts'
import { newHttpClient } from '../http-client.ts'
import { onLocalPlace, onPlace } from '../operator.ts'
import { startProduct, createUnattendedStart } from '../process.ts'
import { checkStore, checkThroughHttp, newLedger, registerTeam, startWriters } from './load.ts'

const ROUNDS = isLong ? 40 : 2
const WRITERS = 10
const ACKNOWLEDGED_MAX = isLong ? 600 : 80
const READY_MS_MAX = 10_000

for (const [server, onOwnPlace] of [
  ['the configured PostgreSQL', onPlace],
  ['its own PostgreSQL', onLocalPlace],
] as const) {
  test(`kill -9 under load, ${ROUNDS} times, on ${server}`, async () => {
    await onOwnPlace(async (place) => {
      const start = createUnattendedStart(place)
      const ledger = newLedger(WRITERS)
      for (let round = 0; round <= ROUNDS; round += 1) {
        const product = await startProduct(start.environment)
        assert.ok(product.startMs < toLimit(READY_MS_MAX), `ready after ${product.startMs} ms`)
        const client = newHttpClient(product.url, start.key())
        assert.equal((await client.send('GET', '/readyz')).status, 200)
        await checkThroughHttp(client, ledger)
        if (round === 0) await registerTeam(client)
        if (round === ROUNDS) await product.stop()
        else {
          const writers = startWriters(client, ledger)
          await writers.acknowledged(randomInt(1, ACKNOWLEDGED_MAX))
          await product.kill('SIGKILL')
          await writers.stop()
        }
        client.close()
      }
      await checkStore(place, ledger)
      const statuses = [...ledger.statuses.keys()].filter((status) => status !== 0)
      assert.deepEqual(
        statuses.toSorted((a, b) => a - b).filter((status) => status >= 400 && status !== 404),
        [],
      )
      assert.ok(ledger.acknowledged.size > ROUNDS)
      assert.ok((ledger.statuses.get(0) ?? 0) > 0, 'requests were cut')
    })
  })
}
