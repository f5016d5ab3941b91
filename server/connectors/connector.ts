import type { Dialer } from '../platform/kit/dialer.ts'
import type { AssetKind, Description } from './description.ts'
import type { FilterKind, Filters } from './filter.ts'
import type { GrantBatch } from './grant.ts'
import type { MeasuredTable } from './measure.ts'
import type { MeasureAnswer } from '../../formats/reality/measure/measure.ts'

/**
 * A connector reads one kind of source platform. It describes its settings (`describe`), checks
 * that they work (`check`), lists what can be read (`scopes`) and reads it (`read`). It does not
 * depend on the catalog's store: the engine is responsible for staging, differences, publishing,
 * deletes, ids and logs.
 */
export interface Connector {
  /** The wire name, such as `postgres`; also the prefix of its assets' types without a `platform`. */
  source: string
  description: Description
  /**
   * Tries the source in at most ten seconds and ten statements: reports what works, which privilege
   * is missing and what will be absent without it. Problems of the source are returned as findings,
   * not thrown.
   */
  check(setup: Setup): Promise<Finding[]>
  /** Opens a session for one run. Errors: SourceFailure auth, unreachable, cancelled. */
  open(setup: Setup): Promise<SourceSession>
}

/** The settings and services that a connector works with. */
export interface Setup {
  /** Parsed with the description's shape. */
  configuration: Readonly<Record<string, unknown>>
  filters: Filters
  /** By the names of the secret fields; unset secrets are absent. */
  secrets: Readonly<Record<string, string>>
  dialer: Dialer
  /** Aborts everything and cancels what runs at the source. */
  signal: AbortSignal
  /** Called when the process that reads the source has started; never called if there is none. */
  onStarted?(): void
  /** Writes a line to the run's log. The engine redacts credentials in it. */
  log(level: 'info' | 'warn', text: string): void
  /** Records one statement or request at the source. */
  sent(statement: string, durationMs: number): void
}

/**
 * The effect of a finding on runs: with a `warning` they work, but less safely or less completely.
 */
export const FINDING_STATES = ['ok', 'warning', 'error'] as const

/** One finding of a check. */
export interface Finding {
  state: (typeof FINDING_STATES)[number]
  /** The step or fact: `Connect to db.example:5432`. */
  what: string
  /** The suggested action; undefined if the state is `ok`. */
  hint?: string
  /** A change of one configuration field that resolves the finding, and the title of its button. */
  fix?: { title: string; field: string; value: string }
}

/** An open session with a source. */
export interface SourceSession {
  /**
   * Lists all scopes, with the decision of the filters. If it ends without an error, the listing is
   * complete. Errors: SourceFailure.
   */
  scopes(): AsyncIterable<Scope>
  /**
   * Returns native paths that may hold scopes missing from the listing; called after the listing.
   * Paths below a listed scope that is not read need no entry. Absent = none.
   */
  hiddenPaths?(): readonly (readonly string[])[]
  /**
   * Reads scopes of one `reading`, which this session or an earlier one has listed. A scope counts as completely read only if it has an outcome
   * without a failure. A thrown failure applies to every scope without an outcome. Batches have at
   * most 1,000 assets or about 1 MB; nothing holds a whole database. Assets whose version is in
   * `known` need not be read again: they can be reported as unchanged.
   */
  read(scopes: readonly Scope[], known?: KnownVersions): AsyncIterable<Batch>
  /**
   * Asks for tables by name that a complete listing does not show; only with `hidesTables`. Errors:
   * SourceFailure, which proves nothing.
   */
  prove?(tables: readonly AssetPlace[]): Promise<readonly TableProof[]>
  /**
   * Reads the grants in scopes; only with `grants` in the description. Platforms that answer for single objects are asked
   * for `tables` only. What has no outcome is incomplete. Errors: SourceFailure.
   */
  grants?(scopes: readonly Scope[], tables: readonly AssetPlace[]): AsyncIterable<GrantBatch>
  /**
   * Counts in one table with one statement that cannot write; only with `measures` in the description. Errors: SourceFailure
   * if the source cannot be reached.
   */
  measure?(table: MeasuredTable): Promise<MeasureAnswer>
  close(): Promise<void>
}

