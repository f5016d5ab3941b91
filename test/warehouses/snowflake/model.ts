/** The contents of a scripted Snowflake account. */

import type { KeyObject } from 'node:crypto'

/** A column, with the values that INFORMATION_SCHEMA has of it. */
export type ModelColumn = { name: string; type: string } & Record<string, string | number | null>

/** A table or view. */
export interface ModelTable {
  columns: ModelColumn[]
  /** Further columns of the views TABLES: `table_type`, `comment`, `is_dynamic` … */
  facts?: Record<string, string | number | null>
  /** The statement of a view. */
  text?: string
  isSecure?: boolean
  primaryKey?: string[]
  uniqueKeys?: string[][]
  foreignKeys?: { columns: string[]; references: [string, string, string]; to: string[] }[]
}

/** A schema. */
export interface ModelSchema {
  tables: Record<string, ModelTable>
  owner?: string
  comment?: string
}

/** A database. */
export interface ModelDatabase {
  schemas: Record<string, ModelSchema>
  owner?: string
  comment?: string
  origin?: string
}

/** A tag of an object, as TAG_REFERENCES has it. */
export type ModelTag = Record<
  'tag_name' | 'tag_value' | 'domain' | 'object_database' | 'object_schema' | 'object_name',
  string | null
> & { column_name?: string }

/** A row of a view of grants in ACCOUNT_USAGE; without `deleted_on` it is in force. */
export type ModelGrant = Record<string, string | null>

/** An error of a statement. */
export interface ModelError {
  code: string
  sqlState: string
  message: string
}

/** The contents and behaviour of an account, which a test changes between runs. */
export interface SnowflakeModel {
  databases: Record<string, ModelDatabase>
  tags: ModelTag[]
  /** The rows of GRANTS_TO_ROLES and GRANTS_TO_USERS. */
  grantsToRoles: ModelGrant[]
  grantsToUsers: ModelGrant[]
  /** Errors by a part of the statement. */
  errors: Record<string, ModelError>
  /** The user of the key pair. */
  user: { account: string; name: string; publicKey: KeyObject | undefined }
  /** The accepted tokens: programmatic access tokens, and those of the token endpoint. */
  tokens: Set<string>
  client: { id: string; secret: string; expiresInSeconds: number }
  /** The next requests with these credentials are rejected as expired. */
  rejections: number
  hasWarehouse: boolean
  /** Whether every database lists INFORMATION_SCHEMA, as on the platform. */
  showsInformationSchema: boolean
  /** The number of times that a statement is reported as running. */
  pendingPolls: number
  rowsPerPartition: number
  /** Tables that the account does not see, and dropped ones: as `DATABASE.SCHEMA.TABLE`. */
  hidden: Set<string>
  dropped: Set<string>
  /** Other contents that some statements show: by a part of the statement. */
  otherDatabases: Record<string, Record<string, ModelDatabase>>
  /** A result of INFORMATION_SCHEMA with more rows is rejected with error 090030. */
  rowsMax: number
  /** All statements, in the order of their submission. */
  statements: string[]
  /** The bodies of submitted statements. */
  bodies: Record<string, unknown>[]
  /** A part of the statements that run until they are cancelled; undefined = none. */
  held: string | undefined
  /** Handles of cancelled statements. */
  cancelled: string[]
}

/** Creates an empty account. */
export function newSnowflakeModel(): SnowflakeModel {
  return {
    databases: {},
    tags: [],
    grantsToRoles: [],
    grantsToUsers: [],
    errors: {},
    user: { account: 'MYORG-ACCOUNT1', name: 'PORTBOOK', publicKey: undefined },
    tokens: new Set(['canary-pat']),
    client: { id: 'portbook', secret: 'canary-secret', expiresInSeconds: 3600 },
    rejections: 0,
    hasWarehouse: true,
    showsInformationSchema: true,
    pendingPolls: 1,
    rowsPerPartition: 1000,
    hidden: new Set(),
    dropped: new Set(),
    otherDatabases: {},
    rowsMax: Infinity,
    statements: [],
    bodies: [],
    held: undefined,
    cancelled: [],
  }
}
