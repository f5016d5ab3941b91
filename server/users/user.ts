import { z } from '@hono/zod-openapi'

/**
 * A user is a person with an account, who may be a member of several organizations. Accounts are identified
 * by e-mail address, ignoring letter case.
 */

/** The length of accepted passwords. */
export const PASSWORD_CHARACTERS_MIN = 12
const PASSWORD_CHARACTERS_MAX = 200
// An address has this many characters at most: 64, the @ and 255 (RFC 3696, section 3).
const EMAIL_CHARACTERS_MAX = 320
const NAME_CHARACTERS_MAX = 200

/** A one-line display name. */
export const shortName = z
  .string()
  .trim()
  .min(1, 'must not be empty')
  .max(NAME_CHARACTERS_MAX, 'is too long')
  .regex(/^\P{Cc}*$/u, 'must not contain control characters')

/** An e-mail address in any script. */
export const emailAddress = z
  .string()
  .trim()
  .max(EMAIL_CHARACTERS_MAX, 'is too long')
  .regex(/^[^\s@"<>,;\p{Cc}]{1,64}@[^\s@"<>,;\p{Cc}]+$/u, 'must be an e-mail address')

/** A new password. */
export const newPassword = z
  .string()
  .min(PASSWORD_CHARACTERS_MIN, `must have at least ${PASSWORD_CHARACTERS_MIN} characters`)
  .max(PASSWORD_CHARACTERS_MAX, 'is too long')

/** The credentials of a sign-in; invalid ones match no account. */
export const signInForm = z.strictObject({ email: z.string(), password: z.string() })

/** The editable profile. */
export const profileForm = z.strictObject({ name: shortName })

/** The form that changes a password. */
export const passwordForm = z.strictObject({ currentPassword: z.string(), newPassword })

/** The columns of an account that sign-in needs. */
export interface Account {
  id: string
  passwordHash: string
}

/**
 * Returns an address in the form in which addresses are compared. Folded here, because PostgreSQL's lower()
 * follows its locale.
 */
export function emailKeyOf(email: string): string {
  return email.trim().toLowerCase()
}

/** Returns the display name of a person known only by address: the part before the @. */
export function nameFromEmail(email: string): string {
  return email.split('@')[0] || email
}
