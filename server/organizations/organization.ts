import { z } from '@hono/zod-openapi'
import { SCOPES } from '../access/caller.ts'
import { emailAddress, newPassword, shortName } from '../users/user.ts'

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

/** A person is a member of so many organizations at most. */
export const ORGANIZATIONS_MAX = 100

/** What the first start of an empty store is told: the organization and its first owner. */
export interface FirstOwner {
  organization: string
  email: string
  /** Undefined = the part of the address before the @. */
  name?: string | undefined
  password: string
}

/** What a person fills in who sets up an empty store. */
export const setUpForm = z.strictObject({
  token: z.string(),
  organization: shortName,
  name: shortName,
  email: emailAddress,
  password: newPassword,
})

/** What an owner may say of an organization. */
export const organizationForm = z.strictObject({ name: shortName })

/** What the pages know before anybody is signed in. */
export const start = z.object({ isSetUp: z.boolean(), version: z.string() }).openapi('Start')
