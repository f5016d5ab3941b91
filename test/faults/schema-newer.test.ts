/** A newer version migrates the store while processes of this version still run on it. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventually } from '../eventually.ts'
import { newHttpClient } from '../http-client.ts'
import { onPlace, query } from '../operator.ts'
import { runProduct, startProduct, startWorker, createUnattendedStart } from '../process.ts'
import { createDocument, registerTeam } from './load.ts'

const NOTICED_WITHIN_MS = 5000

test('a newer schema › running processes reject writes and claim no runs, and recover when it is reverted', async () => {
  await onPlace(async (place) => {
    const { environment, key } = createUnattendedStart(place)
    const product = await startProduct(environment)
    const worker = await startWorker(environment)
    const client = newHttpClient(product.url, key())
    await registerTeam(client)
    await client.ok('PUT', '/api/dataproducts/p', { body: createDocument('p', 'first') })
    await query(
      place,
      `insert into schema_migration (name, checksum) values ('9999_later.sql', '')`,
    )
    let marker = 0
    const isPutAnswered = (status: number) => async (): Promise<boolean> => {
      const body = createDocument('p', `marker-${(marker += 1)}`)
      const answer = await client.send('PUT', '/api/dataproducts/p', { body })
      assert.ok(answer.status === 200 || answer.status === 503, answer.text)
      if (answer.status === 503) assert.equal(readCode(answer.text), 'schema_newer')
      return answer.status === status
    }
    await eventually(NOTICED_WITHIN_MS, isPutAnswered(503), 'writes are rejected')
    assert.equal((await client.send('GET', '/api/dataproducts/p')).status, 200)
    assert.equal((await client.send('GET', '/readyz')).status, 503)
    assert.equal((await client.send('GET', '/healthz')).status, 200)
    await Promise.all(
      [product, worker].map((one) => one.logged(({ schema }) => schema === 'newer')),
    )
    const started = await runProduct(environment)
    assert.match(started.stderr, /newer than this program: it has 9999_later\.sql/)
    await query(place, `delete from schema_migration where name = '9999_later.sql'`)
    await eventually(NOTICED_WITHIN_MS, isPutAnswered(200), 'writes are accepted again')
    client.close()
    await Promise.all([product.stop(), worker.stop()])
  })
})

function readCode(text: string): unknown {
  return (JSON.parse(text) as { code?: unknown }).code
}
