import { randomUUIDv7 } from 'node:crypto'
import { formatClient } from '../../requests/http/client-address.ts'
import { SESSION_PREFIX } from '../../requests/access/session.ts'
import { ApiError, notFound } from '../../platform/errors.ts'
import type { Clock } from '../../platform/kit/clock.ts'
import { hashToken, newToken } from '../../platform/kit/token.ts'
import { toSealContext } from '../../platform/sealed-secrets.ts'
import type { Database } from '../../platform/tables.ts'
import type { EndedSession, ProviderSessionStart, SessionReach, SessionStart } from './session.ts'
import { deleteOwnSessions } from './session-list-store.ts'
import * as store from './session-store.ts'

const USER_AGENT_CHARACTERS_MAX = 500

/**
 * Starts a session and returns its token, of which only a hash is stored. The session ends after 12 hours without
 * use, after 7 days in any case, and one of a provider after the hours of the provider. Errors: not_found for an
 * unknown account, credentials_unknown if a verified password was changed in between.
 */
export async function startSession(
  db: Database,
  clock: Clock,
  userId: string,
  start: SessionStart | ProviderSessionStart,
): Promise<string> {
  const token = newToken(SESSION_PREFIX)
  const id = randomUUIDv7()
  const isStarted = await store.insertSession(db, clock, {
    id,
    userId,
    tokenHash: hashToken(token),
    method: start.method,
    client: start.client === undefined ? null : formatClient(start.client),
    userAgent: start.userAgent?.slice(0, USER_AGENT_CHARACTERS_MAX) ?? null,
    requestId: start.requestId,
    passwordHash: start.method === 'provider' ? null : (start.passwordHash ?? null),
    ofProvider: start.method === 'provider' ? toProviderSession(id, start) : null,
  })
  if (isStarted) return token
  if (start.method === 'provider' || start.passwordHash === undefined) throw notFound()
  throw new ApiError('credentials_unknown', 'The password has just been changed. Try again.')
}

function toProviderSession(id: string, start: ProviderSessionStart): store.ProviderSession {
  const { organizationId, providerId, subject, sid = null, hours, idToken } = start
  const sealed =
    idToken === undefined
      ? null
      : {
          sealed: idToken.secretBox.seal(idToken.text, toSealContext('session_id_token', [id])),
          keyId: idToken.secretBox.keyId,
        }
  return { organizationId, providerId, subject, sid, hours, idToken: sealed }
}

/**
 * Ends the sessions of a person except one, and gives that one a new secret, which it returns. Errors:
 * credentials_unknown if the session has just been ended.
 */
export async function renewSession(
  db: Database,
  userId: string,
  formerToken: string,
  requestId: string,
): Promise<string> {
  const token = newToken(SESSION_PREFIX)
  const hashes = { formerHash: hashToken(formerToken), tokenHash: hashToken(token) }
  if (await store.rotateSession(db, userId, hashes, requestId)) return token
  throw new ApiError('credentials_unknown', 'This session has just been ended. Sign in again.')
}

/**
 * Asserts that a session may change what the account has in all organizations: the name, the password, the identities.
 * One of a provider may only if the person is in no other organization, because others decide who signs in with it.
 * Errors: session_limited.
 */
export async function requireFullReach(
  db: Database,
  { userId, limitedTo }: SessionReach,
): Promise<void> {
  if (limitedTo === undefined) return
  if (await store.isMemberElsewhere(db, userId, limitedTo)) throw sessionLimited()
}

/** Returns the error of a session of a provider that would act outside of the provider's organization. */
export function sessionLimited(): ApiError {
  return new ApiError(
    'session_limited',
    'This session began with an identity provider and acts only in the organization of the provider. Sign out, and sign in with your password.',
  )
}

/** Ends a session by its token, immediately in all processes. Returns it; undefined = it had ended before. */
export async function endSession(
  db: Database,
  token: string,
  requestId = '',
): Promise<EndedSession | undefined> {
  return await store.deleteSession(db, hashToken(token), requestId)
}

/** Ends all sessions of a person, those within the reach of the session that asks for it. */
export async function endAllSessions(
  db: Database,
  reach: SessionReach,
  requestId = '',
): Promise<void> {
  await deleteOwnSessions(db, reach, {}, requestId)
}

/** Deletes all sessions that are over, with the addresses of their clients. */
export async function deleteEndedSessions(db: Database, clock: Clock): Promise<void> {
  await store.deleteEndedSessions(db, clock)
}
