import { z } from '@hono/zod-openapi'

/**
 * A member is a person in an organization: an Owner, who can do everything in it, or a Member, who can read
 * everything and do what their team roles allow. An organization always has an Owner.
 */

/** The role of a member in the organization. */
export const memberRole = z.enum(['Owner', 'Member'], 'must be Owner or Member')

/** The role of a member in the organization. */
export type MemberRole = z.infer<typeof memberRole>

/** A person in an organization. */
export interface MemberKey {
  organizationId: string
  userId: string
}

const instant = z.string().openapi({ format: 'date-time' })

/** A member as other members see it. */
export const member = z
  .object({
    userId: z.uuid(),
    name: z.string(),
    email: z.string(),
    role: memberRole.openapi({
      description: 'The role in effect: an Owner by `ownRole` or by a group',
    }),
    ownRole: memberRole.openapi({ description: 'The role that an owner of the organization gave' }),
    ownerGroups: z
      .array(z.string())
      .openapi({ description: 'The groups of the mapping that make the member an owner' }),
    origin: z
      .enum(['invitation', 'provider', 'directory'])
      .openapi({ description: 'How the member joined' }),
    suspendedAt: instant
      .nullable()
      .openapi({ description: 'Since when the member has no access and no roles; null = active' }),
    joinedAt: instant,
    lastSeenAt: instant.nullable().openapi({ description: 'In this organization, to the minute' }),
    teams: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        role: z.string(),
        group: z.string().nullable().openapi({
          description: 'The group of the mapping that gives the role; null = the team',
        }),
      }),
    ),
  })
  .openapi('Member')

/** A member as other members see it. */
export type Member = z.infer<typeof member>

/** A member as clients of the API read it. */
export const organizationMember = z
  .object({
    emailAddress: z.string(),
    userId: z.uuid(),
    role: memberRole,
    custom: z.record(z.string(), z.unknown()).openapi({ description: 'Empty' }),
  })
  .openapi('OrganizationMember')

/** A member as clients of the API read it. */
export type OrganizationMember = z.infer<typeof organizationMember>

/** The form to change a member. */
export const memberForm = z.strictObject({ role: memberRole })
