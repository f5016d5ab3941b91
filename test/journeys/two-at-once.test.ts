/** Several processes on one PostgreSQL. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listMigrations } from '../../server/platform/kit/schema-version.ts'
import { MIGRATIONS } from '../../server/store.ts'
import { countRows, onPlace, query, readSettings } from '../operator.ts'
import { startProduct, createUnattendedStart } from '../process.ts'

test('two processes on one PostgreSQL set up one organization, and both serve', async () => {
  for (let round = 0; round < 3; round += 1) {
    await onPlace(async (place) => {
      const start = createUnattendedStart(place)
      const products = await Promise.all([
        startProduct(start.environment),
        startProduct(start.environment),
      ])
      const rows = await countRows(place, 'organization', 'api_key', 'encryption_key')
      assert.deepEqual(rows, [1, 1, 1])
      const settings = await Promise.all(
        products.map(async (product) => await readSettings(product, start.key())),
      )
      // Each process has an address of its own.
      const [first, second] = settings.map((one) => ({ ...one, host: '' }))
      assert.deepEqual(first, second)
      await Promise.all(products.map(async (product) => await product.stop()))
    })
  }
})

test('two processes on one PostgreSQL without a schema migrate it once', async () => {
  await onPlace(async (place) => {
    await query(place, 'drop schema public cascade; create schema public')
    const start = createUnattendedStart(place)
    const products = await Promise.all([
      startProduct(start.environment),
      startProduct(start.environment),
      startProduct(start.environment),
    ])
    assert.deepEqual(await countRows(place, 'organization'), [1])
    // They may take turns: each migration is applied by one of them.
    const applied = products.flatMap((product) =>
      product.log().flatMap((line) => (line['applied'] ?? []) as string[]),
    )
    assert.deepEqual(applied.toSorted(), listMigrations(MIGRATIONS))
    await Promise.all(products.map(async (product) => await product.stop()))
  })
})
