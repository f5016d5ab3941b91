import { z } from '@hono/zod-openapi'

/**
 * The members of an organization: an Owner may do everything in it; a Member may read everything, and do what
 * their roles in teams allow. Every organization has an Owner.
 */

/** The role of a member in the organization. */
export const memberRole = z.enum(['Owner', 'Member'], 'must be Owner or Member')

/** The role of a member in the organization. */
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

/** The form that changes a member. */
export const memberForm = z.strictObject({ role: memberRole })
