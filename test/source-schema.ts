/**
 * Sources with any number of tables, created on the server: one statement for each table would take longer
 * than the measurement. Tables have ten columns, a key, comments and defaults, and every tenth refers to
 * another one; none has rows.
 */

/** The extent of a source. */
export interface SourceExtent {
  /** The number of tables, evenly distributed over the schemas. */
  tablesCount: number
  schemasCount: number
  /** The number of views in the first schema over its first tables, at most one for each. */
  viewsCount: number
}

/** Returns the name of a schema, or of a database of MariaDB, at an index from 0. */
export function schemaName(at: number): string {
  return `area_${String(at).padStart(3, '0')}`
}

/**
 * Lists the statements that create a source in an empty PostgreSQL database; a superuser sends each
 * separately, to a server without autovacuum. The first table is created as usual, and the others are rows
 * in the system catalogs like those of the first: a connector reads nothing else, and this creates hundreds
 * of thousands within seconds.
 */
export function postgresTables({ tablesCount, schemasCount, viewsCount }: SourceExtent): string[] {
  const perSchema = Math.ceil(tablesCount / schemasCount)
  const schemas = Array.from({ length: schemasCount }, (_, at) => schemaName(at))
  const first = `'${schemaName(0)}.orders_000000'::regclass`
  return [
    ...schemas.map((name) => `create schema ${name}`),
    `create table ${schemaName(0)}.orders_000000 (${POSTGRES_COLUMNS})`,
    // A table that refers to another one, for the form of its key in the catalogs.
    `create table public.referring (id bigint references ${schemaName(0)}.orders_000000)`,
    ...POSTGRES_COMMENTS.map(
      ([part, text]) =>
        `comment on ${part.replace('*', `${schemaName(0)}.orders_000000`)} is '${text}'`,
    ),
    `
create temporary table clone as
select at, ${CLONE_OID_MIN} + 2 * at as oid, ${CLONE_OID_MIN} + 2 * at + 1 as index_oid,
  'orders_' || lpad(at::text, 6, '0') as name,
  ('area_' || lpad((at / ${perSchema})::text, 3, '0'))::regnamespace as schema_oid,
  case when at % 10 = 9 then
    case when at < ${perSchema} then ${first}::oid::bigint
    else ${CLONE_OID_MIN} + 2 * (at / ${perSchema} * ${perSchema}) end
  end as referred_oid
from generate_series(1, ${tablesCount - 1}) as at`,
    COPY_CATALOG_ROWS,
    ...CLONED_CATALOGS.flatMap((cloned) => getCopies(cloned, first, tablesCount)),
    'drop table public.referring',
    ...Array.from({ length: viewsCount }, (_, at) => postgresView(at)),
    `vacuum analyze ${CLONED_CATALOGS.map(({ catalog }) => catalog).join(', ')}`,
  ]
}

const POSTGRES_COLUMNS = `
  id bigint primary key,
  customer_id bigint not null,
  order_number varchar(20) not null,
  status varchar(12) not null default 'open',
  amount numeric(12,2),
  currency char(3) not null default 'EUR',
  is_paid boolean not null default false,
  placed_on date,
  created_at timestamptz not null default now(),
  updated_at timestamptz`

const POSTGRES_COMMENTS = [
  ['table *', 'Orders of one region, as the shop wrote them'],
  ['column *.order_number', 'Printed on the bill'],
  ['column *.amount', 'With taxes, in the currency beside'],
  ['column *.created_at', 'When the shop took the order'],
] as const

// A transaction keeps every catalog row that it writes in memory, and gets slower with their number.
const TABLES_AT_ONCE = 10_000

function getCopies(
  { catalog, changed, from }: Cloned,
  first: string,
  tablesCount: number,
): string[] {
  const parts = Array.from({ length: Math.ceil(tablesCount / TABLES_AT_ONCE) })
  return parts.map((_, part) => {
    const between = `clone.at between ${part * TABLES_AT_ONCE} and ${(part + 1) * TABLES_AT_ONCE - 1}`
    const statement = `select pg_temp.copy_rows(
      '${catalog}', $$${JSON.stringify(changed)}$$, $$(${from}) and ${between}$$
    )`
    return statement.replaceAll('FIRST', first)
  })
}

interface Cloned {
  catalog: string
  /** The differences from the rows of the first table, by column. */
  changed: Readonly<Record<string, string>>
  /** A condition for the rows of the first table. */
  from: string
}

