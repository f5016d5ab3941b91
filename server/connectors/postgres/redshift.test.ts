import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { eventually } from '../../../test/eventually.ts'
import { readSource, SourceDatabase, type Reading } from '../../../test/postgres-source.ts'
import { catchFailure, readWithAnotherSession } from '../../../test/source-reading.ts'
import {
  startRewritingProxy,
  type Rewrite,
  type RewritingProxy,
} from '../../../test/warehouses/postgres-wire/proxy.ts'
import { asRedshift, failWith } from '../../../test/warehouses/postgres-wire/redshift.ts'
import type { Setup, SourceAsset } from '../connector.ts'
import { postgres } from './connector.ts'

const ESTATE = `
create table customer (id bigint primary key, email varchar(200) not null unique, name text);
create table sales (
  id bigint, customer_id bigint references customer, sold_at timestamp not null,
  amount numeric(12, 2) default 0, unique (customer_id, sold_at)
);
create table lines (
  sale_id bigint, line int, primary key (sale_id, line), x bigint, y int,
  foreign key (x, y) references lines (sale_id, line)
);
comment on table sales is 'What was sold';
comment on column sales.amount is 'With taxes';
create view recent as select id, sold_at from sales;
create view late as select; create view broken as select;
create view daily as select count(*) as sales from sales;
create table mv_tbl__daily__0 (count bigint);
create schema spectrum; grant usage on schema spectrum to public;
create schema closed; create table closed.secret (x int);
`

/** Returns rules that fail, or replace, statements that match a pattern, and otherwise are Redshift's. */
function except(pattern: RegExp, statement: string): Rewrite {
  return (statements) => (pattern.test(statements) ? statement : asRedshift(statements))
}

/** Hides the columns of one external table. */
const hideColumns: Rewrite = (statements) =>
  asRedshift(statements.replace('c.schemaname = ', "c.tablename <> 'clicks' and c.schemaname = "))

