import { DialRefused } from '../../kit/dialer.ts'
import { SourceFailure } from '../connector.ts'
import type { FailureKind } from '../connector.ts'
import { NO_TLS_HINT, TLS_FIELD_TITLE, TLS_TITLES } from '../tls-options.ts'

/** What the sentence of a failure speaks of. */
export interface Circumstances {
  /** `db.example:3306`. */
  address: string
  user: string
  statementTimeoutMs: number
  isAborted: boolean
  /** By TLS. */
  isEncrypted: boolean
}

type Told = readonly [FailureKind, (circumstances: Circumstances) => string]

const refused: Told = [
  'auth',
  ({ user, isEncrypted }) =>
    `The server does not admit the user ${user}: wrong name, password or host` +
    // MariaDB answers the same to an account that has to use TLS.
    (isEncrypted ? '.' : ', or an account that may connect only with TLS.'),
]
const unspoken: Told = [
  'auth',
  ({ user }) => `The way in which ${user} logs in is not spoken here.`,
]
const locked: Told = ['auth', ({ user }) => `The account of ${user} is locked.`]
const expired: Told = [
  'auth',
  ({ user }) => `The password of ${user} has expired: set a new one at the server.`,
]
const denied: Told = ['permission', ({ user }) => `The user ${user} lacks a privilege.`]
const full: Told = ['unreachable', ({ address }) => `${address} has no connection left for us.`]
const broken: Told = ['unreachable', ({ address }) => `The connection to ${address} broke off.`]
const tooLong: Told = [
  'too_large',
  ({ statementTimeoutMs }) =>
    `A statement took longer than ${statementTimeoutMs / 1000} s and was stopped.`,
]

/**
 * https://mariadb.com/kb/en/mariadb-error-codes/ and
 * https://dev.mysql.com/doc/mysql-errors/8.4/en/server-error-reference.html
 */
const numbers: Readonly<Record<number, Told>> = {
  1040: full,
  1044: denied,
  1045: refused,
  1053: ['unreachable', ({ address }) => `${address} is shutting down.`],
  1129: ['auth', ({ address }) => `${address} has blocked us: \`FLUSH HOSTS\` there lets us in.`],
  1130: ['auth', ({ user }) => `The server admits ${user} from other hosts, not from this one.`],
  1142: denied,
  1143: denied,
  1203: full,
  1205: ['protocol', () => 'The source did not release a lock in time.'],
  1226: full,
  1227: denied,
  1251: unspoken,
  1317: ['unreachable', () => 'The server stopped a statement of ours.'],
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
      `${address} requires TLS. Set ${TLS_FIELD_TITLE} to “${TLS_TITLES.verifyFull}”.`,
  ],
  4151: locked,
}

const NO_TLS = 'HANDSHAKE_NO_SSL_SUPPORT'

const codes: Readonly<Record<string, Told>> = {
  ECONNREFUSED: ['unreachable', ({ address }) => `Nothing listens at ${address}.`],
  ENOTFOUND: ['unreachable', ({ address }) => `The host name of ${address} is unknown.`],
  EAI_AGAIN: [
    'unreachable',
    ({ address }) => `The host name of ${address} cannot be resolved now.`,
  ],
  ETIMEDOUT: ['unreachable', ({ address }) => `${address} did not answer in time.`],
  PROTOCOL_CONNECTION_LOST: broken,
  ECONNRESET: broken,
  EPIPE: broken,
  [NO_TLS]: ['unreachable', ({ address }) => `${address} does not support TLS. ${NO_TLS_HINT}`],
  HANDSHAKE_SSL_ERROR: [
    'unreachable',
    ({ address }) => `The certificate of ${address} does not prove who it is.`,
  ],
  AUTH_SWITCH_PLUGIN_ERROR: unspoken,
  MYSQL_CLEAR_PASSWORD_NOT_ENABLED: unspoken,
}

/** What went wrong, as our own sentence; the driver's words stay in the cause. */
export function toFailure(error: unknown, circumstances: Circumstances): SourceFailure {
  if (circumstances.isAborted) {
    return new SourceFailure('cancelled', 'Reading was cancelled.', { cause: error })
  }
  if (error instanceof SourceFailure) return error
  if (error instanceof DialRefused) {
    return new SourceFailure('unreachable', error.message, { cause: error })
  }
  const [kind, sentence] = tell(error)
  return new SourceFailure(kind, sentence(circumstances), { cause: error })
}

/** Whether the server answered that it does not support TLS. */
export function isWithoutTls(error: unknown): boolean {
  const cause = error instanceof SourceFailure ? error.cause : error
  return codeOf(cause) === NO_TLS
}

/** Whether the number of a server's error says that a privilege is missing. */
export function isDenial(number: number): boolean {
  return numbers[number] === denied
}

/** The number of a server's error; undefined of every other error. */
export function errorNumberOf(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('errno' in error)) return undefined
  // Errors of the operating system have negative ones.
  return typeof error.errno === 'number' && error.errno > 0 ? error.errno : undefined
}

function tell(error: unknown): Told {
  const number = errorNumberOf(error)
  const known = number === undefined ? codes[codeOf(error)] : numbers[number]
  if (known !== undefined) return known
  if (number !== undefined) return ['protocol', () => 'The server rejected a query.']
  return tellTls(codeOf(error)) ?? broken
}

function tellTls(code: string): Told | undefined {
  if (code.includes('ALERT')) {
    return ['auth', ({ address }) => `${address} refused our side of TLS: the client certificate?`]
  }
  if (code.startsWith('ERR_OSSL')) {
    return ['auth', () => 'The CA, the client certificate or its key is not readable as PEM.']
  }
  return undefined
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error) || !('code' in error)) return ''
  return typeof error.code === 'string' ? error.code : ''
}
