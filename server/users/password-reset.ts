import { z } from '@hono/zod-openapi'
import { newPassword } from './user.ts'

const instant = z.string().openapi({ format: 'date-time' })

/** A new reset link, with its secret for the only time. */
export const createdReset = z
  .object({ link: z.string(), expiresAt: instant })
  .openapi('CreatedPasswordReset')

/** The secret of a reset link, in the body so that no log records it. */
export const resetLookForm = z.strictObject({ token: z.string() })

/** A reset link as the person sees it who opens it. */
export const openReset = z
  .object({ email: z.string(), expiresAt: instant })
  .openapi('OpenPasswordReset')

/** The secret of a reset link and the new password. */
export const resetForm = z.strictObject({ token: z.string(), password: newPassword })

/** The result of a reset. */
export const finishedReset = z
  .object({
    email: z.string(),
    deletedApiKeys: z
      .int()
      .openapi({ description: 'How many personal API keys were deleted, in all organizations' }),
  })
  .openapi('FinishedPasswordReset')
