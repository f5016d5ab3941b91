import { z } from '@hono/zod-openapi'

/** The identities of a person: their accounts at the identity providers of an organization. */

const instant = z.string().openapi({ format: 'date-time' })

/** The providers of the organization, each with the identity of the person. */
export const ownIdentities = z
  .object({
    providers: z.array(
      z.object({
        id: z.uuid(),
        name: z.string(),
        enabled: z.boolean(),
        identity: z
          .object({
            email: z.string().nullable().openapi({ description: 'The address at the provider' }),
            linkedAt: instant,
            lastSignInAt: instant.nullable(),
          })
          .nullable()
          .openapi({ description: 'null = the person is not linked to the provider' }),
      }),
    ),
    isRecent: z.boolean().openapi({
      description: 'Whether the person signed in within the last 5 minutes, so that they may link',
    }),
    hasPassword: z.boolean(),
  })
  .openapi('OwnIdentities')
