import { z } from '@hono/zod-openapi'
import { newPassword } from './user.ts'

const instant = z.string().openapi({ format: 'date-time' })

/** A new reset link with its token, which is never shown again. */
export const createdReset = z
  .object({
    link: z.string(),
    expiresAt: instant,
    mailed: z.boolean().openapi({ description: 'Whether an e-mail with the link is being sent' }),
  })
  .openapi('CreatedPasswordReset')

/** A new reset link. */
export type CreatedReset = Pick<z.infer<typeof createdReset>, 'link' | 'expiresAt'>

/** The token of a reset link, in the body to keep it out of logs. */
export const resetLookForm = z.strictObject({ token: z.string() })

/** A reset link as shown to the person who opens it. */
export const openReset = z
  .object({ email: z.string(), expiresAt: instant })
  .openapi('OpenPasswordReset')

/** The token of a reset link and the new password. */
export const resetForm = z.strictObject({ token: z.string(), password: newPassword })

/** The result of a reset. */
export const finishedReset = z
  .object({
    email: z.string(),
    deletedApiKeys: z
      .int()
      .openapi({ description: 'The number of deleted personal API keys, in all organizations' }),
  })
  .openapi('FinishedPasswordReset')

/** The result of a reset. */
export type FinishedReset = z.infer<typeof finishedReset>
