import { escapeLiteral } from 'pg'
import type { Scope, SourceColumn } from '../connector.ts'
import type { GrantBatch } from '../grant.ts'
import type { PostgresSetup } from './configuration.ts'
import type { PostgresConnections } from './home.ts'

/** The statements that list databases and schemas. */
export interface ListingStatements {
  /** Returns the statements that begin a transaction. */
  begin(connecting: PostgresSetup): string
  /** Lists the databases (DatabaseRow). */
  databases: string
  /** Lists this database's schemas (SchemaRow), without the platform's own except those listed. */
  schemas(systemSchemas: readonly string[]): string
  /** Whether contents of schemas without the USAGE privilege are hidden from the user. */
  isUsageRequired: boolean
}

/**
 * The statements of a product that has PostgreSQL's protocol, but not its COPY and JSON. Tables,
 * columns and keys are rows of one list, sorted by table, so that their number does not matter.
 */
export interface FlatDialect extends ListingStatements {
  /** Describes this database and its schemas with these names (FlatContainerRow). */
  containers(names: readonly string[]): string
  /** Lists relations, columns and keys as flat rows. */
  relations(selection: FlatSelection): string
  /**
   * Lists the rows and bytes of tables by oid, from a view that only some users may read; undefined =
   * the product has none.
   */
  statistics?: { view: string; statement: string }
  /** Lists the tables and columns of an external schema as flat rows; undefined = it has none. */
  externalTables?(schema: string): string
  /** Reads the grants in scopes; absent = they cannot be read. Errors: SourceFailure. */
  readGrants?(
    connecting: PostgresSetup,
    scopes: readonly Scope[],
    connections: PostgresConnections,
  ): AsyncIterable<GrantBatch>
  /** Checks whether a relation belongs to the platform itself. */
  isInternal(name: string): boolean
  /** Checks by its text whether a view is materialized, if the catalog does not show it. */
  isMaterialized?(viewText: string): boolean
  /** Splits the stored default of a column into a default and an identity clause. */
  readDefault(text: string): Pick<SourceColumn, 'default' | 'generated'>
  /** The properties of a table that no column has. */
  toCustom(table: FlatTable): Record<string, string | boolean>
}

/** The relations that a statement lists. */
export interface FlatSelection {
  schemas: readonly string[]
  /** False leaves out views. */
  views: boolean
  /** False omits texts and columns that the server generates, which may fail. */
  texts: boolean
}

/**
 * A database or schema: name, oid, owner, description, whether its objects may be used, and the kind
 * of an external schema. The row of the database has no name.
 */
export type FlatContainerRow = [
  string | null,
  string,
  string | null,
  string | null,
  boolean,
  string | null,
]

/** The parts of a relation in their order: flat rows have one of them in their third field. */
export const PARTS = { relation: '0', column: '1', key: '2' } as const

/**
 * Marks the columns of late-binding views. Their list is not part of a statement's snapshot, so the
 * view may not be.
 */
export const LATE_BINDING_MARK = 'b'

/** A relation that is collected from flat rows. */
export interface FlatTable {
  schema: string
  name: string
  /** The relation row after its part and position: see relationFields. */
  fields: readonly (string | null)[]
  columns: FlatColumn[]
  keys: FlatKey[]
}

/** A column of a flat table. */
export interface FlatColumn {
  number: number
  name: string
  type: string
  isRequired: boolean
  description: string | null
  /** Its default, or the expression of a generated column. */
  expression: string | null
  /** `s` = generated, `a` or `d` = an identity, `h` = hidden, or LATE_BINDING_MARK. */
  mark: string | null
  isDistributionKey: boolean
  /** Its position in the sort key or the partition key, from 1; negative in an interleaved one. */
  sortPosition: number | undefined
}

/** A key of a flat table; a foreign key has a row for each column that it refers to. */
export interface FlatKey {
  kind: string
  name: string
  columns: readonly number[]
  schema: string | null
  table: string | null
  referencedColumns: readonly number[]
  referencedNumber: number
  referencedName: string | null
}

/** Returns the statements that begin a read-only transaction. */
export function beginReadOnly({ configuration }: PostgresSetup): string {
  return [
    'begin read only',
    `set local statement_timeout = ${configuration.statementTimeoutMs}`,
    'set local search_path = pg_catalog',
  ].join(';')
}

/** Casts an expression to a text that the product does not truncate. */
export function text(expression: string): string {
  // A type without a length would be one of 256 characters in Redshift.
  return `(${expression})::varchar(65535)`
}

/** Casts an oid to text. */
export function oidText(expression: string): string {
  return text(`${expression}::bigint`)
}

/** The fields of a schema `n` with its description `d`: name, oid, owner, description, and whether it may be used. */
export const SCHEMA_FIELDS = `
  ${text('n.nspname')}, ${oidText('n.oid')},
  ${text('pg_catalog.pg_get_userbyid(n.nspowner)')}, ${text('d.description')},
  pg_catalog.has_schema_privilege(n.nspname, 'USAGE')`

/** Returns a condition for one of several texts. */
export function isIn(expression: string, texts: readonly string[]): string {
  return texts.length === 0
    ? 'false'
    : `${expression} in (${texts.map((one) => escapeLiteral(one)).join(', ')})`
}

/**
 * Returns the part of a statement that lists the keys of relations, which are `c` in the condition,
 * with their schemas `n`.
 */
export function keyRows(condition: string): string {
  return `
select
  ${text('n.nspname')}, ${text('c.relname')}, 2, 0,
  case k.contype when 'p' then 'p' when 'u' then 'u' else 'f' end,
  ${text(`array_to_string(k.conkey, ',')`)}, ${text('k.conname')}, ${text('tn.nspname')},
  ${text('t.relname')}, ${text(`array_to_string(k.confkey, ',')`)}, ${text('ta.attnum::int')},
  ${text('ta.attname')}
from pg_catalog.pg_constraint k
join pg_catalog.pg_class c on c.oid = k.conrelid
join pg_catalog.pg_namespace n on n.oid = c.relnamespace
left join pg_catalog.pg_class t on t.oid = k.confrelid
left join pg_catalog.pg_namespace tn on tn.oid = t.relnamespace
left join pg_catalog.pg_attribute ta
  on ta.attrelid = k.confrelid and ta.attnum = any (k.confkey)
where k.contype in ('p', 'u', 'f') and ${condition}`
}

/** Joins the description of a relation, or of one of its columns, as `d`. */
export function descriptionJoin(oid: string, column: string): string {
  return `left join pg_catalog.pg_description d
  on d.classoid = 'pg_catalog.pg_class'::pg_catalog.regclass and d.objoid = ${oid}
  and d.objsubid = ${column}`
}
