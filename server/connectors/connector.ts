import type { z } from '@hono/zod-openapi'
import type { Dialer } from '../kit/dialer.ts'
import type { FilterKind, Filters } from './filter.ts'

/**
 * A connector is the code that reads one kind of source platform. It says what it needs (`describe`),
 * whether that works (`check`), what there is to read (`scopes`), and reads it (`read`). It knows
 * nothing of the catalog's store: staging, differences, publishing, deletes, ids and logs belong to
 * the engine.
 */
export interface Connector {
  /** Its name on the wire: `postgres`; also the first word of its assets' types. */
  source: string
  description: Description
  /**
   * Tries the source in at most ten seconds and ten statements: what works, which privilege is
   * missing and what will be absent without it. Errors: none for what the source does, which is a
   * finding.
   */
  check(setup: Setup): Promise<Finding[]>
  /** Opens a session for one run. Errors: SourceFailure auth, unreachable, cancelled. */
  open(setup: Setup): Promise<SourceSession>
}

/** What drives the form, the redaction and the documentation of a source. Pure data. */
export interface Description {
  /** As people call it: `PostgreSQL`. */
  title: string
  /** The fields that are no secrets and no filters, as a strict zod object. */
  configuration: z.ZodObject
  secrets: readonly SecretField[]
  /** Fields that decide where, and as whom, to connect: a change asks for every secret again. */
  connectionFields: readonly string[]
  /** What the parts of a native path are, from the top: `database`, `schema`, `table`. */
  levels: readonly [FilterKind, ...FilterKind[]]
  /** Which level is the unit of completeness. */
  scopeLevel: FilterKind
  /** Names at a level that belong to the platform itself; an exact include takes one in all the same. */
  systemNames: Partial<Record<FilterKind, (name: string) => boolean>>
  assetKinds: readonly AssetKind[]
  /** Kinds that a configuration tells not to read: what is there of them is left out, and not gone. */
  kindsLeftOut: (configuration: Readonly<Record<string, unknown>>) => readonly AssetKind[]
  /**
   * Whether a path is a hidden path or below it (SourceSession.hiddenPaths). Absent = every part of
   * the hidden path is equal.
   */
  isWithin?(path: readonly string[], hiddenPath: readonly string[]): boolean
  /** The type of an ODCS server (`postgres`), or undefined when the standard has none. */
  serverType: string | undefined
}

/** A secret that a source may need. */
export interface SecretField {
  name: string
  title: string
  required: boolean
  /** Of more than one line, a key in PEM say. */
  multiline: boolean
}

/** What things of a source can be; an asset's type is `<source>_<kind>`. */
export const ASSET_KINDS = [
  'database',
  'schema',
  'namespace',
  'table',
  'view',
  'materialized_view',
  'external_table',
] as const

/** One of them. */
export type AssetKind = (typeof ASSET_KINDS)[number]

/** What a connector works with. */
export interface Setup {
  /** Parsed by the description's shape. */
  configuration: Readonly<Record<string, unknown>>
  filters: Filters
  /** By the names of the secret fields; those that were never set are absent. */
  secrets: Readonly<Record<string, string>>
  dialer: Dialer
  /** Aborts everything: what runs at the source is cancelled there. */
  signal: AbortSignal
  /** Called when the process that reads the source has started; never without such a process. */
  onStarted?(): void
  /** A line of the run's log. Credentials that slip in are redacted by the engine. */
  log(level: 'info' | 'warn', text: string): void
  /** Accounts for one statement or request at the source. */
  sent(statement: string, durationMs: number): void
}

/** How a finding of a check affects runs: with a `warning` they work, less safely or less completely. */
export const FINDING_STATES = ['ok', 'warning', 'error'] as const

/** One finding of a check. */
export interface Finding {
  state: (typeof FINDING_STATES)[number]
  /** What was tried or found: `Connect to db.example:5432`. */
  what: string
  /** What to do about it; undefined when it is fine. */
  hint?: string
  /** A change of one field of the configuration that resolves it, and the title of its button. */
  fix?: { title: string; field: string; value: string }
}

/** An open session with a source. */
export interface SourceSession {
  /**
   * Lists every scope that there is, with what the filters decide. Ending without an error says that
   * the listing is complete. Errors: SourceFailure.
   */
  scopes(): AsyncIterable<Scope>
  /**
   * Once the scopes are listed: native paths that may hold scopes which the listing did not show.
   * Whatever is below a listed scope that is not read needs no entry. Absent = none.
   */
  hiddenPaths?(): readonly (readonly string[])[]
  /**
   * Reads scopes of one `reading`. A scope counts as completely read only once an outcome without a
   * failure said so. A failure that is thrown is that of every scope without an outcome. Batches have
   * at most 1,000 assets or about 1 MB; nothing holds a whole database.
   */
  read(scopes: readonly Scope[]): AsyncIterable<Batch>
  close(): Promise<void>
}

