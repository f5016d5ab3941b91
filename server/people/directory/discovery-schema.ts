import { z } from '@hono/zod-openapi'

// The descriptions that SCIM clients read: RFC 7643, sections 5 to 7.

const meta = z.object({ resourceType: z.string(), location: z.string() })
const feature = z.object({ supported: z.boolean() })

/** A description of what the service supports. */
export const serviceDescription = z
  .object({
    schemas: z.array(z.string()),
    documentationUri: z.string(),
    patch: feature,
    bulk: feature.extend({ maxOperations: z.int(), maxPayloadSize: z.int() }),
    filter: feature.extend({ maxResults: z.int() }),
    changePassword: feature,
    sort: feature,
    etag: feature,
    authenticationSchemes: z.array(
      z.object({
        name: z.string(),
        description: z.string(),
        specUri: z.string(),
        type: z.string(),
        primary: z.boolean(),
      }),
    ),
    meta,
  })
  .openapi('ScimServiceProviderConfig')

/** A type of resources. */
export const resourceType = z
  .object({
    schemas: z.array(z.string()),
    id: z.string(),
    name: z.string(),
    endpoint: z.string(),
    description: z.string(),
    schema: z.string(),
    schemaExtensions: z.array(z.string()),
    meta,
  })
  .openapi('ScimResourceType')

const attributeShape = {
  name: z.string(),
  type: z.enum(['string', 'boolean', 'complex', 'reference']),
  multiValued: z.boolean(),
  description: z.string(),
  required: z.boolean(),
  caseExact: z.boolean(),
  mutability: z.enum(['readOnly', 'readWrite', 'immutable']),
  returned: z.enum(['always', 'default']),
  uniqueness: z.enum(['none', 'server']),
  canonicalValues: z.array(z.string()).optional(),
  referenceTypes: z.array(z.string()).optional(),
}

const attribute = z.object({
  ...attributeShape,
  subAttributes: z.array(z.object(attributeShape)).optional(),
})

/** An attribute of a schema. */
export type ScimAttribute = z.infer<typeof attribute>

/** A schema of a resource. */
export const schemaDescription = z
  .object({
    schemas: z.array(z.string()),
    id: z.string(),
    name: z.string(),
    description: z.string(),
    attributes: z.array(attribute),
    meta,
  })
  .openapi('ScimSchema')
