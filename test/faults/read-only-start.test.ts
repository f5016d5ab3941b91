/** A process starts on a database that accepts no writes. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventually } from '../eventually.ts'
import { listFeed } from '../feed.ts'
import { newHttpClient } from '../http-client.ts'
import { assertRefused, onPlace, query } from '../operator.ts'
import {
  createUnattendedStart,
  runProduct,
  startProduct,
  startWorker,
  type ProductProcess,
} from '../process.ts'
import { onServer, type StorePlace } from '../stores.ts'
import { createDocument, newMarker, registerTeam } from './load.ts'

const HEALED_WITHIN_MS = 30_000

test('a start on a read-only database with the current schema › reads are answered, and writes as soon as it accepts them', async () => {
  await onPlace(async (place) => {
    const { environment, key } = createUnattendedStart(place)
    const first = await startProduct(environment)
    const client = newHttpClient(first.url, key())
    await registerTeam(client)
    client.close()
    await first.stop()
    // Without its epoch, the server counts as not examined.
    await query(place, `update feed_epoch set server_started_at = '-infinity'`)
    await setReadOnly(place, true)
    const [product, worker] = await Promise.all([
      startProduct(environment),
      startWorker(environment),
    ])
    await assertReadOnly(product, key())
    await setReadOnly(place, false)
    const later = newHttpClient(product.url, key())
    await eventually(HEALED_WITHIN_MS, async () => (await put(later)) === 200, 'writes are saved')
    const subjects = (await listFeed(later)).map(({ subject }) => subject)
    // The data product has a port, with an event of its own.
    assert.deepEqual(subjects.slice(0, -1), ['writers', 'p', 'p'])
    later.close()
    await Promise.all([product.stop(), worker.stop()])
    const fatal = [...product.log(), ...worker.log()].filter(({ level }) => level === 'fatal')
    assert.deepEqual(fatal, [])
  })
})

test('a start on a read-only database that is empty or has an older schema › ends with one line that reports it', async () => {
  await onPlace(async (place) => {
    const { environment } = createUnattendedStart(place)
    await setReadOnly(place, true)
    assertRefused(await runProduct(environment), /^portbook: The database accepts no writes/)
    await setReadOnly(place, false)
    const names = await query(
      place,
      'delete from schema_migration where name = (select max(name) from schema_migration) returning name',
    )
    await setReadOnly(place, true)
    const refused = new RegExp(`accepts no writes, .* migration ${String(names[0]?.['name'])}`)
    assertRefused(await runProduct(environment), refused)
    assertRefused(await runProduct(environment, ['work']), refused)
  })
})

async function assertReadOnly(product: ProductProcess, key: string): Promise<void> {
  const client = newHttpClient(product.url, key)
  assert.equal((await client.send('GET', '/api/teams')).status, 200)
  const { status, text } = await client.send('GET', '/readyz')
  assert.deepEqual(
    [status, JSON.parse(text)],
    [200, { status: 'ready', writable: false, reason: 'store_read_only' }],
  )
  assert.equal(await put(client), 503)
  await product.logged(({ msg }) => msg === 'the database accepts no writes; reads are answered')
  client.close()
}

async function put(client: ReturnType<typeof newHttpClient>): Promise<number> {
  const body = createDocument('p', newMarker())
  return (await client.send('PUT', '/api/dataproducts/p', { body })).status
}

/** Changes the setting of later sessions, over the database `postgres`, which accepts writes. */
async function setReadOnly({ environment }: StorePlace, isOn: boolean): Promise<void> {
  const name = new URL(environment['DATABASE_URL'] ?? '').pathname.slice(1)
  const setting = isOn ? 'on' : 'off'
  await onServer(
    process.env['PORTBOOK_TEST_POSTGRES'] ?? '',
    `alter database ${name} set default_transaction_read_only = ${setting}`,
  )
}
