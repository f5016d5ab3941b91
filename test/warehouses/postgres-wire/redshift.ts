/** Rules that make PostgreSQL answer like Amazon Redshift, as far as its documentation describes it. */

import type { Rewrite } from './proxy.ts'

export const REDSHIFT_VERSION =
  'PostgreSQL 8.0.2 on i686-pc-linux-gnu, compiled by GCC gcc (GCC) 3.4.2 20041017 (Red Hat 3.4.2-6.fc3), Redshift 1.0.77467'

/** Words of statements that Redshift rejects: it has the features of PostgreSQL 8.0. */
const UNSUPPORTED =
  /\b(copy|savepoint|json_agg|json_build_array|array_agg|unnest|ordinality|lateral|repeatable|server_version_num|pg_is_in_recovery|pg_shdescription|attidentity|attgenerated|pg_get_expr|relispartition)\b/i

/** Returns a statement that fails with an error code. */
export function failWith(code: string, message = 'an error of the script'): string {
  return `do $$ begin raise exception using errcode = '${code}', message = '${message}'; end $$`
}

/** Tables of the external schema `spectrum`: database, name, type, location, input format. Another database has one, too. */
const EXTERNAL_TABLES = `(values
  ('another', 'spectrum', 'clicks', 'TABLE', 's3://other/clicks', ''),
  (current_database()::text, 'spectrum', 'clicks', 'TABLE', 's3://lake/clicks', 'org.apache.hadoop.mapred.TextInputFormat'),
  (current_database()::text, 'spectrum', 'clicks_view', 'VIEW', '', ''),
  ('another', 'spectrum', 'foreign_clicks', 'TABLE', 's3://other/foreign', '')
) t(redshift_database_name, schemaname, tablename, tabletype, location, input_format)`

/** Their columns: name, type, position, position in the partition key, whether they may be null. */
const EXTERNAL_COLUMNS = `(values
  ('another', 'spectrum', 'clicks', 'event_id', 'bigint', 1, 0, 'false'),
  ('another', 'spectrum', 'clicks', 'payload', 'varchar(10)', 2, 0, 'true'),
  ('another', 'spectrum', 'foreign_clicks', 'id', 'bigint', 1, 0, 'true'),
  (current_database()::text, 'spectrum', 'clicks', 'url', 'varchar(2000)', 1, 0, 'true'),
  (current_database()::text, 'spectrum', 'clicks', 'day', 'date', 2, 2, 'false'),
  (current_database()::text, 'spectrum', 'clicks', 'region', 'varchar(2)', 3, 1, ''),
  (current_database()::text, 'spectrum', 'clicks_view', 'url', 'varchar(2000)', 1, 0, '')
) c(redshift_database_name, schemaname, tablename, columnname, external_type, columnnum, part_key, is_nullable)`

const LATE_BINDING = `(values
  ('public', 'late', 'id', 'bigint', 1), ('public', 'late', 'amount', 'numeric(12,2)', 2),
  ('closed', 'other', 'x', 'integer', 1)
) b(view_schema, view_name, col_name, col_type, col_num)`

const VIEW_TEXT = `(case c.relname
  when 'broken' then 'create view broken as select x from gone with no schema binding'
  when 'late' then 'create view late as select id, amount from spectrum.x with no schema binding'
  when 'daily' then 'CREATE MATERIALIZED VIEW daily AS select count(*) from sales'
  else pg_catalog.pg_get_viewdef(c.oid) end)`

const DEFAULT = `(case when c.relname = 'sales' and a.attname = 'id'
  then '"identity"(16390, 0, ''1,1''::text)' else pg_catalog.pg_get_expr(e.adbin, e.adrelid) end)`

// A positive number is a place in a compound sort key, a negative one in an interleaved one.
const SORT_KEY = `(case c.relname || '.' || a.attname when 'sales.sold_at' then 1 when 'sales.id' then 2
  when 'customer.id' then 1 when 'customer.email' then -2 else 0 end)`

/** Replaces a view of grants by those of PostgreSQL: roles that log in are users, those named `group_…` are groups. */
function grantsView(from: string, fields: string): string {
  return `(select ${fields}, acl.privilege_type,
    case when acl.grantee = 0 then 'public' else held.rolname::text end as identity_name,
    case when acl.grantee = 0 then 'public' when held.rolcanlogin then 'user' when held.rolname ~ '^group_' then 'group' else 'role' end as identity_type,
    acl.is_grantable as admin_option
  from ${from} acl left join pg_catalog.pg_roles held on held.oid = acl.grantee)`
}

