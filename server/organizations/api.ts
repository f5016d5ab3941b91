import { z } from '@hono/zod-openapi'
import { jsonAnswer, type Endpoint } from '../http/endpoint.ts'
import { organizationSettings } from './organization.ts'

/** `GET /api/organization/settings`: whose key this is. */
export const getSettings: Endpoint<never, object> = {
  operation: 'getOrganizationSettings',
  summary: 'Tell the organization and the key of the caller',
  permission: 'any key',
  params: [],
  query: z.object({}),
  answers: { 200: { description: 'The organization', schema: organizationSettings } },
  async handle({ caller }) {
    return jsonAnswer(200, organizationSettings, {
      organizationId: caller.organizationId,
      name: caller.organizationName,
      caller: {
        organizationApiKeyId: caller.keyId ?? null,
        displayName: caller.keyName,
        scope: caller.scope,
        teamId: caller.team ?? null,
        readOnly: caller.readOnly,
      },
    })
  },
}
