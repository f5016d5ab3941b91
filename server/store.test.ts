import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Client } from 'pg'
import pino from 'pino'
import { newStorePlace, withConnection } from '../test/stores.ts'
import { readConfig } from './platform/config.ts'
import { openStore } from './store.ts'

// Longer than a statement of a request may take.
const LOCKED_MS = 2500

test('openStore › waits for statements on a large search index', async () => {
  const place = await newStorePlace()
  const log = pino({ level: 'silent' })
  await withConnection(place, async (connection) => {
    const client = new Client(connection)
    await client.connect()
    await client.query('begin')
    await client.query('lock table search_document')
    const opened = openStore(readConfig(place.environment), log, 'command')
    await client.query('select pg_sleep($1)', [LOCKED_MS / 1000])
    await client.query('rollback')
    await assert.doesNotReject(opened)
    await (await opened).close()
    await client.end()
  })
  await place.remove()
})
