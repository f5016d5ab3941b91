import type { Person } from '../../requests/access/authenticate.ts'
import {
  noSessionHeaders,
  ORGANIZATION_HEADER,
  sessionHeaders,
} from '../../requests/access/session.ts'
import {
  jsonAnswer,
  type Answer,
  type OpenEndpoint,
  type PersonCall,
  type PersonEndpoint,
} from '../../requests/http/endpoint.ts'
import { formBody, readForm } from '../../requests/http/form.ts'
import { describeError } from '../../requests/http/openapi.ts'
import { showSession } from './session-service.ts'
import { session, signedOut } from './signed-in.ts'
import { findSignOutAddress } from '../providers/sign-out-service.ts'
import * as service from '../users/service.ts'
import { mailBreakGlassUse } from './account-mail-service.ts'
import { endAllSessions, endSession } from '../users/session-service.ts'
import { toSignInOrigin, type SessionReach } from '../users/session.ts'
import { passwordForm, profileForm, signInForm } from '../users/user.ts'

const TOO_MANY = describeError('Too many wrong passwords, or too many requests')
const SESSION = { description: 'The session', schema: session }

/** `POST /ui/sign-in`: starts a session. */
export const signIn: OpenEndpoint = {
  operation: 'signIn',
  summary: 'Sign in',
  permission: 'public',
  body: formBody(signInForm, 'The address and the password'),
  answers: {
    200: { ...SESSION, headers: { 'set-cookie': 'The session' } },
    401: describeError('Wrong address or password'),
    429: TOO_MANY,
  },
  async handle(call) {
    const { services, sessionToken, headers, body } = call
    const attempt = { ...readForm(body, signInForm), ...toSignInOrigin(call) }
    const { userId, token } = await service.signIn(services, attempt, sessionToken)
    await mailBreakGlassUse(services, userId)
    const named = headers.get(ORGANIZATION_HEADER) ?? undefined
    const signedIn = await showSession(services.db, { userId, limitedTo: undefined }, named)
    return jsonAnswer(200, session, signedIn, sessionHeaders(token))
  },
}

/** `GET /ui/session`: returns the session. */
export const getSession: PersonEndpoint = {
  operation: 'getSession',
  summary: 'Get the signed-in person, their organization and their permissions there',
  lane: 'point',
  permission: 'authenticated',
  answers: { 200: SESSION },
  async handle(call) {
    return await sessionAnswer(call)
  },
}

/** `POST /ui/sign-out`: ends this session. */
export const signOut: PersonEndpoint = {
  operation: 'signOut',
  summary: 'Sign out',
  permission: 'authenticated',
  answers: { 200: { description: 'The session has ended', schema: signedOut } },
  async handle({ services, sessionToken, requestId }) {
    const ended =
      sessionToken === undefined
        ? undefined
        : await endSession(services.db, sessionToken, requestId)
    const next = ended === undefined ? undefined : await findSignOutAddress(services, ended)
    return jsonAnswer(200, signedOut, { next: next ?? null }, noSessionHeaders())
  },
}

/** `POST /ui/sign-out-everywhere`: ends every session of the person. */
export const signOutEverywhere: PersonEndpoint = {
  operation: 'signOutEverywhere',
  summary: 'Sign out in every browser',
  permission: 'authenticated',
  answers: { 204: { description: 'All sessions of the person have ended' } },
  async handle({ services, person, requestId }) {
    await endAllSessions(services.db, toReach(person), requestId)
    return { status: 204, headers: noSessionHeaders() }
  },
}

/** `PUT /ui/profile`: changes the name of the signed-in person. */
export const putProfile: PersonEndpoint = {
  operation: 'putProfile',
  summary: 'Change your name',
  permission: 'authenticated',
  body: formBody(profileForm, 'The new name'),
  answers: { 200: SESSION },
  async handle(call) {
    const { name } = readForm(call.body, profileForm)
    const { requestId } = call
    await service.rename(call.services.db, toReach(call.person), { name, requestId })
    call.services.authenticator.forget()
    return await sessionAnswer(call)
  },
}

/** `POST /ui/password`: changes the password, and ends the sessions in other browsers. */
export const changePassword: PersonEndpoint = {
  operation: 'changePassword',
  summary: 'Change your password',
  description: 'The other sessions of the person end; the one of this browser gets a new secret.',
  permission: 'authenticated',
  body: formBody(passwordForm, 'The current password and the new one'),
  answers: {
    204: { description: 'The password is changed', headers: { 'set-cookie': 'The session' } },
    422: describeError('The current password is wrong, or the new one is too short'),
    429: TOO_MANY,
  },
  async handle({ services, person, sessionToken = '', body, requestId }) {
    const change = { ...readForm(body, passwordForm), requestId }
    const session = { ...toReach(person), sessionToken }
    const token = await service.changePassword(services, session, change)
    return { status: 204, headers: sessionHeaders(token) }
  },
}

async function sessionAnswer({
  services,
  person,
  headers,
}: Pick<PersonCall, 'services' | 'person' | 'headers'>): Promise<Answer> {
  const named = headers.get(ORGANIZATION_HEADER) ?? undefined
  return jsonAnswer(200, session, await showSession(services.db, toReach(person), named))
}

function toReach({ userId, session: { limitedTo } }: Person): SessionReach {
  return { userId, limitedTo }
}
