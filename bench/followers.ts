import { readFileSync } from 'node:fs'
import { Client } from 'pg'
import { eventually } from '../test/eventually.ts'
import { newHttpClient, type HttpClient } from '../test/http-client.ts'
import { openPlace } from './database-place.ts'
import type { Figure, Row } from './figure.ts'
import { measureNewStore } from './new-store.ts'
import { toSpread } from './rounds.ts'
import { startProduct } from './servers.ts'
import { createBootstrapEnvironment, type ServerKind, type Stage } from './stage.ts'

const NAME = 'followers'
const FOLLOWERS = 10_000
const GOAL = 0.9
const ROUNDS_MIN = 6
const DRAIN_MS_MAX = 120_000

/** The changes of a round between two that break consumers. Only these notify the followers. */
const BREAKING_EVERY_MS = 1000

/** One round of PUTs of one product. */
interface FollowerRound {
  perSecond: number
  breakingCount: number
}

/** PUT of a product with many followers, against one without. */
export const followers: Figure = {
  name: NAME,
  title: `PUT of changed versions of a product with ${FOLLOWERS.toLocaleString('en')} followers, one breaking change a second, against a product without followers`,
  async *measure(stage) {
    await stage.clear()
    for (const kind of stage.serverKinds) {
      yield* measureNewStore(stage, kind)
      yield await measureOn(stage, kind)
    }
  },
}

async function measureOn(stage: Stage, kind: ServerKind): Promise<Row> {
  const { environment, database, keyFile } = await stage.newPlace(kind)
  const product = await startProduct({ ...environment, ...createBootstrapEnvironment(keyFile) })
  const client = newHttpClient(product.url, readFileSync(keyFile, 'utf8').trim())
  const { connection, close } = await openPlace(database)
  const db = new Client(connection)
  await db.connect()
  try {
    await client.ok('PUT', '/api/teams/sales', { body: { name: 'Sales' } })
    for (const id of ['followed', 'unfollowed']) await putVersion(client, id, 0, 'first')
    await addFollowers(db)
    let version = 1
    const round = async (id: string): Promise<FollowerRound> => {
      const measured = await putFor(client, id, stage.effort.roundMs * 2, () => (version += 1))
      await untilDistributed(db)
      return measured
    }
    await round('followed')
    const pairs: { followed: FollowerRound; unfollowed: FollowerRound }[] = []
    for (let at = 0; at < Math.max(ROUNDS_MIN, stage.effort.rounds); at += 1) {
      // A B, B A, …: other load of the machine affects both.
      const isFirst = at % 2 === 0
      const before = isFirst ? undefined : await round('unfollowed')
      const followed = await round('followed')
      pairs.push({ followed, unfollowed: before ?? (await round('unfollowed')) })
    }
    const { rows } = await db.query('select count(*)::integer as count from notification_recipient')
    const breaking = pairs.reduce((sum, { followed }) => sum + followed.breakingCount, 0)
    if (rows[0].count < breaking * FOLLOWERS) throw new Error('followers were not notified')
    return toRow(kind, pairs)
  } finally {
    client.close()
    await db.end()
    await close()
    await product.stop()
  }
}

async function putFor(
  client: HttpClient,
  id: string,
  durationMs: number,
  nextVersion: () => number,
): Promise<FollowerRound> {
  const startedAtMs = performance.now()
  let [count, breakingCount, nextBreakingMs] = [0, 0, startedAtMs]
  let port = 'first'
  while (performance.now() - startedAtMs < durationMs) {
    const version = nextVersion()
    if (performance.now() >= nextBreakingMs) {
      port = `port-${version}`
      breakingCount += 1
      nextBreakingMs += BREAKING_EVERY_MS
    }
    await putVersion(client, id, version, port)
    count += 1
  }
  return { perSecond: count / ((performance.now() - startedAtMs) / 1000), breakingCount }
}

async function putVersion(
  client: HttpClient,
  id: string,
  version: number,
  port: string,
): Promise<void> {
  const body = {
    apiVersion: 'v1.0.0',
    kind: 'DataProduct',
    id,
    name: 'Orders',
    status: 'active',
    description: { purpose: `Version ${version}` },
    team: { name: 'sales' },
    outputPorts: [{ name: port, version: '1' }],
  }
  await client.ok('PUT', `/api/dataproducts/${id}`, { body })
}

async function addFollowers(db: Client): Promise<void> {
  await db.query(`
    with person as (
      insert into user_account (id, email, email_key, name, password_hash)
      select gen_random_uuid(), 'p' || number || '@bench.example', 'p' || number || '@bench.example',
        'Person ' || number, 'none'
      from generate_series(1, ${FOLLOWERS}) as number
      returning id
    ),
    member as (
      insert into organization_member (organization_id, user_id, role)
      select organization.id, person.id, 'Member'
      from person
      cross join organization
      returning organization_id, user_id
    )
    insert into follow (organization_id, kind, subject, user_id, is_muted, followed_at)
    select organization_id, 'data-product', 'followed', user_id, false, clock_timestamp()
    from member
  `)
  await db.query('vacuum analyze user_account, organization_member, follow')
}

// The events are handled first, and then the recipients of their notifications are found.
async function untilDistributed(db: Client): Promise<void> {
  const isDone = async (): Promise<boolean> => {
    const { rows } = await db.query(`
      select not exists (select from notification where distributed_at is null)
        and not exists (
          select
          from feed_cursor
          join lateral (
            select epoch, transaction_id, position
            from event
            where organization_id = feed_cursor.organization_id
            order by epoch desc, transaction_id desc, position desc
            limit 1
          ) as last on true
          where follower = 'notifications'
            and (last.epoch, last.transaction_id, last.position)
              > (feed_cursor.epoch, feed_cursor.transaction_id, feed_cursor.position)
        ) as is_done
    `)
    return rows[0].is_done === true
  }
  await eventually(DRAIN_MS_MAX, isDone, 'all recipients are found')
}

function toRow(
  server: ServerKind,
  pairs: readonly { followed: FollowerRound; unfollowed: FollowerRound }[],
): Row {
  const speed = (side: 'followed' | 'unfollowed'): string =>
    `${Math.round(toSpread(pairs.map((pair) => pair[side].perSecond)).median)}/s`
  return {
    figure: NAME,
    server,
    subject: speed('followed'),
    limit: speed('unfollowed'),
    result: toSpread(
      pairs.map(({ followed, unfollowed }) => followed.perSecond / unfollowed.perSecond),
    ),
    unit: 'ratio',
    goal: GOAL,
    measured: pairs,
  }
}
