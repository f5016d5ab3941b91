import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { onEveryPostgres, readSource, SourceDatabase } from '../../../test/postgres-source.ts'
import type { Reading } from '../../../test/postgres-source.ts'
import { readSetup } from './configuration.ts'
import { connect } from './connection.ts'
import { describeTypes, type TypeLimits } from './named-types.ts'

const statements = `
create domain positive as numeric(10, 2) check (value > 0);
create domain price as positive not null;
create type mood as enum ('sad', 'ok', 'O''Brien');
create domain cheerful as mood check (value <> 'sad');
create table product (
  id int primary key, price price, discount positive, mood mood, cheerful cheerful, moods mood[],
  tenant int, number int, sku text, label text, code text, note text
);
create unique index on product (sku) include (label);
create unique index on product (tenant, number);
create unique index on product (number, tenant);
create unique index on product (label) where note is null;
create unique index on product (lower(code));
alter table product add constraint product_note unique (note);
create table event (at date, region text, weight int) partition by range (at);
create table event_2025 partition of event for values from ('2025-01-01') to ('2026-01-01');
create table event_2026 partition of event for values from ('2026-01-01') to ('2027-01-01');
create view cheap as select id, sku from product where price < 10;
create view counted as select count(*) from event;
create view parts as select weight from event_2025 union all select length(region) from event_2026;
create materialized view joined as
  select c.sku, e.region from cheap c join event e on e.weight = c.id;
create view nothing_read as select 1 as one;
`

// Returns bytes as the text that a SQL_ASCII database shows for them.
function latin(bytes: string): string {
  return `convert_from('\\x${bytes}', 'SQL_ASCII')`
}

