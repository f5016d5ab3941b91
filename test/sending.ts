/** Sends what is enqueued for an organization, with the product's own channels. */

import { sql } from 'kysely'
import type { DeliveryChannel } from '../server/delivery/deliveries/channel.ts'
import { startDeliveries, type Deliveries } from '../server/delivery/deliveries/worker.ts'
import { openHttpClient } from '../server/platform/kit/http-client.ts'
import { eventually } from './eventually.ts'
import type { World } from './world.ts'

/** A worker whose attempts follow one another quickly. */
export interface Sending {
  /** Waits until no delivery of the organization is pending. */
  untilDone(world: World): Promise<void>
  stop(): Promise<void>
}

/** Starts a worker with some channels. `certificate` is trusted, as PEM. */
export async function startSending(
  { services }: World,
  channels: readonly DeliveryChannel[],
  options: { certificate?: string; attemptMs?: number; leaseMs?: number } = {},
): Promise<Sending> {
  const { certificate, attemptMs = 5000, leaseMs = 60_000 } = options
  const authorities = certificate === undefined ? [] : [certificate]
  const http = await openHttpClient(services.dialer, {}, authorities)
  const { db, clock, log, secretBox } = services
  const worker: Deliveries = startDeliveries(
    { db, clock, log, secretBox, http, channels, isPaused: () => false },
    { pollMs: 20, attemptMs, leaseMs, retryDelayMs: () => 20 },
  )
  return {
    async untilDone({ organizationId }) {
      const isDone = async (): Promise<boolean> =>
        (await listDeliveries({ services, organizationId })).every(
          ({ state }) => state !== 'pending',
        )
      await eventually(15_000, isDone, 'no delivery is pending')
    },
    async stop() {
      await worker.stop(1000)
      http.close()
    },
  }
}

/** A delivery of the ledger, with the error of its last attempt. */
export interface LedgerRow {
  channel: string
  topic: string
  payload: string
  state: string
  attempts: number
  error: string | null
}

/** Lists the deliveries of an organization in the order in which they were enqueued. */
export async function listDeliveries({
  services,
  organizationId,
}: Pick<World, 'services' | 'organizationId'>): Promise<LedgerRow[]> {
  const { rows } = await sql<LedgerRow>`
    select delivery.channel, delivery.topic, delivery.payload, delivery.state,
      delivery.attempt_count as attempts, last.error
    from delivery
    left join lateral (
      select error
      from delivery_attempt
      where organization_id = delivery.organization_id
        and delivery_id = delivery.id
      order by attempt desc
      limit 1
    ) as last on true
    where delivery.organization_id = ${organizationId}
    order by delivery.sequence
  `.execute(services.db)
  return rows
}
