import {
  beginReadOnly,
  descriptionJoin,
  isIn,
  keyRows,
  oidText,
  SCHEMA_FIELDS,
  text,
  type FlatDialect,
  type FlatSelection,
} from './flat-dialect.ts'

/**
 * CockroachDB: its system catalogs are those of PostgreSQL, with a column for hidden columns
 * (`attishidden`): the key of a table without a primary key, and those of the platform.
 */

const DATABASES = `
select
  ${text('d.datname')}, ${oidText('d.oid')}, ${text('pg_catalog.pg_get_userbyid(d.datdba)')},
  ${text('c.description')}, pg_catalog.has_database_privilege(d.datname, 'CONNECT')
from pg_catalog.pg_database d
left join pg_catalog.pg_shdescription c
  on c.classoid = 'pg_catalog.pg_database'::pg_catalog.regclass and c.objoid = d.oid
where d.datallowconn and not d.datistemplate and d.datname <> 'system'
order by 1`

const SCHEMAS = `
from pg_catalog.pg_namespace n
left join pg_catalog.pg_description d
  on d.classoid = 'pg_catalog.pg_namespace'::pg_catalog.regclass and d.objoid = n.oid
  and d.objsubid = 0`

function schemasStatement(systemSchemas: readonly string[]): string {
  return `
select ${SCHEMA_FIELDS}, false ${SCHEMAS}
where n.nspname not like 'pg\\_%' and n.nspname not in ('information_schema', 'crdb_internal')
  or ${isIn('n.nspname', systemSchemas)}
order by 1`
}

function containersStatement(names: readonly string[]): string {
  return `
select
  null::varchar(65535), ${oidText('n.oid')}, ${text('pg_catalog.pg_get_userbyid(n.datdba)')},
  ${text('d.description')}, true, null::varchar(65535)
from pg_catalog.pg_database n
left join pg_catalog.pg_shdescription d
  on d.classoid = 'pg_catalog.pg_database'::pg_catalog.regclass and d.objoid = n.oid
where n.datname = current_database()
union all
select ${SCHEMA_FIELDS}, null ${SCHEMAS}
where ${isIn('n.nspname', names)}`
}

function relationsStatement({ schemas, views, texts }: FlatSelection): string {
  const kinds = views ? `'r', 'p', 'v', 'm'` : `'r', 'p'`
  const condition = `c.relkind in (${kinds}) and ${isIn('n.nspname', schemas)}`
  const parts = [relationRows(condition, texts), columnRows(condition), keyRows(condition)]
  return `${parts.join('\nunion all')}\norder by 1, 2, 3, 4, 7`
}

const relationRows = (condition: string, texts: boolean): string => `
select
  ${text('n.nspname')}, ${text('c.relname')}, 0, 0,
  case c.relkind when 'v' then 'v' when 'm' then 'm' else 'r' end, ${oidText('c.oid')},
  ${text('pg_catalog.pg_get_userbyid(c.relowner)')}, ${text('d.description')}, null::varchar(65535),
  ${texts ? `case when c.relkind in ('v', 'm') then pg_catalog.pg_get_viewdef(c.oid) end` : 'null::text'},
  null::varchar(65535), null::varchar(65535)
from pg_catalog.pg_class c
join pg_catalog.pg_namespace n on n.oid = c.relnamespace
${descriptionJoin('c.oid', '0')}
where ${condition}`

const columnRows = (condition: string): string => `
select
  ${text('n.nspname')}, ${text('c.relname')}, 1, a.attnum::int,
  ${text('a.attname')}, ${text('pg_catalog.format_type(a.atttypid, a.atttypmod)')},
  case when a.attnotnull then 't' end, ${text('d.description')},
  ${text('pg_catalog.pg_get_expr(e.adbin, e.adrelid)')},
  case when a.attishidden then 'h' when a.attgenerated in ('s', 'v') then 's'
    when a.attidentity = 'a' then 'a' when a.attidentity = 'd' then 'd' end,
  null, null
from pg_catalog.pg_attribute a
join pg_catalog.pg_class c on c.oid = a.attrelid
join pg_catalog.pg_namespace n on n.oid = c.relnamespace
left join pg_catalog.pg_attrdef e on e.adrelid = a.attrelid and e.adnum = a.attnum
${descriptionJoin('a.attrelid', 'a.attnum')}
where a.attnum > 0 and not a.attisdropped and ${condition}`

/** The dialect of CockroachDB. */
export const COCKROACHDB: FlatDialect = {
  begin: beginReadOnly,
  databases: DATABASES,
  schemas: schemasStatement,
  // A user who may connect to a database sees all of its tables.
  isUsageRequired: false,
  containers: containersStatement,
  relations: relationsStatement,
  isInternal: () => false,
  readDefault: (expression) => ({ default: expression }),
  toCustom: () => ({}),
}
