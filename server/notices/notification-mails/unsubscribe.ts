import { z } from '@hono/zod-openapi'

/** The token of a link that switches e-mails off, in the body to keep it out of logs. */
export const unsubscribeForm = z.strictObject({ token: z.string() })

/** The e-mails that a link switches off. */
export const unsubscribeLink = z
  .object({
    organizationName: z.string(),
    /** Null = the daily e-mail. */
    kindTitle: z
      .string()
      .nullable()
      .openapi({ description: 'The kind of notification; null = the daily e-mail' }),
  })
  .openapi('UnsubscribeLink')

/** The e-mails that a link switches off, parsed. */
export type UnsubscribeLink = z.infer<typeof unsubscribeLink>

const hour = z.int().min(0).max(23)

/** The hour of the daily e-mail of a person. */
export const digestSetting = z
  .object({ hour: hour.openapi({ description: 'In UTC' }) })
  .openapi('DigestSetting')

/** The form to change the hour of the daily e-mail. */
export const digestForm = z.strictObject({ hour }).openapi('DigestSettingForm')
