import { z } from '@hono/zod-openapi'
import { PERMISSIONS } from '../../requests/access/permission.ts'
import { memberRole } from './member.ts'

const membership = z.object({
  id: z.uuid(),
  name: z.string(),
  vanityUrl: z.string(),
  role: memberRole,
  providerRequired: z.boolean().openapi({
    description:
      'Whether the organization accepts only sessions that began with its identity provider, and not this one',
  }),
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
    organizations: z
      .array(membership)
      .openapi({ description: 'Those in which the session can act' }),
    limitedTo: z.uuid().nullable().openapi({
      description:
        'The only organization in which the session acts, because it began with the identity provider of the organization; null = any',
    }),
    mayChangeAccount: z.boolean().openapi({
      description:
        'Whether the session may change the name and the password: not if it is limited to one organization of several',
    }),
    suspendedIn: z
      .array(z.object({ id: z.uuid(), name: z.string() }))
      .openapi({ description: 'The organizations in which the person is suspended' }),
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

/** The end of a session. */
export const signedOut = z.object({
  next: z.url().nullable().openapi({
    description:
      'The address at the identity provider at which the browser also ends its session there; it leads back to the page to sign in. null = none',
  }),
})
