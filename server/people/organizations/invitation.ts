import { z } from '@hono/zod-openapi'
import { emailAddress, newPassword, shortName } from '../users/user.ts'
import { memberRole } from './member.ts'

/**
 * An invitation lets one person become a member of an organization with a link that works once and expires after
 * seven days. It becomes void when its creator is no longer an owner.
 */

/** The maximum number of open and expired invitations of an organization. */
export const INVITATIONS_MAX = 1000

/** The page of the link. The token follows a `#`, which browsers do not send to the server. */
export const INVITATION_PAGE = '/invitation'

const instant = z.string().openapi({ format: 'date-time' })

/** An invitation as owners see it. */
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

/** An invitation as owners see it. */
export type Invitation = z.infer<typeof invitation>

/** The form to invite a person. */
export const invitationForm = z.strictObject({ email: emailAddress, role: memberRole })

/** A new invitation with its link, which is never shown again. */
export const createdInvitation = z
  .object({
    id: z.uuid(),
    email: z.string(),
    role: memberRole,
    link: z.string(),
    expiresAt: instant,
    mailed: z.boolean().openapi({ description: 'Whether an e-mail with the link is being sent' }),
  })
  .openapi('CreatedInvitation')

/** A new invitation with its link. */
export type CreatedInvitation = Omit<z.infer<typeof createdInvitation>, 'mailed'>

/** The form to show an invitation to the invited person. */
export const lookForm = z.strictObject({ token: z.string() })

/** An invitation as the invited person sees it. */
export const openInvitation = z
  .object({
    organizationName: z.string(),
    vanityUrl: z.string().openapi({
      description: 'The address of the organization, with which pages ask for its ways to sign in',
    }),
    email: z.string(),
    role: memberRole,
    invitedBy: z.string(),
    expiresAt: instant,
  })
  .openapi('OpenInvitation')

/** An invitation that can be accepted now. */
export type OpenInvitation = z.infer<typeof openInvitation>

/** The form to accept an invitation: with the name of a new account, or the password of an existing one. */
export const acceptForm = z.strictObject({
  token: z.string(),
  name: z.string().optional().openapi({
    description:
      'Creates an account with this name; without it, the password is that of an existing account',
  }),
  password: z.string(),
})

/** The name and password of a new account. */
export const newPersonForm = z.object({ name: shortName, password: newPassword })
