import { z } from '@hono/zod-openapi'

/**
 * A member is a person in an organization: an Owner, who may do everything in it, or a Member, who
 * looks at everything and may do what roles in teams allow. An organization always has an Owner.
 */

/** What a member is in the organization. */
export const memberRole = z.enum(['Owner', 'Member'], 'must be Owner or Member')

/** What a member is in the organization. */
export type MemberRole = z.infer<typeof memberRole>

const instant = z.string().openapi({ format: 'date-time' })

/** A member as the others see one. */
export const member = z
  .object({
    userId: z.uuid(),
    name: z.string(),
    email: z.string(),
    role: memberRole,
    joinedAt: instant,
    lastSeenAt: instant.nullable().openapi({ description: 'In this organization, to the minute' }),
    teams: z.array(z.object({ id: z.string(), name: z.string(), role: z.string() })),
  })
  .openapi('Member')

/** A member as the others see one. */
export type Member = z.infer<typeof member>

/** How a member is changed. */
export const memberForm = z.strictObject({ role: memberRole })
