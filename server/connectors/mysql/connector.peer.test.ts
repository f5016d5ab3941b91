import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, test } from 'node:test'
import { onMariadb, type TestMariadb } from '../../../test/mariadb.ts'
import { newSetup, readSource, type SourceReading } from '../../../test/source-reading.ts'
import type { Scope, Setup } from '../connector.ts'
import { mariadb } from './connector.ts'

onMariadb((server) => {
  const read = (databases: string[], more: Partial<Setup> = {}): Promise<SourceReading> =>
    readSource(mariadb, setupFor(server(), { ...more, filters: databaseFilters(databases) }))

  test('read › returns a table with columns, keys, comments and defaults', async () => {
    const name = newName()
    await server().execute(`
      create database ${name} comment 'All that is sold';
      use ${name};
      create table customer (id bigint unsigned not null auto_increment primary key);
      create table region (country char(2), code varchar(8), primary key (country, code));
      create table orders (
        line_number int not null,
        order_id bigint not null comment 'Given by the ''shop''',
        reference varchar(40) not null default 'none' unique,
        note text,
        amount decimal(12,2) not null default 0.00 comment 'In cents: 5 \\\\ 3',
        doubled decimal(13,2) generated always as (amount * 2) stored,
        is_paid tinyint(1) not null default 0,
        paid_at timestamp not null default current_timestamp(),
        state enum('new','it''s','done') default 'new',
        flags set('a','b'),
        customer_id bigint unsigned,
        country char(2),
        region_code varchar(8),
        primary key (order_id, line_number),
        unique key pair (customer_id, country),
        unique key beginning (note(10)),
        constraint z_region foreign key (country, region_code) references region (country, code),
        constraint a_customer foreign key (customer_id) references customer (id)
      ) comment = 'What was ordered'`)
    const result = await read([name])
    assert.deepEqual(result.outcomes, [{ path: [name] }])
    const { host, port } = server()
    assert.deepEqual(result.assets[0], {
      kind: 'database',
      path: [name],
      scope: [name],
      description: 'All that is sold',
      custom: { host, port, database: name },
    })
    const { statistic, ...orders } = result.table(name, 'orders')
    assert.equal(statistic?.rowCount, 0)
    assert.ok((statistic?.sizeBytes ?? 0) > 0)
    assert.deepEqual(orders, {
      kind: 'table',
      path: [name, 'orders'],
      scope: [name],
      description: 'What was ordered',
      columns: [
        { name: 'line_number', type: 'int(11)', required: true },
        {
          name: 'order_id',
          type: 'bigint(20)',
          description: `Given by the 'shop'`,
          required: true,
        },
        {
          name: 'reference',
          type: 'varchar(40)',
          required: true,
          unique: true,
          default: `'none'`,
        },
        { name: 'note', type: 'text' },
        {
          name: 'amount',
          type: 'decimal(12,2)',
          description: String.raw`In cents: 5 \ 3`,
          required: true,
          default: '0.00',
        },
        { name: 'doubled', type: 'decimal(13,2)', generated: '`amount` * 2' },
        { name: 'is_paid', type: 'tinyint(1)', required: true, default: '0' },
        { name: 'paid_at', type: 'timestamp', required: true, default: 'current_timestamp()' },
        { name: 'state', type: `enum('new','it''s','done')`, default: `'new'` },
        { name: 'flags', type: `set('a','b')` },
        { name: 'customer_id', type: 'bigint(20) unsigned' },
        { name: 'country', type: 'char(2)' },
        { name: 'region_code', type: 'varchar(8)' },
      ],
      primaryKey: ['order_id', 'line_number'],
      uniqueKeys: [['customer_id', 'country']],
      foreignKeys: [
        { columns: ['customer_id'], references: [name, 'customer'], referencedColumns: ['id'] },
        {
          columns: ['country', 'region_code'],
          references: [name, 'region'],
          referencedColumns: ['country', 'code'],
        },
      ],
      partitionColumns: [],
      custom: { host, port, database: name },
    })
    assert.deepEqual(result.table(name, 'customer').columns, [
      { name: 'id', type: 'bigint(20) unsigned', required: true, generated: 'auto_increment' },
    ])
  })

  test('read › returns views and versioned tables, but no sequences', async () => {
    const name = newName()
    await server().execute(`
      create database ${name}; use ${name};
      create table t (id int primary key, price int comment 'Gross');
      create view plain as select id, price from t where price > 0;
      create view nested as select id from plain;
      create sequence numbers;
      create table history (id int primary key) with system versioning;
      create table lost (id int);
      create view broken as select id from lost;
      drop table lost;
      create view denied as select 1 as one;
      create definer = missing@nowhere sql security definer view orphan as select id from t`)
    const result = await read([name])
    assert.deepEqual(
      result.assets.map(({ kind, path }) => `${kind} ${path.at(-1)}`),
      [
        `database ${name}`,
        'view denied',
        'table history',
        'view nested',
        'view orphan',
        'view plain',
        'table t',
        // Queried separately, so it comes last.
        'view broken',
      ],
    )
    assert.deepEqual(result.outcomes, [{ path: [name] }])
    const plain = result.table(name, 'plain')
    assert.equal(plain.description, undefined)
    assert.equal(plain.statistic, undefined)
    assert.match(plain.viewDefinition ?? '', /^select `\w+`\.`t`\.`id` AS `id`/)
    assert.deepEqual(
      plain.columns?.map(({ name, type, description }) => [name, type, description]),
      [
        ['id', 'int(11)', undefined],
        ['price', 'int(11)', 'Gross'],
      ],
    )
    const broken = result.table(name, 'broken')
    assert.equal(broken.custom?.['broken'], true)
    assert.match(broken.viewDefinition ?? '', /`lost`/)
    assert.equal(plain.custom?.['broken'], undefined)
    const left = await read([name], configured(server(), { includeViews: false }))
    assert.deepEqual(
      left.assets.map(({ kind }) => kind),
      ['database', 'table', 'table'],
    )
  })

  test('read › returns names of every kind in two spellings and two databases', async () => {
    const name = newName()
    const other = `${name}-x.y "z" $`
    const odd = [
      'orders',
      'Orders',
      'ORDERS',
      'with space',
      `it's "quoted" and \`ticked\``,
      'a.b.c',
      'line\nbreak\ttab',
      'percent%_\\',
      'Größe ☃ 表',
      'x'.repeat(64),
      '1',
      '__proto__',
      'constructor',
    ]
    const creating = [name, other].flatMap((database) => [
      `create database ${ticked(database)}`,
      ...odd.map(
        (table) => `create table ${ticked(database)}.${ticked(table)} (
        ${odd
          .filter((column) => !/^orders$/i.test(column))
          .map((column) => `${ticked(column)} int`)
          .join()},
        constraint ${ticked(`pk ${table}`.slice(0, 64))} primary key (${ticked('a.b.c')}, ${ticked(odd[4] ?? '')})
      ) comment = '${database.length} of two'`,
      ),
    ])
    await server().execute(creating.join(';'))
    const result = await read([name, other])
    assert.equal(result.assets.length, 2 * (odd.length + 1))
    for (const database of [name, other]) {
      for (const table of odd) {
        const asset = result.table(database, table)
        assert.equal(asset.description, `${database.length} of two`)
        assert.deepEqual(asset.primaryKey, ['a.b.c', odd[4]])
        assert.deepEqual(
          asset.columns?.map((column) => column.name),
          odd.filter((column) => !/^orders$/i.test(column)),
        )
      }
    }
    // The same in one statement, as for servers whose statements over several databases are cheap.
    const session = await mariadb.open(setupFor(server(), {}))
    const assets = []
    const outcomes = []
    for await (const batch of session.read([name, other].map(toScope))) {
      assets.push(...batch.assets)
      outcomes.push(...(batch.outcomes ?? []))
    }
    await session.close()
    assert.deepEqual(assets.map(withoutStatistic), result.assets.map(withoutStatistic))
    assert.deepEqual(outcomes, [{ path: [name] }, { path: [other] }])
  })

  test('read › returns databases in two spellings as two', async () => {
    const name = newName()
    const upper = name.toUpperCase()
    await server().execute(`
      create database ${name}; create table ${name}.t (a int);
      create database ${upper}; create table ${upper}.t (b int); create table ${upper}.u (c int)`)
    const result = await read([name, upper])
    assert.deepEqual(
      result.assets.map(({ path }) => path.join('.')),
      // Sorted by bytes, so capitals come first.
      [upper, `${upper}.t`, `${upper}.u`, name, `${name}.t`],
    )
    assert.equal(result.table(upper, 't').columns?.[0]?.name, 'b')
  })

  describe('scopes', () => {
    test('scopes › excludes the platform’s own databases unless they are named exactly', async () => {
      const name = newName()
      await server().execute(`create database ${name}`)
      const all = { information_schema: 'excluded', mysql: 'excluded', sys: 'excluded' }
      const plain = listDecisions(await read(['*']))
      assert.partialDeepStrictEqual(plain, { ...all, [name]: 'included' })
      const spelled = listDecisions(await read(['mysql']))
      assert.partialDeepStrictEqual(spelled, { ...all, mysql: 'included', [name]: 'excluded' })
    })

    test('read › returns a system database that is named exactly', async () => {
      const result = await read(['mysql', 'information_schema'])
      assert.ok(result.table('mysql', 'db').columns?.length)
      assert.ok(result.table('information_schema', 'TABLES').columns?.length)
      assert.deepEqual(
        result.outcomes.map(({ failure }) => failure),
        [undefined, undefined],
      )
    })

    test('read › does not return excluded tables', async () => {
      const name = newName()
      await server().execute(`create database ${name}; use ${name};
        create table kept_1 (a int); create table kept_2 (a int); create table other (a int)`)
      const filters = {
        include: { database: [name], table: ['kept_*'] },
        exclude: { table: ['*2'] },
      }
      const result = await readSource(mariadb, setupFor(server(), { filters }))
      assert.deepEqual(
        result.assets.map(({ path }) => path),
        [[name], [name, 'kept_1']],
      )
      assert.deepEqual(result.outcomes, [{ path: [name] }])
    })
  })
})

function toScope(name: string): Scope {
  return { path: [name], kind: 'database', reading: name, decision: 'included' }
}

function listDecisions({ scopes }: SourceReading): Record<string, string> {
  return Object.fromEntries(scopes.map(({ path, decision }) => [path[0], decision]))
}

function newName(): string {
  return `test_${randomBytes(6).toString('hex')}`
}

function ticked(name: string): string {
  return `\`${name.replaceAll('`', '``')}\``
}

// A pattern would include similar names of other tests.
function databaseFilters(database: string[]): Setup['filters'] {
  return { include: { database }, exclude: {} }
}

function configured(server: TestMariadb, more: object): Pick<Setup, 'configuration' | 'secrets'> {
  const { host, port, user, password } = server
  return { configuration: { host, port, user, ssl: 'off', ...more }, secrets: { password } }
}

function setupFor(server: TestMariadb, more: Partial<Setup>): ReturnType<typeof newSetup> {
  return newSetup({ ...configured(server, {}), ...more })
}

function withoutStatistic(asset: SourceReading['assets'][number]): object {
  return { ...asset, statistic: undefined }
}
