/** The databases and backups of every release, upgraded to this version. */

import assert from 'node:assert/strict'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { Client } from 'pg'
import { newHttpClient } from '../http-client.ts'
import { onPlace, query } from '../operator.ts'
import { runProduct, startProduct } from '../process.ts'
import {
  FIXTURE_BYTES_MAX,
  hashDocuments,
  readFixture,
  RELEASES,
  restoreFixture,
  type Fixture,
} from '../release-fixture.ts'
import { withConnection, type StorePlace } from '../stores.ts'

for (const version of readdirSync(RELEASES)) {
  test(`the database of ${version} › is upgraded, verifies, and answers the same bytes`, async () => {
    await onPlace(async (place) => {
      const fixture = readFixture(version)
      await query(place, 'drop schema public cascade; create schema public')
      await withConnection(place, (connection) => restoreFixture(connection, fixture))
      const product = await startProduct(place.environment)
      await expectDocuments(place, fixture)
      const client = newHttpClient(product.url, fixture.key)
      for (const [table, path] of [
        ['data_product', '/api/dataproducts'],
        ['data_contract', '/api/datacontracts'],
      ] as const) {
        const rows = await query(
          place,
          `select external_id, document from ${table} where organization_id = '${fixture.organizationId}'`,
        )
        assert.ok(rows.length > 0)
        for (const { external_id: id, document } of rows) {
          const accept = String(document).startsWith('{') ? 'application/json' : 'application/yaml'
          const headers = { accept }
          const answer = await client.ok('GET', `${path}/${encodeURIComponent(String(id))}`, {
            headers,
          })
          assert.equal(answer.text, document)
        }
      }
      await client.ok('PUT', '/api/teams/upgraded', { body: { id: 'upgraded', name: 'U' } })
      client.close()
      await product.stop()
      await expectVerified(place)
    })
  })

  test(`a backup of ${version} › is restored, verifies, and has the same bytes`, async () => {
    await onPlace(async (place) => {
      const fixture = readFixture(version)
      const restored = await runProduct(place.environment, ['restore', fixture.backup])
      assert.equal(restored.code, 0, restored.stdout + restored.stderr)
      await expectDocuments(place, fixture)
      await expectVerified(place)
    })
  })

  test(`the fixture of ${version} › is small`, () => {
    const files = readdirSync(join(RELEASES, version))
    const bytes = files.reduce((sum, name) => sum + statSync(join(RELEASES, version, name)).size, 0)
    assert.ok(bytes <= FIXTURE_BYTES_MAX, `${bytes} bytes`)
  })
}

async function expectDocuments(place: StorePlace, { documents }: Fixture): Promise<void> {
  const now = await withConnection(place, async (connection) => {
    const client = new Client(connection)
    await client.connect()
    try {
      return await hashDocuments(client)
    } finally {
      await client.end()
    }
  })
  for (const [table, hashes] of Object.entries(documents)) {
    const missing = hashes.filter((hash) => now[table]?.includes(hash) !== true)
    assert.deepEqual(missing, [], `documents of ${table} have other bytes`)
  }
}

async function expectVerified(place: StorePlace): Promise<void> {
  const verified = await runProduct(place.environment, ['verify'])
  assert.equal(verified.code, 0, verified.stdout + verified.stderr)
}
