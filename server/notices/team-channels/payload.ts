import { z } from 'zod'

/** The content of a delivery to a channel of a team. The message is written when it is sent. */
const chatPayload = z.object({
  /** External id. */
  team: z.string(),
  channelId: z.string(),
  notificationId: z.uuid(),
})

/** The content of a delivery to a channel of a team. */
export type ChatPayload = z.infer<typeof chatPayload>

/** Parses the content of a delivery to a channel; undefined if it has another form. */
export function parseChatPayload(text: string): ChatPayload | undefined {
  return chatPayload.safeParse(JSON.parse(text)).data
}
