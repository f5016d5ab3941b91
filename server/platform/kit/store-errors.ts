import { DatabaseError } from 'pg'

// The only place that decides what an error of PostgreSQL or of its driver means. SQLSTATEs are those of appendix A of
// PostgreSQL's manual; a pooler such as PgBouncer reports its own errors with class 08.

/** The codes of answers to requests that the database could not serve. */
export type StoreErrorCode = 'store_unavailable' | 'store_read_only' | 'store_full' | 'overloaded'

/** The code of the answer to a request whose change may have been saved. */
export type StoreAnswerCode = StoreErrorCode | 'outcome_unknown'

/** The kinds of failures of the database, as metrics distinguish them. */
export const STORE_ERROR_KINDS = [
  'connection_lost',
  'read_only',
  'disk_full',
  'io_error',
  'pool_busy',
  'timeout',
  'out_of_resources',
  'conflict',
  'not_examined',
  'other',
] as const

/** The kind of a failure of the database. */
export type StoreErrorKind = (typeof STORE_ERROR_KINDS)[number]

/** The consequences of an error of the database. */
interface StoreErrorRule {
  /** SQLSTATEs, classes of SQLSTATEs (two characters), or codes of the operating system. */
  codes: readonly string[]
  /** The text that the message contains, for codes that also have other causes. */
  message?: string
  kind: StoreErrorKind
  answer: StoreErrorCode
  /** Whether the connection is closed; otherwise the next statement may use it. */
  session: 'closed' | 'kept'
  /** `error` if an operator must act; `warn` if the database usually recovers by itself. */
  level: 'warn' | 'error'
  /**
   * The repetitions before the answer: `read` = a request that only reads, once; `handler` = the whole request, up to
   * three times; `epoch` = the whole request, after the server was examined.
   */
  retry: 'read' | 'handler' | 'epoch' | 'none'
  /**
   * Whether the error proves that the database has rolled the statement back. If it does not, a statement that was
   * sent may have been committed: a server that is shut down can end a connection after a commit.
   */
  isRolledBack: boolean
  /** The setting to check; it is logged. */
  setting?: string
}

/** The database or the connection to it has ended. */
const LOST = {
  kind: 'connection_lost',
  isRolledBack: false,
  answer: 'store_unavailable',
  session: 'closed',
  level: 'warn',
  retry: 'read',
} as const
/** The database works, but not for this statement. */
const REFUSED = {
  kind: 'other',
  isRolledBack: true,
  answer: 'store_unavailable',
  session: 'kept',
  level: 'warn',
  retry: 'none',
} as const
/** The database accepts no writes. Another one behind the same address may. */
const READ_ONLY = {
  kind: 'read_only',
  isRolledBack: true,
  answer: 'store_read_only',
  session: 'closed',
  level: 'warn',
  retry: 'none',
} as const

const CONNECTION_CODES = [
  'EADDRNOTAVAIL EAI_AGAIN EAI_FAIL EAI_MEMORY EAI_NODATA EAI_NONAME EAI_SYSTEM ECONNABORTED ECONNREFUSED ECONNRESET',
  'EHOSTDOWN EHOSTUNREACH ENETDOWN ENETRESET ENETUNREACH ENOENT ENOTFOUND EPIPE ETIMEDOUT',
].flatMap((codes) => codes.split(' '))

/** Every error of the database that is not the fault of the statement. A whole code wins over its class. */
export const STORE_ERRORS: readonly StoreErrorRule[] = [
  { codes: ['25006'], ...READ_ONLY },
  // Functions of the write-ahead log on a standby; the code has many other causes.
  { codes: ['55000'], message: 'recovery is in progress', ...READ_ONLY },
  { codes: ['57P01', '57P02', '57P03', '57P04', '57P05'], ...LOST },
  { codes: ['08'], ...LOST },
  { codes: ['25P03'], ...LOST, kind: 'timeout', setting: 'idle_in_transaction_session_timeout' },
  { codes: ['25P04'], ...LOST, kind: 'timeout', setting: 'transaction_timeout' },
  // The server could not read or write its files.
  { codes: ['58'], ...LOST, kind: 'io_error', level: 'error' },
  {
    codes: CONNECTION_CODES,
    ...LOST,
  },
  { codes: ['53100'], ...REFUSED, kind: 'disk_full', answer: 'store_full', level: 'error' },
  {
    codes: ['53300'],
    ...REFUSED,
    kind: 'out_of_resources',
    session: 'closed',
    setting: 'max_connections',
  },
  { codes: ['53200'], ...REFUSED, kind: 'out_of_resources', setting: 'work_mem' },
  { codes: ['53400'], ...REFUSED, kind: 'out_of_resources', setting: 'temp_file_limit' },
  { codes: ['53'], ...REFUSED, kind: 'out_of_resources' },
  { codes: ['57014'], ...REFUSED, kind: 'timeout', setting: 'statement_timeout' },
  { codes: ['55P03'], ...REFUSED, kind: 'timeout', setting: 'lock_timeout' },
  // A conflict with another transaction: the server has rolled this one back.
  { codes: ['40001', '40P01'], ...REFUSED, kind: 'conflict', retry: 'handler' },
  // statement_completion_unknown
  { codes: ['40003'], ...LOST, retry: 'none' },
  { codes: ['40'], ...REFUSED, kind: 'conflict' },
  // Raised by the function current_feed_epoch of the migrations.
  { codes: ['40F01'], ...REFUSED, kind: 'not_examined', retry: 'epoch' },
]

