import { DatabaseError } from 'pg'
import { SourceFailure } from '../connector.ts'
import { NO_TLS_HINT, TLS_FIELD_TITLE } from '../fields.ts'
import {
  BAD_CERTIFICATE,
  describeTimeout,
  findNetworkMessage,
  findTlsMessage,
  getErrorCode,
  LOCKED,
  LOST,
  SILENT,
  toDriverFailure,
  type ConnectionFacts,
  type FailureMessage as Message,
} from '../sql/driver-failure.ts'
import { newTable } from '../../../formats/name/table.ts'

/** The facts that a failure's message mentions. */
interface PostgresFailureFacts extends ConnectionFacts {
  user: string
  database: string
  statementTimeoutMs: number
  /** The time for which the last statement has run. */
  statementMs: number
}

type FailureMessage = Message<PostgresFailureFacts>

const codes = newTable<FailureMessage>({
  '28P01': ['auth', ({ user }) => `The server rejects the password of the user ${user}.`],
  '28000': [
    'auth',
    ({ user, database }) =>
      `The server rejects the user ${user} for the database ${database}. ` +
      `Check the user, pg_hba.conf, ${TLS_FIELD_TITLE} and the client certificate.`,
  ],
  '3D000': ['protocol', ({ database }) => `The database ${database} does not exist.`],
  '42501': [
    'permission',
    ({ user, database }) => `The user ${user} lacks a privilege in the database ${database}.`,
  ],
  '53300': ['unreachable', ({ address }) => `${address} has no connections left.`],
  '57014': ['unreachable', () => 'The source cancelled a query.'],
  '55P03': LOCKED,
  '57P01': [
    'unreachable',
    ({ address }) => `${address} ended the connection: it is shutting down.`,
  ],
  '57P03': ['unreachable', ({ address }) => `${address} is starting up or shutting down.`],
})

const NO_TLS = /does not support SSL/

// These texts belong to the driver and the runtime; a server's texts may be in any language.
const ownTexts: readonly (readonly [RegExp, FailureMessage])[] = [
  [/^SASL/, ['auth', ({ user }) => `The log-in of ${user} failed: check the password.`]],
  [NO_TLS, ['unreachable', ({ address }) => `${address} does not support TLS. ${NO_TLS_HINT}`]],
  [/timeout expired|timed out/, SILENT],
]

const TLS_ERROR_CODE = /^(?:ERR_(?:TLS|SSL|OSSL)|CERT_|UNABLE_TO_|SELF_SIGNED|DEPTH_ZERO|HOSTNAME_)/

/**
 * Converts an error to a failure with a message in our wording; the driver's error is the cause.
 */
export function toFailure(error: unknown, circumstances: PostgresFailureFacts): SourceFailure {
  const { statementMs, statementTimeoutMs } = circumstances
  // The server's clock started slightly after ours.
  const isTimeout = getErrorCode(error) === '57014' && statementMs >= statementTimeoutMs
  return toDriverFailure(error, circumstances, () =>
    isTimeout ? ['too_large', () => describeTimeout(statementTimeoutMs)] : toMessage(error),
  )
}

/** Checks whether a single row made a statement fail, so that it may succeed without that row. */
export function isRowError(error: unknown): boolean {
  // Locks, undefined objects, values, unsupported features, and internal errors such as a failed
  // look-up.
  return error instanceof DatabaseError && /^(?:55P03|42|22|0A|XX)/.test(error.code ?? '')
}

/** Checks whether a standby cancelled a statement because its primary had to clean up. */
export function isRecoveryConflict(error: unknown): boolean {
  // A read-only transaction has errors of this class for no other reason.
  return getErrorCode(error).startsWith('40')
}

/** Checks whether the connection was lost during a statement. */
export function isConnectionLost(error: unknown): boolean {
  if (error instanceof SourceFailure) return false
  return !(error instanceof DatabaseError) || /^(?:08|57P0)/.test(error.code ?? '')
}

/** Checks whether the server answered that it does not support TLS. */
export function isWithoutTls({ cause }: SourceFailure): boolean {
  return cause instanceof Error && NO_TLS.test(cause.message)
}

/** Checks whether a failure to connect affects only this database and not the server. */
export function isDatabaseFailure({ cause }: SourceFailure): boolean {
  // No such database, no CONNECT privilege, a database that accepts no connections.
  return ['3D000', '42501', '55000'].includes(getErrorCode(cause))
}

function toMessage(error: unknown): FailureMessage {
  const code = getErrorCode(error)
  const message = error instanceof Error ? error.message : ''
  const own = ownTexts.find(([text]) => text.test(message))?.[1]
  const known = codes[code] ?? own ?? findNetworkMessage(code)
  if (known !== undefined) return known
  if (TLS_ERROR_CODE.test(code)) return findTlsMessage(code) ?? BAD_CERTIFICATE
  if (error instanceof DatabaseError) return toDatabaseMessage(code)
  return ['unreachable', ({ address }) => `The connection to ${address} failed or was lost.`]
}

function toDatabaseMessage(code: string): FailureMessage {
  if (code.startsWith('28')) return ['auth', ({ user }) => `The server rejects the user ${user}.`]
  const known = CLASSES[code.slice(0, 2)]
  return known ?? ['protocol', ({ database }) => `The database ${database} rejected a query.`]
}

/** Classes of errors by the first two characters of their code (PostgreSQL documentation, appendix A). */
const CLASSES = newTable<FailureMessage>({
  '08': LOST,
  '22': ['protocol', ({ database }) => `The database ${database} could not convert a value.`],
  '40': ['unreachable', ({ address }) => `${address} cancelled a query because of other changes.`],
  '42': ['protocol', ({ database }) => `The database ${database} does not support a query.`],
  '53': ['unreachable', ({ address }) => `${address} is out of memory, disk space or connections.`],
  '54': ['too_large', ({ database }) => `A query is too complex for the database ${database}.`],
  '57': ['unreachable', ({ address }) => `${address} was interrupted by its operator.`],
  '58': ['unreachable', ({ address }) => `${address} reports an error of its operating system.`],
  XX: ['protocol', ({ database }) => `The database ${database} reports an internal error.`],
})
