import { z } from '@hono/zod-openapi'
import { PERMISSIONS } from '../access/permission.ts'
import { memberRole } from './member.ts'

const membership = z.object({ id: z.uuid(), name: z.string(), role: memberRole })

/** An organization, and the person's role in it. */
export type Membership = z.infer<typeof membership>

/** The signed-in person, their organization and their permissions. */
export const session = z
  .object({
    user: z.object({ id: z.uuid(), name: z.string(), email: z.string() }),
    organization: membership.nullable().openapi({
      description:
        'In which the person acts: the one that was named, or their first; null = in none',
    }),
    organizations: z.array(membership),
    teams: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        roles: z.array(z.string()),
        permissions: z.array(z.enum(PERMISSIONS)),
      }),
    ),
  })
  .openapi('Session')

/** The signed-in person, their organization and their permissions, parsed. */
export type Session = z.infer<typeof session>
