import { z } from '@hono/zod-openapi'
import type { Instant } from '../../platform/kit/clock.ts'

/**
 * A delivery is one message to one receiver outside of Portbook. It is attempted until the receiver accepts it, for at
 * most three days, and the ledger keeps every attempt. Deliveries about one subject arrive at a receiver in their order;
 * each arrives at least once.
 */

/** The states of a delivery. */
export const DELIVERY_STATES = ['pending', 'delivered', 'failed', 'canceled'] as const

/** The state of a delivery: waiting for an attempt, accepted, given up, or without a receiver. */
export type DeliveryState = (typeof DELIVERY_STATES)[number]

/** Every channel; `server/background.ts` has the way of sending for each. */
export const DELIVERY_CHANNELS = ['chat', 'email', 'webhook'] as const

/** The receiver of deliveries. */
export interface DeliveryTarget {
  organizationId: string
  /** The kind of the channel, as `webhook`. */
  channel: string
  /** The receiver within the channel, as the id of an endpoint. */
  target: string
}

/** A delivery with what a channel needs to send it. */
export interface OutgoingDelivery extends DeliveryTarget {
  id: string
  subject: string
  topic: string
  eventId: string | null
  payload: string
  /** The number of earlier attempts. */
  attemptCount: number
}

/** The time in which a delivery is attempted again after failures. */
export const RETRIED_MS_MAX = 3 * 24 * 3_600_000

/** The timeout of a request to a receiver. */
export const REQUEST_MS_MAX = 10_000

/** The timeout of an attempt, above that of its request, so that the error of the request is recorded. */
export const ATTEMPT_MS_MAX = 12_000

/** The maximum number of attempts of a delivery that the ledger keeps; a later one replaces the last. */
export const ATTEMPTS_KEPT_MAX = 50

/** The maximum size of the part of an answer that the ledger keeps. */
export const RESPONSE_BYTES_MAX = 1024

/** Returns the part of an answer that the ledger keeps; null = the answer is empty. */
export function cutResponse(response: string): string | null {
  // The database stores no NUL characters.
  const bytes = Buffer.from(response.replaceAll('\0', '\uFFFD')).subarray(0, RESPONSE_BYTES_MAX)
  // The rest of a character that was cut becomes a replacement character, which is longer.
  const excerpt = bytes.toString('utf8').replace(/\uFFFD$/, '')
  return excerpt === '' ? null : excerpt
}

/** The time for which the ledger keeps deliveries that have ended. */
export const LEDGER_DAYS = 30

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DELAYS_MS = [5 * SECOND, 30 * SECOND, 2 * MINUTE, 10 * MINUTE, HOUR, 3 * HOUR, 6 * HOUR]
// Receivers that failed at the same moment are not attempted again at the same moment.
const JITTER = 0.2

/**
 * Returns the delay after a number of failed attempts: 5 s, 30 s, 2 min, 10 min, 1 h, 3 h, then 6 h, each up to a fifth
 * longer, and at least what the receiver asked for. `random` is in [0, 1).
 */
export function getRetryDelayMs(
  failureCount: number,
  retryAfterMs: number | undefined,
  random: number = Math.random(),
): number {
  const delayMs = DELAYS_MS[Math.min(failureCount, DELAYS_MS.length) - 1] ?? 0
  const asked = Math.min(retryAfterMs ?? 0, 24 * HOUR)
  return Math.round(Math.max(delayMs * (1 + JITTER * random), asked))
}

/** An attempt to send a delivery. */
const deliveryAttempt = z
  .object({
    at: z.string().openapi({ format: 'date-time' }),
    durationMs: z.int(),
    status: z.int().nullable().openapi({ description: 'The HTTP status; null = no answer' }),
    error: z.string().nullable().openapi({ description: 'Why it failed; null = it succeeded' }),
    response: z.string().nullable().openapi({
      description: 'The beginning of the answer, at most 1 kB',
    }),
  })
  .openapi('DeliveryAttempt')

/** An attempt to send a delivery, parsed. */
export type DeliveryAttempt = z.infer<typeof deliveryAttempt>

/** A row of the ledger. */
export const deliverySummary = z
  .object({
    id: z.uuid(),
    topic: z.string().openapi({ description: 'The type of the event' }),
    subject: z.string(),
    eventId: z.uuid().nullable(),
    state: z.enum(DELIVERY_STATES),
    attempts: z.int(),
    createdAt: z.string().openapi({ format: 'date-time' }),
    endedAt: z.string().nullable().openapi({ format: 'date-time' }),
    nextAttemptAt: z.string().nullable().openapi({
      format: 'date-time',
      description: 'null = as soon as earlier deliveries about the subject have ended, or none',
    }),
    lastStatus: z.int().nullable(),
    lastError: z.string().nullable(),
  })
  .openapi('Delivery')

/** A row of the ledger, parsed. */
export type DeliverySummary = z.infer<typeof deliverySummary>

/** A delivery with everything the ledger has of it. */
export const deliveryDetails = deliverySummary
  .extend({
    payload: z.string().openapi({ description: 'What is sent' }),
    attemptList: z.array(deliveryAttempt).openapi({ description: 'The first attempt first' }),
  })
  .openapi('DeliveryDetails')

/** A delivery with everything the ledger has of it, parsed. */
export type DeliveryDetails = z.infer<typeof deliveryDetails>

/** The deliveries of a receiver to list or to replay. */
export interface DeliveryFilter {
  state?: DeliveryState | undefined
  /** Only those created at this time or later. */
  from?: Instant | undefined
  /** Only those created before this time. */
  until?: Instant | undefined
}
