import { z } from '@hono/zod-openapi'
import { emailAddress, newPassword, shortName } from '../users/user.ts'
import { memberRole } from './member.ts'

/**
 * An invitation lets one person become a member of an organization, by a link that works once and for
 * seven days. It is as good as who gave it: when its owner is no longer one, it is void.
 */

/** Open and expired invitations that an organization has at most. */
export const INVITATIONS_MAX = 1000

/** Where the link leads to; the secret follows behind a `#`, which browsers keep to themselves. */
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

/** What an owner fills in to invite somebody. */
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

/** How an invitation is looked at by whom it is for. */
export const lookForm = z.strictObject({ token: z.string() })

/** An invitation as the person sees it whom it is for. */
export const openInvitation = z
  .object({
    organizationName: z.string(),
    email: z.string(),
    role: memberRole,
    invitedBy: z.string(),
    expiresAt: instant,
  })
  .openapi('OpenInvitation')

/** How an invitation is accepted: as a new person with a name, or with an account by its password. */
export const acceptForm = z.strictObject({
  token: z.string(),
  name: z.string().optional().openapi({
    description: 'Creates an account with this name; without it the password is that of an account',
  }),
  password: z.string(),
})

/** The name and the password of a new account. */
export const newPersonForm = z.object({ name: shortName, password: newPassword })