onEveryPostgres((url) => {
  describe('facts of tables and views', () => {
    let database: SourceDatabase
    let reading: Reading
    before(async () => {
      database = await SourceDatabase.create(url(), statements)
      reading = await readSource(database.setup())
    })
    after(() => database.drop())

    const find = (name: string) => {
      const asset = reading.byPath.get(`${database.name}/public/${name}`)
      assert.ok(asset, `${name} is missing`)
      return asset
    }
    const column = (name: string) => {
      const found = find('product').columns?.find((one) => one.name === name)
      assert.ok(found, `${name} is missing`)
      return found
    }

    it('reads the base type of domains, and requires a column of a domain that forbids null', () => {
      assert.deepEqual(column('price'), {
        name: 'price',
        type: 'public.price',
        required: true,
        baseType: 'numeric(10,2)',
      })
      assert.deepEqual(column('discount'), {
        name: 'discount',
        type: 'public.positive',
        baseType: 'numeric(10,2)',
      })
    })

    it('reads domains and enums in parts, and logs a number above the limit', async () => {
      const connection = await connect(readSetup(database.setup()), database.name)
      const logged: string[] = []
      const log = (_: string, text: string) => void logged.push(text)
      const read = async (limits?: TypeLimits) =>
        await describeTypes(connection, { log }, 'select', limits)
      const all = await read()
      assert.ok(all.scalars.size >= 4)
      for (const pageRows of [1, 2, 3, 100]) {
        assert.deepEqual(await read({ pageRows, typesMax: 1000 }), all, String(pageRows))
      }
      assert.deepEqual(logged, [])
      assert.ok((await read({ pageRows: 1, typesMax: 2 })).scalars.size < all.scalars.size)
      assert.match(logged[0] ?? '', /more than 2 domains and enums/)
      await connection.close()
    })

    it('reads the labels of enums, also below a domain and in an array', () => {
      const enumValues = ['sad', 'ok', "O'Brien"]
      assert.deepEqual(column('mood'), { name: 'mood', type: 'public.mood', enumValues })
      assert.deepEqual(column('cheerful'), {
        name: 'cheerful',
        type: 'public.cheerful',
        baseType: 'public.mood',
        enumValues,
      })
      assert.deepEqual(column('moods').items, { name: 'items', type: 'public.mood', enumValues })
    })

    it('reads unique indexes without a constraint, but not partial ones or those over an expression', () => {
      const unique = find('product').columns?.filter((one) => one.unique === true)
      assert.deepEqual(
        unique?.map(({ name }) => name),
        ['sku', 'note'],
      )
    })

    it('reads composite unique keys in the order of the index', () => {
      assert.deepEqual(find('product').uniqueKeys, [
        ['number', 'tenant'],
        ['tenant', 'number'],
      ])
    })

    it('reads what views read: relations with their ids, and columns', async () => {
      const findId = (name: string) => find(name).sourceId
      const { name } = database
      assert.deepEqual(find('cheap').viewDependencies, [
        {
          references: [name, 'public', 'product'],
          sourceId: findId('product'),
          columns: ['id', 'price', 'sku'],
        },
      ])
      assert.deepEqual(find('joined').viewDependencies, [
        {
          references: [name, 'public', 'cheap'],
          sourceId: findId('cheap'),
          columns: ['id', 'sku'],
        },
        {
          references: [name, 'public', 'event'],
          sourceId: findId('event'),
          columns: ['region', 'weight'],
        },
      ])
    })

    it('reads a dependency without columns if a view reads no single one', () => {
      const references = [database.name, 'public', 'event']
      const sourceId = find('event').sourceId
      assert.deepEqual(find('counted').viewDependencies, [{ references, sourceId }])
    })

    it('reports the partitioned table once instead of its partitions', () => {
      const [dependency, ...more] = find('parts').viewDependencies ?? []
      assert.deepEqual(more, [])
      assert.deepEqual(dependency?.references, [database.name, 'public', 'event'])
      assert.deepEqual(dependency.columns?.toSorted(), ['region', 'weight'])
    })

    it('reports no dependencies for a view that reads nothing, and none for tables', () => {
      assert.equal('viewDependencies' in find('nothing_read'), false)
      assert.equal('viewDependencies' in find('product'), false)
    })

    it('returns the same result again, so that no view changes by itself', async () => {
      assert.deepEqual((await readSource(database.setup())).assets, reading.assets)
    })

    it('reads everything with at most twelve statements', async () => {
      const setup = database.setup()
      await readSource(setup)
      assert.ok(setup.sentStatements.length <= 12, setup.sentStatements.join())
    })
  })

  describe('settings of the role', () => {
    let database: SourceDatabase
    before(async () => {
      database = await SourceDatabase.create(
        url(),
        `create table "Order" (
          at timestamptz default '2026-01-02 03:04:05+00', due date default '2026-01-02',
          wait interval default '1 day 02:03:04', share float8 default 0.1, "of" "char"
            default 'x', data bytea default '\\x00ff', path text default 'a\\b'
        );
        create view recent as select at, due - 1 as before, "of" from "Order"
          where at > '2026-01-02 03:04:05+00'::timestamptz`,
      )
    })
    after(() => database.drop())

    it('do not change the result', async () => {
      const usual = await readSource(database.setup())
      const { user } = database
      const settings = {
        quote_all_identifiers: 'on',
        datestyle: `'German, DMY'`,
        intervalstyle: 'iso_8601',
        timezone: `'Asia/Tokyo'`,
        extra_float_digits: '-10',
        bytea_output: 'escape',
        standard_conforming_strings: 'off',
        search_path: 'public',
      }
      for (const [name, value] of Object.entries(settings)) {
        await database.execute(`alter role ${user} set ${name} = ${value}`)
      }
      assert.deepEqual((await readSource(database.setup())).assets, usual.assets)
    })
  })

  describe('a view with a long text', () => {
    it('is read with one more character than is kept, so that the truncation is marked', async () => {
      const columns = Array.from(
        { length: 1500 },
        (_, at) => `${at} as a_column_with_a_long_name_${at}`,
      )
      const database = await SourceDatabase.create(
        url(),
        `create view wide as select ${columns.map((one) => `'${'x'.repeat(30)}' || ${one}`).join(', ')}`,
      )
      try {
        const { byPath } = await readSource(database.setup())
        const view = byPath.get(`${database.name}/public/wide`)
        assert.equal(view?.viewDefinition?.length, 65_537)
      } finally {
        await database.drop()
      }
    })
  })

  describe('the system identifier of the server', () => {
    it('scopes every id, and is omitted for a user who may not see it', async () => {
      const database = await SourceDatabase.create(url(), 'create table one (id int)')
      try {
        const [row] = await database.execute(
          'select system_identifier::text as id from pg_control_system()',
        )
        const { assets } = await readSource(database.setup())
        assert.deepEqual([...new Set(assets.map((one) => one.sourceIdScope))], [row?.['id']])
        await database.execute('revoke execute on function pg_control_system() from public')
        const hidden = await readSource(database.setup())
        assert.deepEqual([...new Set(hidden.assets.map((one) => one.sourceIdScope))], [undefined])
        assert.equal(hidden.assets.length, assets.length)
      } finally {
        await database.drop()
      }
    })
  })

  describe('a database in SQL_ASCII', () => {
    it('logs a name that is not UTF-8 and reads the rest', async () => {
      const name = `ascii_${Math.random().toString(36).slice(2, 8)}`
      const home = await SourceDatabase.create(url(), 'select 1')
      await home.execute(
        `create database ${name} encoding 'SQL_ASCII' locale 'C' template template0`,
      )
      const database = Object.assign(
        Object.create(SourceDatabase.prototype) as SourceDatabase,
        home,
        { name, url: Object.assign(new URL(home.url), { pathname: `/${name}` }) },
      )
      try {
        await database.execute(`
          create table plain (id int, note text);
          create table umlaut (id int);
          comment on table plain is 'Schön';
          create table column_in_latin (id int);
          create view readable as select id from plain;
          do $$ begin
            execute format('alter table umlaut rename to %I', ${latin('6b6166e9')});
            execute format('alter table column_in_latin rename id to %I', ${latin('e9')});
          end $$`)
        const reading = await readSource(database.setup())
        assert.deepEqual(
          reading.outcomes.filter(({ failure }) => failure !== undefined),
          [],
        )
        const plain = reading.byPath.get(`${name}/public/plain`)
        assert.equal(plain?.description, 'Schön')
        assert.ok(reading.byPath.has(`${name}/public/readable`))
        assert.deepEqual(reading.unreadable.map(({ path }) => path[2] ?? '').toSorted(), [
          'column_in_latin',
          'kaf\uFFFD',
        ])
      } finally {
        await home.execute(`drop database ${name} with (force)`)
        await home.drop()
      }
    })
  })
})
