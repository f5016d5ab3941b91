import { DatabaseError } from 'pg'
import { DialRefused } from '../../kit/dialer.ts'
import { SourceFailure } from '../connector.ts'
import type { FailureKind } from '../connector.ts'
import { NO_TLS_HINT, TLS_FIELD_TITLE } from '../tls-options.ts'

/** What the sentence of a failure speaks of. */
export interface Circumstances {
  /** `db.example:5432`. */
  address: string
  user: string
  database: string
  statementTimeoutMs: number
  /** How long the last statement has run. */
  statementMs: number
  isAborted: boolean
}

type Told = readonly [FailureKind, (circumstances: Circumstances) => string]

const codes: Readonly<Record<string, Told>> = {
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
  '55P03': ['protocol', () => 'The source did not release a lock in time.'],
  '57P01': [
    'unreachable',
    ({ address }) => `${address} ended the connection: it is shutting down.`,
  ],
  '57P03': ['unreachable', ({ address }) => `${address} is starting up or shutting down.`],
  ECONNREFUSED: ['unreachable', ({ address }) => `Nothing listens at ${address}.`],
  ENOTFOUND: ['unreachable', ({ address }) => `The host name of ${address} is unknown.`],
  EAI_AGAIN: [
    'unreachable',
    ({ address }) => `The host name of ${address} cannot be resolved now.`,
  ],
}

const NO_TLS = /does not support SSL/

// The texts are of the driver and of this runtime, not of a server, whose language may be any.
const ownTexts: readonly (readonly [RegExp, Told])[] = [
  [/^SASL/, ['auth', ({ user }) => `The log-in of ${user} failed: is the password set and right?`]],
  [NO_TLS, ['unreachable', ({ address }) => `${address} does not support TLS. ${NO_TLS_HINT}`]],
  [
    /timeout expired|timed out/,
    ['unreachable', ({ address }) => `${address} did not answer in time.`],
  ],
]

const tlsTrouble = /^(?:ERR_(?:TLS|SSL|OSSL)|CERT_|UNABLE_TO_|SELF_SIGNED|DEPTH_ZERO|HOSTNAME_)/

/** What went wrong, as our own sentence; the driver's words stay in the cause. */
export function toFailure(error: unknown, circumstances: Circumstances): SourceFailure {
  if (circumstances.isAborted) {
    return new SourceFailure('cancelled', 'Reading was cancelled.', { cause: error })
  }
  if (error instanceof SourceFailure) return error
  if (error instanceof DialRefused) {
    return new SourceFailure('unreachable', error.message, { cause: error })
  }
  if (codeOf(error) === '57014' && timedOut(circumstances)) {
    const seconds = circumstances.statementTimeoutMs / 1000
    const sentence = `A statement took longer than ${seconds} s and was stopped.`
    return new SourceFailure('too_large', sentence, { cause: error })
  }
  const [kind, sentence] = tell(error)
  return new SourceFailure(kind, sentence(circumstances), { cause: error })
}

/** A code of SQLSTATE or of the operating system; undefined when an error has none. */
export function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined
  return typeof error.code === 'string' ? error.code : undefined
}

/** Whether one row of a statement made it fail, so that it may go well without that row. */
export function isRowError(error: unknown): boolean {
  // Locks, what is undefined, values, the unsupported, and internal errors such as a look-up that
  // found nothing any more.
  return error instanceof DatabaseError && /^(?:55P03|42|22|0A|XX)/.test(error.code ?? '')
}

/** Whether a standby cancelled a statement, for what its primary had to clean away. */
export function isRecoveryConflict(error: unknown): boolean {
  // A transaction that only reads meets the class for no other reason.
  return codeOf(error)?.startsWith('40') ?? false
}

/** Whether the connection went away under a statement. */
export function isConnectionLost(error: unknown): boolean {
  if (error instanceof SourceFailure) return false
  return !(error instanceof DatabaseError) || /^(?:08|57P0)/.test(error.code ?? '')
}

/** Whether the server answered that it does not support TLS. */
export function isWithoutTls({ cause }: SourceFailure): boolean {
  return cause instanceof Error && NO_TLS.test(cause.message)
}

/** Whether a failure to connect is about that database and not about the server. */
export function isOfDatabase({ cause }: SourceFailure): boolean {
  // No such database, no CONNECT privilege, a database that takes no connections.
  return ['3D000', '42501', '55000'].includes(codeOf(cause) ?? '')
}

// The server's clock began a moment after ours.
function timedOut({ statementMs, statementTimeoutMs }: Circumstances): boolean {
  return statementMs >= statementTimeoutMs
}

function tell(error: unknown): Told {
  const code = codeOf(error)
  const message = error instanceof Error ? error.message : ''
  const known = codes[code ?? ''] ?? ownTexts.find(([text]) => text.test(message))?.[1]
  if (known !== undefined) return known
  if (code !== undefined && tlsTrouble.test(code)) return tellTls(code)
  if (error instanceof DatabaseError) return tellDatabaseError(error.code ?? '')
  return ['unreachable', ({ address }) => `The connection to ${address} failed or broke off.`]
}

function tellTls(code: string): Told {
  if (code.includes('ALERT')) {
    return ['auth', ({ address }) => `${address} refused our side of TLS: the client certificate?`]
  }
  if (code.startsWith('ERR_OSSL')) {
    return ['auth', () => 'The CA, the client certificate or its key is not readable as PEM.']
  }
  return ['unreachable', ({ address }) => `The certificate of ${address} does not prove who it is.`]
}

function tellDatabaseError(code: string): Told {
  if (code.startsWith('28')) return ['auth', ({ user }) => `The server refuses the user ${user}.`]
  const known = CLASSES[code.slice(0, 2)]
  return known ?? ['protocol', ({ database }) => `The database ${database} rejected a query.`]
}

/** Classes of errors by the first two characters of their code (PostgreSQL documentation, appendix A). */
const CLASSES: Readonly<Record<string, Told>> = {
  '08': ['unreachable', ({ address }) => `The connection to ${address} broke off.`],
  '22': ['protocol', ({ database }) => `The database ${database} could not convert a value.`],
  '40': ['unreachable', ({ address }) => `${address} cancelled a query because of other changes.`],
  '42': ['protocol', ({ database }) => `The database ${database} does not support a query.`],
  '53': ['unreachable', ({ address }) => `${address} is out of memory, disk space or connections.`],
  '54': ['too_large', ({ database }) => `A query is too complex for the database ${database}.`],
  '57': ['unreachable', ({ address }) => `${address} was interrupted by its operator.`],
  '58': ['unreachable', ({ address }) => `${address} reports an error of its system.`],
  XX: ['protocol', ({ database }) => `The database ${database} reports an internal error.`],
}
