import { SourceFailure, type FailureKind } from '../connector.ts'
import { errorAnswer } from './answers.ts'
import { newTable } from '../../../formats/name/table.ts'

/** The error of a statement or request, as Snowflake reports it; it goes to the log only. */
class SnowflakeError extends Error {
  override readonly name = 'SnowflakeError'
  readonly code: string

  constructor(code: string, message: string) {
    super(`${code}: ${message}`)
    this.code = code
  }
}

/** The result of a view of INFORMATION_SCHEMA is too large. */
const TOO_MUCH_DATA = '090030'

// The object does not exist or the role lacks a privilege: Snowflake does not distinguish them. 003030 is a
// shared database that is no longer available.
const NOT_AUTHORIZED = new Set(['002003', '002043', '003001', '003030', '003041', '003540'])

const KNOWN_ERRORS = newTable<readonly [FailureKind, message: string]>({
  '000606': ['auth', 'No warehouse is active'],
  '000630': ['protocol', 'The statement timeout has passed'],
  '000604': ['protocol', 'The statement was cancelled in Snowflake'],
  '390189': ['auth', 'The role does not exist, or the user may not use it'],
  '390201': ['auth', 'The role or the warehouse does not exist, or the user may not use it'],
  '390422': ['auth', 'A network policy of Snowflake does not allow connections from this server'],
})

/** The rejections of credentials that have a reason. */
const REJECTIONS = newTable<string>({
  '390100': 'Snowflake does not find the user of the token in this account',
  '390144': 'Snowflake does not accept the signature of the key pair',
  '390303': 'Snowflake does not accept the OAuth token',
  '390318': 'The OAuth token has expired',
  '390422': 'A network policy of Snowflake does not allow connections from this server',
  '394400': 'Snowflake does not accept the programmatic access token',
})

/** Describes the rejection of credentials; undefined without a known reason. */
export function describeRejection(body: unknown): string | undefined {
  return REJECTIONS[readError(body)?.code ?? '']
}

/** Creates the failure of a rejected statement. */
export function toSubmissionFailure(status: number, body: unknown, what: string): SourceFailure {
  // The status, without an error of Snowflake, for host names of no account.
  if (readError(body) === undefined && (status === 403 || status === 404)) {
    return new SourceFailure('auth', 'The address belongs to no Snowflake account')
  }
  return toStatementFailure(status, body, what)
}

/** Creates the failure of a statement that was submitted, or of a request for its result. */
export function toStatementFailure(status: number, body: unknown, what: string): SourceFailure {
  const cause = readError(body)
  if (cause === undefined) {
    return new SourceFailure('protocol', `Snowflake did not return ${what} (status ${status})`)
  }
  const { code } = cause
  const known = KNOWN_ERRORS[code]
  if (known !== undefined) {
    const [kind, message] = known
    return new SourceFailure(kind, `${message} (reading ${what})`, { cause })
  }
  if (code === TOO_MUCH_DATA) {
    return new SourceFailure('too_large', `Snowflake returns too much data for ${what}`, { cause })
  }
  if (NOT_AUTHORIZED.has(code)) {
    return new SourceFailure('permission', `The role may not read ${what}`, { cause })
  }
  const message = `Snowflake did not run the statement for ${what} (error ${code})`
  return new SourceFailure('protocol', message, { cause })
}

/** Returns whether a failure is an error that Snowflake reported for one statement. */
export function isStatementFailure(error: unknown): error is SourceFailure {
  return (
    error instanceof SourceFailure && error.kind !== 'auth' && error.cause instanceof SnowflakeError
  )
}

/** Returns whether a statement must be split, as its result is too large. */
export function isTooMuchData(error: unknown): error is SourceFailure {
  return isStatementFailure(error) && getErrorCode(error) === TOO_MUCH_DATA
}

/** Returns Snowflake's code of a failure; undefined if it has none. */
export function getErrorCode({ cause }: SourceFailure): string | undefined {
  return cause instanceof SnowflakeError ? cause.code : undefined
}

function readError(body: unknown): SnowflakeError | undefined {
  const { code, sqlState, message } = errorAnswer.safeParse(body).data ?? {}
  if (!code) return undefined
  // Older answers omit leading zeros.
  return new SnowflakeError(code.padStart(6, '0'), `${message ?? ''} (${sqlState ?? ''})`)
}
