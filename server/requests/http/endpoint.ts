import type { ScryptOptions } from 'node:crypto'
import type { z } from '@hono/zod-openapi'
import type { AuthorizationServer } from 'oauth4webapi'
import type { Authenticator, Person } from '../access/authenticate.ts'
import type { Caller } from '../access/caller.ts'
import type { Permission } from '../access/permission.ts'
import type { DatasetFacts } from '../../../formats/rdf/dataset.ts'
import type { ContractRule, RuleMembers } from '../../../formats/reality/rules.ts'
import type { ByteCache } from '../../platform/kit/byte-cache.ts'
import type { Clock } from '../../platform/kit/clock.ts'
import type { Dialer } from '../../platform/kit/dialer.ts'
import type { FairQueue } from '../../platform/kit/fair-queue.ts'
import type { GroupedInserts } from '../../platform/kit/grouped-inserts.ts'
import type { KeySets } from '../../platform/kit/key-sets.ts'
import type { Serialize } from '../../platform/kit/keyed-queue.ts'
import type { Log } from '../../platform/kit/log.ts'
import type { Mailing } from '../../platform/kit/mailing.ts'
import type { SourceDialers } from '../../platform/kit/own-source.ts'
import type { Allowance } from '../../platform/kit/rate-limit.ts'
import type { SchemaState } from '../../platform/kit/schema-version.ts'
import type { SecretBox } from '../../platform/kit/secret-box.ts'
import type { Signals } from '../../platform/kit/signals.ts'
import type { ResolveTxt } from '../../platform/kit/txt-records.ts'
import type { WriteObstacle } from '../../platform/kit/store-health.ts'
import type { SettleReality } from '../../platform/reality-change.ts'
import type { Database } from '../../platform/tables.ts'
import type { Body, BodyRule } from './body.ts'
import type { DirectoryLog } from './directory-requests.ts'
import { withMembers } from './json.ts'
import type { LaneRule, Lanes } from './lanes.ts'
import type { Offload } from './offload.ts'
import type { RefusedConnections } from './refused-clients.ts'

/** The services that handlers use: opened once at start, shared by all requests. */
export interface Services extends SourceDialers {
  db: Database
  /** For the few statements that may take long: no request that must be quick waits for its connections. */
  bulkDb: Database
  clock: Clock
  authenticator: Authenticator
  /** Runs work of one key one at a time in this process. */
  serialize: Serialize
  /** Inserts rows that arrive at the same time together. */
  groupedInserts: GroupedInserts
  /** The cost of a password hash. Tests use a cheap one. */
  passwordCost: ScryptOptions
  /** Verifies passwords, few at a time. */
  passwordQueue: FairQueue
  /** Counts the passwords that this process verifies for clients that it does not know yet. */
  passwordRate: (name: string) => Allowance
  log: Log
  /** Lets organizations take turns at the store and the event loop. */
  lanes: Lanes
  /** Notes the requests of directories. */
  directoryLog: DirectoryLog
  /** Reads documents, in threads if they are large. */
  offload: Offload
  /** The facts of contracts for RDF, of documents that were read before. */
  datasetFacts: ByteCache<DatasetFacts>
  /** The quality rules of contracts, and the definitions of rules in test results, that were read before. */
  testRules: { rules: ByteCache<readonly ContractRule[]>; definitions: ByteCache<RuleMembers> }
  /** Opens connections to OpenID providers and token issuers. */
  identityDialer: Dialer
  /** The public keys of OpenID providers and token issuers. */
  keySets: KeySets
  /** The metadata of identity providers, each with the time of its reading on the process's own clock in milliseconds. */
  providerMetadata: ByteCache<{ server: AuthorizationServer; readAt: number }>
  /** Counts the tests of providers and domains, by organization. */
  trialRate: (name: string) => Allowance
  /** Counts the requests to sign in with providers, by client. */
  signInRate: (name: string) => Allowance
  /** Asks the name servers that verify mail domains. */
  resolveTxt: ResolveTxt
  /** Encrypts the credentials of sources and the secrets of identity providers. */
  secretBox: SecretBox
  /**
   * For the processes in which sources are tested and previewed, and in which contracts are tested, which takes longer; undefined =
   * in this process.
   */
  readers:
    | {
        places: FairQueue
        testPlaces: FairQueue
        environment: Readonly<Record<string, string>>
      }
    | undefined
  /**
   * Notifies the workers of this process immediately; other processes notice through the database a moment
   * later.
   */
  runSignals: Signals
  /** Sends e-mail; undefined = no mail server is configured. */
  mailing: Mailing | undefined
  /** Whether the disk is too full for writes. */
  isDiskFull: () => boolean
  guard: StoreGuard
  /** The running installation, for the About page. */
  installation: Installation
  /** The public address, without a slash at its end. */
  baseUrl: string
  /** The last days on which documents in the formats that end are taken, `YYYY-MM-DD` in UTC. */
  dpsUntil: string
  dcsUntil: string
  eventTypePrefix: string
  /** Brings links, findings and trust up to date after a change. */
  settleReality: SettleReality
}

