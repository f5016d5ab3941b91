import { SourceFailure } from '../connector.ts'
import { NO_TLS_HINT, TLS_FIELD_TITLE, TLS_TITLES } from '../fields.ts'
import {
  BAD_CERTIFICATE,
  findNetworkMessage,
  getErrorCode,
  listErrors,
  LOCKED,
  LOST,
  SILENT,
  toDriverFailure,
  type ConnectionFacts,
  type FailureMessage as Message,
} from '../sql/driver-failure.ts'
import { newTable } from '../../../formats/name/table.ts'

/** The facts that a failure's message mentions. */
interface MssqlFailureFacts extends ConnectionFacts {
  /** The user or application. */
  account: string
  /** The number of the error with which the server rejected the log-in. */
  loginNumber?: number | undefined
}

type FailureMessage = Message<MssqlFailureFacts>

const refused: FailureMessage = [
  'auth',
  ({ account }) => `The server rejects the log-in of ${account}: check name, secret and database.`,
]
const noDatabase: FailureMessage = [
  'permission',
  ({ account }) => `${account} cannot open the database: it does not exist or is not granted.`,
]
const denied: FailureMessage = ['permission', ({ account }) => `${account} lacks a permission.`]
const UNAVAILABLE = 'The database is not available.'
const unavailable: FailureMessage = ['permission', () => UNAVAILABLE]
const busy: FailureMessage = ['unreachable', ({ address }) => `${address} is busy or restarting.`]

/** https://learn.microsoft.com/sql/relational-databases/errors-events/database-engine-events-and-errors */
const numbers: Readonly<Record<number, FailureMessage>> = {
  229: denied,
  230: denied,
  262: denied,
  297: denied,
  300: denied,
  701: ['unreachable', ({ address }) => `${address} has too little memory for a query.`],
  904: unavailable,
  908: unavailable,
  911: noDatabase,
  913: noDatabase,
  916: noDatabase,
  922: unavailable,
  924: unavailable,
  927: unavailable,
  942: unavailable,
  945: unavailable,
  952: unavailable,
  976: unavailable,
  978: unavailable,
  979: unavailable,
  1205: ['protocol', () => 'The server stopped a statement because of a deadlock.'],
  1222: LOCKED,
  4060: noDatabase,
  4064: noDatabase,
  6005: busy,
  10928: busy,
  10929: busy,
  18401: busy,
  18452: refused,
  18456: refused,
  18470: ['auth', ({ account }) => `The log-in ${account} is disabled.`],
  18486: ['auth', ({ account }) => `The log-in ${account} is locked.`],
  18487: ['auth', ({ account }) => `The password of ${account} has expired.`],
  18488: ['auth', ({ account }) => `The password of ${account} must be changed.`],
  40197: busy,
  40501: busy,
  40613: unavailable,
  40615: [
    'auth',
    ({ address }) => `The firewall of ${address} rejects the address of this server.`,
  ],
  49918: busy,
}

const codes = newTable<FailureMessage>({
  ETIMEDOUT: SILENT,
  ETIMEOUT: SILENT,
  EENCRYPT: [
    'unreachable',
    ({ address }) =>
      `${address} and this configuration disagree about encryption. If it requires encryption, set ` +
      `${TLS_FIELD_TITLE} to "${TLS_TITLES.verifyFull}". ${NO_TLS_HINT}`,
  ],
})

const CERTIFICATE_CODES = /^(?:CERT_|ERR_TLS_CERT|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_)/

/**
 * Converts an error to a failure with a message in our wording; the driver's error is the cause.
 */
export function toFailure(error: unknown, facts: MssqlFailureFacts): SourceFailure {
  return toDriverFailure(error, facts, () => findMessage(error, facts))
}

/** Converts the failure of one database to that of the first connection, without which nothing is read. */
export function toFirstFailure(failure: SourceFailure): SourceFailure {
  if (failure.kind !== 'permission') return failure
  // A paused database resumes when it is connected to.
  const kind = failure.message === UNAVAILABLE ? 'unreachable' : 'auth'
  return new SourceFailure(kind, failure.message, { cause: failure.cause })
}

/** Checks whether the server rejected a statement and keeps the connection. */
export function isStatementError(error: unknown): boolean {
  return getErrorNumber(error) !== undefined
}

/** Checks whether the server cannot execute a statement, or not for this user: not for locks or its state. */
export function isUnsupported(error: unknown): boolean {
  const number = getErrorNumber(error)
  return number !== undefined && (numbers[number] ?? denied) === denied
}

function findMessage(error: unknown, { loginNumber }: MssqlFailureFacts): FailureMessage {
  const codeNames = listErrors(error).map(getErrorCode)
  if (codeNames.includes('ELOGIN')) return numbers[loginNumber ?? 0] ?? refused
  const number = getErrorNumber(error)
  if (number !== undefined) {
    return numbers[number] ?? ['protocol', () => `The server rejected a query (error ${number}).`]
  }
  for (const code of codeNames.toReversed()) {
    if (CERTIFICATE_CODES.test(code)) return BAD_CERTIFICATE
    const known = codes[code] ?? findNetworkMessage(code)
    if (known !== undefined) return known
  }
  return LOST
}

/** Returns the number of a server's error; undefined for other errors. */
function getErrorNumber(error: unknown): number | undefined {
  for (const each of listErrors(error)) {
    if ('number' in each && typeof each.number === 'number') return each.number
  }
  return undefined
}
