import { jsonAnswer, type Endpoint } from '../../requests/http/endpoint.ts'
import { formBody } from '../../requests/http/form.ts'
import { describeError } from '../../requests/http/openapi.ts'
import { ownIdentities } from './identity.ts'
import * as service from './identity-service.ts'
import { startOwn } from './sign-in-api.ts'
import { nextForm, startedSignIn } from './sign-in.ts'

const STARTED = {
  description: 'The address of the provider to open',
  schema: startedSignIn,
  headers: { 'set-cookie': 'The secret of the sign-in' },
}
const LIMITED = describeError(
  'The session acts only in one of several organizations, or began long ago',
)

/** `GET /ui/provider-identities`: lists the providers of the organization, with the identity of the person. */
export const getOwnIdentities: Endpoint = {
  operation: 'getOwnIdentities',
  summary: 'List the identity providers of the organization, with your identities',
  lane: 'point',
  permission: 'a session',
  answers: { 200: { description: 'The providers, by name', schema: ownIdentities } },
  async handle({ services, caller }) {
    return jsonAnswer(200, ownIdentities, await service.listOwnIdentities(services, caller))
  },
}

/** `POST /ui/provider-identities/{id}`: begins to link the person to a provider. */
export const linkOwnIdentity: Endpoint<'id'> = {
  operation: 'linkOwnIdentity',
  summary: 'Start to link your account to an identity provider',
  description: 'The person must have signed in within the last 5 minutes.',
  permission: 'a session',
  body: formBody(nextForm, 'The page to open afterwards'),
  answers: { 200: STARTED, 403: LIMITED },
  async handle(call) {
    await service.requireLinkable(call.services, call.caller)
    return await startOwn(call, call.params.id, 'link')
  },
}

/** `POST /ui/provider-identities/{id}/confirm`: lets the person prove with a provider that they are still there. */
export const confirmOwnIdentity: Endpoint<'id'> = {
  operation: 'confirmOwnIdentity',
  summary: 'Start to confirm with an identity provider that it is you',
  description:
    'The provider asks the person to sign in again. The session is replaced by a new one.',
  permission: 'a session',
  body: formBody(nextForm, 'The page to open afterwards'),
  answers: { 200: STARTED },
  async handle(call) {
    return await startOwn(call, call.params.id, 'confirm')
  },
}

/** `DELETE /ui/provider-identities/{id}`: unlinks the person from a provider. */
export const unlinkOwnIdentity: Endpoint<'id'> = {
  operation: 'unlinkOwnIdentity',
  summary: 'Unlink your account from an identity provider',
  description: 'The sessions that began with the provider end.',
  permission: 'a session',
  answers: {
    204: { description: 'The account is unlinked' },
    403: LIMITED,
    422: describeError('The person could no longer sign in'),
  },
  async handle({ services, caller, params: { id: providerId }, requestId }) {
    await service.unlinkIdentity(services, caller, { providerId, requestId })
    services.authenticator.forget()
    return { status: 204 }
  },
}
