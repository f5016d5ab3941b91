import { z } from '@hono/zod-openapi'
import { DIRECTORY_PATH } from '../../requests/access/directory-caller.ts'
import { ApiError } from '../../platform/errors.ts'

/**
 * The directory of a company provisions people and groups with SCIM 2.0 (RFC 7643 and RFC 7644). A SCIM user is a member
 * of the organization, and a SCIM group is a list of members to which the organization maps roles.
 */

export const USER_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:User'
export const GROUP_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:Group'
export const LIST_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:ListResponse'

/** The maximum size of a body, and of the operations of a PATCH. */
export const BODY_BYTES_MAX = 5 * 1024 * 1024
export const OPERATIONS_MAX = 1000
/** The number of resources of a page, and its maximum. */
const COUNT_DEFAULT = 100
export const COUNT_MAX = 1000
const FILTER_CHARACTERS_MAX = 2000

/** The kinds of resources. */
type ResourceKind = 'User' | 'Group'

/** The metadata of a resource. */
const scimMeta = z
  .object({
    resourceType: z.string(),
    created: z.string().optional(),
    lastModified: z.string().optional(),
    location: z.string(),
    version: z.string().optional().openapi({ description: 'The entity tag' }),
  })
  .openapi('ScimMeta')

/** A person as a directory reads it. */
export const scimUser = z
  .looseObject({
    schemas: z.array(z.string()),
    id: z.string(),
    externalId: z.string().optional(),
    userName: z.string(),
    name: z
      .object({
        formatted: z.string().optional(),
        givenName: z.string().optional(),
        familyName: z.string().optional(),
      })
      .optional(),
    displayName: z.string(),
    emails: z.array(z.object({ value: z.string(), type: z.string(), primary: z.boolean() })),
    active: z.boolean(),
    meta: scimMeta,
  })
  .openapi('ScimUser')

/** A group as a directory reads it. */
export const scimGroup = z
  .looseObject({
    schemas: z.array(z.string()),
    id: z.string(),
    externalId: z.string().optional(),
    displayName: z.string(),
    members: z
      .array(
        z.object({ value: z.string(), display: z.string(), type: z.string(), $ref: z.string() }),
      )
      .optional(),
    meta: scimMeta,
  })
  .openapi('ScimGroup')

/** Any body that a directory sends. */
export const scimBody = z.record(z.string(), z.unknown()).openapi('ScimBody', {
  description: 'A resource or a PatchOp of RFC 7644. Unknown attributes are ignored.',
})

/**
 * A page of resources. Answers also have the list as `resources`, which one client reads; it is not described, because
 * generated clients have one name for both.
 */
export function scimList(resource: z.ZodType) {
  return z.looseObject({
    schemas: z.array(z.string()),
    totalResults: z.int(),
    startIndex: z.int(),
    itemsPerPage: z.int(),
    Resources: z.array(resource),
  })
}

// A number outside of the range counts as its end (RFC 7644, section 3.4.2.4).
const index = (range: { min: number; max: number; default: number }) =>
  z
    .string()
    .regex(/^[+-]?\d{1,9}$/, 'must be a whole number')
    .transform((text) => Math.min(range.max, Math.max(range.min, Number(text))))
    .default(range.default)
    .openapi({ type: 'integer', default: range.default })

const attributeList = z
  .string()
  .max(FILTER_CHARACTERS_MAX, 'is too long')
  .optional()
  .openapi({ description: 'Names of attributes, with commas' })

/** The attributes that an answer contains. */
export const selectionQuery = z.object({
  attributes: attributeList,
  excludedAttributes: attributeList,
})

/** The query of a list. */
export const listQuery = selectionQuery.extend({
  startIndex: index({ min: 1, max: 1e9, default: 1 }),
  count: index({ min: 0, max: COUNT_MAX, default: COUNT_DEFAULT }),
  filter: z.string().optional().openapi({ description: 'Comparisons with `eq`, joined by `and`' }),
})

/** The query of a list. */
export type ScimListQuery = z.infer<typeof listQuery>

/** The attributes that an answer contains. */
export type SelectionQuery = z.infer<typeof selectionQuery>

/** Returns the address of a resource. */
export function toLocation(baseUrl: string, kind: ResourceKind, id: string): string {
  return `${baseUrl}${DIRECTORY_PATH}/${kind}s/${id}`
}

/** Creates the error for a value that SCIM or Portbook does not accept. */
export function invalidValue(message: string): ApiError {
  return new ApiError('scim_value_invalid', message)
}

/** Creates the error for a body that is not the message that the address expects. */
export function invalidSyntax(message: string): ApiError {
  return new ApiError('scim_syntax_invalid', message)
}
