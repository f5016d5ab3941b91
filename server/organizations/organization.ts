import { z } from '@hono/zod-openapi'
import { KEY_SCOPE_NAMES } from '../../formats/team/key-scope.ts'
import { emailAddress, newPassword, shortName } from '../users/user.ts'

/**
 * An organization owns all of its teams, data products and keys. An installation can host several
 * organizations, which are isolated from each other.
 */

/** The organization and the key of the caller, readable with any key. */
export const organizationSettings = z
  .object({
    organizationId: z.uuid(),
    name: z.string(),
    caller: z.object({
      organizationApiKeyId: z.uuid().nullable().openapi({ description: 'null = a session' }),
      displayName: z.string(),
      scope: z.enum(KEY_SCOPE_NAMES),
      teamId: z.string().nullable(),
      readOnly: z.boolean(),
    }),
  })
  .openapi('OrganizationSettings')

/** The maximum number of organizations of a person. */
export const ORGANIZATIONS_MAX = 100

/** The organization and first owner with which an empty database is set up. */
export interface FirstOwner {
  organization: string
  email: string
  /** Undefined for the local part of the address. */
  name?: string | undefined
  password: string
}

/** The form to set up an empty database. */
export const setUpForm = z.strictObject({
  token: z.string(),
  organization: shortName,
  name: shortName,
  email: emailAddress,
  password: newPassword,
})

/** The form to create or rename an organization. */
export const organizationForm = z.strictObject({ name: shortName })

/** The information available to pages before sign-in. */
export const start = z.object({ isSetUp: z.boolean(), version: z.string() }).openapi('Start')
