import type { z } from '@hono/zod-openapi'
import { KEY_SCOPES } from '../../../formats/team/key-scope.ts'
import type { Value } from '../../../formats/text/text.ts'
import { ApiError, toViolations } from '../../platform/errors.ts'
import { invalidRequest, readDocument } from '../../requests/http/document.ts'
import { jsonAnswer, type Endpoint } from '../../requests/http/endpoint.ts'
import { formBody } from '../../requests/http/form.ts'
import { describeError } from '../../requests/http/openapi.ts'
import { apiKeyRequest, createdApiKey, listKeyPermissions, type NewApiKey } from './api-key.ts'
import { toKeyLimit } from './key-limit.ts'
import { createApiKey, deleteTeamKey } from './service.ts'

const BODY_BYTES_MAX = 64 * 1024

/** `POST /api/api-keys`: creates a team key. */
export const createKey: Endpoint = {
  operation: 'createApiKey',
  summary: "Create a team's API key",
  permission: 'an organization key',
  limitedKey: ['TEAM_API_KEY_MANAGE'],
  body: formBody(
    apiKeyRequest,
    'The new key. Scopes other than team and team_read answer 400.',
    BODY_BYTES_MAX,
  ),
  answers: {
    201: { description: 'The key, with its secret', schema: createdApiKey },
    409: describeError('The organization has 100 keys'),
  },
  async handle({ services, caller, body, requestId }) {
    const { value } = readDocument(body)
    const request = readRequest(value)
    const { scope, expiresAt, teamId = null } = request
    const permissions = toKeyLimit(caller, {
      scope,
      team: teamId,
      permissions: request.permissions ?? undefined,
    })
    const displayName = request.displayName || `Key of ${teamId}`
    const key: NewApiKey = {
      scope,
      team: teamId ?? undefined,
      userId: undefined,
      displayName,
      expiresOn: expiresAt ?? undefined,
      permissions,
    }
    const { db, clock } = services
    const { organizationId, principal } = caller
    const created = await createApiKey(db, clock, organizationId, { ...key, requestId }, principal)
    return jsonAnswer(201, createdApiKey, {
      organizationApiKeyId: created.id,
      displayName,
      key: created.secret,
      scope,
      teamId: created.team,
      expiresAt: expiresAt ?? null,
      permissions: listKeyPermissions({ scope, permissions }),
    })
  },
}

/** `DELETE /api/api-keys/{organizationApiKeyId}`: deletes a team key. */
export const deleteKey: Endpoint<'organizationApiKeyId'> = {
  operation: 'deleteApiKey',
  summary: "Delete a team's API key",
  permission: { needs: ['TEAM_API_KEY_MANAGE'], on: "the key's team" },
  answers: { 204: { description: 'The key is deleted' } },
  async handle({ services, caller, params: { organizationApiKeyId: id }, requestId }) {
    await deleteTeamKey(services.db, caller, { id, requestId })
    services.authenticator.forget()
    return { status: 204 }
  },
}

function readRequest(value: Value): z.infer<typeof apiKeyRequest> {
  const request = apiKeyRequest.safeParse(value)
  if (!request.success) {
    const violations = toViolations(request.error.issues)
    const limit = violations.find(({ field }) => /^permissions\b/.test(field))
    if (limit !== undefined) {
      throw new ApiError('request_malformed', `${limit.field} ${limit.message}.`, { violations })
    }
    if (violations.some(({ field }) => field === 'scope')) {
      throw new ApiError('request_malformed', 'Invalid API key request.', { violations })
    }
    throw invalidRequest(violations)
  }
  const { scope, teamId } = request.data
  if (KEY_SCOPES[scope].holder !== 'team') {
    throw new ApiError('request_malformed', `Keys of scope ${scope} are created in the web UI.`, {
      violations: [{ field: 'scope', message: 'must be team or team_read' }],
    })
  }
  if (teamId === null || teamId === undefined) {
    throw new ApiError('validation_failed', 'teamId is missing.', {
      violations: [{ field: 'teamId', message: 'is required for team keys' }],
    })
  }
  return request.data
}
