/** The rules of the claims of a token, after its signature was verified. */

import { createHash } from 'node:crypto'
import type { Members } from './token-part.ts'
import { TokenRefused } from './token-refusal.ts'

/** The event of a log-out token: OpenID Connect Back-Channel Logout 1.0, section 2.4. */
export const LOGOUT_EVENT = 'http://schemas.openid.net/event/backchannel-logout'

/** The difference between the clocks of issuers and of the database. */
export const TOLERANCE_S = 60

/** Azure's managed identities have tokens of 24 hours and 5 minutes. */
const LIFETIME_S_MAX = 36 * 3600

/** Times from here on, in the year 2242, are milliseconds or a mistake. */
const TIME_S_MAX = 2 ** 33

/** Throws unless the times of a token are whole seconds, and its lifetime is short. Errors: TokenRefused. */
export function assertTimes(claims: Members, now: Date): void {
  for (const name of ['exp', 'iat', 'nbf']) {
    const value = claims[name]
    const isTime = Number.isInteger(value) && Number(value) >= 0 && Number(value) < TIME_S_MAX
    if (!isTime && (value !== undefined || name !== 'nbf')) {
      throw new TokenRefused('times', `The claim ${name} of the token is not a time in seconds`)
    }
  }
  const issuedAt = Number(claims['iat'])
  if (issuedAt > Math.floor(now.getTime() / 1000) + TOLERANCE_S) {
    throw new TokenRefused('not_yet_valid', 'The token was issued in the future (iat)')
  }
  if (Number(claims['exp']) - issuedAt > LIFETIME_S_MAX) {
    throw new TokenRefused('lifetime', 'The token is valid for more than 36 hours')
  }
}

/** Throws unless the audience is a text or a list of texts: RFC 7519, section 4.1.3. Errors: TokenRefused. */
export function assertAudiences({ aud }: Members): void {
  if ([aud].flat().every((each) => typeof each === 'string')) return
  throw new TokenRefused('audience', 'The claim aud of the token is not a text or a list of texts')
}

/** Returns the subject; undefined = the token names a session instead. Errors: TokenRefused. */
export function readSubject(
  { sub, sid }: Members,
  { subjectCharactersMax, namesSession }: { subjectCharactersMax: number; namesSession: boolean },
): string | undefined {
  if (sub === undefined && namesSession) {
    if (isName(sid, subjectCharactersMax)) return undefined
    throw new TokenRefused('subject', 'The token names no person (sub) and no session (sid)')
  }
  if (isName(sub, subjectCharactersMax)) return sub
  const form = `a text of 1 to ${subjectCharactersMax} characters`
  throw new TokenRefused('subject', `The claim sub of the token is not ${form}`)
}

function isName(value: unknown, charactersMax: number): value is string {
  return typeof value === 'string' && value !== '' && value.length <= charactersMax
}

/** The expectations of an ID token. */
export interface IdTokenExpectation {
  clientId: string
  nonce: string
  /** The access token of the same answer, which `at_hash` names. */
  accessToken?: string | undefined
}

/** Checks the claims of an ID token: OpenID Connect Core 1.0, sections 3.1.3.6 and 3.1.3.7. Errors: TokenRefused. */
export function assertIdToken(
  { azp, aud, nonce, at_hash: accessTokenHash }: Members,
  { alg }: Members,
  expected: IdTokenExpectation,
): void {
  const { clientId, accessToken } = expected
  const hasOthers = [aud].flat().some((each) => each !== clientId)
  if (azp === undefined ? hasOthers : azp !== clientId) {
    const problem = 'The token was issued to another client (azp)'
    throw new TokenRefused('authorized_party', problem)
  }
  if (nonce !== expected.nonce) {
    throw new TokenRefused('nonce', 'The token belongs to another sign-in (nonce)')
  }
  if (accessTokenHash === undefined || accessToken === undefined) return
  if (accessTokenHash !== hashAccessToken(accessToken, String(alg))) {
    const problem = 'The token belongs to another access token (at_hash)'
    throw new TokenRefused('access_token_hash', problem)
  }
}

/** Returns the left half of the hash that the algorithm has; that of Ed25519 is SHA-512. */
function hashAccessToken(accessToken: string, algorithm: string): string {
  const bits = /\d+$/.exec(algorithm)?.[0] ?? '512'
  const hash = createHash(`sha${bits}`).update(accessToken).digest()
  return hash.subarray(0, hash.length / 2).toString('base64url')
}

/** Checks the claims of a log-out token: OpenID Connect Back-Channel Logout 1.0, sections 2.4 and 2.6. Errors: TokenRefused. */
export function assertLogoutToken({ events, nonce, jti, sid }: Members): void {
  const event = isObject(events) && Object.hasOwn(events, LOGOUT_EVENT) && events[LOGOUT_EVENT]
  if (!isObject(event)) throw new TokenRefused('event', 'The token is not a log-out token (events)')
  if (nonce !== undefined) throw new TokenRefused('nonce', 'A log-out token has no nonce')
  if (!isName(jti, 255)) {
    throw new TokenRefused('token_id', 'The claim jti is not a text of 1 to 255 characters')
  }
  if (sid !== undefined && !isName(sid, 255)) {
    throw new TokenRefused('subject', 'The claim sid is not a text of 1 to 255 characters')
  }
}

function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
