import { setTimeout as sleep } from 'node:timers/promises'
import { CONTRACT_CHANGES } from './agreements/occasion-service.ts'
import type { DeliveryChannel } from './delivery/deliveries/channel.ts'
import { REQUEST_MS_MAX } from './delivery/deliveries/delivery.ts'
import { SENDS_MAX, startDeliveries } from './delivery/deliveries/worker.ts'
import { READER_CHANGES } from './documents/search/reader-service.ts'
import { startFollowers } from './ledger/events/follow-service.ts'
import type { FeedFollower } from './ledger/events/feed-follower.ts'
import type { Clock } from './platform/kit/clock.ts'
import type { Dialer } from './platform/kit/dialer.ts'
import { openHttpClient, type HttpClient } from './platform/kit/http-client.ts'
import type { Log } from './platform/kit/log.ts'
import type { Mailing } from './platform/kit/mailing.ts'
import type { SecretBox } from './platform/kit/secret-box.ts'
import type { Tracer } from './platform/kit/tracing.ts'
import type { WorkObserver } from './platform/kit/work-observer.ts'
import { notifyOfEvents } from './notices/notifications/feed-service.ts'
import type { Database } from './platform/tables.ts'
import type { Presence } from './platform/processes/presence.ts'
import { startUpkeep, type JobWork } from './platform/processes/upkeep.ts'
import type { RunningLoop } from './loops.ts'
import { newWebhookChannel } from './notices/webhooks/channel-service.ts'
import { newWebhookFollower } from './notices/webhooks/fan-out-service.ts'
import { newEmailChannel } from './notices/notification-mails/email-channel-service.ts'
import { newChatChannel } from './notices/team-channels/chat-channel-service.ts'

const NOTIFICATIONS: FeedFollower = { name: 'notifications', handle: notifyOfEvents }

/**
 * Lists every follower of the event feed. Payloads and messages contain the public address; a process that does not know
 * it leaves them to those that serve.
 */
function listFollowers({ baseUrl, eventTypePrefix }: BackgroundServices): FeedFollower[] {
  const webhooks = baseUrl === undefined ? [] : [newWebhookFollower({ baseUrl, eventTypePrefix })]
  return [CONTRACT_CHANGES, READER_CHANGES, NOTIFICATIONS, ...webhooks]
}

/** Lists every way of sending deliveries. Without a mail server, e-mails wait for a process that has one. */
function listChannels(services: BackgroundServices): DeliveryChannel[] {
  const { clock, mailing, baseUrl } = services
  if (baseUrl === undefined) return [newWebhookChannel(clock)]
  return [
    newWebhookChannel(clock),
    newChatChannel({ ...services, baseUrl }),
    ...(mailing === undefined ? [] : [newEmailChannel({ mailing, baseUrl })]),
  ]
}

/**
 * The limits of requests to receivers. Many receivers may be addresses of one host, whose connections are enough for all
 * attempts: one organization must not use all of them.
 */
const HTTP_LIMITS = {
  idleTimeoutMs: REQUEST_MS_MAX,
  totalTimeoutMs: REQUEST_MS_MAX,
  connectionsMax: SENDS_MAX,
}

/** The time for recording the results of the last deliveries. */
const LATE_MS = 2000

/** The services of the background work of a process. */
export interface BackgroundServices {
  db: Database
  clock: Clock
  log: Log
  secretBox: SecretBox
  dialer: Dialer
  /** The public address, without a slash at its end; undefined = unknown. */
  baseUrl: string | undefined
  eventTypePrefix: string
  /** Sends e-mail; undefined = no mail server is configured. */
  mailing: Mailing | undefined
  observer: WorkObserver
  /** Whether the store accepts no writes, or has the schema of another version, whose processes are then responsible. */
  isPaused: () => boolean
  /** Undefined = no traces are recorded. */
  tracer: Tracer | undefined
}

/** Starts the followers of the feed. Every working process does it, and one is enough. */
export function startFeedFollowers(services: BackgroundServices): RunningLoop {
  const all = listFollowers(services)
  services.observer.started({ followers: all.map(({ name }) => name) })
  const followers = startFollowers(services, all)
  return { stop: async (graceMs) => await endWithin(followers.stop(), graceMs + LATE_MS) }
}

/** Starts to send deliveries. */
export function startChannels(services: BackgroundServices): RunningLoop {
  const http = newLazyHttpClient(services.dialer)
  const channels = listChannels(services)
  services.observer.started({ channels: channels.map(({ kind }) => kind) })
  const deliveries = startDeliveries({ ...services, http, channels })
  return {
    async stop(graceMs) {
      await endWithin(deliveries.stop(graceMs), graceMs + LATE_MS)
      http.close()
    },
  }
}

/** Starts the jobs of the upkeep that the process holds. */
export function startHeldJobs(
  services: Pick<BackgroundServices, 'mailing' | 'baseUrl' | 'log' | 'isPaused' | 'tracer'>,
  presence: Presence,
  work: JobWork,
): RunningLoop {
  const { mailing, baseUrl, log, isPaused, tracer } = services
  const hasMail = mailing !== undefined && baseUrl !== undefined
  const upkeep = startUpkeep({ presence, log, isPaused, hasMail, tracer }, work)
  return { stop: async (graceMs) => await endWithin(upkeep.stop(), graceMs + LATE_MS) }
}

// Statements without an answer from the database end with their connections. What they did not commit is done again.
async function endWithin(work: Promise<unknown>, limitMs: number): Promise<void> {
  const ended = new AbortController()
  const late = sleep(limitMs, undefined, { signal: ended.signal }).catch(() => undefined)
  await Promise.race([work, late])
  ended.abort()
}

// Most processes never send a request, and need not load the client.
function newLazyHttpClient(dialer: Dialer): HttpClient {
  let opened: Promise<HttpClient> | undefined
  return {
    async send(request) {
      opened ??= openHttpClient(dialer, HTTP_LIMITS)
      return await (await opened).send(request)
    },
    close() {
      void opened?.then((client) => client.close())
    },
  }
}
