import { escapeLiteral } from 'pg'
import { toLikePattern, type Filters } from '../filter.ts'
import type { PostgresSetup } from './configuration.ts'
import type { ListingStatements } from './flat-dialect.ts'

/**
 * Statements for the system catalogs of PostgreSQL 12 and later. Their number does not depend on
 * the number of tables, except for the definitions of views (see RELATIONS_OF_VIEWS_MAX).
 */

/**
 * Returns the statements that begin a read-only transaction, in which the settings of the user's
 * role have no effect.
 */
export function beginStatement({ configuration }: PostgresSetup): string {
  return [
    'begin transaction isolation level repeatable read read only',
    `set local search_path = ''`,
    `set local statement_timeout = ${configuration.statementTimeoutMs}`,
    // Do not wait for a table that is being altered: read it later.
    `set local lock_timeout = '2s'`,
    // The texts of types and expressions depend on these settings, which a role may change.
    'set local quote_all_identifiers = off',
    `set local datestyle = 'ISO, MDY'`,
    'set local intervalstyle = postgres',
    `set local timezone = 'UTC'`,
    'set local extra_float_digits = 1',
    'set local bytea_output = hex',
    'set local standard_conforming_strings = on',
    `set local lc_monetary = 'C'`,
    // A SQL_ASCII database validates no names: a name that is not UTF-8 would end the statement
    // that reads it.
    `select pg_catalog.set_config('client_encoding', 'SQL_ASCII', true)
    where pg_catalog.getdatabaseencoding() = 'SQL_ASCII'`,
  ].join(';')
}

/** A database: name, oid, owner, description, whether the user may connect to it. */
export type DatabaseRow = [string, string, string, string | null, boolean]

/** Selects all databases except those of the platform. */
const DATABASES = `
select
  d.datname, d.oid::text, pg_catalog.pg_get_userbyid(d.datdba), c.description,
  pg_catalog.has_database_privilege(d.oid, 'CONNECT')
from pg_catalog.pg_database d
left join pg_catalog.pg_shdescription c
  on c.classoid = 'pg_catalog.pg_database'::pg_catalog.regclass and c.objoid = d.oid
where d.datallowconn and not d.datistemplate
order by d.datname`

/**
 * A database or schema: name, oid, owner, description, whether its objects may be used, whether the
 * server is a standby, and whether the database has TimescaleDB. The row of the database has no name.
 */
export type ContainerRow = [string | null, string, string, string | null, boolean, boolean, boolean]

/** The row of a schema. */
export type SchemaRow = [string, string, string, string | null, boolean, boolean]

/**
 * Returns the statement for this database's schemas, without the platform's own except those
 * listed.
 */
function schemasStatement(systemSchemas: readonly string[]): string {
  return `${SCHEMAS}
where n.nspname !~ '^(pg_|_timescaledb_)'
  and n.nspname not in ('information_schema', 'timescaledb_information', 'timescaledb_experimental')
  or n.nspname = any (${textArray(systemSchemas)})
order by 1`
}

/** The statements that list the databases and schemas of PostgreSQL. */
export const POSTGRES_LISTING: ListingStatements = {
  begin: beginStatement,
  databases: DATABASES,
  schemas: schemasStatement,
  // PostgreSQL shows definitions to every user.
  isUsageRequired: false,
}

/** Returns the statement for this database and its schemas with these names. */
export function containersStatement(names: readonly string[]): string {
  return `${CURRENT_DATABASE}
union all (${SCHEMAS}
where n.nspname = any (${textArray(names)})
order by 1)`
}

const SCHEMAS = `
select
  n.nspname::text, n.oid::text, pg_catalog.pg_get_userbyid(n.nspowner)::text, d.description,
  pg_catalog.has_schema_privilege(n.oid, 'USAGE'), pg_catalog.pg_is_in_recovery(), false
from pg_catalog.pg_namespace n
left join pg_catalog.pg_description d
  on d.classoid = 'pg_catalog.pg_namespace'::pg_catalog.regclass and d.objoid = n.oid
  and d.objsubid = 0`

const CURRENT_DATABASE = `
select
  null::text, d.oid::text, pg_catalog.pg_get_userbyid(d.datdba)::text, c.description,
  true, pg_catalog.pg_is_in_recovery(),
  exists (select from pg_catalog.pg_extension where extname = 'timescaledb')
from pg_catalog.pg_database d
left join pg_catalog.pg_shdescription c
  on c.classoid = 'pg_catalog.pg_database'::pg_catalog.regclass and c.objoid = d.oid
where d.datname = pg_catalog.current_database()`

/**
 * The maximum number of views read by one statement. The server generates a view's definition under
 * locks on everything the view reads, and keeps them until the rollback: too many would fill the
 * lock table, which the whole server shares.
 */
export const RELATIONS_OF_VIEWS_MAX = 500

