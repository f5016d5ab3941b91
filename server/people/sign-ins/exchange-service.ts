/**
 * The requests of a sign-in to its provider: the answer with the code, the tokens for the code, and further claims. Errors
 * of libraries stay here, because they carry codes and tokens.
 */

import * as oauth from 'oauth4webapi'
import { KeySetFailure } from '../../platform/kit/key-sets.ts'
import { TokenRefused } from '../../platform/kit/token-refusal.ts'
import { verifyToken } from '../../platform/kit/token-verifier.ts'
import type { Services } from '../../requests/http/endpoint.ts'
import {
  ProviderFailure,
  withProvider,
  type ProviderClient,
  type ProviderClientServices,
} from '../providers/provider-client.ts'
import type { OpenedProvider } from '../providers/provider.ts'
import { lacksClaims, readEmail, readSubject, type Claims } from './sign-in-claims.ts'
import { SignInRefused } from './sign-in.ts'

/** The services that redeem codes. */
export type ExchangeServices = ProviderClientServices & Pick<Services, 'keySets'>

/** The secrets of a transaction that its answer must fit. */
export interface AnswerSecrets {
  state: string
  nonce: string
  /** The verifier of the code challenge (RFC 7636). */
  verifier: string
}

/** An answer of a provider to check. */
interface ProviderAnswer {
  /** The query with which the provider opened the callback page. */
  query: string
  secrets: AnswerSecrets
  redirectUri: string
  /** The clock of the database. */
  now: Date
}

/** The verified claims of a person. */
export interface VerifiedClaims {
  /** The id of the person at the provider. */
  subject: string
  /** The claim `sub`, which log-out tokens name, too. */
  sub: string
  /** The session at the provider; undefined = it is not named. */
  sid: string | undefined
  claims: Claims
  idToken: string
}

/**
 * Checks the answer of a provider, redeems its code, and returns the claims of the person. Errors: SignInRefused.
 */
export async function redeemAnswer(
  services: ExchangeServices,
  provider: OpenedProvider,
  answer: ProviderAnswer,
): Promise<VerifiedClaims> {
  try {
    return await withProvider(services, provider, async (opened) => {
      const parameters = readAnswer(opened, provider, answer)
      const { accessToken, idToken } = await requestTokens(opened, provider, answer, parameters)
      const identified = await verifyIdToken(services, provider, answer, { accessToken, idToken })
      const claims = lacksClaims(identified.claims, provider)
        ? await completeClaims(opened, provider, accessToken, identified)
        : identified.claims
      return { ...identified, claims, idToken }
    })
  } catch (error) {
    throw error instanceof ProviderFailure ? unreachable(provider, error) : error
  }
}

/** Creates the error for a provider that does not answer as it should. */
export function unreachable(
  { name }: Pick<OpenedProvider, 'name'>,
  { reason, message }: { reason: string; message: string },
): SignInRefused {
  return new SignInRefused(
    'provider_unreachable',
    reason,
    `${name} does not answer as it should. Try again in a few minutes, or sign in in another way.`,
    message,
  )
}

/** Validates the query of the callback (RFC 6749, 4.1.2; RFC 9207). Errors: SignInRefused. */
function readAnswer(
  { server, client }: ProviderClient,
  { name }: OpenedProvider,
  { query, secrets: { state } }: ProviderAnswer,
): URLSearchParams {
  const parameters = new URLSearchParams(query)
  if (parameters.size > new Set(parameters.keys()).size) {
    throw new SignInRefused(
      'provider_refused',
      'answer_repeats',
      `The answer of ${name} has a parameter twice. Start again.`,
    )
  }
  try {
    return oauth.validateAuthResponse(server, client, parameters, state)
  } catch (error) {
    if (error instanceof oauth.AuthorizationResponseError) throw toRefusal(name, error)
    const issuer = parameters.get('iss')
    if (issuer !== null && issuer !== server.issuer) {
      throw new SignInRefused(
        'provider_refused',
        'issuer_of_another',
        `The answer does not come from ${name}. Start again.`,
      )
    }
    if (issuer === null && server.authorization_response_iss_parameter_supported === true) {
      throw new SignInRefused(
        'provider_refused',
        'issuer_missing',
        `The answer does not state that it comes from ${name}. Start again.`,
      )
    }
    if (parameters.get('state') !== state) throw stateLost()
    throw new SignInRefused(
      'provider_refused',
      'answer_invalid',
      `The answer of ${name} cannot be read. Start again.`,
    )
  }
}