// The driver's errors without a code, when its connection has ended.
const DRIVER_LOST = /Connection terminated|connection error/i
const DRIVER_UNSENT = /not queryable/
const DRIVER_LATE = /Query read timeout|timeout expired|due to connection timeout/
// The pool's error of a statement that waited for a connection while all of them were in use.
const POOL_BUSY = 'timeout exceeded when trying to connect'
// A repeated read would double the work of a database that is too slow already.
const LATE: StoreErrorRule = { codes: [], ...LOST, kind: 'timeout', retry: 'none' }
// Nothing was sent, and the database works: too many other statements were first.
const BUSY: StoreErrorRule = { codes: [], ...REFUSED, kind: 'pool_busy', answer: 'overloaded' }
const UNREACHABLE: StoreErrorRule = { codes: [], ...LOST }
const UNSENT: StoreErrorRule = { codes: [], ...LOST, isRolledBack: true }
const REPEATABLE: StoreErrorRule = { codes: [], ...REFUSED, kind: 'conflict', retry: 'handler' }

const RULES = new Map(STORE_ERRORS.flatMap((rule) => rule.codes.map((code) => [code, rule])))

/** An error of a database that is down, restarting, read-only, full or too slow. Callers respond with 503. */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable'
  readonly rule: StoreErrorRule
  /** Whether the statement may have been committed. */
  readonly isOutcomeUnknown: boolean

  /** Without a rule, the process gave up waiting: the connection is closed and nothing is repeated. */
  constructor(
    message: string,
    more: { cause?: unknown; rule?: StoreErrorRule; isOutcomeUnknown?: boolean } = {},
  ) {
    super(message, { cause: more.cause })
    this.rule = more.rule ?? LATE
    this.isOutcomeUnknown = more.isOutcomeUnknown ?? false
  }
}

/** Returns the failure of a change that may have been committed. */
export function toUnknownOutcome(error: StoreUnavailable): StoreUnavailable {
  const { rule } = error
  const message = 'the connection to the database was lost while a change was being saved'
  return new StoreUnavailable(message, { cause: error, rule, isOutcomeUnknown: true })
}

/** Returns the failure of work that was never sent because other work failed first. */
export function toUnsent(error: StoreUnavailable): StoreUnavailable {
  const { rule } = error
  return new StoreUnavailable('earlier work failed', { cause: error, rule })
}

/** Returns the failure of a statement that waited too long for a connection, all of which were in use. */
export function newPoolBusy(cause?: unknown): StoreUnavailable {
  return new StoreUnavailable('all connections were in use', { cause, rule: BUSY })
}

/** Returns the failure of a transaction that has to be repeated from its beginning. */
export function newConflict(message: string, cause: unknown): StoreUnavailable {
  return new StoreUnavailable(message, { cause, rule: REPEATABLE })
}

/** Returns whether the database failed because it accepts no writes. */
export function isReadOnlyFailure({ rule }: StoreUnavailable): boolean {
  return rule.answer === 'store_read_only'
}

/** Returns the result of work, or undefined if the database accepts no writes. */
export async function unlessReadOnly<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof StoreUnavailable && isReadOnlyFailure(error)) return undefined
    throw error
  }
}

/** Returns whether the database itself failed: it is neither only slow, nor did it refuse only a statement. */
export function isOutage({ rule }: StoreUnavailable): boolean {
  return rule.retry === 'read' || rule.answer === 'store_read_only' || rule.answer === 'store_full'
}

/** Returns whether the database failed because its disk is full. */
export function isFullFailure({ rule }: StoreUnavailable): boolean {
  return rule.answer === 'store_full'
}

/** Converts an error of a statement to a StoreUnavailable. Returns undefined if the statement is at fault. */
export function toStoreUnavailable(error: unknown): StoreUnavailable | undefined {
  const rule = findRule(error)
  return rule && new StoreUnavailable('the database did not respond', { cause: error, rule })
}

