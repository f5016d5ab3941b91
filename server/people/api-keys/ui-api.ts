import { readDocument } from '../../requests/http/document.ts'
import { jsonAnswer, type Endpoint } from '../../requests/http/endpoint.ts'
import { formBody } from '../../requests/http/form.ts'
import { describeError } from '../../requests/http/openapi.ts'
import { createdApiKey, uiApiKeyRequest, uiApiKeys } from './api-key.ts'
import { deleteKeyFor, listKeysFor, createKeyFor } from './person-service.ts'

const BODY_BYTES_MAX = 64 * 1024

/** `GET /ui/api-keys`: lists the keys that the person may see. */
export const listKeys: Endpoint = {
  operation: 'listApiKeys',
  summary: 'List API keys',
  description:
    'Owners of the organization see all keys; others see their own and those of teams whose keys they manage.',
  lane: 'scan',
  permission: 'a session',
  answers: { 200: { description: 'The keys, expired ones last', schema: uiApiKeys } },
  async handle({ services: { db, clock }, caller }) {
    return jsonAnswer(200, uiApiKeys, await listKeysFor(db, clock, caller))
  },
}

/** `POST /ui/api-keys`: creates a key of any scope within the person's permissions. */
export const createAnyKey: Endpoint = {
  operation: 'createAnyApiKey',
  summary: 'Create an API key of any scope',
  description:
    'Every person can create personal keys, people with TEAM_API_KEY_MANAGE on a team its keys, and owners of the organization organization keys. A key has at most the permissions of its creator.',
  permission: 'a session',
  body: formBody(uiApiKeyRequest, 'The new key', BODY_BYTES_MAX),
  answers: {
    201: { description: 'The key, with its secret', schema: createdApiKey },
    409: describeError('The organization has 100 keys'),
  },
  async handle({ services, caller, body, requestId }) {
    const { value } = readDocument(body)
    const { id, secret, request, permissions } = await createKeyFor(services, caller, {
      value,
      requestId,
    })
    return jsonAnswer(201, createdApiKey, {
      organizationApiKeyId: id,
      displayName: request.displayName,
      key: secret,
      scope: request.scope,
      teamId: request.teamId ?? null,
      expiresAt: request.expiresAt ?? null,
      permissions,
    })
  },
}

/** `DELETE /ui/api-keys/{organizationApiKeyId}`: deletes a key of any scope. */
export const deleteAnyKey: Endpoint<'organizationApiKeyId'> = {
  operation: 'deleteAnyApiKey',
  summary: 'Delete an API key of any scope',
  permission: 'a session',
  answers: { 204: { description: 'The key is deleted' } },
  async handle({ services, caller, params: { organizationApiKeyId: id }, requestId }) {
    await deleteKeyFor(services.db, caller, { id, requestId })
    services.authenticator.forget()
    return { status: 204 }
  },
}
