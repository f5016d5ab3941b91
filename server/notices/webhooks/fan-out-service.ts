import { toCloudEvent } from '../../ledger/events/event.ts'
import type { FeedFollower } from '../../ledger/events/feed-follower.ts'
import { enqueueEvents, hasEndpoints } from './fan-out-store.ts'

/** The settings that are part of payloads. */
interface PayloadSettings {
  /** The public address of the installation. */
  baseUrl: string
  eventTypePrefix: string
}

/** Creates the follower of the feed that enqueues events for webhook endpoints. */
export function newWebhookFollower(settings: PayloadSettings): FeedFollower {
  return {
    name: 'webhooks',
    async handle(transaction, organizationId, events) {
      if (!(await hasEndpoints(transaction, organizationId))) return
      const payloads = events.map((event) => {
        const { id, type, kind, subject, version } = event
        const payload = JSON.stringify(toCloudEvent(event, settings))
        return { id, type, kind, subject, version, payload }
      })
      await enqueueEvents(transaction, organizationId, payloads)
    },
  }
}
