import { z } from '@hono/zod-openapi'
import { entityTag, readConditions } from '../../requests/http/conditional.ts'
import { jsonAnswer, type Answer, type Endpoint } from '../../requests/http/endpoint.ts'
import { formBody, readForm } from '../../requests/http/form.ts'
import { requireOwner } from '../../requests/http/missing-permission.ts'
import { commonError, describeError } from '../../requests/http/openapi.ts'
import { newProviderForm, providerForm, PROVIDER_FORM_BYTES_MAX } from './provider-form.ts'
import { providerAnswer, providersAnswer, type ProviderAnswer } from './provider.ts'
import * as providers from './service.ts'
import { testProvider } from './trial-service.ts'
import { trialAnswer, trialForm } from './trial.ts'

const OWNER = 'an owner of the organization'
const PROVIDER = {
  description: 'The provider as it is now',
  schema: providerAnswer,
  headers: { etag: 'Its version' },
}
const CONFIRMATION = describeError(
  'People are linked to the provider and their number is not confirmed, or the sign-in rule needs it',
)

function answer(status: number, provider: ProviderAnswer): Answer {
  return jsonAnswer(status, providerAnswer, provider, { etag: entityTag(String(provider.version)) })
}

/** `GET /ui/identity-providers`: lists the identity providers of the organization. */
export const getProviders: Endpoint = {
  operation: 'listIdentityProviders',
  summary: 'List the identity providers of the organization',
  lane: 'point',
  permission: OWNER,
  requires: ({ caller }) => requireOwner(caller),
  answers: { 200: { description: 'The providers, sorted by name', schema: providersAnswer } },
  async handle({ services, caller }) {
    return jsonAnswer(200, providersAnswer, await providers.listProviders(services, caller))
  },
}

/** `POST /ui/identity-providers`: connects an identity provider. */
export const postProvider: Endpoint = {
  operation: 'createIdentityProvider',
  summary: 'Connect an identity provider',
  permission: OWNER,
  requires: ({ caller }) => requireOwner(caller),
  body: formBody(newProviderForm, 'The settings of the provider', PROVIDER_FORM_BYTES_MAX),
  answers: { 201: PROVIDER, 409: describeError('The organization has 10 providers') },
  async handle({ services, caller, body, requestId }) {
    const form = readForm(body, newProviderForm)
    return answer(201, await providers.createProvider(services, caller, { form, requestId }))
  },
}

/** `PUT /ui/identity-providers/{id}`: replaces the settings of an identity provider. */
export const putProvider: Endpoint<'id'> = {
  operation: 'putIdentityProvider',
  summary: 'Replace the settings of an identity provider',
  description:
    'A new issuer, client id or authentication needs the client secret again, and removes the links of people.',
  permission: OWNER,
  requires: ({ caller }) => requireOwner(caller),
  body: formBody(providerForm, 'The settings of the provider', PROVIDER_FORM_BYTES_MAX),
  answers: { 200: PROVIDER, 409: CONFIRMATION, 412: commonError(412) },
  async handle({ services, caller, params: { id }, headers, body, requestId }) {
    const form = readForm(body, providerForm)
    const input = { id, form, conditions: readConditions(headers), requestId }
    const changed = await providers.changeProvider(services, caller, input)
    services.authenticator.forget()
    return answer(200, changed)
  },
}

/** `POST /ui/identity-providers/test`: tests a draft or a stored provider. */
export const testIdentityProvider: Endpoint = {
  operation: 'testIdentityProvider',
  summary: 'Test the settings of an identity provider',
  description:
    'Each step of a sign-in that needs no person is tried, with a sentence about its result. The stored client secret is sent only with the stored issuer, client and certificates.',
  permission: OWNER,
  lane: 'bulk',
  requires: ({ caller }) => requireOwner(caller),
  body: formBody(trialForm, 'The settings to test', PROVIDER_FORM_BYTES_MAX),
  answers: { 200: { description: 'A finding for each step', schema: trialAnswer } },
  async handle({ services, caller, body }) {
    const form = readForm(body, trialForm)
    return jsonAnswer(200, trialAnswer, await testProvider(services, caller, form))
  },
}

const deletion = z.object({
  confirmedLinkCount: z
    .string()
    .regex(/^\d{1,9}$/, 'must be a whole number')
    .transform(Number)
    .default(0)
    .openapi({
      type: 'integer',
      description: 'The number of people who are linked to it, as the person has confirmed it',
    }),
})

/** `DELETE /ui/identity-providers/{id}`: deletes an identity provider. */
export const deleteProvider: Endpoint<'id', z.infer<typeof deletion>> = {
  operation: 'deleteIdentityProvider',
  summary: 'Delete an identity provider with its links and sessions',
  description: 'The accounts that it manages belong to their people again, who can set a password.',
  permission: OWNER,
  requires: ({ caller }) => requireOwner(caller),
  query: deletion,
  answers: {
    204: { description: 'It is deleted' },
    409: CONFIRMATION,
    412: commonError(412),
  },
  async handle({ services, caller, params: { id }, query, headers, requestId }) {
    const conditions = readConditions(headers)
    const input = { id, ...query, conditions, requestId }
    await providers.deleteProvider(services, caller, input)
    services.authenticator.forget()
    return { status: 204 }
  },
}
