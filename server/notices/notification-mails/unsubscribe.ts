import { z } from '@hono/zod-openapi'
import type { SecretBox } from '../../platform/kit/secret-box.ts'
import { NOTIFICATION_KIND_NAMES } from '../notifications/kinds.ts'

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

/**
 * A link that switches e-mails off without signing in. It is sealed with the encryption key, so it cannot be made for
 * another person or kind, and nothing is stored for it. It works until the encryption key is changed.
 */
const unsubscribeClaim = z.object({
  organizationId: z.uuid(),
  userId: z.uuid(),
  /** A kind of notification, or the daily e-mail. */
  kind: z.enum([...NOTIFICATION_KIND_NAMES, 'digest']),
})

/** The e-mails that a link switches off. */
export type UnsubscribeClaim = z.infer<typeof unsubscribeClaim>

const LOCATION = 'unsubscribe'
const TOKEN_CHARACTERS_MAX = 1000

/** Creates the token of a link. */
export function newUnsubscribeToken(box: SecretBox, claim: UnsubscribeClaim): string {
  return box.seal(JSON.stringify(claim), LOCATION).toString('base64url')
}

/** Reads the token of a link; undefined if it is not genuine. */
export function openUnsubscribeToken(box: SecretBox, token: string): UnsubscribeClaim | undefined {
  if (token.length > TOKEN_CHARACTERS_MAX || !/^[\w-]+$/.test(token)) return undefined
  try {
    const text = box.open(Buffer.from(token, 'base64url'), LOCATION)
    return unsubscribeClaim.safeParse(JSON.parse(text)).data
  } catch {
    return undefined
  }
}