/** A database or schema: the unit of completeness and progress. */
export interface Scope {
  /** The native path in the source's exact spelling: `['sales', 'public']`. */
  path: readonly string[]
  /** What it is, by the description's levels. */
  kind: FilterKind
  /** Scopes of the same reading are read in one go: the name of their database, say. */
  reading: string
  decision: 'included' | 'excluded' | 'denied'
  /** Why it is denied; our own sentence. */
  message?: string
}

/** A piece of what a source has. */
export interface Batch {
  assets: readonly SourceAsset[]
  outcomes?: readonly ScopeOutcome[]
  /** Things that are there and could not be read: they count as seen, and stay as they are. */
  unreadable?: readonly UnreadableAsset[]
}

/** A thing of a source that is there and cannot be read. */
export interface UnreadableAsset {
  path: readonly string[]
  scope: readonly string[]
  kind: AssetKind
  /** Why, in our own sentence. */
  message: string
}

/** A scope was read to its end, or not. */
export interface ScopeOutcome {
  path: readonly string[]
  failure?: SourceFailure
  /**
   * With a failure `permission`: the paths of assets that were shown whole nevertheless. The others may
   * have columns that are hidden now, and do not overwrite what the catalog has of them.
   */
  whole?: readonly (readonly string[])[]
}

/**
 * A container or a table, whole: with its columns and keys. Containers come before what they hold.
 */
export interface SourceAsset {
  kind: AssetKind
  /** The native path in the source's exact spelling: `['sales', 'public', 'orders']`. */
  path: readonly string[]
  /** The native path of its container, where that is not the path without its last part. */
  parent?: readonly string[]
  /** The scope whose completeness proves its absence; a database that holds schemas is its own. */
  scope: readonly string[]
  /** The platform's own immutable id, which recognises a renamed one. */
  sourceId?: string
  /**
   * Within what the platform's id is unique, where that is not everywhere: the system identifier of a
   * PostgreSQL cluster. An id of another server is another id.
   */
  sourceIdScope?: string
  description?: string
  /** Whom the platform calls its owner. */
  ownerName?: string
  columns?: readonly SourceColumn[]
  /** Names of columns, in the key's order. */
  primaryKey?: readonly string[]
  foreignKeys?: readonly ForeignKey[]
  /** Columns that are unique together, two or more, besides the primary key. */
  uniqueKeys?: readonly (readonly string[])[]
  /** Cut at 64 KiB by the engine. */
  viewDefinition?: string
  /** What a view reads, as the platform itself records it; undefined = it does not. */
  viewDependencies?: readonly ViewDependency[]
  /** Names of columns, or expressions. */
  partitionColumns?: readonly string[]
  tags?: readonly string[]
  /** More that is worth keeping: `host`, `port`, `databaseName`. Values that change by themselves do not belong here. */
  custom?: Readonly<Record<string, string | number | boolean>>
  statistic?: Statistic
}

/** A column, or a field within one. */
export interface SourceColumn {
  name: string
  /** The platform's own text: `character varying(10)`. */
  type: string
  description?: string
  required?: boolean
  /** Alone, by a constraint or an index of its own. */
  unique?: boolean
  /** The type below a type with a name of its own: `integer` of a domain. */
  baseType?: string
  /** The only values that the type has, in its order: the labels of an enum. */
  enumValues?: readonly string[]
  /** The expression of its default. */
  default?: string
  /** An expression that makes its value, or that it numbers itself. */
  generated?: string
  /** The fields of a struct. */
  properties?: readonly SourceColumn[]
  /** What an array holds. */
  items?: SourceColumn
  tags?: readonly string[]
}

/** Columns that refer to those of another table. */
export interface ForeignKey {
  columns: readonly string[]
  /** The native path of the table that is referred to. */
  references: readonly string[]
  referencedColumns: readonly string[]
}

/** A table or view that a view reads. */
export interface ViewDependency {
  /** Its native path. */
  references: readonly string[]
  /** The platform's own id of it. */
  sourceId?: string
  /** Names of its columns that the view reads; undefined = unknown, or no single one: `count(*)`. */
  columns?: readonly string[]
}

/** What changes without the asset being changed. Undefined = unknown, which is not 0. */
export interface Statistic {
  rowCount?: number
  sizeBytes?: number
  /** ISO-8601 in UTC. */
  changedAt?: string
}

/** Why a source did not give what it was asked for. */
export type FailureKind =
  /** It does not let us in: the run stops. */
  | 'auth'
  /** It cannot be reached or broke off: worth another try. */
  | 'unreachable'
  /** It does not show a scope: the run goes on without it. */
  | 'permission'
  | 'rate_limited'
  /** A limit of ours was hit. */
  | 'too_large'
  /** It answered what we do not understand, or refused a statement. */
  | 'protocol'
  /** What it sent ended the process that read it: the run stops. */
  | 'crashed'
  | 'cancelled'

// What a run, a log or a page adds is a sentence of its own.
function toSentence(message: string): string {
  return /[.!?…]$/.test(message) ? message : `${message}.`
}

/** A source's failure, in our own sentence; the driver's words are the cause, which goes to the log. */
export class SourceFailure extends Error {
  override readonly name = 'SourceFailure'
  readonly kind: FailureKind
  /** Of `rate_limited`: how long to wait. */
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
