/** An administrator or a proxy terminates connections to PostgreSQL at random, under load. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Client } from 'pg'
import { isLong } from '../eventually.ts'
import { newHttpClient } from '../http-client.ts'
import { onPlace } from '../operator.ts'
import { startProduct, createUnattendedStart } from '../process.ts'
import { checkStore, checkThroughHttp, newLedger, registerTeam, startWriters } from './load.ts'

const TERMINATIONS = isLong ? 2000 : 60

test(`${TERMINATIONS} connections terminated under load › fail requests with 503 only, and lose no write`, async () => {
  await onPlace(async (place) => {
    const start = createUnattendedStart(place)
    const product = await startProduct(start.environment)
    const client = newHttpClient(product.url, start.key())
    await registerTeam(client)
    const ledger = newLedger(12)
    const writers = startWriters(client, ledger)
    const administrator = new Client({ connectionString: place.environment['DATABASE_URL'] })
    await administrator.connect()
    let terminated = 0
    while (terminated < TERMINATIONS) {
      await writers.acknowledged(3)
      const { rows } = await administrator.query(
        `select pg_terminate_backend(pid)
         from pg_stat_activity
         where datname = current_database()
           and pid <> pg_backend_pid()
         order by random()
         limit 3`,
      )
      terminated += rows.length
    }
    await administrator.end()
    await writers.acknowledged(20)
    await writers.stop()
    for (const status of ledger.statuses.keys()) {
      assert.ok([200, 404, 503].includes(status), `${ledger.statuses.get(status)} times ${status}`)
    }
    assert.ok((ledger.statuses.get(503) ?? 0) > 0, 'requests were hit')
    assert.equal((await client.send('GET', '/readyz')).status, 200)
    await checkThroughHttp(client, ledger)
    client.close()
    await product.stop()
    await checkStore(place, ledger)
  })
})
