import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { SourceDatabase } from '../../../test/postgres-source.ts'
import { readSourceGrants } from '../../../test/source-reading.ts'
import {
  startRewritingProxy,
  type RewritingProxy,
} from '../../../test/warehouses/postgres-wire/proxy.ts'
import { postgres } from './connector.ts'

describe('grants of PostgreSQL', () => {
  let database: SourceDatabase
  let proxy: RewritingProxy
  before(async () => {
    const url = process.env['PORTBOOK_TEST_POSTGRES'] ?? ''
    database = await SourceDatabase.create(
      url,
      'create schema sales; create table sales.a (id int)',
    )
    proxy = await startRewritingProxy(database.url, (text) => text)
  })
  after(async () => {
    await proxy.close()
    await database.drop()
  })

  test('only schemas that were read have an outcome', async () => {
    const { outcomes } = await readSourceGrants(
      postgres,
      database.setup({ configuration: { port: proxy.port } }),
    )
    assert.deepEqual(
      outcomes.map(({ path, isWhole }) => [path.slice(1), isWhole]),
      [
        [['public'], true],
        [['sales'], true],
      ],
    )
  })

  test('a database whose grants cannot be read proves nothing, and memberships are read', async () => {
    proxy.use((text) => text.replace('a.attacl is not null', 'a.attacl is not null and 1 / 0 = 1'))
    const { outcomes, membership } = await readSourceGrants(
      postgres,
      database.setup({ configuration: { port: proxy.port } }),
    )
    assert.deepEqual(
      outcomes.map(({ isWhole }) => isWhole),
      [false, false],
    )
    assert.deepEqual(membership, {})
  })
})
