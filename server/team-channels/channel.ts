import { z } from '@hono/zod-openapi'
import { CHANNEL_TYPES } from '../../formats/record/plain-kinds/notification-channel.ts'

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