/** The services that read stored documents. */
export type ReadingServices = Pick<Services, 'db' | 'offload'>

/** Decides whether this process may write to the store. */
export interface StoreGuard {
  /** Returns the schema of the database as this program sees it. Writes are rejected unless its version is `same`. */
  schema(): SchemaState
  /**
   * Examines why a request failed. Returns true if the cause was removed and the request should be
   * repeated. Errors: StoreUnavailable.
   */
  recover(error: unknown): Promise<boolean>
  /** Asks the database whether it accepts writes; returns why not, or undefined if it does. Errors: StoreUnavailable. */
  findObstacle(db: Database): Promise<WriteObstacle | undefined>
  /** Whether this process could write at the last check. */
  isWritable(): boolean
  /** Whether background work waits: the database accepts no writes, or has failed and is not checked yet. */
  isPaused(): boolean
}

/** The installation of a process. */
export interface Installation {
  /** When this process began to serve. */
  startedAt: string
  /** Workers for ingestion in this process. */
  workers: number
  /** The id of this process in the table of processes; undefined = it has none yet. */
  findProcessId(): string | undefined
  /** Whether the encryption key is that of PORTBOOK_ENCRYPTION_KEY, or in a file of the data directory. */
  encryptionKeyFrom: 'setting' | 'file'
  /** Whether the process was started with the demo. */
  isDemo: boolean
  /** Returns the connections that were refused because their client has too many; undefined if there were none. */
  findRefusedConnections(): RefusedConnections | undefined
}

/** One request that got through every check that does not need its meaning. */
export interface Call<Name extends string, Query> {
  services: Services
  caller: Caller
  /** The decoded path parameters. */
  params: Readonly<Record<Name, string>>
  query: Query
  /** The query as it was sent, for links to the next page. */
  search: URLSearchParams
  headers: Headers
  /** Empty for endpoints that take none. */
  body: Body
  /** The raw path, without the query. */
  path: string
  requestId: string
}

/** A request without a caller: before sign-in, or for public addresses. */
interface VisitorCall<Query = object> extends Omit<Call<never, Query>, 'caller'> {
  /** The client's address, for limits. */
  client: string
  /** The secret of the session cookie, not verified; undefined without a cookie. */
  sessionToken: string | undefined
}

/** A request of a signed-in person, in any organization or in none. */
export interface PersonCall<Name extends string = never> extends Omit<VisitorCall, 'params'> {
  person: Person
  /** The decoded path parameters. */
  params: Readonly<Record<Name, string>>
}

/** A response: a complete text, or a stream of chunks. */
export interface Answer {
  status: number
  headers?: Record<string, string>
  mediaType?: string
  body?: string | ReadableStream<Uint8Array>
}

/** A response as the OpenAPI document describes it. */
export interface DescribedAnswer {
  description: string
  mediaTypes?: readonly string[]
  schema?: z.ZodType
  /** The schemas of further media types, which have another one than the others. */
  otherSchemas?: Readonly<Record<string, z.ZodType>>
  /** The media types that follow a standard which is not final. */
  draftMediaTypes?: readonly string[]
  /** Its headers, each with a description. */
  headers?: Readonly<Record<string, string>>
}

/**
 * The callers of an endpoint: any key or session, an organization's key, a signed-in member, an owner, or a
 * permission on a resource.
 */
export type CallerRule =
  | 'any key'
  | 'a session'
  | 'an owner of the organization'
  | 'an organization key'
  | 'a directory key or an organization key'
  | 'an organization key or a session'
  | PermissionNeed

/** The permissions of which a caller needs one. */
interface PermissionNeed {
  needs: readonly Permission[]
  /** The resource on which the permission is needed, for the documentation. */
  on: string
  /** Whether others may call the endpoint, too, as `on` describes: the consumer of an agreement. */
  hasAlternative?: true
}

/** The callers of any endpoint, including those without an organization or without a session. */
type PermissionRule = CallerRule | 'authenticated' | 'public'