const TABLE_FIELDS = 'n.nspname::text as namespace_name, c.relname::text as relation_name'
const TABLES = 'pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace'

function memberships(condition: string, fields: string): string {
  return `(select ${fields} from pg_catalog.pg_auth_members m
    join pg_catalog.pg_roles granted on granted.oid = m.roleid and granted.rolname !~ '^group_'
    join pg_catalog.pg_roles member on member.oid = m.member and ${condition})`
}

/** The views of grants, and privileges that PostgreSQL does not have. */
const GRANT_VIEWS: readonly (readonly [RegExp, string])[] = [
  [
    /svv_relation_privileges r/g,
    `${grantsView(`${TABLES} cross join lateral pg_catalog.aclexplode(c.relacl)`, TABLE_FIELDS)} r`,
  ],
  [
    /svv_column_privileges c/g,
    `${grantsView(`${TABLES} join pg_catalog.pg_attribute a on a.attrelid = c.oid cross join lateral pg_catalog.aclexplode(a.attacl)`, `${TABLE_FIELDS}, a.attname::text as column_name`)} c`,
  ],
  [
    /svv_schema_privileges s/g,
    `(select *, 'SCHEMA' as privilege_scope from ${grantsView('pg_catalog.pg_namespace n cross join lateral pg_catalog.aclexplode(n.nspacl)', 'n.nspname::text as namespace_name')} own
    union all values ('scoped', 'SELECT', 'scoped_reader', 'role', false, 'TABLES')) s`,
  ],
  [
    /svv_database_privileges p/g,
    `(values (current_database()::text, 'USAGE', 'wide_reader', 'role', false, 'SCHEMAS'),
      (current_database()::text, 'SELECT', 'wide_reader', 'role', false, 'TABLES'),
      (current_database()::text, 'EXECUTE', 'wide_reader', 'role', false, 'FUNCTIONS'),
      ('another', 'SELECT', 'stranger', 'user', false, 'TABLES')
    ) p(database_name, privilege_type, identity_name, identity_type, admin_option, privilege_scope)`,
  ],
  [
    /svv_user_grants g/g,
    `${memberships('member.rolcanlogin', 'granted.rolname::text as role_name, member.rolname::text as user_name')} g`,
  ],
  [
    /svv_role_grants g/g,
    `${memberships('not member.rolcanlogin', 'member.rolname::text as role_name, granted.rolname::text as granted_role_name')} g`,
  ],
  [/pg_catalog\.pg_group g/g, `(select * from pg_catalog.pg_group where groname ~ '^group_') g`],
  [
    /svv_system_privileges p/g,
    `(values ('catalog_reader', 'role', 'ACCESS SYSTEM TABLE')) p(identity_name, identity_type, system_privilege)`,
  ],
  [/svv_external_schemas e/g, `(values ('spectrum')) e(schemaname)`],
]

/** The columns and views that only Redshift has, with what replaces them. */
const REPLACEMENTS: readonly (readonly [RegExp, string])[] = [
  ...GRANT_VIEWS,
  [/^select version\(\)$/, `select '${REDSHIFT_VERSION}'::text`],
  [/pg_catalog\.pg_get_viewdef\(c\.oid\)/g, VIEW_TEXT],
  [/e\.adsrc/g, DEFAULT],
  [/a\.attisdistkey/g, `(c.relname = 'sales' and a.attname = 'customer_id')`],
  [/a\.attsortkeyord/g, SORT_KEY],
  [/c\.reldiststyle/g, `(case c.relname when 'sales' then 1 when 'customer' then 8 else 9 end)`],
  [/pg_catalog\.pg_get_late_binding_view_cols\(\)\s+b\([^)]*\)/g, LATE_BINDING],
  [/svv_external_tables t/g, EXTERNAL_TABLES],
  [/svv_external_columns c/g, EXTERNAL_COLUMNS],
  [
    /svv_external_schemas x/g,
    `(select oid as esoid, 1::smallint as eskind from pg_catalog.pg_namespace where nspname like 'spectrum%') x`,
  ],
  [
    /svv_table_info s/g,
    `(select oid as table_id, 1200 as tbl_rows, 3 as size from pg_catalog.pg_class where relname = 'sales') s`,
  ],
]

/** Rewrites the statements for Redshift. */
export const asRedshift: Rewrite = (statements) =>
  UNSUPPORTED.test(statements)
    ? failWith('0A000', 'this feature is not supported')
    : REPLACEMENTS.reduce((text, [pattern, by]) => text.replace(pattern, () => by), statements)
