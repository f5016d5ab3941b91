import { z } from '@hono/zod-openapi'

/**
 * A user is a person with an account, which may be a member of several organizations. People sign in with an e-mail
 * address, regardless of letter case, and a password; accounts of different organizations may have the same address.
 */

/** The minimum length of a password. */
const PASSWORD_CHARACTERS_MIN = 12
const PASSWORD_CHARACTERS_MAX = 200
// The maximum length of an address: 64, the @ and 255 characters (RFC 3696, section 3).
const EMAIL_CHARACTERS_MAX = 320
const NAME_CHARACTERS_MAX = 200

/** A single-line name of a person or an object. */
export const shortName = z
  .string()
  .trim()
  .min(1, 'must not be empty')
  .max(NAME_CHARACTERS_MAX, 'is too long')
  .regex(/^\P{Cc}*$/u, 'must not contain control characters')

/** The e-mail address of a person, in any script. */
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

/** The form to sign in. It has no format rules, because malformed credentials are only wrong ones. */
export const signInForm = z.strictObject({ email: z.string(), password: z.string() })

/** The form to change the profile. */
export const profileForm = z.strictObject({ name: shortName })

/** The form to change the password. */
export const passwordForm = z.strictObject({ currentPassword: z.string(), newPassword })

/** The part of an account that sign-in needs. */
export interface Account {
  id: string
  passwordHash: string
}

/** The profile of a person, as their organizations see it. */
export interface Profile {
  id: string
  name: string
  email: string
  /** The name of the organization whose provider or directory manages the account; null = the person does. */
  managedBy: string | null
}

/** Returns the key by which addresses are compared. It is not lower() in SQL, which depends on the locale. */
export function toEmailKey(email: string): string {
  return email.trim().toLowerCase()
}

/** Derives a name from an address: the part before the @. */
export function nameFromEmail(email: string): string {
  return email.split('@')[0] || email
}
