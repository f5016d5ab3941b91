/** Webhooks in tests: the follower and the worker of a process, and endpoints. */

import { sql } from 'kysely'
import { newWebhookChannel } from '../server/notices/webhooks/channel-service.ts'
import { newWebhookFollower } from '../server/notices/webhooks/fan-out-service.ts'
import type { WebhookWithSecret } from '../server/notices/webhooks/webhook.ts'
import { startDeliveries, type DeliveryTiming } from '../server/delivery/deliveries/worker.ts'
import { startFollowers } from '../server/ledger/events/follow-service.ts'
import { openHttpClient } from '../server/platform/kit/http-client.ts'
import type { Webhook } from '../server/notices/webhooks/webhook.ts'
import type { DeliveryDetails, DeliverySummary } from '../server/delivery/deliveries/delivery.ts'
import { readJson } from './answers.ts'
import { eventually } from './eventually.ts'
import { expectOk, uniqueId, type CallerName, type Product, type World } from './world.ts'

/** The running webhooks of a process. */
export interface RunningWebhooks {
  stop(): Promise<void>
}

const isPaused = (): boolean => false

/** Starts the follower and the worker of a process. */
export async function startWebhooks(
  { services }: Product,
  timing: Partial<DeliveryTiming> = {},
): Promise<RunningWebhooks> {
  const { db, clock, log, secretBox, dialer } = services
  const followers = startFollowers({ db, log, isPaused }, [newWebhookFollower(services)], 20)
  const http = await openHttpClient(dialer, { connectionsMax: 64 })
  const deliveries = startDeliveries(
    { db, clock, log, secretBox, http, channels: [newWebhookChannel(clock)], isPaused },
    { pollMs: 20, retryDelayMs: () => 50, ...timing },
  )
  return {
    async stop() {
      await followers.stop()
      await deliveries.stop(0)
      http.close()
    },
  }
}

/** Creates an endpoint of the organization, or of a team. */
export async function addWebhook(
  world: World,
  body: { url: string; [more: string]: unknown },
  caller: CallerName = 'O',
): Promise<WebhookWithSecret> {
  const created = world.as(caller, 'POST', '/api/webhooks', { body: { name: 'Endpoint', ...body } })
  return await readJson<WebhookWithSecret>(created, 201)
}

/**
 * Waits until the follower has handled every event of an organization so far. An endpoint that is added earlier also gets
 * events from before it was added, which a busy follower has not handled yet. The follower of a new store begins after
 * what had started before it, so an organization whose events are all older gets one more.
 */
export async function untilFollowed(world: World): Promise<void> {
  const { services, organizationId } = world
  const isFollowed = async (): Promise<boolean> => {
    const { rows } = await sql<{ isBehind: boolean }>`
      select exists (
          select
          from event
          where event.organization_id = ${organizationId}
            and (event.epoch, event.transaction_id, event.position)
              > (handled.epoch, handled.transaction_id, handled.position)
        ) as "isBehind"
      from feed_cursor as handled
      where handled.organization_id = ${organizationId}
        and handled.follower = 'webhooks'
    `.execute(services.db)
    const [handled] = rows
    if (handled === undefined) {
      const body = { id: 'followed', name: uniqueId() }
      await expectOk(world.as('O', 'PUT', '/api/teams/followed', { body }))
    }
    return handled?.isBehind === false
  }
  await eventually(ENDED_MS_MAX, isFollowed, 'the follower has handled all events')
}

/** The time after which a delivery must have ended. Transactions of other tests on the same server delay the feed. */
export const ENDED_MS_MAX = 60_000

/** Lists the deliveries to an endpoint, the newest first. */
export async function listDeliveries(
  world: World,
  { id }: Pick<Webhook, 'id'>,
  query = '',
): Promise<DeliverySummary[]> {
  return await readJson(world.as('O', 'GET', `/api/webhooks/${id}/deliveries${query}`))
}

/** Waits until the newest delivery about a subject has a state, or without one, until it was attempted. */
export async function untilDelivery(
  world: World,
  endpoint: Pick<Webhook, 'id'>,
  subject: string,
  state?: DeliverySummary['state'],
): Promise<DeliveryDetails> {
  const find = async (): Promise<DeliverySummary | undefined> =>
    (await listDeliveries(world, endpoint)).find((one) => one.subject.endsWith(`/${subject}`))
  const isSo = async (): Promise<boolean> => {
    const delivery = await find()
    return state === undefined ? (delivery?.attempts ?? 0) > 0 : delivery?.state === state
  }
  await eventually(ENDED_MS_MAX, isSo, `the delivery about ${subject} is ${state ?? 'attempted'}`)
  const deliveryId = (await find())?.id ?? ''
  return await readJson(
    world.as('O', 'GET', `/api/webhooks/${endpoint.id}/deliveries/${deliveryId}`),
  )
}
