import { DialRefused } from '../../platform/kit/dialer.ts'
import { findNetworkSentence } from '../../platform/kit/network-error.ts'
import { SourceFailure } from '../connector.ts'
import type { FailureKind } from '../connector.ts'
import { NO_TLS_HINT, TLS_FIELD_TITLE, TLS_TITLES } from '../fields.ts'
import { newTable } from '../../../formats/name/table.ts'

/** The facts that a failure's message mentions. */
export interface MysqlFailureFacts {
  /** `db.example:3306`. */
  address: string
  user: string
  statementTimeoutMs: number
  isAborted: boolean
  /** Whether the connection uses TLS. */
  isEncrypted: boolean
}

type FailureMessage = readonly [FailureKind, (circumstances: MysqlFailureFacts) => string]

const refused: FailureMessage = [
  'auth',
  ({ user, isEncrypted }) =>
    `The server rejects the user ${user}: wrong name, password or host` +
    // MariaDB returns the same error for an account that requires TLS.
    (isEncrypted ? '.' : ', or an account that may connect only with TLS.'),
]
const unsupportedMethod: FailureMessage = [
  'auth',
  ({ user }) => `The authentication method of ${user} is not supported.`,
]
const locked: FailureMessage = ['auth', ({ user }) => `The account of ${user} is locked.`]
const expired: FailureMessage = [
  'auth',
  ({ user }) => `The password of ${user} has expired: set a new one on the server.`,
]
const denied: FailureMessage = ['permission', ({ user }) => `The user ${user} lacks a privilege.`]
const full: FailureMessage = ['unreachable', ({ address }) => `${address} has no free connections.`]
const broken: FailureMessage = [
  'unreachable',
  ({ address }) => `The connection to ${address} was lost.`,
]
const tooLong: FailureMessage = [
  'too_large',
  ({ statementTimeoutMs }) =>
    `A statement took longer than ${statementTimeoutMs / 1000} s and was stopped.`,
]

/**
 * https://mariadb.com/kb/en/mariadb-error-codes/ and
 * https://dev.mysql.com/doc/mysql-errors/8.4/en/server-error-reference.html
 */
const numbers: Readonly<Record<number, FailureMessage>> = {
  1040: full,
  1044: denied,
  1045: refused,
  1053: ['unreachable', ({ address }) => `${address} is shutting down.`],
  1129: [
    'auth',
    ({ address }) => `${address} has blocked this host: run \`FLUSH HOSTS\` on the server.`,
  ],
  1130: ['auth', ({ user }) => `The server accepts ${user} only from other hosts.`],
  1142: denied,
  1143: denied,
  1203: full,
  1205: ['protocol', () => 'The source did not release a lock in time.'],
  1226: full,
  1227: denied,
  1251: unsupportedMethod,
  1317: ['unreachable', () => 'The server stopped a statement.'],
  1698: refused,
  1820: expired,
  1862: expired,
  1927: broken,
  1969: tooLong,
  3024: tooLong,
  3118: locked,
  3159: [
    'auth',
    ({ address }) =>
      `${address} requires TLS. Set ${TLS_FIELD_TITLE} to "${TLS_TITLES.verifyFull}".`,
  ],
  4151: locked,
}

const NO_TLS = 'HANDSHAKE_NO_SSL_SUPPORT'

const codes = newTable<FailureMessage>({
  PROTOCOL_CONNECTION_LOST: broken,
  ECONNRESET: broken,
  EPIPE: broken,
  [NO_TLS]: ['unreachable', ({ address }) => `${address} does not support TLS. ${NO_TLS_HINT}`],
  HANDSHAKE_SSL_ERROR: [
    'unreachable',
    ({ address }) => `The certificate of ${address} does not match the host or is not trusted.`,
  ],
  AUTH_SWITCH_PLUGIN_ERROR: unsupportedMethod,
  MYSQL_CLEAR_PASSWORD_NOT_ENABLED: unsupportedMethod,
})

/**
 * Converts an error to a failure with a message in our wording; the driver's error is the cause.
 */
export function toFailure(error: unknown, circumstances: MysqlFailureFacts): SourceFailure {
  if (circumstances.isAborted) {
    return new SourceFailure('cancelled', 'Reading was cancelled.', { cause: error })
  }
  if (error instanceof SourceFailure) return error
  if (error instanceof DialRefused) {
    return new SourceFailure('unreachable', error.message, { cause: error })
  }
  const [kind, sentence] = findMessage(error)
  return new SourceFailure(kind, sentence(circumstances), { cause: error })
}

/** Checks whether the server answered that it does not support TLS. */
export function isWithoutTls(error: unknown): boolean {
  const cause = error instanceof SourceFailure ? error.cause : error
  return getCode(cause) === NO_TLS
}

/** Checks whether the number of a server's error is a missing privilege. */
export function isDenial(number: number): boolean {
  return numbers[number] === denied
}

/** Returns the number of a server's error; undefined for other errors. */
export function getErrorNumber(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('errno' in error)) return undefined
  // Errors of the operating system have negative numbers.
  return typeof error.errno === 'number' && error.errno > 0 ? error.errno : undefined
}

function findMessage(error: unknown): FailureMessage {
  const number = getErrorNumber(error)
  const known = number === undefined ? codes[getCode(error)] : numbers[number]
  if (known !== undefined) return known
  if (number !== undefined) return ['protocol', () => 'The server rejected a query.']
  const network = findNetworkSentence(getCode(error))
  if (network !== undefined) return ['unreachable', ({ address }) => network(address)]
  return findTlsMessage(getCode(error)) ?? broken
}

function findTlsMessage(code: string): FailureMessage | undefined {
  if (code.includes('ALERT')) {
    return [
      'auth',
      ({ address }) => `${address} rejected the TLS handshake: check the client certificate.`,
    ]
  }
  if (code.startsWith('ERR_OSSL')) {
    return ['auth', () => 'The CA, the client certificate or its key is not valid PEM.']
  }
  return undefined
}

function getCode(error: unknown): string {
  if (!(error instanceof Error) || !('code' in error)) return ''
  return typeof error.code === 'string' ? error.code : ''
}
