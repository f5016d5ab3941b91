import { z } from '@hono/zod-openapi'
import { SCOPES } from '../access/caller.ts'
import { emailAddress, newPassword, shortName } from '../users/user.ts'

/**
 * An organization contains everything else: teams, products, keys. An installation can have several, isolated
 * from each other.
 */

/** The properties of the organization and the key that every key may read. */
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

/** The maximum number of organizations of a person. */
export const ORGANIZATIONS_MAX = 100

/** The first organization and its owner, for the first start with an empty database. */
export interface FirstOwner {
  organization: string
  email: string
  /** Undefined for the local part of the address. */
  name?: string | undefined
  password: string
}

/** The form that sets up an empty database. */
export const setUpForm = z.strictObject({
  token: z.string(),
  organization: shortName,
  name: shortName,
  email: emailAddress,
  password: newPassword,
})

/** The form that changes an organization. */
export const organizationForm = z.strictObject({ name: shortName })

/** The information for pages before sign-in. */
export const start = z.object({ isSetUp: z.boolean(), version: z.string() }).openapi('Start')
