import { escapeLiteral } from 'pg'
import { omitEmpty } from '../asset-parts.ts'
import {
  beginReadOnly,
  descriptionJoin,
  isIn,
  keyRows,
  LATE_BINDING_MARK,
  oidText,
  SCHEMA_FIELDS,
  text,
  type FlatDialect,
  type FlatSelection,
  type FlatTable,
} from './flat-dialect.ts'
import { readRedshiftGrants } from './redshift-grants.ts'
import { newTable } from '../../../formats/name/table.ts'

/**
 * Amazon Redshift: a catalog of PostgreSQL 8.0 with columns of its own (`attisdistkey`,
 * `attsortkeyord`, `reldiststyle`), views for external schemas (`svv_external_…`), and a function for
 * the columns of late-binding views, which the catalog does not have.
 */

const DATABASES = `
select
  ${text('d.datname')}, ${oidText('d.oid')}, ${text('pg_catalog.pg_get_userbyid(d.datdba)')},
  ${text('c.description')}, true
from pg_catalog.pg_database d
left join pg_catalog.pg_description c
  on c.classoid = 'pg_catalog.pg_database'::pg_catalog.regclass and c.objoid = d.oid
where d.datallowconn and d.datname not in ('template0', 'template1', 'padb_harvest', 'sys:internal')
order by 1`

const SCHEMA_DESCRIPTION = `
left join pg_catalog.pg_description d
  on d.classoid = 'pg_catalog.pg_namespace'::pg_catalog.regclass and d.objoid = n.oid`

// A view of the platform that lists the external schemas.
const EXTERNAL = 'left join svv_external_schemas x on x.esoid = n.oid'

function schemasStatement(systemSchemas: readonly string[]): string {
  const isListed = isIn('n.nspname', systemSchemas)
  return `
select ${SCHEMA_FIELDS}, false
from pg_catalog.pg_namespace n ${SCHEMA_DESCRIPTION}
where n.nspname !~ '^pg_' and n.nspname not in ('information_schema', 'catalog_history')
  or ${isListed}
order by 1`
}

function containersStatement(names: readonly string[]): string {
  return `
select
  null::varchar(65535), ${oidText('n.oid')}, ${text('pg_catalog.pg_get_userbyid(n.datdba)')},
  ${text('d.description')}, true, null::varchar(65535)
from pg_catalog.pg_database n
left join pg_catalog.pg_description d
  on d.classoid = 'pg_catalog.pg_database'::pg_catalog.regclass and d.objoid = n.oid
where n.datname = current_database()
union all
select ${SCHEMA_FIELDS}, ${text('x.eskind::int')}
from pg_catalog.pg_namespace n ${SCHEMA_DESCRIPTION} ${EXTERNAL}
where ${isIn('n.nspname', names)}`
}

function relationsStatement({ schemas, views, texts }: FlatSelection): string {
  const condition = `c.relkind in (${views ? `'r', 'v'` : `'r'`}) and ${isIn('n.nspname', schemas)}`
  const parts = [relationRows(condition, texts), columnRows(condition), keyRows(condition)]
  if (views && texts) parts.push(lateBindingRows(schemas))
  return `${parts.join('\nunion all')}\norder by 1, 2, 3, 4, 7`
}

// The text of a view has no length, so that the server does not truncate it.
const relationRows = (condition: string, texts: boolean): string => `
select
  ${text('n.nspname')}, ${text('c.relname')}, 0, 0,
  case c.relkind when 'v' then 'v' else 'r' end, ${oidText('c.oid')},
  ${text('pg_catalog.pg_get_userbyid(c.relowner)')}, ${text('d.description')},
  ${text('c.reldiststyle::int')},
  ${texts ? `case when c.relkind = 'v' then pg_catalog.pg_get_viewdef(c.oid) end` : 'null::text'},
  null::varchar(65535), null::varchar(65535)
from pg_catalog.pg_class c
join pg_catalog.pg_namespace n on n.oid = c.relnamespace
${descriptionJoin('c.oid', '0')}
where ${condition}`

const columnRows = (condition: string): string => `
select
  ${text('n.nspname')}, ${text('c.relname')}, 1, a.attnum::int,
  ${text('a.attname')}, ${text('pg_catalog.format_type(a.atttypid, a.atttypmod)')},
  case when a.attnotnull then 't' end, ${text('d.description')}, ${text('e.adsrc')}, null,
  case when a.attisdistkey then 't' end,
  case when a.attsortkeyord <> 0 then ${text('a.attsortkeyord::int')} end
from pg_catalog.pg_attribute a
join pg_catalog.pg_class c on c.oid = a.attrelid
join pg_catalog.pg_namespace n on n.oid = c.relnamespace
left join pg_catalog.pg_attrdef e on e.adrelid = a.attrelid and e.adnum = a.attnum
${descriptionJoin('a.attrelid', 'a.attnum')}
where a.attnum > 0 and not a.attisdropped and ${condition}`

