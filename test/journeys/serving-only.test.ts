/** A process that only serves, and one that only works: which of them does what happens without a request. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Client } from 'pg'
import { eventually } from '../eventually.ts'
import { newHttpClient } from '../http-client.ts'
import { onPlace } from '../operator.ts'
import { createUnattendedStart, runProduct, startProduct, startWorker } from '../process.ts'
import { withConnection, type StorePlace } from '../stores.ts'

const TAKEN_OVER_MS = 20_000

test('PORTBOOK_WORKERS=0 › serves and does nothing else; `work` does the rest, and another one takes over when it is killed', async () => {
  await onPlace(async (place) => {
    const start = createUnattendedStart(place)
    const serving = await startProduct({ ...start.environment, PORTBOOK_WORKERS: '0' })
    const client = newHttpClient(serving.url, start.key())
    await client.ok('PUT', '/api/teams/a', { body: { name: 'A' } })
    await serving.logged(({ msg = '' }) => msg.startsWith('no process works'))
    assert.deepEqual(await query(place, `select role, state from process`), [
      { role: 'serving', state: 'running' },
    ])
    for (const table of ['job', 'feed_follower', 'activity_seal']) {
      assert.deepEqual(await query(place, `select from ${table}`), [], table)
    }
    const killed = await startWorker(start.environment)
    await eventually(TAKEN_OVER_MS, () => holds(place, 1), 'the worker holds the jobs')
    const [{ id } = {}] = await query(place, `select id from process where role = 'working'`)
    await killed.kill('SIGKILL')
    const other = await startWorker(start.environment)
    const isOther = async (): Promise<boolean> =>
      (await query(place, `select from job where process_id = '${String(id)}'`)).length === 0
    await eventually(TAKEN_OVER_MS, isOther, 'another worker takes over the jobs')
    await eventually(TAKEN_OVER_MS, () => holds(place, 1), 'the other worker holds the jobs')
    assert.ok((await query(place, `select from feed_follower`)).length > 0)
    await other.stop()
    assert.deepEqual(await query(place, `select from process where state = 'stopping'`), [])
    client.close()
    await serving.stop()
    const refused = await runProduct({ ...start.environment, PORTBOOK_WORKERS: '0' }, ['work'])
    assert.equal(refused.code, 1)
    assert.match(refused.stderr, /PORTBOOK_WORKERS is 0, which means serving only/)
  })
})

async function holds(place: StorePlace, count: number): Promise<boolean> {
  const rows = await query(
    place,
    `select distinct process_id from job where process_id is not null`,
  )
  return rows.length === count
}

async function query(place: StorePlace, text: string): Promise<Record<string, unknown>[]> {
  return await withConnection(place, async (connection) => {
    const client = new Client(connection)
    await client.connect()
    try {
      return (await client.query<Record<string, unknown>>(text)).rows
    } finally {
      await client.end()
    }
  })
}
