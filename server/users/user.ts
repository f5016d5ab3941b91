import { z } from '@hono/zod-openapi'

/**
 * A user is a person who has an account: one for the whole installation, in whatever organizations the
 * person is a member. The account is known by its e-mail address, whose letter case does not count.
 */

/** The passwords that are taken have so many characters. */
export const PASSWORD_CHARACTERS_MIN = 12
const PASSWORD_CHARACTERS_MAX = 200
// An address has this many characters at most: 64, the @ and 255 (RFC 3696, section 3).
const EMAIL_CHARACTERS_MAX = 320
const NAME_CHARACTERS_MAX = 200

/** A text of one line that people read: the name of a person, or of what they make. */
export const shortName = z
  .string()
  .trim()
  .min(1, 'must not be empty')
  .max(NAME_CHARACTERS_MAX, 'is too long')
  .regex(/^\P{Cc}*$/u, 'must not hold control characters')

/** The address of a person, in any script. */
export const emailAddress = z
  .string()
  .trim()
  .max(EMAIL_CHARACTERS_MAX, 'is too long')
  .regex(/^[^\s@"<>,;\p{Cc}]{1,64}@[^\s@"<>,;\p{Cc}]+$/u, 'must be an e-mail address')

/** A password that somebody chooses. */
export const newPassword = z
  .string()
  .min(PASSWORD_CHARACTERS_MIN, `must have at least ${PASSWORD_CHARACTERS_MIN} characters`)
  .max(PASSWORD_CHARACTERS_MAX, 'is too long')

/** What somebody signs in with. Whatever is wrong with it, nobody has it. */
export const signInForm = z.strictObject({ email: z.string(), password: z.string() })

/** What people tell of themselves. */
export const profileForm = z.strictObject({ name: shortName })

/** How a password is changed. */
export const passwordForm = z.strictObject({ currentPassword: z.string(), newPassword })

/** An account as far as signing in needs it. */
export interface Account {
  id: string
  passwordHash: string
}

/** The address as it is compared: folded here, because a store's lower() follows its locale. */
export function emailKeyOf(email: string): string {
  return email.trim().toLowerCase()
}

/** What one learns of a person who is named by the address alone: the part before the @. */
export function nameFromEmail(email: string): string {
  return email.split('@')[0] || email
}