/** The body of an endpoint, as it is checked and documented. */
export interface BodyDescription extends BodyRule {
  schema: z.ZodType
  description: string
  /**
   * `command`: the client asks for something, and a member that is ignored could be its most important one, so that
   * unknown members are errors; the schema must not drop any. `document`: the client owns the body, which is stored as
   * it was sent, or has a published form that others extend; unknown members are kept or ignored.
   */
  content: 'command' | 'document'
}

/** The description of an endpoint in the table. */
export interface Described<Query> {
  /** The operation id, a verb and a noun, for generated clients. */
  operation: string
  summary: string
  description?: string
  permission: PermissionRule
  /**
   * Permissions with which a limited key may call it, in addition to those of the rule; `none` = it changes nothing. A
   * limited key without any of them may only call a GET.
   */
  limitedKey?: readonly Permission[] | 'none'
  /** By default, lists are scans; writes, and reads of the resource of an id, are points. */
  lane?: LaneRule
  /** Whether a usual call only sends short reads, which share connections (`kit/short-reads.ts`). */
  isShort?: boolean
  /** The query parameters; absent = none. */
  query?: z.ZodType<Query>
  /**
   * Whether the query selects what is returned or deleted, so that an unknown parameter is an error: ignoring it would
   * select more than the client meant. Absent = if the endpoint returns a list.
   */
  isFiltered?: boolean
  body?: BodyDescription
  answers: Readonly<Record<number, DescribedAnswer>>
  /** `draft`: the endpoint follows a standard that is not final, and changes with it. Absent = it is stable. */
  stability?: 'draft'
}

/** An endpoint without its address: its input, its callers, its responses. `Name`: its path parameters. */
export interface Endpoint<Name extends string = never, Query = object> extends Described<Query> {
  permission: CallerRule
  /**
   * Checks a permission that depends on the path, before the body and the query are interpreted: errors in them reveal
   * nothing to callers without it. Errors: not_found, permission_missing.
   */
  requires?: (call: PathCall<Name>) => Promise<unknown> | void
  handle: (call: Call<Name, Query>) => Promise<Answer>
}

/** A request before its body and its query are interpreted. */
export type PathCall<Name extends string> = Pick<
  Call<Name, unknown>,
  'services' | 'caller' | 'params'
>

/** An endpoint for signed-in people, in any organization or in none. */
export interface PersonEndpoint<Name extends string = never> extends Described<object> {
  permission: 'authenticated'
  handle: (call: PersonCall<Name>) => Promise<Answer>
}

/** An endpoint for everybody: no session is needed, and none is looked at. */
export interface OpenEndpoint<Query = object> extends Described<Query> {
  permission: 'public'
  handle: (call: VisitorCall<Query>) => Promise<Answer>
}

/** The methods that the API uses. */
export type Method = 'GET' | 'PUT' | 'POST' | 'PATCH' | 'DELETE'

/** The input of a route after its path has matched. */
export type UnreadCall = Omit<VisitorCall, 'query' | 'params'> & {
  params: Readonly<Record<string, string>>
  /** The caller that the route requires. */
  caller: Caller | undefined
  person: Person | undefined
}

/** A row of the endpoint table: an address and its endpoint. */
export interface Route {
  method: Method
  /** With the ids in braces: `/api/teams/{id}`. */
  path: string
  /** The parameter whose ids may have slashes, raw or as `%2F`; absent = none. */
  slashParameter?: string
  /** The parameters that are names in documents, which have any characters; absent = all are ids. */
  nameParameters?: readonly string[]
  described: Described<unknown>
  lane: LaneRule
  /** Calls the endpoint with the parsed query. Errors: query_invalid, and those of the endpoint. */
  answer(call: UnreadCall, readQuery: <Q>(schema: z.ZodType<Q>) => Q): Promise<Answer>
}

/**
 * Returns a JSON response with the fields of a schema; no other field can leak. `members` are further members
 * as JSON text, which were validated when they were written.
 */
export function jsonAnswer<T>(
  status: number,
  schema: z.ZodType<T>,
  value: T,
  headers: Record<string, string> = {},
  members: Readonly<Record<string, string>> = {},
): Answer {
  const body = withMembers(JSON.stringify(schema.parse(value)), members)
  return { status, headers, mediaType: 'application/json', body }
}

/** The organization and the threads that read its documents. */
export function inThreads(
  { offload }: Services,
  { organizationId }: Caller,
): { offload: Offload; organizationId: string } {
  return { offload, organizationId }
}

/** The header that programs print for people: where the resource's page is. */
export function createPageHeader(
  services: Services,
  room: string,
  id: string,
): Record<string, string> {
  return { 'location-html': `${services.baseUrl}/${room}/${encodeURIComponent(id)}` }
}