/** The relations that a statement reads. */
export interface RelationSelection {
  views: boolean
  schemas: readonly string[]
  filters: Filters
  /** Only relations with a higher oid. */
  after: number
  /** The maximum number; undefined = all. */
  limit: number | undefined
  /** False omits texts that the server generates, which may fail: expressions, view definitions. */
  texts: boolean
}

/** The number of fields of a row of relationsStatement; a row that is too long has fewer. */
export const RELATION_FIELDS = 15

/**
 * Returns the COPY statement for relations in the order of their oids, with one row each that
 * includes columns and keys as JSON. `relation.ts` parses the fields. One row per relation requires
 * neither a sort on the server nor a join here, and the first row arrives immediately. The limit of
 * the inner select is a fence, so that texts are generated only for returned rows.
 */
export function relationsStatement(selection: RelationSelection): string {
  const { texts, limit } = selection
  return `
copy (
  select
    r.oid, r.schema_name, r.relname, r.relkind, r.owner_name, r.description, r.row_count, r.size_bytes,
    (${columns(texts)}),
    (${KEYS}),
    (${partition(texts)}),
    ${texts ? VIEW_TEXT : 'null'},
    (${UNIQUE_KEYS}),
    ${VIEW_DEPENDENCIES},
    ${CHANGE_COUNT}
  from (
    select
      c.oid, n.nspname as schema_name, c.relname, c.relkind, d.description,
      pg_catalog.pg_get_userbyid(c.relowner) as owner_name, ${STATISTICS}
    from pg_catalog.pg_class c
    join pg_catalog.pg_namespace n on n.oid = c.relnamespace
    left join pg_catalog.pg_description d
      on d.classoid = 'pg_catalog.pg_class'::pg_catalog.regclass and d.objoid = c.oid
      and d.objsubid = 0
    where ${conditions(selection).join('\n      and ')}
    order by c.oid
    limit ${limit ?? 'all'}
    offset 0
  ) r
) to stdout`
}

// Before PostgreSQL 14 a table that was never analyzed has 0 rows on 0 pages.
const STATISTICS = `
      case when c.reltuples >= 0 and (c.reltuples > 0 or c.relpages > 0
        or pg_catalog.current_setting('server_version_num')::int >= 140000)
      then c.reltuples end as row_count,
      case when c.relkind in ('r', 'm') and c.reltuples >= 0 and c.relpages >= 0
      then c.relpages * pg_catalog.current_setting('block_size')::bigint end as size_bytes`

const countChanges = (oid: string): string => `pg_catalog.pg_stat_get_tuples_inserted(${oid})
      + pg_catalog.pg_stat_get_tuples_updated(${oid}) + pg_catalog.pg_stat_get_tuples_deleted(${oid})`

// The rows that were changed since the server began to count. A standby counts nothing, and other products count on each
// of their servers. A partitioned table is the sum of its partitions, without locking them; foreign ones are not counted.
const CHANGE_COUNT = `
    case when r.relkind in ('r', 'p') and not pg_catalog.pg_is_in_recovery()
      and pg_catalog.current_setting('track_counts')::boolean
      and pg_catalog.version() !~ '-YB-|Greenplum'
    then case r.relkind when 'r' then ${countChanges('r.oid')} else (
      with recursive part (oid, relkind) as (
        select p.oid, p.relkind
        from pg_catalog.pg_inherits i
        join pg_catalog.pg_class p on p.oid = i.inhrelid
        where i.inhparent = r.oid
        union all
        select p.oid, p.relkind
        from part
        join pg_catalog.pg_inherits i on i.inhparent = part.oid
        join pg_catalog.pg_class p on p.oid = i.inhrelid
      )
      select case when not pg_catalog.bool_or(part.relkind = 'f')
        then pg_catalog.sum(${countChanges('part.oid')})::bigint end
      from part
      where part.relkind in ('r', 'f')
    ) end end`

// One character more than a document keeps, so that truncation is visible.
const VIEW_TEXT = `
    case when r.relkind in ('v', 'm')
    then pg_catalog.left(pg_catalog.pg_get_viewdef(r.oid), 65537) end`

// The relations in the rule of a view. A partition is replaced by its partitioned table: partitions
// are not assets.
const VIEW_DEPENDENCIES = `
    case when r.relkind in ('v', 'm') then (
      select pg_catalog.json_agg(pg_catalog.json_build_array(n.nspname, whole.relname, whole.oid::text, (
          select pg_catalog.json_agg(a.attname order by a.attnum)
          from pg_catalog.pg_attribute a
          where a.attrelid = part.oid and a.attnum > 0 and a.attnum = any (used.columns)
        )
      ) order by n.nspname, whole.relname)
      from (
        select p.refobjid, pg_catalog.array_agg(p.refobjsubid) as columns
        from pg_catalog.pg_rewrite w
        join pg_catalog.pg_depend p
          on p.classid = 'pg_catalog.pg_rewrite'::pg_catalog.regclass and p.objid = w.oid
          and p.refclassid = 'pg_catalog.pg_class'::pg_catalog.regclass
        where w.ev_class = r.oid and w.ev_type = '1' and p.refobjid <> r.oid
        group by p.refobjid
      ) used
      join pg_catalog.pg_class part
        on part.oid = used.refobjid and part.relkind in ('r', 'p', 'v', 'm', 'f')
      join pg_catalog.pg_class whole on whole.oid = case when part.relispartition
        then pg_catalog.pg_partition_root(part.oid)::oid else part.oid end
      join pg_catalog.pg_namespace n on n.oid = whole.relnamespace
    ) end`

