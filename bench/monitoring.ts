import pino from 'pino'
import { sql, type RawBuilder } from 'kysely'
import * as states from '../server/about/state-store.ts'
import { readConfig } from '../server/platform/config.ts'
import { storeClock } from '../server/platform/kit/clock.ts'
import { newMetrics } from '../server/platform/kit/metrics.ts'
import type { Database } from '../server/platform/tables.ts'
import { openPools, openStore, type Store } from '../server/store.ts'
import type { Figure, Row } from './figure.ts'
import { toSpread, type Spread } from './rounds.ts'
import type { ServerKind, Stage } from './stage.ts'

const NAME = 'monitoring'
const ORGANIZATIONS = 1000
const STATEMENT_MS_MAX = 50
const ROUNDS = 15
const OBSERVED_COUNT = 200_000
const OBSERVE_MICROSECONDS_MAX = 5

/**
 * The statements that read the state of the installation every 15 seconds, with a million events, entries and deliveries of
 * a thousand organizations of which nothing is handled, and the cost of the metrics of one request.
 */
export function monitoring(rowsCount: number): Figure {
  return {
    name: NAME,
    title: `the state of an installation with ${rowsCount.toLocaleString('en')} events, entries and deliveries that wait, of ${ORGANIZATIONS.toLocaleString('en')} organizations`,
    async *measure(stage) {
      await stage.clear()
      for (const kind of stage.serverKinds) yield* measureOn(stage, kind, rowsCount)
      yield measureObserving()
    },
  }
}

async function* measureOn(stage: Stage, kind: ServerKind, rowsCount: number): AsyncGenerator<Row> {
  const { environment } = await stage.newPlace(kind)
  const log = pino({ level: 'silent' })
  const store: Store = await openStore(readConfig(environment), log, 'command')
  const pools = openPools(store, log, 1)
  try {
    await fill(pools.bulkDb, rowsCount)
    const db = pools.bulkDb
    const bare = await measure(() => sql`select 1`.execute(db))
    const statements = {
      followers: () => states.listFollowerStates(db, storeClock),
      deliveries: () => states.listChannelStates(db, storeClock, ['chat', 'email', 'webhook']),
      runs: () => states.findRunsState(db, storeClock),
      activity: () => states.findActivityState(db, storeClock),
      tables: () => states.listTableSizes(db),
    }
    for (const [name, send] of Object.entries(statements)) {
      const result = await measure(send)
      yield {
        figure: `${NAME}: ${name}`,
        server: kind,
        subject: `${result.median.toFixed(1)} ms`,
        limit: `${(result.median / bare.median).toFixed(0)} × select 1`,
        result,
        unit: 'ms',
        goal: STATEMENT_MS_MAX,
        measured: { result, bare },
      }
    }
  } finally {
    await pools.close()
    await store.close()
  }
}

async function fill(db: Database, rowsCount: number): Promise<void> {
  const run = async (statement: RawBuilder<unknown>): Promise<void> => {
    await statement.execute(db)
  }
  const pick = sql`(array(select id from organization))[1 + (at % ${ORGANIZATIONS})::integer]`
  await run(sql`
    insert into organization (id, name)
    select gen_random_uuid(), 'Organization ' || at from generate_series(1, ${ORGANIZATIONS}) as at`)
  await run(sql`
    insert into feed_follower (name, epoch, transaction_id)
    select name, 0, '0' from unnest(array['a', 'b', 'c', 'd']) as name`)
  await run(sql`
    insert into event (
      organization_id, id, type, kind, subject, version, removal, principal, time, transaction_id, epoch
    )
    select ${pick}, gen_random_uuid(), 'DataProductUpdatedEvent', 'data-product', 'p' || at, 1, false, 'x',
      clock_timestamp(), '1', 1
    from generate_series(1, ${rowsCount}::integer) as at`)
  await run(sql`
    insert into activity_entry (
      organization_id, at, principal, kind, subject, name, action, transaction_id, epoch
    )
    select ${pick}, clock_timestamp(), 'x', 'data-product', 'p' || at, 'P', 'updated', '1', 1
    from generate_series(1, ${rowsCount}::integer) as at`)
  await run(sql`
    insert into delivery (organization_id, id, channel, target, subject, topic, payload)
    select ${pick}, gen_random_uuid(), 'webhook', 't', 'p' || at, 'x', '{}'
    from generate_series(1, ${rowsCount}::integer) as at`)
  await run(sql`analyze`)
}

async function measure(work: () => Promise<unknown>): Promise<Spread> {
  await work()
  const times: number[] = []
  for (let at = 0; at < ROUNDS; at += 1) {
    const startedMs = performance.now()
    await work()
    times.push(performance.now() - startedMs)
  }
  return toSpread(times)
}

function measureObserving(): Row {
  const metrics = newMetrics()
  const observe = (): void => metrics.observe('GET', '/api/dataproducts/{id}', 200, 0.004)
  for (let at = 0; at < OBSERVED_COUNT; at += 1) observe()
  const rounds = Array.from({ length: ROUNDS }, () => {
    const startedMs = performance.now()
    for (let at = 0; at < OBSERVED_COUNT; at += 1) observe()
    return ((performance.now() - startedMs) * 1000) / OBSERVED_COUNT
  })
  const result = toSpread(rounds)
  return {
    figure: `${NAME}: one request`,
    server: 'none',
    subject: `${result.median.toFixed(2)} µs`,
    limit: `${OBSERVE_MICROSECONDS_MAX} µs`,
    result: toSpread(rounds.map((microseconds) => microseconds / OBSERVE_MICROSECONDS_MAX)),
    unit: 'times',
    goal: 1,
    measured: rounds,
  }
}
