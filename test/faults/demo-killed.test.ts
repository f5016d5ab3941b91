/** A server that is killed while it loads the demo loads it again, or keeps what there is, as the next start asks. */

import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { Client } from 'pg'
import { eventually } from '../eventually.ts'
import { startCommand, startProduct } from '../process.ts'
import { newStorePlace, onServer, type StorePlace } from '../stores.ts'

const WITHIN_MS = 90_000

describe('a server that is killed while it loads the demo', () => {
  let place: StorePlace
  let observer: Client
  let environment: Record<string, string>
  beforeEach(async () => {
    place = await newStorePlace()
    observer = new Client({ connectionString: place.environment['DATABASE_URL'] })
    await observer.connect()
    const { PORTBOOK_DATA_DIR: directory = '' } = place.environment
    // The folder does not exist yet.
    environment = { ...place.environment, PORTBOOK_DATA_DIR: `${directory}/new`, PORT: '0' }
  })
  afterEach(async () => {
    const { rows } = await observer.query<{ name: string }>('select current_database() as name')
    await observer.end()
    const source = `${rows[0]?.name}_operations`
    const server = process.env['PORTBOOK_TEST_POSTGRES'] ?? ''
    await onServer(server, `drop database if exists "${source}" with (force)`)
    await onServer(server, `drop role if exists "${source}_reader"`)
    await place.remove()
  })

  const count = async (table: string): Promise<number> => {
    const { rows } = await observer.query<{ count: number }>(
      `select count(*)::integer as count from ${table}`,
    )
    return rows[0]?.count ?? 0
  }

  async function killWhileLoading(): Promise<void> {
    const killed = startCommand(environment, ['serve', '--demo'])
    await eventually(WITHIN_MS, async () => (await count('integration')) > 0, 'a source exists')
    await killed.kill('SIGKILL')
    assert.equal(await count('demo_load'), 1)
  }

  test('› a start with --demo empties the store and loads all of it', async () => {
    await killWhileLoading()
    const product = await startProduct(environment, ['--demo'])
    await product.logged(({ msg }) => msg?.includes('loaded again from the beginning') === true)
    await product.stop()
    assert.deepEqual([await count('demo_load'), await count('integration')], [0, 4])
    const { rows } = await observer.query(
      'select from organization_member where role = $1 group by organization_id having count(*) > 1',
      ['Owner'],
    )
    assert.equal(rows.length, 0)
  })

  test('› a start without --demo keeps the store, and no later one empties it', async () => {
    await killWhileLoading()
    const plain = await startProduct(environment)
    await plain.logged(({ msg }) => msg?.includes('a complete one needs another') === true)
    await plain.stop()
    const events = await count('event')
    const product = await startProduct(environment, ['--demo'])
    await product.logged(({ msg }) => msg?.includes('the demo is not loaded again') === true)
    await product.stop()
    assert.equal(await count('demo_load'), 0)
    assert.ok((await count('event')) >= events)
  })
})