function stateLost(): SignInRefused {
  return new SignInRefused(
    'transaction_lost',
    'state_mismatch',
    'The answer belongs to another sign-in. Start again in this tab.',
  )
}

function toRefusal(name: string, { error }: oauth.AuthorizationResponseError): SignInRefused {
  const code = toCode(error)
  return code === 'access_denied'
    ? new SignInRefused(
        'provider_refused',
        'access_denied',
        `You cancelled the sign-in, or ${name} does not let you use Portbook. Start again, or ask its administrator.`,
      )
    : new SignInRefused(
        'provider_refused',
        `answered_${code}`,
        `${name} ended the sign-in with the error "${code}". Start again.`,
      )
}

/** Redeems the code (OpenID Connect Core 1.0, 3.1.3). Errors: SignInRefused, ProviderFailure. */
async function requestTokens(
  { server, client, authentication, options }: ProviderClient,
  provider: OpenedProvider,
  { redirectUri, secrets: { verifier } }: ProviderAnswer,
  parameters: URLSearchParams,
): Promise<{ accessToken: string; idToken: string }> {
  if (parameters.get('code') === null) {
    throw new SignInRefused(
      'provider_refused',
      'code_missing',
      `The answer of ${provider.name} has no code. Start again.`,
    )
  }
  const request = [server, client, authentication, parameters, redirectUri, verifier] as const
  try {
    const response = await oauth.authorizationCodeGrantRequest(...request, options)
    const { idToken, rest } = await separateIdToken(response)
    // The ID token has its own verifier, which names the reason.
    const tokens = await oauth.processGenericTokenEndpointResponse(server, client, rest)
    return { accessToken: tokens.access_token, idToken: idToken ?? missingIdToken(provider) }
  } catch (error) {
    throw toTokenRefusal(provider, error)
  }
}

async function separateIdToken(
  response: Response,
): Promise<{ idToken: string | undefined; rest: Response }> {
  const { status, headers } = response
  const text = await response.text()
  const { id_token: idToken, ...rest } = parseObject(text) ?? {}
  const body = parseObject(text) === undefined ? text : JSON.stringify(rest)
  return {
    idToken: typeof idToken === 'string' ? idToken : undefined,
    rest: new Response(body, { status, headers }),
  }
}

function missingIdToken({ name }: OpenedProvider): never {
  throw new SignInRefused(
    'provider_token_invalid',
    'id_token_missing',
    `${name} sent no ID token. Ask an owner of the organization to test the provider.`,
  )
}

function toTokenRefusal({ name }: OpenedProvider, error: unknown): unknown {
  const isChallenge = error instanceof oauth.WWWAuthenticateChallengeError
  const isAnswer = error instanceof oauth.ResponseBodyError
  if (isChallenge || isAnswer) {
    const code = isAnswer ? toCode(error.error) : 'invalid_client'
    if (code === 'invalid_client' || code === 'unauthorized_client') {
      return new SignInRefused(
        'provider_refused',
        code,
        `${name} does not accept Portbook as its client. Ask an owner of the organization to test the provider.`,
        `${name} rejects the client id, the client secret or the way of sending it (${code}).`,
      )
    }
    return new SignInRefused(
      'provider_refused',
      `token_${code}`,
      `${name} did not complete the sign-in (${code}). Start again.`,
    )
  }
  if (!isLibraryError(error)) return error
  return unreachable(
    { name },
    {
      reason: 'token_answer',
      message: `The token endpoint of ${name} did not answer with tokens.`,
    },
  )
}

