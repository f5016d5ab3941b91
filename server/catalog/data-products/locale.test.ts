import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openDatabase } from '../../platform/kit/database.ts'
import { migrate } from '../../platform/kit/migrate.ts'
import { MIGRATIONS } from '../../store.ts'
import type { Tables } from '../../platform/tables.ts'
import { expectOk, newProduct, newWorld, odps, uniqueId } from '../../../test/world.ts'
import { readJson } from '../../../test/answers.ts'
import { onServer } from '../../../test/stores.ts'

const LIMITS = {
  connectionsMax: 2,
  connectTimeoutMs: 30_000,
  queryTimeoutMs: 30_000,
}

// In the order of their bytes; a dictionary would have them otherwise.
const IDS = ['B', 'Z', '_x', 'a', 'ä', 'é']

test('GET /api/dataproducts › the order does not depend on the locale of the database', async () => {
  const server = process.env['PORTBOOK_TEST_POSTGRES'] ?? ''
  const name = `locale_${uniqueId()}`
  await onServer(
    server,
    `create database ${name} template template0 encoding 'UTF8' locale_provider icu icu_locale 'en-US'`,
  )
  const url = new URL(server)
  url.pathname = name
  const connection = { connectionString: url.href }
  await migrate(connection, MIGRATIONS)
  const database = openDatabase<Tables>(connection, LIMITS, () => undefined)
  try {
    const store = { ...database, connection, isDiskFull: () => false }
    const world = await newWorld(newProduct(store))
    for (const id of IDS.toReversed()) {
      const path = `/api/dataproducts/${encodeURIComponent(id)}`
      await expectOk(world.as('T', 'PUT', path, { body: odps(id, { name: 'same' }) }))
    }
    const later = 'asOf=2999-01-01T00:00:00Z'
    for (const query of ['sort=name', 'sort=-name', `sort=name&${later}`, `sort=-name&${later}`]) {
      const list = await readJson<{ id: string }[]>(
        world.as('T', 'GET', `/api/dataproducts?${query}`),
      )
      assert.deepEqual(
        list.map(({ id }) => id),
        IDS,
        query,
      )
    }
  } finally {
    await database.close()
    await onServer(server, `drop database ${name} with (force)`)
  }
})