// With its relation, an expression is converted to text under a lock, in time quadratic to the
// number of columns. Only generated columns refer to others and need the relation.
const EXPRESSION = `pg_catalog.pg_get_expr(
          e.adbin, case when a.attgenerated = '' then 0::oid else e.adrelid end)`

// Lower oids are built-in types, not domains or enums.
const NAMED_TYPE_OID_MIN = 10_000

const columns = (texts: boolean): string => `
      select pg_catalog.array_to_json(pg_catalog.array_agg(array[
        a.attnum::text, a.attname::text, pg_catalog.format_type(a.atttypid, a.atttypmod),
        case when a.attnotnull then 'required' end, nullif(a.attidentity::text, ''),
        nullif(a.attgenerated::text, ''), d.description,
        ${texts ? EXPRESSION : 'null'},
        case when a.atttypid >= ${NAMED_TYPE_OID_MIN} then a.atttypid::text end
      ] order by a.attnum))
      from pg_catalog.pg_attribute a
      left join pg_catalog.pg_attrdef e
        on a.atthasdef and e.adrelid = a.attrelid and e.adnum = a.attnum
      left join pg_catalog.pg_description d
        on d.classoid = 'pg_catalog.pg_class'::pg_catalog.regclass and d.objoid = r.oid
        and d.objsubid = a.attnum
      where a.attrelid = r.oid and a.attnum > 0 and not a.attisdropped`

// A key that refers to a partitioned table also has a row for each partition, which has a parent.
const KEYS = `
      select pg_catalog.json_agg(pg_catalog.json_build_array(
        k.contype, k.conkey, tn.nspname, t.relname, (
          select pg_catalog.json_agg(ta.attname order by confkey.place)
          from pg_catalog.unnest(k.confkey) with ordinality as confkey (attnum, place)
          join pg_catalog.pg_attribute ta on ta.attrelid = t.oid and ta.attnum = confkey.attnum
        )
      ) order by k.conname)
      from pg_catalog.pg_constraint k
      left join pg_catalog.pg_class t on t.oid = k.confrelid
      left join pg_catalog.pg_namespace tn on tn.oid = t.relnamespace
      where k.conrelid = r.oid and k.contype in ('p', 'f') and k.conparentid = 0`

// Every unique constraint has an index. Partial indexes and indexes over expressions make no column
// unique, and invalid ones may be violated.
const UNIQUE_KEYS = `
      select pg_catalog.json_agg(distinct
        pg_catalog.array_to_json((i.indkey::int2[])[0:i.indnkeyatts - 1])::text
      )
      from pg_catalog.pg_index i
      where i.indrelid = r.oid and i.indisunique and i.indisvalid and not i.indisprimary
        and not i.indisexclusion and i.indpred is null and i.indexprs is null`

const partition = (texts: boolean): string => `
      select pg_catalog.json_build_array(
        p.partattrs::int2[], ${texts ? 'pg_catalog.pg_get_expr(p.partexprs, p.partrelid)' : 'null'}
      )
      from pg_catalog.pg_partitioned_table p
      where r.relkind = 'p' and p.partrelid = r.oid`

function conditions({ views, schemas, filters, after }: RelationSelection): string[] {
  const kinds = views ? `'v', 'm'` : `'r', 'p', 'f'`
  return [
    `n.nspname = any (${textArray(schemas)})`,
    `c.relkind in (${kinds})`,
    'not c.relispartition',
    `c.oid > ${after}`,
    ...nameConditions('c.relname', filters.include['table'], filters.exclude['table']),
  ]
}

/**
 * Returns conditions that include at least everything the filters include: the rows are filtered
 * again. One character of a glob matches any text here, since a server's encoding may count
 * characters differently.
 */
function nameConditions(
  column: string,
  included: readonly string[] = [],
  excluded: readonly string[] = [],
): string[] {
  const conditions: string[] = []
  if (included.length > 0) {
    const patterns = included.map((glob) => toLikePattern(glob.replaceAll('?', '*')))
    conditions.push(`${column} like any (${textArray(patterns)})`)
  }
  const patterns = excluded.filter((glob) => !glob.includes('?')).map((glob) => toLikePattern(glob))
  if (patterns.length > 0) {
    const exact = `${column} = any (${textArray(included)})`
    conditions.push(`(${exact} or not ${column} like any (${textArray(patterns)}))`)
  }
  return conditions
}

/** Returns a list of texts as an expression, because COPY has no parameters. */
export function textArray(texts: readonly string[]): string {
  return `array[${texts.map((text) => escapeLiteral(text)).join(', ')}]::text[]`
}
