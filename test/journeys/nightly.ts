/** The database of the nightly ingestion, its changes, and its assets. */

import assert from 'node:assert/strict'
import type { Desk } from '../sources.ts'

const BULK_SCHEMAS = ['finance', 'hr', 'logistics', 'warehouse.2026']
const BULK_TABLES_EACH = 50
// 63 bytes, two of which are one character.
const LONGEST_NAME = `${'n'.repeat(61)}é`
const ODD_NAMES = [
  'quo"ted',
  "apo'strophe",
  'dot.ted',
  'a space',
  'new\nline',
  'back\\slash',
  'train 🚆',
  'UPPER',
  'upper',
  '__proto__',
  LONGEST_NAME,
]
export const SALES_RELATIONS = 7
const LOGISTICS_EXTRA = 1
/** The database: seven schemas, including `public`, and their relations. */
export const ASSETS =
  1 +
  7 +
  BULK_SCHEMAS.length * BULK_TABLES_EACH +
  SALES_RELATIONS +
  LOGISTICS_EXTRA +
  ODD_NAMES.length

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

export const SOURCE = `
  create schema sales; create schema "Odd & ""special""";
  ${BULK_SCHEMAS.map((name) => `create schema ${quoted(name)};`).join('\n')}
  comment on schema sales is 'What was sold';

  create type sales.state as enum ('open', 'paid');
  create table sales.customers (
    region char(2), number bigint, name varchar(80) not null, email text unique,
    primary key (region, number)
  );
  create table sales.orders (
    id bigint generated always as identity primary key,
    region char(2) not null, customer_number bigint not null,
    state sales.state not null default 'open',
    net numeric(12,2) not null, gross numeric(12,2) generated always as (net * 1.19) stored,
    tags text[], more jsonb, placed_at timestamptz default now(),
    foreign key (region, customer_number) references sales.customers
  );
  create table sales.order_lines (
    order_id bigint references sales.orders (id), line int, amount int, primary key (order_id, line)
  );
  create table sales.discounts (code text primary key, percent int, valid_until date, note text);
  create table sales.old_prices (id int primary key);
  create view sales.open_orders as select id, net from sales.orders where state = 'open';
  create materialized view sales.revenue as select region, sum(net) as net from sales.orders group by 1;
  comment on table sales.orders is 'One row for each order — ünïcode, "quoted"';
  comment on column sales.orders.net is 'Without taxes';
  comment on view sales.open_orders is 'Not paid yet';

  create table logistics.scans (id bigint, at date not null, primary key (id, at)) partition by range (at);
  ${Array.from({ length: 24 }, (_, at) => `create table logistics.scans_${at} partition of logistics.scans for values from ('2026-01-01'::date + ${at}) to ('2026-01-01'::date + ${at + 1});`).join('\n')}

  ${ODD_NAMES.map((name) => `create table "Odd & ""special""".${quoted(name)} (${quoted(name)} int primary key);`).join('\n')}

  ${BULK_SCHEMAS.flatMap((schema) =>
    Array.from(
      { length: BULK_TABLES_EACH },
      (_, at) => `create table ${quoted(schema)}.t_${at} (
        id int primary key, parent int ${at === 0 ? '' : `references ${quoted(schema)}.t_${at - 1}`},
        label varchar(20) not null default 'none', unique (parent, label));
        comment on table ${quoted(schema)}.t_${at} is 'Table ${at} of ${schema}';`,
    ),
  ).join('\n')}`

export const CHANGES = `
  create table sales.returns (id int primary key);
  drop table sales.old_prices;
  alter table finance.t_49 rename to ledger;
  alter table hr.t_1 add column note text;
  alter table hr.t_2 drop column label;
  alter table hr.t_3 alter column label type varchar(50);
  comment on table hr.t_4 is 'A new comment';
  create or replace view sales.open_orders as
    select id, net from sales.orders where state <> 'paid'`

