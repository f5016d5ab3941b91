/**
 * The main job: a database of several hundred tables is connected and ingested every night; a night
 * without changes creates no events, and a night with changes creates exactly theirs.
 */

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { CloudEvent } from '../../server/events/event.ts'
import type { IngestionRun } from '../../server/integrations/run.ts'
import { summarizeEvent } from '../feed.ts'
import { onLocalPlace, onPlace, query } from '../operator.ts'
import { startPostgres, type TestPostgres } from '../postgres.ts'
import { SourceDatabase } from '../postgres-source.ts'
import { runProduct, startProduct, type ProductProcess } from '../process.ts'
import { newOwner, openDesk, postgresIntegration, type Desk, type Owner } from '../sources.ts'
import type { StorePlace } from '../stores.ts'

const NIGHTLY = { scheduleExpression: '0 2 * * *', timeZone: 'Europe/Berlin' }
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
const SALES_RELATIONS = 7
const LOGISTICS_EXTRA = 1
/** The database: seven schemas, including `public`, and their relations. */
const ASSETS =
  1 +
  7 +
  BULK_SCHEMAS.length * BULK_TABLES_EACH +
  SALES_RELATIONS +
  LOGISTICS_EXTRA +
  ODD_NAMES.length

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

const SOURCE = `
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

const CHANGES = `
  create table sales.returns (id int primary key);
  drop table sales.old_prices;
  alter table finance.t_49 rename to ledger;
  alter table hr.t_1 add column note text;
  alter table hr.t_2 drop column label;
  alter table hr.t_3 alter column label type varchar(50);
  comment on table hr.t_4 is 'A new comment';
  create or replace view sales.open_orders as
    select id, net from sales.orders where state <> 'paid'`

const CHANGED: Record<string, string> = {
  'created: - → sales.returns': 'AssetCreatedEvent',
  'deleted: sales.old_prices → -': 'AssetDeletedEvent',
  'updated: finance.t_49 → finance.ledger': 'AssetUpdatedEvent',
  'updated: hr.t_1 → hr.t_1': 'AssetUpdatedEvent',
  'updated: hr.t_2 → hr.t_2': 'AssetUpdatedEvent',
  'updated: hr.t_3 → hr.t_3': 'AssetUpdatedEvent',
  'updated: hr.t_4 → hr.t_4': 'AssetUpdatedEvent',
  'updated: sales.open_orders → sales.open_orders': 'AssetUpdatedEvent',
}

interface Asset {
  id: string
  info: Record<string, string>
  columns?: Record<string, unknown>[]
  relationships?: { relationshipType: string; assetId: string }[]
  custom: Record<string, unknown>
  ingestion: { integrationExternalId: string; runId: string }
  statistic?: unknown
}

let postgres: TestPostgres

before(async () => {
  postgres = await startPostgres()
})
after(async () => postgres.stop())

describe('a nightly ingestion', { concurrency: 2 }, () => {
  test('three nights, and a contract', async () => {
    await onPlace(async (place) => {
      const database = await SourceDatabase.create(postgres.url, SOURCE)
      const owner = await newOwner(place)
      const product = await startProduct(place.environment)
      const desk = await openDesk(product.url, owner)
      const externalId = await connect(desk, database)
      await fallDue(place)
      const first = await firstNight(desk, externalId)
      const assets = await listAssets(desk)
      assertIngested(assets, database.name)
      const seenId = (await assertEvents(desk, undefined, ASSETS, 'AssetCreatedEvent')) ?? ''

      await fallDue(place)
      const second = await desk.ended(externalId, first)
      assertQuiet(second)
      assert.deepEqual(await desk.ui('GET', changesPath(externalId, second)), [])
      assert.deepEqual(withoutStatistics(await listAssets(desk)), withoutStatistics(assets))
      const stillId = await assertEvents(desk, seenId, 0, 'AssetCreatedEvent')

      await database.execute(CHANGES)
      await desk.api('POST', `/api/integrations/ingest/${externalId}/run`)
      const third = await desk.ended(externalId, second)
      await assertChanged(desk, externalId, third, stillId)
      await assertContract(desk)
      desk.close()
      await assertInOrder(place, product)
    })
  })

  test('on its own PostgreSQL › two nights, the first while it was stopped', async () => {
    await onLocalPlace(async (place) => {
      const database = await SourceDatabase.create(postgres.url, SOURCE)
      const owner = await newOwner(place)
      let externalId = ''
      await withProduct(place, owner, async (desk) => {
        externalId = await connect(desk, database)
      })
      await fallDue(place)
      const product = await startProduct(place.environment)
      const desk = await openDesk(product.url, owner)
      const first = await firstNight(desk, externalId)
      assertIngested(await listAssets(desk), database.name)
      const seenId = await assertEvents(desk, undefined, ASSETS, 'AssetCreatedEvent')
      await desk.api('POST', `/api/integrations/ingest/${externalId}/run`)
      const second = await desk.ended(externalId, first)
      assertQuiet(second)
      const stillId = await assertEvents(desk, seenId, 0, 'AssetCreatedEvent')
      await database.execute(CHANGES)
      await desk.api('POST', `/api/integrations/ingest/${externalId}/run`)
      await assertChanged(desk, externalId, await desk.ended(externalId, second), stillId)
      desk.close()
      await assertInOrder(place, product)
    })
  })
})

async function withProduct(
  place: StorePlace,
  owner: Owner,
  work: (desk: Desk) => Promise<void>,
): Promise<void> {
  const product = await startProduct(place.environment)
  const desk = await openDesk(product.url, owner)
  await work(desk)
  desk.close()
  await product.stop()
}

/** Connects the database, after a connection test and a preview, and returns its external id. */
async function connect(desk: Desk, database: SourceDatabase): Promise<string> {
  const draft = postgresIntegration(database, NIGHTLY)
  const testResult = await desk.ui<{ ok: boolean }>('POST', '/ui/integrations/test', draft)
  assert.equal(testResult.ok, true, JSON.stringify(testResult))
  const { counts } = await desk.ui<{ counts: { included: number } }>(
    'POST',
    '/ui/integrations/scopes',
    draft,
  )
  assert.equal(counts.included, 8)
  const created = await desk.ui<{ externalId: string; nextTimes: string[] }>(
    'POST',
    '/ui/integrations',
    draft,
  )
  assert.equal(created.nextTimes.length, 3)
  for (const time of created.nextTimes) assert.match(time, /T0[01]:00:/, 'two o’clock in Berlin')
  return created.externalId
}

/** Simulates that a night has passed: the integration is due. */
async function fallDue(place: StorePlace): Promise<void> {
  const due = `
    update integration set next_due_at = now() - interval '1 hour' returning next_due_at`
  assert.equal((await query(place, due)).length, 1)
}

async function firstNight(desk: Desk, externalId: string): Promise<IngestionRun> {
  const run = await desk.ended(externalId)
  assert.deepEqual(
    { ...run, ingestionRunId: '', startedAt: '', completedAt: '' },
    {
      ingestionRunId: '',
      integrationExternalId: externalId,
      status: 'SUCCESS',
      message: '7 schemas',
      assetsProcessed: ASSETS,
      assetsCreated: ASSETS,
      assetsUpdated: 0,
      assetsDeleted: 0,
      startedAt: '',
      completedAt: '',
      kind: 'ingest',
      phase: 'publishing',
      attempt: 1,
      assetsHeld: 0,
      heldState: null,
      startedBy: 'system',
    },
  )
  const form = await desk.ui<{ nextTimes: string[] }>('GET', `/ui/integrations/${externalId}`)
  assert.ok((form.nextTimes[0] ?? '') > String(run.completedAt), 'the next run is scheduled')
  return run
}

function assertQuiet(run: IngestionRun): void {
  const { status, assetsProcessed, assetsCreated, assetsUpdated, assetsDeleted } = run
  assert.deepEqual(
    [status, assetsProcessed, assetsCreated, assetsUpdated, assetsDeleted],
    ['SUCCESS', ASSETS, 0, 0, 0],
  )
}

/** Returns the assets by their qualified name below the database. */
async function listAssets(desk: Desk): Promise<Map<string, Asset>> {
  const assets = await desk.api<Asset[]>('GET', '/api/assets?source=postgres')
  return new Map(
    assets.map((asset) => [
      asset.info['qualifiedName']?.split('.').slice(1).join('.') ?? '',
      asset,
    ]),
  )
}

function withoutStatistics(assets: ReadonlyMap<string, Asset>): Asset[] {
  return [...assets.values()].map((asset) => ({ ...asset, statistic: undefined }))
}

/** Asserts that every feature of the source is in its assets. */
function assertIngested(assets: ReadonlyMap<string, Asset>, databaseName: string): void {
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
  assert.equal(assets.has('logistics.scans_1'), false, 'partitions are no assets')
  assert.deepEqual(orders.relationships, [{ relationshipType: 'parent', assetId: get('sales').id }])
  const odd = [...assets.values()].filter(({ custom }) => custom['schema'] === 'Odd & "special"')
  const tables = odd.filter(({ info }) => info['type'] === 'postgres_table')
  assert.deepEqual(
    new Set(tables.map(({ info, columns }) => [info['name'], columns?.[0]?.['name']].join('|'))),
    new Set(ODD_NAMES.map((name) => [name, name].join('|'))),
  )
}

/**
 * Asserts that since `lastEventId` the feed has `count` asset events of one type and no others; returns
 * the last event's id.
 */
async function assertEvents(
  desk: Desk,
  lastEventId: string | undefined,
  count: number,
  name: string,
): Promise<string | undefined> {
  const events = await desk.eventsAfter(lastEventId)
  const assetEvents = events.filter(isAboutAssets)
  assert.equal(assetEvents.length, count)
  assert.ok(assetEvents.every((event) => summarizeEvent(event) === name))
  return events.at(-1)?.id
}

function isAboutAssets({ type }: CloudEvent): boolean {
  return /Asset\w+Event$/.test(type)
}

function changesPath(externalId: string, run: IngestionRun): string {
  return `/ui/integrations/${externalId}/runs/${run.ingestionRunId}/changes`
}

interface Change {
  assetId: string
  action: string
  pathBefore: string[] | null
  pathAfter: string[] | null
}

const below = (path: string[] | null): string => path?.slice(1).join('.') ?? '-'

/** Asserts that the change set and the feed contain exactly the changes at the source. */
async function assertChanged(
  desk: Desk,
  externalId: string,
  run: IngestionRun,
  lastEventId: string | undefined,
): Promise<void> {
  assert.deepEqual(
    [run.status, run.assetsCreated, run.assetsUpdated, run.assetsDeleted],
    ['SUCCESS', 1, 6, 1],
  )
  const changes = await desk.ui<Change[]>('GET', changesPath(externalId, run))
  const summaries = changes.map((change) => ({
    subject: change.assetId,
    what: `${change.action}: ${below(change.pathBefore)} → ${below(change.pathAfter)}`,
  }))
  assert.deepEqual(summaries.map(({ what }) => what).toSorted(), Object.keys(CHANGED).toSorted())
  const events = (await desk.eventsAfter(lastEventId)).filter(isAboutAssets)
  assert.deepEqual(
    events.map((event) => `${event.subject} ${summarizeEvent(event)}`).toSorted(),
    summaries.map(({ subject, what }) => `${subject} ${CHANGED[what]}`).toSorted(),
  )
  const assets = await listAssets(desk)
  assert.equal(assets.size, ASSETS)
  assert.equal(assets.get('sales.returns')?.ingestion.runId, run.ingestionRunId)
  assert.equal(assets.has('sales.old_prices'), false)
  const names = assets.get('hr.t_2')?.columns?.map(({ name }) => name)
  assert.deepEqual(names, ['id', 'parent'])
  assert.match(String(assets.get('sales.open_orders')?.custom['viewDefinition']), /<> 'paid'/)
}

/**
 * Creates a contract from a schema and asserts that the catalog accepts it and that both have the same
 * model.
 */
async function assertContract(desk: Desk): Promise<void> {
  const schema = (await listAssets(desk)).get('sales')
  assert.ok(schema !== undefined)
  const draft = await desk.ui<{ id: string; status: string; schema: unknown[] }>(
    'POST',
    `/ui/assets/${schema.id}/contract`,
  )
  assert.deepEqual([draft.status, draft.schema.length], ['draft', SALES_RELATIONS])
  await desk.api('PUT', `/api/datacontracts/${draft.id}`, { body: draft })
  const contractModel = await desk.api('GET', `/api/datacontracts/${draft.id}/model`)
  const assetModel = await desk.api('GET', `/api/assets/${schema.id}/model`)
  assert.deepEqual(removeOrigins(contractModel), removeOrigins(assetModel))
}

/** Removes the origin of each part of a model. */
function removeOrigins(model: unknown): unknown {
  return JSON.parse(JSON.stringify(model), (name, value: unknown) =>
    name === 'origin' ? undefined : value,
  )
}

async function assertInOrder(place: StorePlace, product: ProductProcess): Promise<void> {
  await product.stop()
  const { code, stdout } = await runProduct(place.environment, ['verify'])
  assert.equal(code, 0, stdout)
  const problems = product.log().filter(({ level }) => level === 'error' || level === 'fatal')
  assert.deepEqual(problems, [])
}
