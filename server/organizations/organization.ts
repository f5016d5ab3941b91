import { z } from '@hono/zod-openapi'
import { SCOPES } from '../access/caller.ts'

/**
 * An organization is the whole that everything belongs to: its teams, its products, its keys. One
 * installation can hold several, and none of them sees another.
 */

/** What any key may know of its organization and of itself. */
export const organizationSettings = z
  .object({
    organizationId: z.uuid(),
    name: z.string(),
    caller: z.object({
      organizationApiKeyId: z.uuid().nullable().openapi({ description: 'null = a session' }),
      displayName: z.string(),
      scope: z.enum(SCOPES),
      teamId: z.string().nullable(),
      readOnly: z.boolean(),
    }),
  })
  .openapi('OrganizationSettings')

/** What the first start of an empty store is told: the organization and its first owner. */
export interface FirstOwner {
  organization: string
  email: string
  password: string
}

/** Reads what a person filled in on the set-up page. */
export const firstOwnerForm = z.object({
  organization: z
    .string()
    .trim()
    .min(1, 'must not be empty')
    .max(200, 'is too long')
    .regex(/^\P{Cc}*$/u, 'must not hold control characters'),
  email: z.email('must be an e-mail address'),
  password: z.string().min(12, 'must have at least 12 characters').max(200, 'is too long'),
})
