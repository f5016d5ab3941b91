/**
 * kill -9 of the server between a change, its notification, the search for recipients, and the deliveries: every follower is
 * notified of every acknowledged breaking change, and of none twice. Webhooks and e-mails arrive at least once, each for the
 * first time after those before it.
 */

import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { eventually, isLong } from '../eventually.ts'
import { newHttpClient, type HttpClient } from '../http-client.ts'
import { startMailServer, type ReceivedMail } from '../mail-server.ts'
import { onPlace } from '../operator.ts'
import { createUnattendedStart, startProduct } from '../process.ts'
import { withConnection } from '../stores.ts'
import { startReceiver, type ReceivedRequest } from '../webhook-receiver.ts'

const ROUNDS = isLong ? 30 : 4
const CHANGES = 3
// The follower of the feed and the search for recipients look several times within this time.
const KILLED_AFTER_MS_MAX = 1200
const DONE_MS_MAX = 30_000
const ANSWERED_AFTER_MS_MAX = 300
const PATH = '/api/dataproducts/p'

test(`kill -9 between a change, its notifications and their deliveries, ${ROUNDS} times`, async () => {
  const [receiver, mailServer] = [await startReceiver(), await startMailServer()]
  // Most kills happen while deliveries are under way.
  receiver.answer((response) => {
    setTimeout(() => response.writeHead(204).end(), randomInt(ANSWERED_AFTER_MS_MAX))
  })
  try {
    await onPlace(async (place) => {
      const start = createUnattendedStart(place)
      const environment = {
        ...start.environment,
        PORTBOOK_SMTP_URL: `smtp://127.0.0.1:${mailServer.settings.port}`,
        PORTBOOK_SMTP_TLS: 'none',
        PORTBOOK_MAIL_FROM: 'portbook@velmora.example',
      }
      let version = 0
      let events: string[] = []
      const putNext = async (client: HttpClient): Promise<void> => {
        version += 1
        await client.ok('PUT', PATH, { body: buildProduct(version) })
      }
      for (let round = 0; round <= ROUNDS; round += 1) {
        const product = await startProduct(environment)
        const client = newHttpClient(product.url, start.key())
        if (round === 0) {
          await client.ok('PUT', '/api/teams/a', { body: { name: 'A' } })
          await putNext(client)
          await withConnection(place, prepareFollowers)
          const body = { name: 'Endpoint', url: receiver.url }
          await client.ok('POST', '/api/webhooks', { body })
        }
        if (round < ROUNDS) {
          for (let change = 0; change < CHANGES; change += 1) await putNext(client)
          // The moment of the kill is the subject of the test.
          await sleep(randomInt(KILLED_AFTER_MS_MAX))
          await product.kill('SIGKILL')
          await withConnection(place, endLeases)
        } else {
          await withConnection(place, async (connection) => {
            const isDone = async (): Promise<boolean> => {
              const waiting = await query(connection, `select from delivery_lane`)
              return (await listNotified(connection)).length >= version - 1 && waiting.length === 0
            }
            await eventually(
              DONE_MS_MAX,
              isDone,
              'every change has its notification and deliveries',
            )
          })
          events = await listEvents(client)
          await product.stop()
        }
        client.close()
      }
      const expected = Array.from({ length: version - 1 }, (_, at) => at + 2)
      assert.deepEqual(await withConnection(place, listNotified), expected)
      // Events before the first change may arrive, too.
      const arrived = receiver.requests.map(readEventId).filter((id) => events.includes(id))
      assert.deepEqual(listFirst(arrived), events)
      assert.ok(events.length >= version - 1)
      assert.deepEqual(listFirst(mailServer.mails.map(readVersion)), expected)
    })
  } finally {
    await receiver.close()
    await mailServer.close()
  }
})

/** Adds a follower of the product, when the feed is followed: events before are not. */
async function prepareFollowers(connection: Connection): Promise<void> {
  await addFollower(connection)
  const isFollowing = async (): Promise<boolean> =>
    (
      await query(
        connection,
        `select from feed_follower where name in ('notifications', 'webhooks')`,
      )
    ).length === 2
  await eventually(DONE_MS_MAX, isFollowing, 'the feed is followed')
}

/** Ends the leases of the killed process, which would delay its deliveries for half a minute. */
async function endLeases(connection: Connection): Promise<void> {
  await query(
    connection,
    `update delivery_lane set due_at = clock_timestamp() where claim is not null`,
  )
}

/** Lists the events of the product that the webhook gets, in the order of the feed. */
async function listEvents(client: HttpClient): Promise<string[]> {
  const { text } = await client.ok('GET', '/api/events')
  const events: { id: string; subject: string; type: string }[] = JSON.parse(text)
  const own = events.filter(({ subject }) => subject === 'p')
  const created = own.findIndex(({ type }) => type.endsWith('DataProductUpdatedEvent'))
  return own.slice(created).map(({ id }) => id)
}

function readEventId({ body }: ReceivedRequest): string {
  const event: { id: string } = JSON.parse(body)
  return event.id
}

function readVersion({ message }: ReceivedMail): number {
  return Number(/Version (\d+)/.exec(message.text ?? '')?.[1])
}

/** Lists the first of equal elements: a delivery may be repeated, but only after those before it have arrived. */
function listFirst<Element>(elements: readonly Element[]): Element[] {
  return [...new Set(elements)]
}

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
