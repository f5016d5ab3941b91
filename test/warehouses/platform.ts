/**
 * The record of a platform, which the shared cases need. A platform is one record, in its folder, and one line in
 * `platforms.ts`.
 */

import type { Connector, Setup, SourceSession } from '../../server/connectors/connector.ts'
import type { Wait } from '../../server/connectors/http/transport.ts'
import type { When } from './fault-proxy.ts'
import type { Paging } from './paging.ts'

/** A column, in terms that all platforms share. */
export interface CaseColumn {
  name: string
  /** The platform's text type by default. */
  type?: string
  comment?: string
}

/** A table, or a view if it has a text. */
export interface CaseTable {
  name: string
  /** One column by default. */
  columns?: readonly CaseColumn[]
  comment?: string
  viewText?: string
  /** Only for platforms that return keys in an answer of their own. */
  primaryKey?: string[]
}

/**
 * Tables by the name of their schema, database or namespace. `archive/old` is the schema `old` in another
 * container than the usual one: in another catalog, database or project, if the platform has them.
 */
export type CaseContents = Readonly<Record<string, readonly CaseTable[]>>

/** The scripted server of a platform. It requires credentials that are issued for a limited time. */
export interface PlatformServer {
  url: string
  /** Replaces all contents. The ids of tables stay the same. */
  setContents(contents: CaseContents): void
  /** Renames a table; its id stays the same if the platform has ids. */
  rename(schema: string, name: string, newName: string): void
  /** Hides the tables of a schema from the account. */
  deny(schema: string): void
  /** Hides a table from the account, which the platform then refuses to show by its name. */
  hide?(schema: string, table: string): void
  /** Shows everything again. */
  allow(): void
  /** Rejects all credentials issued so far. */
  expireTokens(): void
  /** Shows other contents in one of the answers of a reading, or the same again. */
  showOther?(part: string, contents: CaseContents | undefined): void
  /** The statements that run at the platform, if it has any. */
  statements?: {
    /** Lets statements with this part run until they are cancelled; empty = all statements. */
    hold(part: string | undefined): void
    /** Counts the statements that have neither ended nor been cancelled. */
    countRunning(): number
    countCancelled(): number
  }
  /** Accepts requests that were sent to a proxy; `isChanging` = it may change their bodies. */
  acceptProxy(url: string, isChanging: boolean): void
  close(): Promise<void>
}

/** Splits the name of a schema in contents. */
export function splitSchema(name: string, usual: string): [container: string, schema: string] {
  const [first = '', second] = name.split('/')
  return second === undefined ? [usual, first] : [first, second]
}

/** Groups contents by their containers. */
export function groupContents(contents: CaseContents, usual: string): Map<string, CaseContents> {
  const containers = new Map<string, CaseContents>()
  for (const [name, tables] of Object.entries(contents)) {
    const [container, schema] = splitSchema(name, usual)
    containers.set(container, { ...containers.get(container), [schema]: tables })
  }
  return containers
}

/** A way of reading that combines answers. */
export interface CombinedReading {
  configuration: Record<string, unknown>
  /** The answers that must fit the listing. */
  parts: readonly string[]
  /** Set if a part of an entry may be missing, but never belongs to another state than the entry. */
  isOneState?: true
}

/** The configuration and secrets of an integration. */
export interface PlatformSettings {
  configuration: Record<string, unknown>
  secrets: Record<string, string>
}

/** A platform. */
export interface Platform {
  connector: Connector
  /** Opens a session whose waits before a retry are those of a test. */
  open(setup: Setup, wait: Wait): Promise<SourceSession>
  startServer(): Promise<PlatformServer>
  /** Returns the settings for a server at an address. Every secret begins with `canary`. */
  configure(url: string): PlatformSettings
  /** Secrets that the server does not accept. */
  wrongSecrets: Record<string, string>
  paging: Paging
  /** The requests that list schemas, list the tables of a schema, and obtain credentials. */
  requests: { schemas: When; tables: When; tokens: When }
  /** Set if the platform has neither ids of tables nor a record of former names. */
  keepsFormerNames?: true
  /** The requests that ask whether the table `old` exists; absent = a listing shows every table. */
  proofs?: When
  /** Further configuration that includes the container `archive`, if containers are configured. */
  archive?: Record<string, unknown>
  /** The requests for a later part of a schema, if `paging` has no lists. */
  laterRequests?: When
  /** The ways of reading that combine answers, by their names. */
  combinedReadings: Readonly<Record<string, CombinedReading>>
  /** Settings with statements that run for long, and the parts of these statements by the step that needs them. */
  longStatements?: {
    configuration: Record<string, unknown>
    steps: { listing?: string; reading: string; check?: string }
    /** Requests that fail while the statement of a reading runs. */
    failure: When
  }
  /** Returns the native path of a schema or a table. */
  toPath(schema: string, table?: string): string[]
  /** Names of schemas that belong to the platform. */
  systemSchemas: readonly string[]
  /** The number of tables on one page of a listing. */
  tablesPerPage: number
  /** Returns the smallest number of requests that read schemas with this many tables each. */
  countRequests(schemas: number, tablesPerSchema: number, columns: number): number
  /** The number of requests that the connector sends at the same time while it reads tables. */
  concurrency: number
  /** Whether a renamed table keeps an id, so that it stays the same asset. */
  hasTableIds: boolean
  /** The cases that do not apply, with the reason. */
  exemptions: Readonly<Record<string, string>>
  /** The cases about runs that do not apply, with the reason. */
  runExemptions: Readonly<Record<string, string>>
}