export const CHANGED: Record<string, string> = {
  'created: - → sales.returns': 'AssetCreatedEvent',
  'deleted: sales.old_prices → -': 'AssetDeletedEvent',
  'updated: finance.t_49 → finance.ledger': 'AssetUpdatedEvent',
  'updated: hr.t_1 → hr.t_1': 'AssetUpdatedEvent',
  'updated: hr.t_2 → hr.t_2': 'AssetUpdatedEvent',
  'updated: hr.t_3 → hr.t_3': 'AssetUpdatedEvent',
  'updated: hr.t_4 → hr.t_4': 'AssetUpdatedEvent',
  'updated: sales.open_orders → sales.open_orders': 'AssetUpdatedEvent',
}

export interface Asset {
  id: string
  info: Record<string, string>
  columns?: Record<string, unknown>[]
  relationships?: { relationshipType: string; assetId: string }[]
  custom: Record<string, unknown>
  ingestion: { integrationExternalId: string; runId: string }
  statistic?: unknown
}

/** Returns the assets by their qualified name below the database. */
export async function listAssets(desk: Desk): Promise<Map<string, Asset>> {
  const assets = await desk.api<Asset[]>('GET', '/api/assets?source=postgres')
  return new Map(
    assets.map((asset) => [
      asset.info['qualifiedName']?.split('.').slice(1).join('.') ?? '',
      asset,
    ]),
  )
}

/** Asserts that every feature of the source is in its assets. */
export function assertIngested(assets: ReadonlyMap<string, Asset>, databaseName: string): void {
  assert.equal(assets.size, ASSETS)
  const get = (name: string): Asset => {
    const asset = assets.get(name)
    assert.ok(asset !== undefined, `${name} is missing`)
    return asset
  }
  const orders = get('sales.orders')
  assert.deepEqual(orders.info, {
    source: 'postgres',
    sourceId: orders.info['sourceId'],
    type: 'postgres_table',
    name: 'orders',
    qualifiedName: `${databaseName}.sales.orders`,
    status: 'active',
    description: 'One row for each order — ünïcode, "quoted"',
    owner: 'platform',
  })
  const column = (name: string) => orders.columns?.find((one) => one['name'] === name)
  assert.deepEqual(column('id'), {
    name: 'id',
    type: 'bigint',
    required: true,
    primaryKey: true,
    custom: { generated: 'generated always as identity' },
  })
  assert.deepEqual(
    [column('net')?.['description'], column('net')?.['type'], column('tags')?.['type']],
    ['Without taxes', 'numeric(12,2)', 'text[]'],
  )
  assert.equal(column('state')?.['type'], 'sales.state')
  assert.match(JSON.stringify(column('gross')?.['custom']), /"generated":"\(net \* 1\.19\)"/)
  assert.deepEqual(orders.custom['foreignKeys'], [
    {
      columns: ['region', 'customer_number'],
      references: [databaseName, 'sales', 'customers'],
      referencedColumns: ['region', 'number'],
    },
  ])
  assert.deepEqual(get('sales.customers').custom['primaryKey'], ['region', 'number'])
  assert.equal(
    get('sales.customers').columns?.find(({ name }) => name === 'email')?.['unique'],
    true,
  )
  assert.equal(get('sales.open_orders').info['type'], 'postgres_view')
  assert.match(String(get('sales.open_orders').custom['viewDefinition']), /state = 'open'/)
  assert.equal(get('sales.revenue').info['type'], 'postgres_materialized_view')
  assert.equal(get('sales').info['description'], 'What was sold')
  assert.deepEqual(get('logistics.scans').custom['partitionColumns'], ['at'])
  assert.equal(assets.has('logistics.scans_1'), false, 'partitions are not assets')
  assert.deepEqual(orders.relationships, [{ relationshipType: 'parent', assetId: get('sales').id }])
  const odd = [...assets.values()].filter(({ custom }) => custom['schema'] === 'Odd & "special"')
  const tables = odd.filter(({ info }) => info['type'] === 'postgres_table')
  assert.deepEqual(
    new Set(tables.map(({ info, columns }) => [info['name'], columns?.[0]?.['name']].join('|'))),
    new Set(ODD_NAMES.map((name) => [name, name].join('|'))),
  )
}
