import type { z } from '@hono/zod-openapi'
import { ApiError, notFound } from '../../platform/errors.ts'
import type { Answer, DescribedAnswer, Endpoint } from '../../requests/http/endpoint.ts'
import { describeError } from '../../requests/http/openapi.ts'
import { SCIM_MEDIA_TYPE } from '../../requests/http/scim-problem.ts'
import { DIRECTORY_PERMISSION } from './answer.ts'
import { newScimBody } from './body.ts'
import { resourceType, schemaDescription, serviceDescription } from './discovery-schema.ts'
import { describeService, listResourceTypes, listSchemas } from './discovery.ts'
import { LIST_SCHEMA, scimList } from './scim.ts'

const describe = (schema: z.ZodType): DescribedAnswer => ({
  description: 'As RFC 7643 defines it',
  mediaTypes: [SCIM_MEDIA_TYPE],
  schema,
})

/** `GET /api/scim/v2/ServiceProviderConfig`: returns what the service supports. */
export const getServiceProviderConfig: Endpoint = {
  ...DIRECTORY_PERMISSION,
  operation: 'getScimServiceProviderConfig',
  summary: 'Get what provisioning supports',
  lane: 'point',
  answers: { 200: describe(serviceDescription) },
  handle: async ({ services }) => answer(describeService(services.baseUrl)),
}

/** `GET /api/scim/v2/ResourceTypes`: lists the types of resources. */
export const getResourceTypes: Endpoint = {
  ...DIRECTORY_PERMISSION,
  operation: 'listScimResourceTypes',
  summary: 'List the types of SCIM resources',
  lane: 'point',
  answers: { 200: describe(scimList(resourceType)) },
  handle: async ({ services }) => answerAll(listResourceTypes(services.baseUrl)),
}

/** `GET /api/scim/v2/ResourceTypes/{id}`: returns a type of resources. */
export const getResourceType: Endpoint<'id'> = {
  ...DIRECTORY_PERMISSION,
  operation: 'getScimResourceType',
  summary: 'Get a type of SCIM resources',
  answers: { 200: describe(resourceType) },
  handle: async ({ services, params }) => answerOne(listResourceTypes(services.baseUrl), params.id),
}

/** `GET /api/scim/v2/Schemas`: lists the schemas. */
export const getSchemas: Endpoint = {
  ...DIRECTORY_PERMISSION,
  operation: 'listScimSchemas',
  summary: 'List the SCIM schemas',
  lane: 'point',
  answers: { 200: describe(scimList(schemaDescription)) },
  handle: async ({ services }) => answerAll(listSchemas(services.baseUrl)),
}

/** `GET /api/scim/v2/Schemas/{id}`: returns a schema by its URN. */
export const getSchema: Endpoint<'id'> = {
  ...DIRECTORY_PERMISSION,
  operation: 'getScimSchema',
  summary: 'Get a SCIM schema',
  answers: { 200: describe(schemaDescription) },
  handle: async ({ services, params }) => answerOne(listSchemas(services.baseUrl), params.id),
}

/** Creates an endpoint that SCIM defines and that is not offered. */
export function newMissingEndpoint(operation: string, summary: string): Endpoint {
  return {
    ...DIRECTORY_PERMISSION,
    operation,
    summary,
    description: 'Not offered: it is always rejected.',
    body: newScimBody('Any message'),
    answers: { 501: describeError('Not offered') },
    async handle() {
      throw new ApiError(
        'not_implemented',
        'Bulk requests and searches by POST are not offered. Send one request for each resource, and filters with GET.',
      )
    },
  }
}

function answer(resource: object): Answer {
  return { status: 200, mediaType: SCIM_MEDIA_TYPE, body: JSON.stringify(resource) }
}

function answerOne(resources: readonly { id?: string }[], id: string): Answer {
  const resource = resources.find((one) => one.id === id)
  if (resource === undefined) throw notFound()
  return answer(resource)
}

function answerAll(resources: readonly object[]): Answer {
  return answer({
    schemas: [LIST_SCHEMA],
    totalResults: resources.length,
    startIndex: 1,
    itemsPerPage: resources.length,
    Resources: resources,
    resources,
  })
}
