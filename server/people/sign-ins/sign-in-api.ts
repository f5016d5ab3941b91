import type { z } from '@hono/zod-openapi'
import { sessionHeaders } from '../../requests/access/session.ts'
import {
  jsonAnswer,
  type Answer,
  type Call,
  type Endpoint,
  type OpenEndpoint,
} from '../../requests/http/endpoint.ts'
import { formBody, readForm } from '../../requests/http/form.ts'
import { requireOwner } from '../../requests/http/missing-permission.ts'
import { describeError } from '../../requests/http/openapi.ts'
import { showSession } from '../organizations/session-service.ts'
import { toSignInOrigin } from '../users/session.ts'
import * as service from './sign-in-service.ts'
import {
  finishedSignIn,
  finishForm,
  nextForm,
  optionsQuery,
  readTransactionSecret,
  signInOptions,
  startedSignIn,
  startForm,
  transactionHeaders,
  type TransactionKind,
} from './sign-in.ts'

const TOO_MANY = describeError('Too many sign-ins from this network')
const UNREACHABLE = describeError('The provider does not answer as it should')
const STARTED = {
  description: 'The address of the provider to open',
  schema: startedSignIn,
  headers: { 'set-cookie': 'The secret of the sign-in' },
}

/** `GET /ui/sign-in/options`: returns the ways to sign in. */
export const getSignInOptions: OpenEndpoint<z.infer<typeof optionsQuery>> = {
  operation: 'getSignInOptions',
  summary: 'Show the ways to sign in',
  description:
    'With an address, the providers of the organization that has verified its domain; with a vanity address, those of this organization. If the installation has one organization, its providers in any case. No account is looked up.',
  lane: 'point',
  permission: 'public',
  query: optionsQuery,
  isFiltered: true,
  answers: { 200: { description: 'The ways to sign in', schema: signInOptions }, 429: TOO_MANY },
  async handle({ services, client, query: { email, organization } }) {
    service.limitSignIns(services, client)
    const options = await service.listSignInOptions(services.db, { email, vanityUrl: organization })
    return jsonAnswer(200, signInOptions, options)
  },
}

/** `POST /ui/sign-in/provider`: begins a sign-in with a provider. */
export const startProviderSignIn: OpenEndpoint = {
  operation: 'startProviderSignIn',
  summary: 'Start a sign-in with an identity provider',
  permission: 'public',
  body: formBody(startForm, 'The provider, and the page to open afterwards'),
  answers: {
    200: STARTED,
    404: describeError('The provider does not exist or is disabled'),
    424: UNREACHABLE,
    429: TOO_MANY,
  },
  async handle({ services, client, body, requestId }) {
    service.limitSignIns(services, client)
    const form = readForm(body, startForm)
    return await start(services, { ...form, kind: 'sign-in' }, requestId)
  },
}

/** `POST /ui/sign-in/provider/finish`: finishes a sign-in with a provider. */
export const finishProviderSignIn: OpenEndpoint = {
  operation: 'finishProviderSignIn',
  summary: 'Finish a sign-in with an identity provider',
  description:
    'The page to which the provider returns sends its query, with the cookie of the browser that started the sign-in. Both are used up.',
  permission: 'public',
  body: formBody(finishForm, 'The provider, and the query with which it opened the page'),
  answers: {
    200: {
      description: 'What was finished; a session only if the person signed in',
      schema: finishedSignIn,
      headers: { 'set-cookie': 'The session' },
    },
    400: describeError('The sign-in is not one of this browser, is finished or is too old'),
    401: describeError('The person is suspended in the organization'),
    403: describeError('The provider, or the rules of the organization, do not let the person in'),
    409: describeError('The identity belongs to another person'),
    424: UNREACHABLE,
    429: TOO_MANY,
  },
  async handle(call) {
    const { services, client, sessionToken, headers, body } = call
    service.limitSignIns(services, client)
    const callback = {
      ...readForm(body, finishForm),
      ...toSignInOrigin(call),
      secret: readTransactionSecret(headers),
      sessionToken,
    }
    const { started, organizationId, kind, next, tried } = await service.finishSignIn(
      services,
      callback,
    )
    const finished = { kind, next, tried: tried ?? null }
    if (started === undefined)
      return jsonAnswer(200, finishedSignIn, { ...finished, session: null })
    const reach = { userId: started.userId, limitedTo: organizationId }
    const session = await showSession(services.db, reach, organizationId)
    return jsonAnswer(200, finishedSignIn, { ...finished, session }, sessionHeaders(started.token))
  },
}

/** `POST /ui/identity-providers/{id}/try`: lets an owner see what a sign-in would do. */
export const tryProviderSignIn: Endpoint<'id'> = {
  operation: 'tryProviderSignIn',
  summary: 'Start a sign-in that only shows its result',
  description:
    'The answer of the finish has the claims, the matching person and the roles. Nothing is created.',
  permission: 'an owner of the organization',
  requires: ({ caller }) => requireOwner(caller),
  body: formBody(nextForm, 'The page to open afterwards'),
  answers: { 200: STARTED, 424: UNREACHABLE },
  async handle(call) {
    requireOwner(call.caller)
    return await startOwn(call, call.params.id, 'try')
  },
}

/** Starts a transaction of the caller with a provider of their organization. Errors: not_found, provider_unreachable. */
export async function startOwn(
  {
    services,
    caller,
    body,
    requestId,
  }: Pick<Call<never, unknown>, 'services' | 'caller' | 'body' | 'requestId'>,
  providerId: string,
  kind: Exclude<TransactionKind, 'sign-in'>,
): Promise<Answer> {
  const { next } = readForm(body, nextForm)
  const { organizationId, userId } = caller
  const wish = { providerId, organizationId, kind, next, userId }
  return await start(services, wish, requestId)
}

async function start(
  services: service.SignInServices,
  wish: Parameters<typeof service.startSignIn>[1],
  requestId: string,
): Promise<Answer> {
  const { url, secret } = await service.startSignIn(services, wish, requestId)
  return jsonAnswer(200, startedSignIn, { url }, transactionHeaders(secret))
}
