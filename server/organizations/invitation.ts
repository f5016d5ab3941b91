import { z } from '@hono/zod-openapi'
import { emailAddress, newPassword, shortName } from '../users/user.ts'
import { memberRole } from './member.ts'

/**
 * Invitations let one person become a member of an organization by a link, which works once and for seven
 * days. They are void when their author is no longer an owner.
 */

/** Open and expired invitations that an organization has at most. */
export const INVITATIONS_MAX = 1000

/** The page of the link; the secret follows behind a `#`, which browsers do not send. */
export const INVITATION_PAGE = '/invitation'

const instant = z.string().openapi({ format: 'date-time' })

/** An invitation as the owners see it. */
export const invitation = z
  .object({
    id: z.uuid(),
    email: z.string(),
    role: memberRole,
    invitedBy: z.string().openapi({ description: 'The name of the owner' }),
    createdAt: instant,
    expiresAt: instant,
    expired: z.boolean(),
  })
  .openapi('Invitation')

/** An invitation as the owners see it. */
export type Invitation = z.infer<typeof invitation>

/** The form of an invitation. */
export const invitationForm = z.strictObject({ email: emailAddress, role: memberRole })

/** A new invitation, with its link for the only time. */
export const createdInvitation = z
  .object({
    id: z.uuid(),
    email: z.string(),
    role: memberRole,
    link: z.string(),
    expiresAt: instant,
  })
  .openapi('CreatedInvitation')

/** The form that reads an invitation by its link. */
export const lookForm = z.strictObject({ token: z.string() })

/** An invitation as the invited person sees it. */
export const openInvitation = z
  .object({
    organizationName: z.string(),
    email: z.string(),
    role: memberRole,
    invitedBy: z.string(),
    expiresAt: instant,
  })
  .openapi('OpenInvitation')

/** The acceptance of an invitation: with a name for a new account, or without one for an existing account. */
export const acceptForm = z.strictObject({
  token: z.string(),
  name: z.string().optional().openapi({
    description: 'Creates an account with this name; without it the password is that of an account',
  }),
  password: z.string(),
})

/** The name and password of a new account. */
export const newPersonForm = z.object({ name: shortName, password: newPassword })
