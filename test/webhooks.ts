/** Webhooks in tests: the follower and the worker of a process, and endpoints. */

import { newWebhookChannel } from '../server/webhooks/channel-service.ts'
import { newWebhookFollower } from '../server/webhooks/fan-out-service.ts'
import type { WebhookWithSecret } from '../server/webhooks/webhook.ts'
import { startDeliveries, type DeliveryTiming } from '../server/deliveries/worker.ts'
import { startFollowers } from '../server/events/follow-service.ts'
import { openHttpClient } from '../server/kit/http-client.ts'
import { readJson } from './answers.ts'
import type { CallerName, Product, World } from './world.ts'

/** The running webhooks of a process. */
export interface RunningWebhooks {
  stop(): Promise<void>
}

const isOutdated = (): boolean => false

/** Starts the follower and the worker of a process. */
export async function startWebhooks(
  { services }: Product,
  timing: Partial<DeliveryTiming> = {},
): Promise<RunningWebhooks> {
  const { db, clock, log, secretBox, dialer } = services
  const followers = startFollowers({ db, log, isOutdated }, [newWebhookFollower(services)], 20)
  const http = await openHttpClient(dialer, { connectionsMax: 64 })
  const deliveries = startDeliveries(
    { db, clock, log, secretBox, http, channels: [newWebhookChannel(clock)], isOutdated },
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
