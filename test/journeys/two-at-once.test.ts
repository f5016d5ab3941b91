/** Two processes on one store: PostgreSQL serves both, a data directory belongs to one. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertRefused, countRows, onPlace, query, settingsOf } from '../operator.ts'
import { runProduct, startProduct, unattended } from '../process.ts'

const REFUSED_WITHIN_MS = 2000

test('two processes on one PostgreSQL set up one organization, and both serve', async () => {
  for (let round = 0; round < 3; round += 1) {
    await onPlace('postgres', async (place) => {
      const start = unattended(place)
      const products = await Promise.all([
        startProduct(start.environment),
        startProduct(start.environment),
      ])
      const rows = await countRows(place, 'organization', 'api_key', 'encryption_key')
      assert.deepEqual(rows, [1, 1, 1])
      const settings = await Promise.all(
        products.map(async (product) => await settingsOf(product, start.key())),
      )
      assert.deepEqual(settings[0], settings[1])
      await Promise.all(products.map(async (product) => await product.stop()))
    })
  }
})

test('two processes on one PostgreSQL without a schema migrate it once', async () => {
  await onPlace('postgres', async (place) => {
    await query(place, 'drop schema public cascade; create schema public')
    const start = unattended(place)
    const products = await Promise.all([
      startProduct(start.environment),
      startProduct(start.environment),
      startProduct(start.environment),
    ])
    assert.deepEqual(await countRows(place, 'organization'), [1])
    const applied = products.flatMap((product) =>
      product.log().filter((line) => line['applied'] !== undefined),
    )
    assert.equal(applied.length, 1)
    await Promise.all(products.map(async (product) => await product.stop()))
  })
})

test('a second process on one data directory ends at once with one line', async () => {
  await onPlace('embedded', async (place) => {
    const start = unattended(place)
    const first = await startProduct(start.environment)
    const directory = place.environment['PORTBOOK_DATA_DIR'] ?? ''
    // On a busy machine a process needs long to do nothing at all.
    const { durationMs: idleMs } = await runProduct({}, ['no-such-command'])
    const limitMs = Math.max(REFUSED_WITHIN_MS, 4 * idleMs)
    for (const commandLine of [[], ['migrate']]) {
      const second = await runProduct(start.environment, commandLine)
      assertRefused(second, /another process uses the data directory/)
      assert.ok(second.stderr.includes(directory))
      assert.ok(second.durationMs < limitMs, `${second.durationMs} ms`)
    }
    assert.equal((await settingsOf(first, start.key())).name, start.organization)
    // The lock dies with its process, however that dies.
    await first.kill('SIGKILL')
    const third = await startProduct(start.environment)
    assert.equal((await settingsOf(third, start.key())).name, start.organization)
    await third.stop()
  })
})
