import type {
  DeliveryChannel,
  DeliveryContext,
  SendOutcome,
} from '../../delivery/deliveries/channel.ts'
import { RESPONSE_BYTES_MAX, type OutgoingDelivery } from '../../delivery/deliveries/delivery.ts'
import type { Clock } from '../../platform/kit/clock.ts'
import { HttpFailure, type HttpAnswer } from '../../platform/kit/http-client.ts'
import type { SecretBox } from '../../platform/kit/secret-box.ts'
import type { Database } from '../../platform/tables.ts'
import { VERSION } from '../../platform/version.ts'
import { openWebhookSecret } from './secret-service.ts'
import { findSendingEndpoint } from './secret-store.ts'
import { signMessage, toMessageId, CACHED_MS, TEST_EVENT, WEBHOOK_CHANNEL } from './webhook.ts'
import { recordFailure, recordSuccess } from './store.ts'

/** An endpoint that is ready to be sent to. */
interface OpenEndpoint {
  url: URL
  enabled: boolean
  isFailing: boolean
  secrets: readonly string[]
}

const DISABLED_AFTER_MS = 3 * 24 * 3_600_000
const CONCURRENCY_MAX = 32
const CACHED_MAX = 1000
const GONE = 410
const BUSY = [429, 503]

/** Creates the channel that sends deliveries to webhook endpoints. */
export function newWebhookChannel(clock: Clock): DeliveryChannel {
  const findEndpoint = newEndpointCache(clock)
  return {
    kind: WEBHOOK_CHANNEL,
    concurrencyPerTarget: CONCURRENCY_MAX,
    async send(context, delivery, signal) {
      const endpoint = await findEndpoint(context, delivery)
      if (endpoint === undefined) return { result: 'canceled', reason: 'The endpoint was deleted' }
      if (!endpoint.enabled && delivery.topic !== TEST_EVENT) {
        return { result: 'canceled', reason: 'The endpoint is disabled' }
      }
      return await post(context, endpoint, delivery, signal)
    },
    async afterAttempt(context, delivery, outcome) {
      if (outcome.result === 'canceled') return
      const endpoint = await findEndpoint(context, delivery)
      if (endpoint !== undefined) await recordHealth(context, clock, endpoint, delivery, outcome)
    },
  }
}

async function post(
  { http }: DeliveryContext,
  { url, secrets }: OpenEndpoint,
  { id, payload }: OutgoingDelivery,
  signal: AbortSignal,
): Promise<SendOutcome> {
  const timestamp = Math.floor(Date.now() / 1000)
  try {
    const answer = await http.send({
      method: 'POST',
      url,
      headers: {
        'content-type': 'application/cloudevents+json; charset=utf-8',
        'user-agent': `Portbook/${VERSION}`,
        ...signMessage(secrets, toMessageId(id), timestamp, payload),
      },
      body: payload,
      excerptBytesMax: RESPONSE_BYTES_MAX,
      signal,
    })
    return toOutcome(answer)
  } catch (error) {
    if (!(error instanceof HttpFailure) || error.kind === 'cancelled') throw error
    return { result: 'failed', error: error.message }
  }
}

function toOutcome({ status, headers, text: response }: HttpAnswer): SendOutcome {
  if (status >= 200 && status < 300) return { result: 'delivered', status, response }
  return {
    result: 'failed',
    status,
    response,
    error: `The receiver responded with the status ${status}`,
    isFinal: status === GONE,
    retryAfterMs: BUSY.includes(status) ? parseRetryAfter(headers['retry-after']) : undefined,
  }
}

/** Parses a `Retry-After` header, seconds or a date (RFC 9110, 10.2.3). Returns undefined if it is neither. */
function parseRetryAfter(text: string | undefined, nowMs: number = Date.now()): number | undefined {
  if (text === undefined) return undefined
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000
  const date = Date.parse(text)
  return Number.isNaN(date) ? undefined : Math.max(0, date - nowMs)
}

// Only a change is written: an endpoint that works, or has failed for a while, costs no statement.
async function recordHealth(
  { db, log }: DeliveryContext,
  clock: Clock,
  { isFailing }: OpenEndpoint,
  { organizationId, target: id, topic }: OutgoingDelivery,
  outcome: Exclude<SendOutcome, { result: 'canceled' }>,
): Promise<void> {
  if (outcome.result === 'delivered') {
    if (isFailing) await recordSuccess(db, organizationId, id)
    return
  }
  const isGone = outcome.status === GONE
  if (topic === TEST_EVENT && !isGone) return
  const because = isGone
    ? 'The receiver responded with the status 410 Gone.'
    : `Every attempt failed for three days. The last error: ${outcome.error}.`
  const disabledAfterMs = isGone ? 0 : DISABLED_AFTER_MS
  const isDisabled = await recordFailure(
    db,
    clock,
    { organizationId, id },
    { disabledAfterMs, because },
  )
  if (isDisabled) log.warn({ organizationId, endpointId: id }, 'a webhook endpoint was disabled')
}

/** Creates a function that finds endpoints, and remembers them for a second. */
function newEndpointCache(
  clock: Clock,
): (context: DeliveryContext, delivery: OutgoingDelivery) => Promise<OpenEndpoint | undefined> {
  const cache = new Map<string, { untilMs: number; endpoint: Promise<OpenEndpoint | undefined> }>()
  return async ({ db, secretBox }, { organizationId, target }) => {
    const key = `${organizationId}/${target}`
    const cached = cache.get(key)
    const nowMs = performance.now()
    if (cached !== undefined && cached.untilMs > nowMs) return await cached.endpoint
    if (cache.size >= CACHED_MAX) cache.clear()
    const endpoint = openEndpoint(db, clock, secretBox, organizationId, target)
    endpoint.catch(() => cache.delete(key))
    cache.set(key, { untilMs: nowMs + CACHED_MS, endpoint })
    return await endpoint
  }
}

async function openEndpoint(
  db: Database,
  clock: Clock,
  box: SecretBox,
  organizationId: string,
  id: string,
): Promise<OpenEndpoint | undefined> {
  const endpoint = await findSendingEndpoint(db, clock, organizationId, id)
  if (endpoint === undefined) return undefined
  const { url, enabled, isFailing, secrets } = endpoint
  const opened = secrets.map((secret) => openWebhookSecret(box, secret))
  return { url: new URL(url), enabled, isFailing, secrets: opened }
}
