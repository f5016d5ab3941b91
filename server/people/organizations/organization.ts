import { z } from '@hono/zod-openapi'
import { RESERVED_ADDRESSES } from '../../../formats/name/reserved-addresses.ts'
import { toSlug } from '../../../formats/name/slug.ts'
import { KEY_SCOPE_NAMES } from '../../../formats/team/key-scope.ts'
import { DEMO_PEOPLE_MAX, demoPerson } from './demo-person.ts'
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
    vanityUrl: z.string().openapi({
      description:
        'The first part of the paths of page addresses: <host>/<vanityUrl>/dataproducts/<id>',
    }),
    host: z.string().openapi({ description: 'The public address of the installation' }),
    fullName: z.string().openapi({ description: 'The same as name' }),
    logoUrl: z.string().openapi({ description: 'Empty = no logo' }),
    sso: z
      .object({
        issuer: z.string().openapi({ description: 'The issuer of the OpenID provider' }),
        autoJoin: z.boolean().openapi({
          description: 'Whether people of the provider become members when they first sign in',
        }),
      })
      .optional()
      .openapi({
        description: 'The first enabled sign-in provider; absent = people sign in with a password',
      }),
    caller: z.object({
      organizationApiKeyId: z.uuid().nullable().openapi({ description: 'null = a session' }),
      displayName: z.string(),
      scope: z.enum(KEY_SCOPE_NAMES),
      teamId: z.string().nullable(),
      readOnly: z.boolean(),
      permissions: z.array(z.string()).openapi({
        description: 'The permissions with which the key may write at most',
      }),
    }),
  })
  .openapi('OrganizationSettings')

/** The sign-in provider of an organization. */
export type SingleSignOn = NonNullable<z.infer<typeof organizationSettings>['sso']>

const VANITY_URL_CHARACTERS_MAX = 60

/** An organization to insert. */
export interface NewOrganization {
  id: string
  name: string
  /** Its address, if no other organization of the installation has it. */
  vanityUrl: string
  /** Its address otherwise: unique, because it contains a part of the id. */
  uniqueVanityUrl: string
}

/** Creates the record of a new organization. `id` is a UUID that ends with random digits. */
export function newOrganization(id: string, name: string): NewOrganization {
  const slug = toSlug(name, VANITY_URL_CHARACTERS_MAX)
  const uniqueVanityUrl = `${slug === '' ? 'organization' : slug}-${id.slice(-12)}`
  const vanityUrl = RESERVED_ADDRESSES.has(slug) ? uniqueVanityUrl : slug
  return { id, name, vanityUrl, uniqueVanityUrl }
}

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
export const start = z
  .object({
    isSetUp: z.boolean(),
    version: z.string(),
    demoPeople: z
      .array(demoPerson)
      .max(DEMO_PEOPLE_MAX)
      .openapi({ description: 'Who can sign in to the demo; empty unless this is the demo' }),
  })
  .openapi('Start')
