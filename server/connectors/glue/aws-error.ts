/** Errors of AWS services: their codes, and the failures of a source that they mean. */

import { SourceFailure } from '../connector.ts'
import type { SourceAnswer } from '../http/transport.ts'
import { errorAnswer } from './answers.ts'

/** A rejected request. */
export interface AwsError {
  status: number
  /** The code without its namespace: `AccessDeniedException`; empty if there is none. */
  code: string
  /** The text of AWS, which may contain names of the account and parts of a signed request. */
  detail: string
}

/** Parses the error in an answer with a status other than 200. */
export function parseAwsError({ status, json }: SourceAnswer): AwsError {
  const { __type, code, Error: inner, message, Message } = errorAnswer.safeParse(json).data ?? {}
  const name = __type ?? inner?.Code ?? code ?? ''
  return {
    status,
    // Such as `com.amazonaws.glue#AccessDeniedException` and `AccessDeniedException:http://…`.
    code: /^(?:[^#]*#)?(\w{1,100})(?::|$)/.exec(name)?.[1] ?? '',
    detail: message ?? Message ?? inner?.Message ?? '',
  }
}

// All of them may succeed after a wait: requests above a quota, and services behind AWS Glue that are slow.
const BUSY_CODES = new Set([
  'ThrottlingException',
  'Throttling',
  'ThrottledException',
  'TooManyRequestsException',
  'RequestLimitExceeded',
  'OperationTimeoutException',
  'FederationSourceRetryableException',
])

/** Returns whether an answer asks for fewer or later requests. */
export function isBusy(answer: SourceAnswer): boolean {
  return BUSY_CODES.has(parseAwsError(answer).code)
}

const EXPIRED_CODES = new Set(['ExpiredTokenException', 'ExpiredToken'])

/** Returns whether an error rejects temporary keys because they have expired. */
export function isExpired({ code }: AwsError): boolean {
  return EXPIRED_CODES.has(code)
}

const UNKNOWN_KEY = 'AWS does not accept the access key id, or the session token that belongs to it'
const WRONG_SIGNATURE = 'AWS does not accept the signature: the secret access key is wrong'

const AUTH_MESSAGES: ReadonlyMap<string, string> = new Map([
  ['UnrecognizedClientException', UNKNOWN_KEY],
  ['InvalidClientTokenId', UNKNOWN_KEY],
  ['InvalidAccessKeyId', UNKNOWN_KEY],
  ['InvalidSignatureException', WRONG_SIGNATURE],
  ['SignatureDoesNotMatch', WRONG_SIGNATURE],
  ['IncompleteSignature', WRONG_SIGNATURE],
  ['IncompleteSignatureException', WRONG_SIGNATURE],
  ['MissingAuthenticationToken', 'AWS requires an access key'],
  ['MissingAuthenticationTokenException', 'AWS requires an access key'],
  ['OptInRequired', 'The account of the access key is not signed up for this service of AWS'],
])

/**
 * Returns the failure of an error that rejects the keys or their signature; undefined for other
 * errors. The failure has no cause: AWS repeats signed headers, which contain the session token.
 */
export function toAuthFailure(error: AwsError): SourceFailure | undefined {
  if (isExpired(error)) {
    return new SourceFailure('auth', 'The session token has expired')
  }
  if (error.code === 'RequestExpired' || isSkewed(error)) {
    const message =
      'AWS does not accept the time of the request: the clock of this server is wrong by minutes'
    return new SourceFailure('auth', message)
  }
  const message = AUTH_MESSAGES.get(error.code)
  return message === undefined ? undefined : new SourceFailure('auth', message)
}

function isSkewed({ code, detail }: AwsError): boolean {
  const isSignature = AUTH_MESSAGES.get(code) === WRONG_SIGNATURE
  return isSignature && /^Signature (?:expired|not yet current)/i.test(detail)
}

// With Lake Formation, AWS denies access to objects that do not exist. Neither code proves absence.
const HIDDEN_CODES = new Set([
  'AccessDeniedException',
  'AccessDenied',
  'UnauthorizedException',
  'EntityNotFoundException',
])

const DETAIL_CHARACTERS_MAX = 500

/** Returns the failure of a rejected request; `what` is its subject: `the tables of sales`. */
export function toRequestFailure(
  service: string,
  { status, code, detail }: AwsError,
  what: string,
): SourceFailure {
  const cause = new Error(`${code || status}: ${detail.slice(0, DETAIL_CHARACTERS_MAX)}`)
  if (HIDDEN_CODES.has(code) || (code === '' && status === 403)) {
    return new SourceFailure('permission', `${service} does not show ${what}`, { cause })
  }
  if (code === 'GlueEncryptionException') {
    const message = `${service} cannot decrypt ${what}: allow kms:Decrypt on the key of the Data Catalog`
    return new SourceFailure('permission', message, { cause })
  }
  const message = `${service} did not return ${what} (${code || `status ${status}`})`
  return new SourceFailure('protocol', message, { cause })
}
