import type { Caller } from '../../requests/access/caller.ts'
import { readConditions } from '../../requests/http/conditional.ts'
import { documentAnswer, documentAnswered } from '../../requests/http/document.ts'
import {
  inThreads,
  type DescribedAnswer,
  type Endpoint,
  jsonAnswer,
} from '../../requests/http/endpoint.ts'
import { commonError, describeError } from '../../requests/http/openapi.ts'
import {
  requireOrganizationKeyOrSession,
  requireOwner,
} from '../../requests/http/missing-permission.ts'
import type { OrganizationDocumentKind, Readers } from './organization-document.ts'
import { getOrganizationDocument, putOrganizationDocument } from './service.ts'
import { z } from '@hono/zod-openapi'
import { DEFAULT_ROLES, listGrants, PERMISSIONS } from '../../requests/access/permission.ts'
import { listRoleUses } from './store.ts'

/** `GET` of an organization document; the initial one if the organization has not written any. */
export function createGetOrganizationDocument(declared: OrganizationDocumentKind): Endpoint {
  const { called, operation, readers, page } = declared
  return {
    operation: `get${operation}`,
    summary: `Read the ${called}`,
    lane: 'point',
    permission: readers,
    answers: {
      200: describeDocument(declared),
      304: { description: 'The client has it already' },
    },
    async handle({ services, caller, headers }) {
      requireReader(caller, readers)
      const stored = await getOrganizationDocument(services.db, caller.organizationId, declared)
      const request = { headers, conditions: readConditions(headers) }
      const pageHeader = { 'location-html': `${services.baseUrl}${page}` }
      return await documentAnswer(inThreads(services, caller), stored, request, pageHeader)
    },
  }
}

/** `PUT` of an organization document: replaces it. */
export function createPutOrganizationDocument(declared: OrganizationDocumentKind): Endpoint {
  const { called, operation, mediaTypes, bytesMax, schema, page, listRoles } = declared
  return {
    operation: `put${operation}`,
    summary: `Replace the ${called}`,
    permission: 'an owner of the organization',
    body: {
      content: 'document',
      mediaTypes,
      bytesMax,
      schema,
      description: 'The document, whole',
    },
    answers: {
      200: describeDocument(declared),
      ...(listRoles && {
        409: describeError('No role is left, or members have one that is missing'),
      }),
      412: commonError(412),
    },
    async handle({ services, caller, headers, body, requestId }) {
      const conditions = readConditions(headers)
      const put = { body, conditions, requestId }
      const stored = await putOrganizationDocument(services, caller, declared, put)
      const pageHeader = { 'location-html': `${services.baseUrl}${page}` }
      return await documentAnswer(inThreads(services, caller), stored, { headers }, pageHeader)
    },
  }
}

function requireReader(caller: Caller, readers: Readers): void {
  if (readers === 'an organization key or a session') requireOrganizationKeyOrSession(caller)
  if (readers === 'an owner of the organization') requireOwner(caller)
}

function describeDocument({ schema }: OrganizationDocumentKind): DescribedAnswer {
  const { description, mediaTypes } = documentAnswered('The document as stored')
  return {
    description,
    ...(mediaTypes === undefined ? {} : { mediaTypes }),
    schema,
    headers: {
      etag: 'The digest of the document',
      'location-html': "The address of the settings' page",
    },
  }
}

const teamRoleUse = z
  .object({
    defaults: z.array(z.object({ name: z.string(), permissions: z.array(z.enum(PERMISSIONS)) })),
    uses: z
      .array(z.object({ role: z.string(), members: z.int() }))
      .openapi({ description: 'The members of all teams by their role, without inherited roles' }),
  })
  .openapi('TeamRoleUse')

/** `GET /ui/team-roles`: the default roles, and how many members have each role. */
export const getTeamRoleUse: Endpoint = {
  operation: 'getTeamRoleUse',
  summary: 'Read the default team roles, and how many members have each role',
  lane: 'scan',
  permission: 'a session',
  answers: { 200: { description: 'The roles', schema: teamRoleUse } },
  async handle({ services, caller }) {
    const defaults = DEFAULT_ROLES.map((name) => {
      const granted = listGrants(name)
      return { name, permissions: PERMISSIONS.filter((permission) => granted.has(permission)) }
    })
    const uses = await listRoleUses(services.db, caller.organizationId)
    return jsonAnswer(200, teamRoleUse, { defaults, uses })
  },
}