/** Converts an error of connecting. Every one means that the database cannot be used. */
export function toConnectionFailure(error: unknown): StoreUnavailable {
  const rule = findRule(error) ?? UNREACHABLE
  return new StoreUnavailable('cannot connect to the database', { cause: error, rule })
}

/** Returns whether a transaction was rolled back because of another one, so that it may succeed when repeated. */
export function isConflict(error: unknown): boolean {
  return error instanceof StoreUnavailable && error.rule.retry === 'handler'
}

/** Returns whether a request that only reads may succeed over another connection. */
export function isLostRead(error: unknown): boolean {
  return error instanceof StoreUnavailable && error.rule.retry === 'read'
}

/** Returns whether a statement failed because the server was not examined since it started. */
export function isUnexamined(error: unknown): boolean {
  return error instanceof StoreUnavailable && error.rule.retry === 'epoch'
}

/** Returns whether the connection on which a statement failed must not be used again. */
export function isConnectionLost(error: unknown): error is StoreUnavailable {
  return error instanceof StoreUnavailable && error.rule.session === 'closed'
}

function findRule(error: unknown): StoreErrorRule | undefined {
  if (!(error instanceof Error)) return undefined
  const code = getErrorCode(error)
  if (code === undefined) {
    if (error.message === POOL_BUSY) return BUSY
    if (DRIVER_LATE.test(error.message)) return LATE
    if (DRIVER_UNSENT.test(error.message)) return UNSENT
    return DRIVER_LOST.test(error.message) ? UNREACHABLE : undefined
  }
  const rule = RULES.get(code) ?? (isSqlState(code) ? RULES.get(code.slice(0, 2)) : undefined)
  return rule?.message === undefined || error.message.includes(rule.message) ? rule : undefined
}

/** Returns the SQLSTATE or the code of the operating system of an error or of its innermost cause. */
export function getErrorCode(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined
  return code ?? getErrorCode(error.cause)
}

function isSqlState(code: string): boolean {
  return /^[0-9A-Z]{5}$/.test(code)
}

/** Returns whether the server rejected a statement, for any reason. */
export function isRejected(error: unknown): boolean {
  return error instanceof DatabaseError
}

/** Returns the name of the constraint that a statement violated, or undefined for any other error. */
export function violatedConstraint(error: unknown): string | undefined {
  if (!(error instanceof DatabaseError)) return undefined
  return error.code?.startsWith('23') === true ? (error.constraint ?? '') : undefined
}

/** Returns whether the server rejected the values of a statement: data exceptions and violated constraints. */
export function isInvalidData(error: unknown): error is DatabaseError {
  return error instanceof DatabaseError && /^2[23]/.test(error.code ?? '')
}

/** Returns whether the driver gave up waiting for the result of a statement. */
export function isStatementTimeout(error: unknown): boolean {
  return error instanceof Error && error.message === 'Query read timeout'
}

/** Returns whether an error of PostgreSQL means that a prepared statement is on another backend. */
export function isLostStatement(error: unknown): boolean {
  // invalid_sql_statement_name, duplicate_prepared_statement
  return error instanceof DatabaseError && ['26000', '42P05'].includes(error.code ?? '')
}

/**
 * Returns whether an error of PostgreSQL means that the columns of a prepared statement changed, for example after
 * a migration: behind a pooler a backend outlives the process that prepared the statement.
 */
export function isOutdatedStatement(error: unknown): boolean {
  return error instanceof DatabaseError && error.routine === 'RevalidateCachedQuery'
}

/** Returns whether a statement failed because it could not get a lock in time, or because of a deadlock. */
export function isLockFailure(error: unknown): boolean {
  return ['55P03', '40P01'].includes(getErrorCode(error) ?? '')
}

/** Returns whether the server reports damaged data: a corrupted row, a corrupted index or a missing file. */
export function isCorruption(error: unknown): boolean {
  return ['XX001', 'XX002', '58P01'].includes(getErrorCode(error) ?? '')
}

/** The reasons for which a server rejects a connection, as far as Portbook distinguishes them. */
type ConnectionRejection = 'absent' | 'forbidden' | 'wrong password' | 'busy' | 'other'

/** Returns why a server rejected a connection; `busy` also if it did not answer. */
export function findConnectionRejection(error: unknown): ConnectionRejection {
  const code = getErrorCode(error) ?? ''
  if (code === 'ENOENT' || code === 'ECONNREFUSED') return 'absent'
  if (code === 'EACCES' || code === 'EPERM') return 'forbidden'
  if (code === '28P01') return 'wrong password'
  return !(error instanceof DatabaseError) || ['57P03', '53300'].includes(code) ? 'busy' : 'other'
}
