/** The refusals of tokens, also those that jose throws. */

import { errors } from 'jose'

/** The reason of a refused token. */
export type TokenRefusalReason =
  | 'too_large'
  | 'malformed'
  | 'repeated_member'
  | 'issuer'
  | 'algorithm'
  | 'type'
  | 'header'
  | 'key_unknown'
  | 'key_ambiguous'
  | 'key_unusable'
  | 'signature'
  | 'audience'
  | 'authorized_party'
  | 'times'
  | 'expired'
  | 'not_yet_valid'
  | 'lifetime'
  | 'subject'
  | 'nonce'
  | 'access_token_hash'
  | 'event'
  | 'token_id'

/** A refused token. Its message is a sentence for people, which names the claim and contains no part of the token. */
export class TokenRefused extends Error {
  override readonly name = 'TokenRefused'
  readonly reason: TokenRefusalReason

  constructor(reason: TokenRefusalReason, message: string, cause?: unknown) {
    super(message, { cause })
    this.reason = reason
  }
}

const CLAIM_REASONS: ReadonlyMap<string, TokenRefusalReason> = new Map([
  ['aud', 'audience'],
  ['exp', 'times'],
  ['iat', 'times'],
  ['nbf', 'times'],
  ['sub', 'subject'],
  ['jti', 'token_id'],
])

/** Returns the refusal for an error of jose; other errors as they are. */
export function toRefusal(error: unknown): unknown {
  if (error instanceof errors.JWSSignatureVerificationFailed) {
    return new TokenRefused('signature', 'The signature of the token is wrong', error)
  }
  if (error instanceof errors.JWKSNoMatchingKey) {
    return new TokenRefused(
      'key_unknown',
      'The issuer has no key of this name and algorithm',
      error,
    )
  }
  if (error instanceof errors.JWKSMultipleMatchingKeys) {
    return new TokenRefused(
      'key_ambiguous',
      'The issuer has several keys that match the token',
      error,
    )
  }
  if (error instanceof errors.JWTExpired) {
    return new TokenRefused('expired', 'The token has expired', error)
  }
  if (error instanceof errors.JWTClaimValidationFailed) {
    const { claim } = error
    const isEarly = claim === 'nbf' && error.reason === 'check_failed'
    const reason = isEarly ? 'not_yet_valid' : (CLAIM_REASONS.get(claim) ?? 'malformed')
    const problem = error.reason === 'missing' ? 'is missing' : 'is not the expected one'
    return new TokenRefused(reason, `The claim ${claim} of the token ${problem}`, error)
  }
  // A key of the issuer that cannot be imported: too short, of a wrong curve.
  if (error instanceof TypeError || error instanceof errors.JOSEError || isCryptoError(error)) {
    return new TokenRefused('key_unusable', 'The key of the issuer is not usable', error)
  }
  return error
}

function isCryptoError(error: unknown): boolean {
  return error instanceof Error && (error.name === 'DataError' || error.name === 'OperationError')
}