/** Verifies the ID token (OpenID Connect Core 1.0, 3.1.3.7). Errors: SignInRefused. */
async function verifyIdToken(
  { keySets }: ExchangeServices,
  provider: OpenedProvider,
  { secrets: { nonce }, now }: ProviderAnswer,
  { accessToken, idToken }: { accessToken: string; idToken: string },
): Promise<Omit<VerifiedClaims, 'idToken'>> {
  const { id, version, issuer, clientId } = provider
  const authority = provider.authority ?? undefined
  const keys = keySets.get({ id, version, issuer, origin: { kind: 'discovery' }, authority })
  const expectation = { use: 'id', issuer, keys, audiences: [clientId], clientId } as const
  try {
    const { claims } = await verifyToken(idToken, { ...expectation, nonce, accessToken, now })
    const subject = readSubject(claims, provider)
    const sub = readSubject(claims, { subjectClaim: 'sub' })
    if (subject === undefined || sub === undefined) throw missingSubject(provider)
    const sid = claims['sid']
    return { subject, sub, sid: typeof sid === 'string' ? sid : undefined, claims }
  } catch (error) {
    throw toIdTokenRefusal(provider, error)
  }
}

function toIdTokenRefusal({ name }: OpenedProvider, error: unknown): unknown {
  if (error instanceof KeySetFailure) {
    return unreachable({ name }, { reason: `keys_${error.kind}`, message: error.message })
  }
  if (!(error instanceof TokenRefused)) return error
  return new SignInRefused(
    'provider_token_invalid',
    `id_token_${error.reason}`,
    `The ID token of ${name} does not pass the checks of Portbook. Start again; if it happens again, ask an owner of the organization to test the provider.`,
    error.message,
  )
}

function missingSubject({ name, subjectClaim }: OpenedProvider): SignInRefused {
  return new SignInRefused(
    'provider_token_invalid',
    'id_token_subject_claim',
    `${name} does not state who you are. Ask an owner of the organization to test the provider.`,
    `The ID token has no claim ${subjectClaim}.`,
  )
}

/**
 * Adds the claims of the userinfo endpoint (OpenID Connect Core 1.0, 5.3), if there is one. Those of the ID token come
 * first, and an address is never combined with a verification from elsewhere. Errors: SignInRefused, ProviderFailure.
 */
async function completeClaims(
  { server, client, options }: ProviderClient,
  provider: OpenedProvider,
  accessToken: string,
  { claims, sub }: Pick<VerifiedClaims, 'claims' | 'sub'>,
): Promise<Claims> {
  if (server.userinfo_endpoint === undefined) return claims
  const further = await requestUserInfo(server, client, options, provider, accessToken)
  if (further['sub'] !== sub) {
    throw new SignInRefused(
      'provider_token_invalid',
      'userinfo_subject',
      `${provider.name} sent the details of another person. Start again.`,
      'The userinfo endpoint answered with another sub than the ID token has.',
    )
  }
  const { email, email_verified: isVerified, ...rest } = claims
  const address = readEmail(claims) === undefined ? {} : { email, email_verified: isVerified }
  const { email: otherEmail, email_verified: isOtherVerified, ...others } = further
  const other = { email: otherEmail, email_verified: isOtherVerified }
  return { ...others, ...other, ...rest, ...address }
}

async function requestUserInfo(
  server: oauth.AuthorizationServer,
  client: oauth.Client,
  options: ProviderClient['options'],
  { name }: OpenedProvider,
  accessToken: string,
): Promise<Claims> {
  try {
    const response = await oauth.userInfoRequest(server, client, accessToken, options)
    return await oauth.processUserInfoResponse(server, client, oauth.skipSubjectCheck, response)
  } catch (error) {
    if (error instanceof oauth.WWWAuthenticateChallengeError || isLibraryError(error)) {
      throw unreachable(
        { name },
        {
          reason: 'userinfo_answer',
          message: `The userinfo endpoint of ${name} did not answer with claims.`,
        },
      )
    }
    throw error
  }
}

function isLibraryError(error: unknown): boolean {
  return (
    error instanceof oauth.OperationProcessingError ||
    error instanceof oauth.UnsupportedOperationError ||
    error instanceof oauth.ResponseBodyError
  )
}

/** Returns an error code of OAuth (RFC 6749, 5.2) as far as it has the characters of one. */
function toCode(error: string): string {
  return /^[a-z_]{1,60}$/.test(error) ? error : 'unknown_error'
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isObject ? { ...value } : undefined
  } catch {
    return undefined
  }
}
