/** A delivery channel of tests, whose receivers are functions. */

import { randomUUID } from 'node:crypto'
import { afterEach } from 'node:test'
import { sql } from 'kysely'
import pino from 'pino'
import type { DeliveryChannel, SendOutcome } from '../server/delivery/deliveries/channel.ts'
import type {
  DeliverySummary,
  DeliveryTarget,
  OutgoingDelivery,
} from '../server/delivery/deliveries/delivery.ts'
import { enqueueDeliveries } from '../server/delivery/deliveries/record.ts'
import { listLedger } from '../server/delivery/deliveries/service.ts'
import {
  startDeliveries,
  type Deliveries,
  type DeliveryServices,
  type DeliveryTiming,
} from '../server/delivery/deliveries/worker.ts'
import { storeClock } from '../server/platform/kit/clock.ts'
import { newDialer } from '../server/platform/kit/dialer.ts'
import { openHttpClient } from '../server/platform/kit/http-client.ts'
import { secretBox } from '../server/platform/kit/secret-box.ts'
import type { Database } from '../server/platform/tables.ts'
import type { Store } from '../server/store.ts'
import { eventually } from './eventually.ts'
import { uniqueId } from './world.ts'

/** The maximum time until deliveries end. */
export const ENDED_MS_MAX = 20_000
const FAST = { pollMs: 10, retryDelayMs: () => 20 }

/** A receiver of a test. */
export type Receive = (delivery: OutgoingDelivery, signal: AbortSignal) => Promise<SendOutcome>

/** The limits of the channel of tests, and the log of its worker. */
export interface ChannelOptions {
  concurrencyPerTarget?: number
  concurrency?: number
  attemptMs?: number
  log?: DeliveryServices['log']
  tracer?: DeliveryServices['tracer']
}

/** Returns the services of a worker with one channel, `test`, which calls the receiver of each target. */
export async function newDeliveryServices(
  db: Database,
  receivers: ReadonlyMap<string, Receive>,
  options: ChannelOptions = {},
): Promise<DeliveryServices> {
  const dialer = newDialer({ privateAddresses: 'allow', allowed: [], ownStore: undefined })
  const { log, tracer, ...more } = options
  const channel: DeliveryChannel = {
    kind: 'test',
    concurrencyPerTarget: 4,
    ...more,
    async send(_, delivery, signal) {
      const receive = receivers.get(delivery.target)
      if (receive === undefined) throw new Error('a test has no such receiver')
      return await receive(delivery, signal)
    },
  }
  return {
    db,
    clock: storeClock,
    log: log ?? pino({ level: 'silent' }),
    http: await openHttpClient(dialer),
    secretBox: secretBox(Buffer.alloc(32, 7)),
    channels: [channel],
    isPaused: () => false,
    tracer,
  }
}

/** Returns a target of the channel of tests that no other test uses. */
export function newTarget(organizationId: string = randomUUID()): DeliveryTarget {
  return { organizationId, channel: 'test', target: uniqueId() }
}

/** Enqueues deliveries with the given subjects in one statement; the payload of each is its position. */
export async function enqueue(
  db: Database,
  { organizationId, channel, target }: DeliveryTarget,
  subjects: readonly string[],
  from = 0,
): Promise<void> {
  await sql`
    with chosen as (
      select
        ${organizationId}::uuid as organization_id, ${channel}::text as channel,
        ${target}::text as target, given.subject, 'TestEvent' as topic, null::uuid as event_id,
        (given.ordinal - 1 + ${from})::text as payload, given.ordinal
      from unnest(${subjects}::text[]) with ordinality as given (subject, ordinal)
    ),
    ${enqueueDeliveries('chosen')}
    select from queued
  `.execute(db)
}

/** The means of tests of the delivery worker: workers with short times, receivers, and their ledgers. */
export interface DeliveryTests {
  start(timing?: Partial<DeliveryTiming>, options?: ChannelOptions): Promise<Deliveries>
  /** Returns a target whose receiver is a function; `received` has its payloads, in their order. */
  add(receive?: Receive): { target: DeliveryTarget; received: string[] }
  /** Lists the deliveries to a target, the oldest first. */
  ledger(target: DeliveryTarget): Promise<DeliverySummary[]>
  /** Waits until a number of deliveries to a target have ended, and returns its ledger. */
  untilEnded(target: DeliveryTarget, count: number): Promise<DeliverySummary[]>
  countLanes(target: DeliveryTarget): Promise<number>
}

/** Prepares tests of the delivery worker. The workers that they start are stopped after each of them. */
export function prepareDeliveryTests(store: () => Store): DeliveryTests {
  const receivers = new Map<string, Receive>()
  const workers: Deliveries[] = []
  afterEach(async () => {
    await Promise.all(workers.splice(0).map(async (worker) => await worker.stop(0)))
  })
  const ledger = async (target: DeliveryTarget): Promise<DeliverySummary[]> =>
    (await listLedger(store().db, target, {}, 0)).deliveries.toReversed()
  return {
    ledger,
    async start(timing = {}, options = {}) {
      const services = await newDeliveryServices(store().db, receivers, options)
      const worker = startDeliveries(services, { ...FAST, ...timing })
      workers.push(worker)
      return worker
    },
    add(receive) {
      const target = newTarget()
      const received: string[] = []
      receivers.set(target.target, async (delivery, signal) => {
        received.push(delivery.payload)
        return (await receive?.(delivery, signal)) ?? { result: 'delivered', status: 204 }
      })
      return { target, received }
    },
    async untilEnded(target, count) {
      const read = async (): Promise<boolean> => {
        const { rows } = await sql<{ count: number }>`
          select count(*)::integer as count from delivery
          where target = ${target.target} and state <> 'pending'
        `.execute(store().db)
        return rows[0]?.count === count
      }
      await eventually(ENDED_MS_MAX, read, `${count} deliveries end`)
      return await ledger(target)
    },
    async countLanes(target) {
      const { rows } = await sql<{ count: number }>`
        select count(*)::integer as count from delivery_lane where target = ${target.target}
      `.execute(store().db)
      return rows[0]?.count ?? 0
    },
  }
}
