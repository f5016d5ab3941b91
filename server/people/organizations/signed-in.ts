import { z } from '@hono/zod-openapi'
import { PERMISSIONS } from '../../requests/access/permission.ts'
import { memberRole } from './member.ts'

const membership = z.object({
  id: z.uuid(),
  name: z.string(),
  vanityUrl: z.string(),
  role: memberRole,
})

/** An organization and a person's role in it. */
export type Membership = z.infer<typeof membership>

/** The signed-in person, their organization and their permissions there. */
export const session = z
  .object({
    user: z.object({
      id: z.uuid(),
      name: z.string(),
      email: z.string(),
      managedBy: z.string().nullable().openapi({
        description:
          'The organization whose identity provider or directory manages the account; null = the person does',
      }),
    }),
    organization: membership.nullable().openapi({
      description:
        'The current organization: the requested one, or the first of the person; null = in none',
    }),
    organizations: z.array(membership),
    customRoles: z
      .array(z.object({ name: z.string(), permissions: z.array(z.string()) }))
      .nullable()
      .openapi({ description: 'The team roles of the organization; null = the default ones' }),
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

/** The signed-in person, their organization and their permissions there. */
export type Session = z.infer<typeof session>