const lateBindingRows = (schemas: readonly string[]): string => `
select
  ${text('b.view_schema')}, ${text('b.view_name')}, 1, b.col_num,
  ${text('b.col_name')}, ${text('b.col_type')}, null, null, null, '${LATE_BINDING_MARK}', null, null
from pg_catalog.pg_get_late_binding_view_cols()
  b(view_schema name, view_name name, col_name name, col_type varchar, col_num int)
where ${isIn('b.view_schema', schemas)}`

// Visible to superusers, and to users with a grant.
const STATISTICS = `
select ${oidText('s.table_id')}, ${text('s.tbl_rows::bigint')}, ${text('s.size::bigint * 1048576')}
from svv_table_info s`

// These views also show the external tables of the other databases of the cluster:
// https://docs.aws.amazon.com/redshift/latest/dg/r_SVV_EXTERNAL_TABLES.html
function externalTablesStatement(schema: string): string {
  const literal = escapeLiteral(schema)
  return `
select
  ${text('t.schemaname')}, ${text('t.tablename')}, 0, 0,
  case when upper(t.tabletype) like '%VIEW%' then 'v' else 'e' end, null::varchar(65535),
  null::varchar(65535), null::varchar(65535), ${text('t.location')}, null::varchar(65535),
  ${text('t.input_format')}, null::varchar(65535)
from svv_external_tables t
where t.redshift_database_name = current_database() and t.schemaname = ${literal}
union all
select
  ${text('c.schemaname')}, ${text('c.tablename')}, 1, c.columnnum::int,
  ${text('c.columnname')}, ${text('c.external_type')},
  case when c.is_nullable = 'false' then 't' end, null, null, null, null,
  case when c.part_key <> 0 then ${text('c.part_key::int')} end
from svv_external_columns c
where c.redshift_database_name = current_database() and c.schemaname = ${literal}
order by 1, 2, 3, 4`
}

// 'identity'(tableoid, column, 'seed,step'); the name is quoted.
const IDENTITY = /^"?(default_)?identity"?\([^']*'(-?\d+),\s*(-?\d+)'/

function readDefault(expression: string): ReturnType<FlatDialect['readDefault']> {
  const match = IDENTITY.exec(expression)
  if (match === null) return { default: expression }
  const [, prefix, seed, step] = match
  const when = prefix === undefined ? 'always' : 'by default'
  return { generated: `generated ${when} as identity (${seed}, ${step})` }
}

const DISTRIBUTION_STYLES = newTable<string>({
  0: 'EVEN',
  1: 'KEY',
  8: 'ALL',
  9: 'AUTO',
})

function toCustom({ fields, columns, keys }: FlatTable): Record<string, string | boolean> {
  const [kind, , , , styleOrLocation, viewText, inputFormat] = fields
  if (kind === 'e') return omitEmpty({ location: styleOrLocation, inputFormat })
  if (kind === 'v') return /with\s+no\s+schema\s+binding/i.test(viewText ?? '') ? LATE_BINDING : {}
  const style = DISTRIBUTION_STYLES[styleOrLocation ?? '']
  const distributionKey = columns.find((column) => column.isDistributionKey)?.name
  const sorted = columns
    .filter(({ sortPosition }) => sortPosition !== undefined)
    .toSorted((a, b) => Math.abs(a.sortPosition ?? 0) - Math.abs(b.sortPosition ?? 0))
  const isInterleaved = sorted.some(({ sortPosition = 0 }) => sortPosition < 0)
  return {
    ...omitEmpty({
      distributionStyle: style,
      // Redshift changes an automatic key by itself.
      distributionKey: style === 'KEY' && distributionKey,
      sortKey: sorted.map(({ name }) => name).join(', '),
      sortKeyStyle: isInterleaved && 'interleaved',
    }),
    ...(keys.length === 0 ? {} : { keysEnforced: false }),
  }
}

const LATE_BINDING = { lateBinding: true }

/** The dialect of Amazon Redshift. */
export const REDSHIFT: FlatDialect = {
  begin: beginReadOnly,
  databases: DATABASES,
  schemas: schemasStatement,
  isUsageRequired: true,
  containers: containersStatement,
  relations: relationsStatement,
  statistics: { view: 'svv_table_info', statement: STATISTICS },
  externalTables: externalTablesStatement,
  readGrants: readRedshiftGrants,
  // Tables that hold the rows of materialized views.
  isInternal: (name) => /^mv_tbl__.+__\d+$/.test(name),
  isMaterialized: (viewText) => /^\s*create\s+materialized\s+view\b/i.test(viewText),
  readDefault,
  toCustom,
}