/**
 * The answer to a request for a table by its name: the platform does not have it, has it, refuses to answer,
 * still shows it in a view that lags behind, or cannot distinguish these.
 */
export const PRESENCES = ['gone', 'present', 'refused', 'late', 'unknown'] as const

/** Whether a table that a listing does not show is gone. */
export interface TableProof {
  path: readonly string[]
  presence: (typeof PRESENCES)[number]
  /** The reason why nothing is known, in our wording. */
  message?: string
}

/** A database or schema: the unit of completeness and progress. */
export interface Scope {
  /** The native path in the source's exact spelling: `['sales', 'public']`. */
  path: readonly string[]
  /** A level of the description. */
  kind: FilterKind
  /** Scopes with the same value are read together; for example, the name of their database. */
  reading: string
  decision: 'included' | 'excluded' | 'denied'
  /** The reason for the denial, in our wording. */
  message?: string
  /**
   * The facts in the listing that `read` needs, such as an owner or a location. A session keeps nothing of
   * a listing, because another session reads the scope if the connection was lost.
   */
  details?: Readonly<Record<string, string>>
}

/** A part of a source's contents. */
export interface Batch {
  assets: readonly SourceAsset[]
  outcomes?: readonly ScopeOutcome[]
  /** Assets that exist but could not be read: they count as seen and stay unchanged. */
  unreadable?: readonly UnreadableAsset[]
  /** Assets that still have their known version. */
  unchanged?: readonly UnchangedAsset[]
}

/** The versions of assets that the catalog already has, by their paths as JSON lists. */
export type KnownVersions = ReadonlyMap<string, string>

/** The identity of an asset, without its contents. */
export interface AssetPlace {
  path: readonly string[]
  scope: readonly string[]
  kind: AssetKind
}

/** An asset that has the version under which it was read before. */
export interface UnchangedAsset extends AssetPlace {
  /** The current values; absent = as before. */
  statistic?: Statistic
}

/** An asset that exists but cannot be read. */
export interface UnreadableAsset extends AssetPlace {
  /** The reason, in our wording. */
  message: string
}

/** The result of reading a scope: complete, or failed. */
export interface ScopeOutcome {
  path: readonly string[]
  failure?: SourceFailure
  /**
   * With a failure `permission`: the paths of assets that were shown completely. Others may have
   * hidden columns and do not overwrite what the catalog has of them.
   */
  whole?: readonly (readonly string[])[]
}

/**
 * A container or a complete table, with its columns and keys. Containers come before their
 * contents.
 */
export interface SourceAsset {
  kind: AssetKind
  /**
   * The product that holds it, if the connector reads several: `redshift`. It is the prefix of its
   * type. Default: the connector's name.
   */
  platform?: string
  /** The native path in the source's exact spelling: `['sales', 'public', 'orders']`. */
  path: readonly string[]
  /** The native path of its container, if that is not the path without its last part. */
  parent?: readonly string[]
  /**
   * The scope whose completeness proves its absence; a database that holds schemas is its own
   * scope.
   */
  scope: readonly string[]
  /** The platform's immutable id, which identifies a renamed asset. */
  sourceId?: string
  /**
   * The scope in which the platform's id is unique, if it is not globally unique: the system
   * identifier of a PostgreSQL cluster. The same id on another server is a different id.
   */
  sourceIdScope?: string
  /**
   * The platform's version of the asset: while the platform reports the same version, reading it again
   * returns the same asset. Only with `readingVersion`.
   */
  version?: string
  description?: string
  /** The owner according to the platform. */
  ownerName?: string
  columns?: readonly SourceColumn[]
  /** Column names in the order of the key. */
  primaryKey?: readonly string[]
  foreignKeys?: readonly ForeignKey[]
  /** Keys of two or more columns, without the primary key. */
  uniqueKeys?: readonly (readonly string[])[]
  /** Truncated to 64 KiB by the engine. */
  viewDefinition?: string
  /**
   * The tables and views that a view reads, as recorded by the platform; undefined = not recorded.
   */
  viewDependencies?: readonly ViewDependency[]
  /** Column names or expressions. */
  partitionColumns?: readonly string[]
  tags?: readonly string[]
  /**
   * Additional properties: `host`, `port`, `databaseName`. Values that change by themselves do not
   * belong here.
   */
  custom?: Readonly<Record<string, string | number | boolean>>
  statistic?: Statistic
}

