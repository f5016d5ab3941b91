import type { TdsRow } from './rows.ts'

/** The small statements of a session. Catalog names are in lower case: some servers compare them exactly. */

/** A statement with its name in the run's log. */
export interface MssqlStatement {
  name: string
  text: string
}

/** A collation that compares names exactly and that every database supports. */
export const EXACT = 'collate Latin1_General_100_BIN2'

/** Keeps a run from waiting for locks of others, and lets others win a deadlock. */
export const LOCK_SETTINGS: MssqlStatement = {
  name: 'session settings',
  text: `
set lock_timeout 2000;
set transaction isolation level read committed;
set deadlock_priority low;`,
}

/** The name of the extended property that holds a description. */
export const DESCRIPTION = `N'MS_Description'`

/** The optional parts of the catalog, which depend on version and product. */
export const OPTIONAL_VIEWS = [
  'allocation_units',
  'computed_columns',
  'database_permissions',
  'database_principals',
  'default_constraints',
  'extended_properties',
  'foreign_key_columns',
  'foreign_keys',
  'identity_columns',
  'index_columns',
  'indexes',
  'partitions',
  'sensitivity_classifications',
  'sql_expression_dependencies',
  'sql_modules',
] as const

const OPTIONAL_COLUMNS = [
  ['columns', 'generated_always_type'],
  ['tables', 'is_external'],
  ['tables', 'ledger_type'],
  ['tables', 'temporal_type'],
] as const

// By default, only owners of the database may read it.
const GUARDED_VIEW = 'sql_expression_dependencies'

/** The optional parts that a database has: `foreign_keys`, `tables.is_external`. */
export type CatalogFeatures = ReadonlySet<string>

/** Returns the statement for the edition, the version, the names of the server and the database. */
export function serverStatement(): MssqlStatement {
  return {
    name: 'server',
    text: `
select cast(serverproperty('EngineEdition') as int),
  cast(serverproperty('ProductVersion') as nvarchar(128)),
  cast(serverproperty('ServerName') as nvarchar(256)),
  db_name()`,
  }
}

/**
 * Returns the statement that lists databases: name, state, whether the user may open it, and whether all
 * databases are visible. A server of one database cannot answer the last two.
 */
export function databasesStatement({ isOneDatabase }: { isOneDatabase: boolean }): MssqlStatement {
  const access = isOneDatabase
    ? 'null, null'
    : `has_dbaccess(name), has_perms_by_name(null, null, 'VIEW ANY DATABASE')`
  return {
    name: 'databases',
    text: `
select name, state_desc, ${access}
from sys.databases
order by name ${EXACT}`,
  }
}

/**
 * Returns the statement that lists the optional parts of a database's catalog that the user may read. All
 * but one are readable for every user.
 */
export function featuresStatement(database: string, hasPrivilegeCheck: boolean): MssqlStatement {
  const sys = `${quoteName(database)}.sys`
  const views = [...OPTIONAL_VIEWS, ...new Set(OPTIONAL_COLUMNS.map(([view]) => view))]
  const columns = OPTIONAL_COLUMNS.map(([, column]) => column)
  const mayRead = hasPrivilegeCheck
    ? `has_perms_by_name(${quoteText(`${sys}.${GUARDED_VIEW}`)}, 'OBJECT', 'SELECT') = 1`
    : '1 = 0'
  return {
    name: `catalog of ${database}`,
    text: `
select v.name, case when c.column_id = 1 then null else c.name end
from ${sys}.all_views v
join ${sys}.all_columns c on c.object_id = v.object_id
join ${sys}.schemas s on s.schema_id = v.schema_id
where s.name = N'sys'
and v.name in (${views.map(quoteText).join(', ')})
and (v.name <> ${quoteText(GUARDED_VIEW)} or ${mayRead})
and (c.column_id = 1 or c.name in (${columns.map(quoteText).join(', ')}))`,
  }
}

/** Reads the answer to the statement about optional parts. */
export function readFeatures(rows: readonly TdsRow[]): CatalogFeatures {
  return new Set(
    rows.map(([view, column]) => [view, column].filter((name) => name !== null).join('.')),
  )
}

/** The circumstances of statements about a database. */
export interface DatabaseContext {
  database: string
  features: CatalogFeatures
  /** Whether the server can check privileges by name. */
  hasPrivilegeCheck: boolean
}

/**
 * Returns the statement for a database and its schemas; the row of the database has no schema. Columns: id
 * and name of the schema, owner, description, whether all its tables are visible, and the identity of the
 * database.
 */
export function containersStatement(context: DatabaseContext): MssqlStatement {
  const { database, features, hasPrivilegeCheck } = context
  const sys = `${quoteName(database)}.sys`
  const hasOwner = features.has('database_principals')
  const hasText = features.has('extended_properties')
  const description = hasText ? `cast(e.value as nvarchar(4000)) ${EXACT}` : 'null'
  const joinText = (kind: number, id: string): string =>
    hasText
      ? `left join ${sys}.extended_properties e on e.class = ${kind} and e.major_id = ${id}
and e.minor_id = 0 and e.name = ${DESCRIPTION}`
      : ''
  // A permission for everything shows an object, unless it is denied for the object or its schema.
  const isAllowed = (securable: string, kind: string, name: string, type: string): string => {
    const isGranted = `has_perms_by_name(${securable}, '${kind}', '${name}') = 1`
    if (!features.has('database_permissions')) return isGranted
    return `(${isGranted} and not exists (select 1 from ${sys}.database_permissions x
  where x.state = 'D' and x.type = '${type}' and x.class in (1, 3) and x.minor_id = 0))`
  }
  const mayRead = (securable: string, kind: string): string =>
    hasPrivilegeCheck
      ? `case when ${isAllowed(securable, kind, 'VIEW DEFINITION', 'VW')}
  or ${isAllowed(securable, kind, 'SELECT', 'SL')} then 1 else 0 end`
      : '0'
  const quoted = quoteText(quoteName(database))
  return {
    name: `schemas of ${database}`,
    text: `
select cast(null as int), cast(null as nvarchar(128)), cast(suser_sname(d.owner_sid) as nvarchar(256)) ${EXACT},
  ${description}, ${mayRead(quoted, 'DATABASE')},
  concat(d.database_id, '@', convert(nvarchar(30), d.create_date, 126))
from sys.databases d
${joinText(0, '0')}
where d.name = ${quoteText(database)}
union all
select s.schema_id, s.name ${EXACT}, ${hasOwner ? `p.name ${EXACT}` : 'null'},
  ${description}, ${mayRead(`${quoted} + '.' + quotename(s.name)`, 'SCHEMA')},
  null
from ${sys}.schemas s
${joinText(3, 's.schema_id')}
${hasOwner ? `left join ${sys}.database_principals p on p.principal_id = s.principal_id` : ''}
order by 1`,
  }
}

/** Quotes a name. */
export function quoteName(name: string): string {
  return `[${name.replaceAll(']', ']]')}]`
}

/** Quotes a text. */
export function quoteText(text: string): string {
  return `N'${text.replaceAll("'", "''")}'`
}
