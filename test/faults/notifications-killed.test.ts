/**
 * kill -9 of the server between a change, its notification, and the search for recipients: every follower is notified of
 * every acknowledged breaking change, and of none twice.
 */

import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { eventually } from '../eventually.ts'
import { newHttpClient } from '../http-client.ts'
import { onPlace } from '../operator.ts'
import { createUnattendedStart, startProduct } from '../process.ts'
import { withConnection } from '../stores.ts'
import { isLong } from './load.ts'

const ROUNDS = isLong ? 30 : 4
const CHANGES = 3
// The follower of the feed and the search for recipients look several times within this time.
const KILLED_AFTER_MS_MAX = 1200
const DONE_MS_MAX = 30_000
const PATH = '/api/dataproducts/p'

test(`kill -9 between a change and its notifications, ${ROUNDS} times`, async () => {
  await onPlace(async (place) => {
    const start = createUnattendedStart(place)
    let version = 0
    for (let round = 0; round <= ROUNDS; round += 1) {
      const product = await startProduct(start.environment)
      const client = newHttpClient(product.url, start.key())
      if (round === 0) {
        await client.ok('PUT', '/api/teams/a', { body: { name: 'A' } })
        await client.ok('PUT', PATH, { body: buildProduct((version += 1)) })
        await withConnection(place, async (connection) => {
          await addFollower(connection)
          // Events before the first start are not followed.
          const isFollowing = async (): Promise<boolean> =>
            (await query(connection, `select from feed_follower where name = 'notifications'`))
              .length > 0
          await eventually(DONE_MS_MAX, isFollowing, 'the feed is followed')
        })
      }
      if (round < ROUNDS) {
        for (let change = 0; change < CHANGES; change += 1) {
          await client.ok('PUT', PATH, { body: buildProduct((version += 1)) })
        }
        // The moment of the kill is the subject of the test.
        await sleep(randomInt(KILLED_AFTER_MS_MAX))
        await product.kill('SIGKILL')
      } else {
        await withConnection(place, async (connection) => {
          const isDone = async (): Promise<boolean> =>
            (await listNotified(connection)).length >= version - 1
          await eventually(DONE_MS_MAX, isDone, 'every change has its notification')
        })
        await product.stop()
      }
      client.close()
    }
    const expected = Array.from({ length: version - 1 }, (_, at) => at + 2)
    assert.deepEqual(await withConnection(place, listNotified), expected)
  })
})

function buildProduct(version: number): object {
  return {
    apiVersion: 'v1.0.0',
    kind: 'DataProduct',
    id: 'p',
    name: 'P',
    status: 'active',
    team: { name: 'a' },
    outputPorts: [{ name: `port-${version}`, version: '1' }],
  }
}

type Connection = ConstructorParameters<typeof Client>[0]

async function addFollower(connection: Connection): Promise<void> {
  await query(
    connection,
    `insert into follow (organization_id, kind, subject, user_id, is_muted, followed_at)
    select organization_id, 'data-product', 'p', user_id, false, clock_timestamp()
    from organization_member`,
  )
}

/** Lists the versions of which the follower was notified, once for each notification. */
async function listNotified(connection: Connection): Promise<number[]> {
  const rows = await query<{ version: number }>(
    connection,
    `select (data->>'version')::integer as version
    from notification
    join notification_recipient as recipient on recipient.organization_id = notification.organization_id
      and recipient.notification_id = notification.id
    where kind = 'breaking_change'
    order by version`,
  )
  return rows.map(({ version }) => version)
}

async function query<Row extends object>(connection: Connection, text: string): Promise<Row[]> {
  const client = new Client(connection)
  await client.connect()
  try {
    return (await client.query<Row>(text)).rows
  } finally {
    await client.end()
  }
}