describe('Amazon Redshift', () => {
  let database: SourceDatabase
  let proxy: RewritingProxy
  before(async () => {
    const url = process.env['PORTBOOK_TEST_POSTGRES'] ?? ''
    database = await SourceDatabase.create(url, ESTATE)
    proxy = await startRewritingProxy(database.url, asRedshift)
  })
  after(async () => {
    await proxy.close()
    await database.drop()
  })

  const setup = (more: Partial<Setup> = {}): ReturnType<SourceDatabase['setup']> => {
    const configuration = { port: proxy.port, ...more.configuration }
    return database.setup({ ...more, configuration })
  }
  const reading = async (
    more: Partial<Setup> = {},
    rules: Rewrite = asRedshift,
  ): Promise<Reading & { find: (path: string) => SourceAsset; logged: readonly string[] }> => {
    proxy.use(rules)
    const given = setup(more)
    try {
      const result = await readSource(given)
      const find = (path: string): SourceAsset =>
        result.byPath.get(`${database.name}/${path}`) ?? assert.fail(`${path} is missing`)
      return { ...result, find, logged: given.loggedLines }
    } finally {
      proxy.use(asRedshift)
    }
  }

  const isRunning = async (): Promise<boolean> =>
    (await database.countSessions(`query like '%pg_sleep(60)' and state = 'active'`)) === 1

  it('reports an external table whose columns are not shown as unreadable', async () => {
    const { unreadable, byPath } = await reading({}, hideColumns)
    assert.ok(!byPath.has(`${database.name}/spectrum/clicks`))
    assert.deepEqual(
      unreadable.map(({ path, kind }) => [path.at(-1), kind]),
      [
        ['clicks', 'external_table'],
        ['broken', 'view'],
      ].toReversed(),
    )
  })

  it('check › names the product, and the schema that cannot be read', async () => {
    const given = setup()
    const findings = await postgres.check(given)
    assert.deepEqual(
      findings.map(({ state }) => state),
      ['ok', 'warning', 'ok', 'ok', 'ok', 'warning'],
    )
    assert.match(findings[2]?.what ?? '', /^Amazon Redshift: .*Redshift 1\.0/)
    assert.match(findings[5]?.what ?? '', /no USAGE privilege on closed, so their tables/)
    assert.ok(given.sentStatements.length <= 10)
    proxy.use(except(/svv_table_info/, failWith('42501')))
    const last = (await postgres.check(setup())).at(-1)
    proxy.use(asRedshift)
    assert.deepEqual(
      [last?.state, last?.hint],
      ['warning', `grant select on svv_table_info to "${database.user}"`],
    )
  })

  it("another session than the listing's reads the same", async () => {
    const { assets } = await reading()
    assert.deepEqual(await readWithAnotherSession(postgres, setup()), assets)
  })

  it('reads every kind of relation as an asset of Redshift, and hides the tables of views', async () => {
    const { assets, outcomes, scopes } = await reading()
    const kinds = assets.map(({ platform, kind, path }) => [path.at(-1), `${platform}_${kind}`])
    assert.deepEqual(Object.fromEntries(kinds), {
      [database.name]: 'redshift_database',
      public: 'redshift_schema',
      spectrum: 'redshift_schema',
      customer: 'redshift_table',
      sales: 'redshift_table',
      lines: 'redshift_table',
      recent: 'redshift_view',
      late: 'redshift_view',
      daily: 'redshift_materialized_view',
      clicks: 'redshift_external_table',
      clicks_view: 'redshift_view',
    })
    assert.ok(outcomes.every(({ failure }) => failure === undefined))
    const closed = scopes.find(({ path }) => path[1] === 'closed')
    assert.equal(closed?.decision, 'denied')
    assert.match(closed?.message ?? '', /no USAGE privilege on closed/)
  })

  it('reads columns, informational keys, distribution and sort keys', async () => {
    const { find } = await reading()
    const { hostname: host } = database.url
    const place = { database: database.name, schema: 'public', host, port: proxy.port }
    const sales = find('public/sales')
    assert.match(sales.sourceId ?? '', /^\d+\.\d+$/)
    assert.deepEqual(
      { ...sales, sourceId: undefined },
      {
        platform: 'redshift',
        kind: 'table',
        path: [database.name, 'public', 'sales'],
        scope: [database.name, 'public'],
        sourceId: undefined,
        description: 'What was sold',
        ownerName: 'postgres',
        columns: [
          { name: 'id', type: 'bigint', generated: 'generated always as identity (1, 1)' },
          { name: 'customer_id', type: 'bigint' },
          { name: 'sold_at', type: 'timestamp without time zone', required: true },
          { name: 'amount', type: 'numeric(12,2)', description: 'With taxes', default: '0' },
        ],
        uniqueKeys: [['customer_id', 'sold_at']],
        foreignKeys: [
          {
            columns: ['customer_id'],
            references: [database.name, 'public', 'customer'],
            referencedColumns: ['id'],
          },
        ],
        custom: {
          ...place,
          distributionStyle: 'KEY',
          distributionKey: 'customer_id',
          sortKey: 'sold_at, id',
          keysEnforced: false,
        },
        statistic: { rowCount: 1200, sizeBytes: 3 * 1024 * 1024 },
      },
    )
    const customer = find('public/customer')
    assert.deepEqual(customer.primaryKey, ['id'])
    assert.equal(customer.columns?.[1]?.unique, true)
    assert.deepEqual(customer.custom, {
      ...place,
      distributionStyle: 'ALL',
      sortKey: 'id, email',
      sortKeyStyle: 'interleaved',
      keysEnforced: false,
    })
    assert.deepEqual(find('public/lines').foreignKeys?.[0]?.referencedColumns, ['sale_id', 'line'])
  })

  it('reads views: bound, late-binding with the columns of now, and materialized', async () => {
    const { find, unreadable } = await reading()
    assert.match(find('public/recent').viewDefinition ?? '', /FROM public\.sales/)
    assert.deepEqual(find('public/late').columns, [
      { name: 'id', type: 'bigint' },
      { name: 'amount', type: 'numeric(12,2)' },
    ])
    assert.equal(find('public/late').custom?.['lateBinding'], true)
    // It reads a table that is gone: its columns are unknown, not none.
    assert.deepEqual(
      unreadable.map(({ path, message }) => [path[2], message.split(':')[0]]),
      [['broken', 'The server cannot resolve its columns']],
    )
    assert.match(find('public/daily').viewDefinition ?? '', /^CREATE MATERIALIZED VIEW/)
    const { byPath } = await reading({ configuration: { includeViews: false } })
    assert.deepEqual(
      ['recent', 'late', 'daily'].filter((name) => byPath.has(`${database.name}/public/${name}`)),
      [],
    )
  })

  it('reads external tables with their location and partitions', async () => {
    const clicks = (await reading()).find('spectrum/clicks')
    assert.deepEqual(clicks.partitionColumns, ['region', 'day'])
    assert.equal(clicks.custom?.['location'], 's3://lake/clicks')
    assert.equal(clicks.sourceId, undefined)
    assert.deepEqual(clicks.columns?.[1], { name: 'day', type: 'date', required: true })
  })

  it('a second reading is identical, and more tables need no more statements', async () => {
    const few = setup()
    const first = await readSource(few)
    assert.deepEqual((await readSource(setup())).assets, first.assets)
    await database.execute(`do $$ begin for i in 1..1500 loop
      execute format('create table many_%s (id int primary key)', i); end loop; end $$`)
    const many = setup()
    const { batches, assets } = await readSource(many)
    assert.equal(assets.length, first.assets.length + 1500)
    assert.deepEqual(many.sentStatements, few.sentStatements)
    assert.deepEqual(few.sentStatements.slice(-5), [
      'list schemas',
      'describe schemas',
      'read statistics',
      'read tables',
      'read external tables',
    ])
    assert.ok(few.sentStatements.length <= 8, few.sentStatements.join(', '))
    assert.ok(batches.every(({ length }) => length <= 1000))
  })

  it('filters tables', async () => {
    const filters = { include: { table: ['s*', 'clicks'] }, exclude: {} }
    const { assets } = await reading({ filters })
    assert.deepEqual(
      assets.flatMap(({ path }) => path.slice(2)),
      ['sales', 'clicks'],
    )
  })

  it('an external catalog that fails › fails its schema only', async () => {
    for (const [code, kind] of [
      ['XX000', 'protocol'],
      ['42501', 'permission'],
    ] as const) {
      const { outcomes, find } = await reading({}, except(/svv_external_tables/, failWith(code)))
      const failed = outcomes.filter(({ failure }) => failure !== undefined)
      assert.deepEqual(
        failed.map(({ path, failure }) => [path[1], failure?.kind]),
        [['spectrum', kind]],
      )
      assert.ok(find('public/sales'))
    }
  })

  it('views that the server cannot describe › stay unchanged, and tables are read', async () => {
    const rules = except(/pg_get_late_binding_view_cols/, failWith('XX000'))
    const { unreadable, find, outcomes, logged } = await reading({}, rules)
    assert.deepEqual(
      new Set(unreadable.map(({ path }) => path[2])),
      new Set(['broken', 'daily', 'late', 'recent']),
    )
    assert.ok(find('public/sales'))
    assert.ok(outcomes.every(({ failure }) => failure === undefined))
    assert.ok(logged.some((line) => line.includes('cannot describe the views')))
  })

  it('row counts that the user may not see › are unknown', async () => {
    const { find, logged } = await reading({}, except(/svv_table_info/, failWith('42501')))
    assert.deepEqual(find('public/sales').statistic, {})
    assert.ok(logged.some((line) => line.includes('row counts')))
  })

  it('a failing statement or a wrong password › fails the reading', async () => {
    const failure = await catchFailure(reading({}, except(/pg_class c/, failWith('42601'))))
    assert.equal(failure.kind, 'protocol')
    const denied = await catchFailure(postgres.open(setup({ secrets: { password: 'wrong' } })))
    assert.equal(denied.kind, 'auth')
    assert.match(denied.message, /rejects the password/)
  })

  it('cancelled in a statement › cancels it on the server', async () => {
    const controller = new AbortController()
    const cancelledBefore = proxy.cancelCount
    proxy.use(except(/pg_class c/, 'select pg_sleep(60)'))
    const failing = catchFailure(readSource(setup({ signal: controller.signal })))
    await eventually(10_000, isRunning, 'the statement runs')
    controller.abort()
    assert.equal((await failing).kind, 'cancelled')
    assert.equal(proxy.cancelCount, cancelledBefore + 1)
    await eventually(10_000, async () => !(await isRunning()), 'the statement has ended')
    proxy.use(asRedshift)
  })
})
