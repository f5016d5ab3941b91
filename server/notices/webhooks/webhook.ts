import { randomBytes, createHmac } from 'node:crypto'
import { z } from '@hono/zod-openapi'
import { parseInstant } from '../../platform/kit/clock.ts'
import { DELIVERY_STATES } from '../../delivery/deliveries/delivery.ts'
import { EVENT_NAMES } from '../../ledger/events/event.ts'

/**
 * A webhook endpoint is an address to which events are sent as they happen, signed as Standard Webhooks
 * (standardwebhooks.com) describes. It belongs to the organization or to a team. An endpoint of a team gets the events of
 * what the team and the teams below it own.
 */

/** The time after which a change of an endpoint takes effect. */
export const CACHED_MS = 1000

/** The channel of deliveries to webhook endpoints. */
export const WEBHOOK_CHANNEL = 'webhook'

/** The name of the event that a person sends to try an endpoint. */
export const TEST_EVENT = 'WebhookTestEvent'

/** The maximum number of endpoints of an organization. */
export const ENDPOINTS_MAX = 50

/** The time for which the former secret signs too after a change, in hours. */
export const FORMER_SECRET_HOURS = 24

const URL_CHARACTERS_MAX = 2048
const NAME_CHARACTERS_MAX = 200
const TEAM_CHARACTERS_MAX = 256
const EVENT_TYPES_MAX = 100
const SECRET_BYTES = 24

/** Creates a secret in the form of Standard Webhooks. */
export function newWebhookSecret(): string {
  return `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`
}

const KNOWN_EVENTS: ReadonlySet<string> = new Set(EVENT_NAMES)

const team = z.string().min(1).max(TEAM_CHARACTERS_MAX)

const endpointFields = {
  name: z
    .string()
    .trim()
    .min(1, 'must not be empty')
    .max(NAME_CHARACTERS_MAX, `must have at most ${NAME_CHARACTERS_MAX} characters`),
  url: z
    .string()
    .max(URL_CHARACTERS_MAX, `must have at most ${URL_CHARACTERS_MAX} characters`)
    .openapi({ description: 'The address, with https', example: 'https://example.com/portbook' }),
  eventTypes: z
    .array(z.string().refine((name) => KNOWN_EVENTS.has(name), 'must be the name of an event'))
    .max(EVENT_TYPES_MAX, `must have at most ${EVENT_TYPES_MAX} elements`)
    .optional()
    .openapi({
      description:
        'The ends of the types of the events to send, as `DataContractUpdatedEvent`; empty = all',
    }),
  filterTeamId: team.nullish().openapi({
    description:
      'Sends only events of what this team and the teams below it own; only for endpoints of the organization',
  }),
  enabled: z.boolean().optional().openapi({ description: 'Absent = true' }),
}

/** The body of `POST /api/webhooks`. */
export const newWebhook = z
  .strictObject({
    ...endpointFields,
    teamId: team.nullish().openapi({
      description: 'The team to which it belongs; absent = the organization. It cannot change',
    }),
  })
  .superRefine(({ teamId, filterTeamId }, context) => {
    if (!teamId || !filterTeamId) return
    const message = 'is only allowed for endpoints of the organization'
    context.addIssue({ code: 'custom', path: ['filterTeamId'], message })
  })
  .openapi('NewWebhook')

/** The body of `PUT /api/webhooks/{id}`. */
export const webhookChange = z
  .strictObject({
    ...endpointFields,
    version: z.int().optional().openapi({
      description: 'The version to replace; another one answers 412. Absent = any',
    }),
  })
  .openapi('WebhookChange')

const instant = z.string().openapi({ format: 'date-time' })

/** A webhook endpoint without its secret. */
export const webhook = z
  .object({
    id: z.uuid(),
    name: z.string(),
    url: z.string(),
    teamId: z.string().nullable(),
    teamName: z.string().nullable(),
    filterTeamId: z.string().nullable(),
    eventTypes: z.array(z.string()),
    enabled: z.boolean(),
    disabledAt: instant.nullable().openapi({ description: 'When Portbook disabled it' }),
    disabledBecause: z.string().nullable(),
    failingSince: instant.nullable().openapi({ description: 'null = the last attempt succeeded' }),
    formerSecretUntil: instant.nullable().openapi({
      description: 'Until when the former secret signs too; null = there is none',
    }),
    lastDeliveryAt: instant.nullable().openapi({
      description: 'When the last delivery that is still stored ended; null = there is none',
    }),
    version: z.int(),
    createdAt: instant,
    createdBy: z.string(),
    updatedAt: instant,
    updatedBy: z.string(),
  })
  .openapi('Webhook')

/** A webhook endpoint without its secret, parsed. */
export type Webhook = z.infer<typeof webhook>

/** A webhook endpoint with its secret, which is shown once. */
export const webhookWithSecret = webhook
  .extend({
    secret: z.string().openapi({ description: 'Verifies signatures; it is never shown again' }),
  })
  .openapi('WebhookWithSecret')

/** A webhook endpoint with its secret, parsed. */
export type WebhookWithSecret = z.infer<typeof webhookWithSecret>

const instantParameter = z
  .string()
  .transform((text, context) => {
    const parsed = parseInstant(text)
    if (parsed !== undefined) return parsed
    context.addIssue({ code: 'custom', message: 'must be a time with an offset' })
    return z.NEVER
  })
  .openapi({ type: 'string', format: 'date-time' })

/** The body of `POST /api/webhooks/{id}/replay`. */
export const replayRequest = z
  .strictObject({
    from: instantParameter.openapi({ description: 'Deliveries created at this time or later' }),
    until: instantParameter
      .optional()
      .openapi({ description: 'Deliveries created before this time; absent = now' }),
    state: z
      .enum(DELIVERY_STATES, `must be one of ${DELIVERY_STATES.join(', ')}`)
      .optional()
      .openapi({ description: 'Only those in this state; absent = all' }),
  })
  .openapi('WebhookReplay')

/** The answer of a replay. */
export const replayCount = z
  .object({ count: z.int().openapi({ description: 'The deliveries that are sent again' }) })
  .openapi('WebhookReplayed')

// Standard Webhooks, https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md

/** Identifies a message: the same for every attempt, so that receivers can ignore what they have already handled. */
export function toMessageId(deliveryId: string): string {
  return `msg_${deliveryId.replaceAll('-', '')}`
}

/** Returns the headers that sign a message, with one signature for each secret. */
export function signMessage(
  secrets: readonly string[],
  messageId: string,
  timestampSeconds: number,
  payload: string,
): Record<string, string> {
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
    const content = `${messageId}.${timestampSeconds}.${payload}`
    return `v1,${createHmac('sha256', key).update(content).digest('base64')}`
  })
  return {
    'webhook-id': messageId,
    'webhook-timestamp': String(timestampSeconds),
    'webhook-signature': signatures.join(' '),
  }
}