/** A column, or a field in one. */
export interface SourceColumn {
  name: string
  /** The platform's text: `character varying(10)`. */
  type: string
  description?: string
  required?: boolean
  /** Whether a constraint or an index makes this column unique without others. */
  unique?: boolean
  /** The type on which a named type is based: `integer` for a domain. */
  baseType?: string
  /** The only values of the type, in its order: the labels of an enum. */
  enumValues?: readonly string[]
  /** The default expression. */
  default?: string
  /** The generation expression, or the identity clause. */
  generated?: string
  /** The fields of a struct. */
  properties?: readonly SourceColumn[]
  /** The element of an array. */
  items?: SourceColumn
  tags?: readonly string[]
}

/** Columns that refer to columns of another table. */
export interface ForeignKey {
  columns: readonly string[]
  /** The native path of the referenced table. */
  references: readonly string[]
  referencedColumns: readonly string[]
}

/** A table or view that a view reads. */
export interface ViewDependency {
  /** The native path. */
  references: readonly string[]
  /** The platform's id. */
  sourceId?: string
  /**
   * Names of the columns that the view reads; undefined = unknown, or no specific one: `count(*)`.
   */
  columns?: readonly string[]
}

/** Values that change without a change of the asset. Undefined = unknown, which is not 0. */
export interface Statistic {
  rowCount?: number
  sizeBytes?: number
  /** ISO-8601 in UTC. */
  changedAt?: string
  /** The kind of the change at `changedAt`; absent without it. */
  changedMeans?: ChangeMeaning
  /**
   * The number of changed rows that the platform counted of the object with this `sourceId`: a higher one than before proves
   * a change, a lower one that the platform began again.
   */
  changeCount?: number
}

/** The kinds of a change at a time: of rows, only of the definition, or of either. */
export const CHANGE_MEANINGS = ['data', 'any', 'definition'] as const

/** The kind of a change. */
type ChangeMeaning = (typeof CHANGE_MEANINGS)[number]

/** The reason why a source could not be read. */
export type FailureKind =
  /** The source rejects the account: the run stops. */
  | 'auth'
  /** The source cannot be reached or closed the connection: the request can be retried. */
  | 'unreachable'
  /** The source does not show a scope: the run continues without it. */
  | 'permission'
  | 'rate_limited'
  /** One of our limits was exceeded. */
  | 'too_large'
  /** The source sent an answer that cannot be understood, or rejected a statement. */
  | 'protocol'
  /** The process that reads the source failed. */
  | 'crashed'
  | 'cancelled'

// A run, a log or a page may append another sentence.
function toSentence(message: string): string {
  return /[.!?…]$/.test(message) ? message : `${message}.`
}

/** Creates the failure of a cancelled reading. */
export function newCancellation(cause?: unknown): SourceFailure {
  return new SourceFailure('cancelled', 'Reading was cancelled', { cause })
}

/** Checks whether an error concerns only a part of a source, such as a table, and leaves the others readable. */
export function isPartialFailure(error: unknown): error is SourceFailure {
  return error instanceof SourceFailure && /^(?:permission|protocol|too_large)$/.test(error.kind)
}

/** A source's failure, in our wording; the driver's error is the cause, which goes to the log. */
export class SourceFailure extends Error {
  override readonly name = 'SourceFailure'
  readonly kind: FailureKind
  /** The requested wait before a retry; only for `rate_limited`. */
  readonly retryAfterMs: number | undefined

  constructor(
    kind: FailureKind,
    message: string,
    more: { cause?: unknown; retryAfterMs?: number } = {},
  ) {
    super(toSentence(message), { cause: more.cause })
    this.kind = kind
    this.retryAfterMs = more.retryAfterMs
  }
}
