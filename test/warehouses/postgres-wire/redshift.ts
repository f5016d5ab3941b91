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

/** The columns and views that only Redshift has, with what replaces them. */
const REPLACEMENTS: readonly (readonly [RegExp, string])[] = [
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
