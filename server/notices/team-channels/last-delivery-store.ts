import { sql } from 'kysely'
import type { Instant } from '../../platform/kit/clock.ts'
import type { Database } from '../../platform/tables.ts'
import type { DeliveryState } from '../../delivery/deliveries/delivery.ts'

/** The last message to a channel. */
export interface LastDelivery {
  channelId: string
  state: DeliveryState
  /** The kind of the notification. */
  topic: string
  createdAt: Instant
  endedAt: Instant | null
  nextAttemptAt: Instant | null
  attempts: number
  /** Why the last attempt failed; null = it did not. */
  error: string | null
}

/** Lists the last message to each channel of a team, without channels that got none. `team` is the external id. */
export async function listLastDeliveries(
  db: Database,
  organizationId: string,
  team: string,
): Promise<LastDelivery[]> {
  const { rows } = await sql<LastDelivery>`
    select channel.external_id as "channelId", last.state, last.topic, last.created_at as "createdAt",
      last.ended_at as "endedAt", last.next_attempt_at as "nextAttemptAt",
      last.attempt_count as attempts, attempt.error
    from plain_record as channel
    cross join lateral (
      select *
      from delivery
      where organization_id = ${organizationId}
        and channel = 'chat'
        and target = json_build_array(channel.scope, channel.external_id)::text
      order by sequence desc
      limit 1
    ) as last
    left join lateral (
      select error
      from delivery_attempt
      where organization_id = ${organizationId}
        and delivery_id = last.id
      order by attempt desc
      limit 1
    ) as attempt on true
    where channel.organization_id = ${organizationId}
      and channel.kind = 'notification-channel'
      and channel.scope = ${team}
    order by channel.external_id
  `.execute(db)
  return rows
}
