import { SourceFailure } from '../connector.ts'
import { NO_TLS_HINT, TLS_FIELD_TITLE, TLS_TITLES } from '../fields.ts'
import {
  BAD_CERTIFICATE,
  describeTimeout,
  findNetworkMessage,
  findTlsMessage,
  getErrorCode,
  LOCKED,
  LOST,
  toDriverFailure,
  type ConnectionFacts,
  type FailureMessage as Message,
} from '../sql/driver-failure.ts'
import { newTable } from '../../../formats/name/table.ts'

/** The facts that a failure's message mentions. */
interface MysqlFailureFacts extends ConnectionFacts {
  user: string
  statementTimeoutMs: number
  /** Whether the connection uses TLS. */
  isEncrypted: boolean
}

type FailureMessage = Message<MysqlFailureFacts>

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
const tooLong: FailureMessage = [
  'too_large',
  ({ statementTimeoutMs }) => describeTimeout(statementTimeoutMs),
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
  1205: LOCKED,
  1226: full,
  1227: denied,
  1251: unsupportedMethod,
  1317: ['unreachable', () => 'The server stopped a statement.'],
  1698: refused,
  1820: expired,
  1862: expired,
  1927: LOST,
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
  PROTOCOL_CONNECTION_LOST: LOST,
  ECONNRESET: LOST,
  EPIPE: LOST,
  [NO_TLS]: ['unreachable', ({ address }) => `${address} does not support TLS. ${NO_TLS_HINT}`],
  HANDSHAKE_SSL_ERROR: BAD_CERTIFICATE,
  AUTH_SWITCH_PLUGIN_ERROR: unsupportedMethod,
  MYSQL_CLEAR_PASSWORD_NOT_ENABLED: unsupportedMethod,
})

/**
 * Converts an error to a failure with a message in our wording; the driver's error is the cause.
 */
export function toFailure(error: unknown, circumstances: MysqlFailureFacts): SourceFailure {
  return toDriverFailure(error, circumstances, findMessage)
}

/** Checks whether the server answered that it does not support TLS. */
export function isWithoutTls(error: unknown): boolean {
  const cause = error instanceof SourceFailure ? error.cause : error
  return getErrorCode(cause) === NO_TLS
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
  const code = getErrorCode(error)
  const known = number === undefined ? codes[code] : numbers[number]
  if (known !== undefined) return known
  if (number !== undefined) return ['protocol', () => 'The server rejected a query.']
  return findNetworkMessage(code) ?? findTlsMessage(code) ?? LOST
}
