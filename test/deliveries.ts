/** A delivery channel of tests, whose receivers are functions. */

import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import pino from 'pino'
import type { DeliveryChannel, SendOutcome } from '../server/deliveries/channel.ts'
import type { DeliveryTarget, OutgoingDelivery } from '../server/deliveries/delivery.ts'
import { enqueueDeliveries } from '../server/deliveries/record.ts'
import type { DeliveryServices } from '../server/deliveries/worker.ts'
import { storeClock } from '../server/kit/clock.ts'
import { newDialer } from '../server/kit/dialer.ts'
import { openHttpClient } from '../server/kit/http-client.ts'
import { secretBox } from '../server/kit/secret-box.ts'
import type { Database } from '../server/tables.ts'
import { uniqueId } from './world.ts'

/** A receiver of a test. */
export type Receive = (delivery: OutgoingDelivery, signal: AbortSignal) => Promise<SendOutcome>

/** Returns the services of a worker with one channel, `test`, which calls the receiver of each target. */
export async function newDeliveryServices(
  db: Database,
  receivers: ReadonlyMap<string, Receive>,
  options: {
    concurrencyPerTarget?: number
    concurrency?: number
    attemptMs?: number
    log?: DeliveryServices['log']
  } = {},
): Promise<DeliveryServices> {
  const dialer = newDialer({ privateAddresses: 'allow', allowed: [], ownStore: undefined })
  const { log, ...more } = options
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
    isOutdated: () => false,
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
