import { z } from '@hono/zod-openapi'
import { CHANNEL_TYPES } from '../../../formats/record/plain-kinds/notification-channel.ts'
import { DELIVERY_STATES } from '../../delivery/deliveries/delivery.ts'

/** The stored document of a notification channel. */
export const storedChannel = z.object({
  name: z.string(),
  type: z.enum(CHANNEL_TYPES),
  endpoint: z.string(),
  enabled: z.boolean(),
})

/** The result of a test message. */
export const channelTestResult = z
  .object({
    problem: z
      .string()
      .nullable()
      .openapi({ description: 'Why it was not accepted; null = the chat system accepted it' }),
  })
  .openapi('ChannelTestResult')

const instant = z.string().openapi({ format: 'date-time' })

/** The last message to a channel. */
export const lastDelivery = z
  .object({
    channelId: z.string(),
    state: z.enum(DELIVERY_STATES),
    topic: z.string().openapi({ description: 'The kind of the notification' }),
    createdAt: instant,
    endedAt: instant.nullable(),
    nextAttemptAt: instant.nullable(),
    attempts: z.int(),
    error: z
      .string()
      .nullable()
      .openapi({ description: 'Why the last attempt failed; null = it did not' }),
  })
  .openapi('LastChannelDelivery')