/** The catalog rows of a table, and their differences from those of the first table. */
const CLONED_CATALOGS: readonly Cloned[] = [
  {
    catalog: 'pg_class',
    changed: {
      oid: `case original.relkind when 'r' then clone.oid else clone.index_oid end`,
      relname: `(case original.relkind when 'r' then clone.name else clone.name || '_pkey' end)::name`,
      relnamespace: 'clone.schema_oid',
      relpages: '1 + clone.at % 5000',
      reltuples: '100 * clone.at',
    },
    from: `original.oid = FIRST or original.oid in (select indexrelid from pg_index where indrelid = FIRST)`,
  },
  {
    catalog: 'pg_attribute',
    changed: {
      attrelid: 'case original.attrelid when FIRST then clone.oid else clone.index_oid end',
    },
    from: `original.attrelid = FIRST or original.attrelid in (select indexrelid from pg_index where indrelid = FIRST)`,
  },
  {
    catalog: 'pg_index',
    changed: { indexrelid: 'clone.index_oid', indrelid: 'clone.oid' },
    from: `original.indrelid = FIRST`,
  },
  {
    catalog: 'pg_attrdef',
    changed: { oid: `clone.oid * 16 + original.adnum`, adrelid: 'clone.oid' },
    from: `original.adrelid = FIRST`,
  },
  {
    catalog: 'pg_constraint',
    changed: {
      oid: `clone.oid * 16 + case original.contype when 'p' then 0 when 'f' then 15 else original.conkey[1] end`,
      conrelid: 'clone.oid',
      conindid: `case original.contype when 'p' then clone.index_oid else original.conindid end`,
      connamespace: 'clone.schema_oid',
      confrelid: `case original.contype when 'f' then clone.referred_oid else original.confrelid end`,
    },
    from: `original.conrelid = FIRST or original.conrelid = 'public.referring'::regclass and original.contype = 'f' and clone.referred_oid is not null`,
  },
  {
    catalog: 'pg_description',
    changed: { objoid: 'clone.oid' },
    from: `original.objoid = FIRST and original.classoid = 'pg_class'::regclass`,
  },
]

/** Above the oids of a new server; those of defaults and keys are sixteen times as high. */
const CLONE_OID_MIN = 1_000_000

// The columns of a catalog depend on the version of the server.
const COPY_CATALOG_ROWS = `
create function pg_temp.copy_rows(catalog regclass, changed jsonb, chosen text) returns void as $$
begin
  execute (
    select format(
      'insert into %s select %s from %s as original cross join clone where %s',
      catalog,
      string_agg(coalesce(changed ->> attname, 'original.' || quote_ident(attname)), ', ' order by attnum),
      catalog,
      chosen
    )
    from pg_attribute
    where attrelid = catalog
      and attnum > 0
      and not attisdropped
  );
end
$$ language plpgsql`

function postgresView(at: number): string {
  const name = String(at).padStart(6, '0')
  const schema = schemaName(0)
  return `create view ${schema}.open_orders_${name} as
    select id, order_number, amount from ${schema}.orders_${name} where status = 'open'`
}

/** Lists the statements that create a source in an empty MariaDB, each to be sent separately. */
export function mariadbTables({ tablesCount, schemasCount, viewsCount }: SourceExtent): string[] {
  const perSchema = Math.ceil(tablesCount / schemasCount)
  const schemas = Array.from({ length: schemasCount }, (_, at) => schemaName(at))
  return [
    ...schemas.map((name) => `create database ${name}`),
    `
create procedure ${schemaName(0)}.make_tables()
begin
  declare at int default 0;
  declare place text;
  while at < ${tablesCount} do
    set place = concat('area_', lpad(floor(at / ${perSchema}), 3, '0'), '.');
    execute immediate concat(
      'create table ', place, 'orders_', lpad(at, 6, '0'), ' (
        id bigint primary key,
        customer_id bigint not null,
        order_number varchar(20) not null comment ''Printed on the bill'',
        status varchar(12) not null default ''open'',
        amount decimal(12,2) comment ''With taxes, in the currency beside'',
        currency char(3) not null default ''EUR'',
        is_paid boolean not null default false,
        placed_on date,
        created_at timestamp not null default current_timestamp comment ''When the shop took it'',
        updated_at datetime',
      case when at % 10 = 9 then concat(
        ', foreign key (customer_id) references ', place, 'orders_',
        lpad(floor(at / ${perSchema}) * ${perSchema}, 6, '0'), ' (id)'
      ) else '' end,
      ') comment ''Orders of one region, as the shop wrote them'''
    );
    set at = at + 1;
  end while;
  set at = 0;
  while at < ${viewsCount} do
    execute immediate concat(
      'create view ${schemaName(0)}.open_orders_', lpad(at, 6, '0'),
      ' as select id, order_number, amount from ${schemaName(0)}.orders_',
      lpad(at, 6, '0'), ' where status = ''open'''
    );
    set at = at + 1;
  end while;
end`,
    `call ${schemaName(0)}.make_tables()`,
    `drop procedure ${schemaName(0)}.make_tables`,
  ]
}
