import { z } from '@hono/zod-openapi'
import { PERMISSIONS } from '../access/permission.ts'
import { memberRole } from './member.ts'

const membership = z.object({ id: z.uuid(), name: z.string(), role: memberRole })

/** An organization and what a person is in it. */
export type Membership = z.infer<typeof membership>

/** Who is signed in, where they act, and what they may do there. */
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

/** Who is signed in, where they act, and what they may do there. */
export type Session = z.infer<typeof session>
