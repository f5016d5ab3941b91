import { z } from 'zod'

const IDS_MAX = 1000

/** The content of a delivery by e-mail: who gets it, and what it lists. The text is written when it is sent. */
const mailPayload = z.object({
  userId: z.uuid(),
  notificationIds: z.array(z.uuid()).min(1).max(IDS_MAX),
  /** Present for a digest: its day, and the number of notifications, of which the oldest may be omitted. */
  digest: z.object({ day: z.iso.date(), count: z.int() }).optional(),
})

/** The content of a delivery by e-mail. */
export type MailPayload = z.infer<typeof mailPayload>

/** Parses the content of a delivery by e-mail; undefined if it has another form. */
export function parseMailPayload(text: string): MailPayload | undefined {
  return mailPayload.safeParse(JSON.parse(text)).data
}
