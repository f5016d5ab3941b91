/**
 * The one verifier of tokens that others have signed (RFC 7519): ID tokens (OpenID Connect Core 1.0), log-out tokens
 * (OpenID Connect Back-Channel Logout 1.0), and the tokens of workloads and agents (RFC 8725 for the rules of all).
 */

import { createHash } from 'node:crypto'
import { jwtVerify } from 'jose'
import type { KeySet } from './key-sets.ts'
import {
  type IdTokenExpectation,
  assertIdToken,
  assertLogoutToken,
  assertTimes,
  assertAudiences,
  readSubject,
  TOLERANCE_S,
} from './token-claims.ts'
import { parseTokenPart, type Members } from './token-part.ts'
import { TokenRefused, toRefusal } from './token-refusal.ts'

/** The use of a token, which decides its rules. */
export type TokenUse = 'id' | 'logout' | 'exchange' | 'agent'

/** The expectations of a token. */
export type TokenExpectation = {
  issuer: string
  keys: KeySet
  /** The accepted audiences; for ID tokens and log-out tokens the client id. */
  audiences: readonly string[]
  /** The clock of the database. */
  now: Date
} & (({ use: 'id' } & IdTokenExpectation) | { use: Exclude<TokenUse, 'id'> })

/** A token whose signature and common claims are valid. */
export interface VerifiedToken {
  /** The claim `sub`; undefined only for log-out tokens, which then name a session. */
  subject: string | undefined
  /** All claims, without inherited members. */
  claims: Readonly<Record<string, unknown>>
  expiresAt: Date
  /** SHA-256 of what was signed: both forms of a signature have the same hash. */
  hash: Buffer
}

const TOKEN_CHARACTERS_MAX = 16 * 1024

/** The list of the issuer does not count: Keycloak also announces HS256. */
export const TOKEN_ALGORITHMS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'EdDSA',
]

/** The rules of a use. */
interface UseRules {
  /** The media types in the header, in lower case, without `application/`. Absent is always allowed. */
  types: readonly string[]
  requiredClaims: string[]
  subjectCharactersMax: number
  /** Whether the token may name a session (`sid`) instead of a person. */
  namesSession: boolean
}

const RULES: Readonly<Record<TokenUse, UseRules>> = {
  id: {
    types: ['jwt'],
    requiredClaims: ['exp', 'iat', 'sub'],
    subjectCharactersMax: 255,
    namesSession: false,
  },
  logout: {
    types: ['jwt', 'logout+jwt'],
    requiredClaims: ['exp', 'iat', 'jti'],
    subjectCharactersMax: 255,
    namesSession: true,
  },
  exchange: {
    types: ['jwt', 'at+jwt'],
    requiredClaims: ['exp', 'iat', 'sub'],
    subjectCharactersMax: 1024,
    namesSession: false,
  },
  agent: {
    types: ['jwt', 'at+jwt'],
    requiredClaims: ['exp', 'iat', 'sub'],
    subjectCharactersMax: 1024,
    namesSession: false,
  },
}

/**
 * Verifies a token for a use and returns its claims. What is wrong with its form or issuer is found before any key is
 * fetched. Errors: TokenRefused; KeySetFailure if the keys of the issuer are not available.
 */
export async function verifyToken(
  token: string,
  expectation: TokenExpectation,
): Promise<VerifiedToken> {
  const rules = RULES[expectation.use]
  const { header, claims } = readParts(token)
  if (claims['iss'] !== expectation.issuer) {
    throw new TokenRefused('issuer', 'The token is from another issuer')
  }
  assertHeader(header, rules)
  await verifySignature(token, expectation, rules)
  assertTimes(claims, expectation.now)
  assertAudiences(claims)
  const subject = readSubject(claims, rules)
  if (expectation.use === 'id') assertIdToken(claims, header, expectation)
  if (expectation.use === 'logout') assertLogoutToken(claims)
  return {
    subject,
    claims,
    expiresAt: new Date(Number(claims['exp']) * 1000),
    hash: hashSigned(token),
  }
}

function readParts(token: string): { header: Members; claims: Members } {
  if (token.length > TOKEN_CHARACTERS_MAX) {
    throw new TokenRefused('too_large', `A token has at most ${TOKEN_CHARACTERS_MAX} characters`)
  }
  // Encrypted tokens have five parts; base64url is without padding and white space.
  if (!/^[\w-]+\.[\w-]+\.[\w-]*$/.test(token)) {
    throw new TokenRefused('malformed', 'A token has three parts in base64url')
  }
  const [header = '', claims = ''] = token.split('.')
  return { header: readPart('header', header), claims: readPart('payload', claims) }
}

function readPart(name: string, text: string): Members {
  const part = parseTokenPart(text)
  if (part.kind === 'members') return part.members
  throw part.kind === 'malformed'
    ? new TokenRefused('malformed', `The ${name} of the token is not a JSON object`)
    : new TokenRefused('repeated_member', `The ${name} of the token has a member twice`)
}

/** Checks the header before a key is fetched. Keys and addresses in it are never used. */
function assertHeader(header: Members, { types }: UseRules): void {
  const { alg, typ, kid } = header
  if (typeof alg !== 'string' || !TOKEN_ALGORITHMS.includes(alg)) {
    throw new TokenRefused(
      'algorithm',
      `The algorithm of a token is one of ${TOKEN_ALGORITHMS.join(', ')}`,
    )
  }
  const type = typeof typ === 'string' ? typ.toLowerCase().replace(/^application\//, '') : typ
  if (type !== undefined && !types.some((one) => one === type)) {
    throw new TokenRefused('type', 'The type of the token (typ) is that of another use')
  }
  if (Object.hasOwn(header, 'crit') || Object.hasOwn(header, 'b64')) {
    throw new TokenRefused('header', 'Extensions of tokens (crit, b64) are not supported')
  }
  if (kid !== undefined && typeof kid !== 'string') {
    throw new TokenRefused('header', 'The name of the key (kid) is not a text')
  }
}

async function verifySignature(
  token: string,
  { issuer, audiences, keys, now }: TokenExpectation,
  { requiredClaims }: UseRules,
): Promise<void> {
  try {
    await jwtVerify(token, keys, {
      algorithms: TOKEN_ALGORITHMS,
      issuer,
      audience: [...audiences],
      clockTolerance: TOLERANCE_S,
      currentDate: now,
      requiredClaims,
    })
  } catch (error) {
    throw toRefusal(error)
  }
}

function hashSigned(token: string): Buffer {
  return createHash('sha256')
    .update(token.slice(0, token.lastIndexOf('.')))
    .digest()
}
