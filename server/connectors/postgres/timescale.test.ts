import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { onEveryPostgres, readSource, SourceDatabase } from '../../../test/postgres-source.ts'
import type { Reading } from '../../../test/postgres-source.ts'
import type { SourceAsset } from '../connector.ts'
import { postgres } from './connector.ts'

// The extension cannot be installed here: these are its schemas and documented views, with the columns
// that are read.
const EXTENSION = `
insert into pg_catalog.pg_extension (oid, extname, extowner, extnamespace, extrelocatable, extversion)
  values (99999, 'timescaledb', 10, 'public'::regnamespace, false, '2.17.2');
create schema _timescaledb_internal; create schema _timescaledb_catalog;
create schema timescaledb_information;
grant usage on schema timescaledb_information, _timescaledb_internal to public;
create table _timescaledb_catalog.hypertable (id int);
create view timescaledb_information.dimensions as select * from (values
  ('public'::name, 'conditions'::name, 1::bigint, 'time'::name, 'timestamptz'::regtype, 'Time', interval '7 days'),
  ('public', 'conditions', 2, 'device', 'text', 'Space', null), ('public', 'hits', 1, 'at', 'bigint', 'Time', null)
) d (hypertable_schema, hypertable_name, dimension_number, column_name, column_type, dimension_type, time_interval);
create view timescaledb_information.continuous_aggregates as select * from (values
  ('public'::name, 'conditions'::name, 'public'::name, 'hourly'::name, 'SELECT time_bucket(...) FROM conditions'),
  ('_timescaledb_internal', '_materialized_hypertable_3', 'public', 'daily', 'SELECT ... FROM hourly')
) a (hypertable_schema, hypertable_name, view_schema, view_name, view_definition);
create view timescaledb_information.chunks as select * from (values
  ('public'::name, 'conditions'::name, '_timescaledb_internal'::name, '_hyper_1_1_chunk'::name),
  ('public', 'hits', 'chunks', '_hyper_2_7_chunk')
) c (hypertable_schema, hypertable_name, chunk_schema, chunk_name);
grant select on all tables in schema timescaledb_information to public;
`

const ESTATE = `
create table conditions (time timestamptz not null, device text, temperature float8, primary key (time, device));
create table hits (at bigint not null, url text);
create table device (id text primary key);
create schema chunks;
create table _timescaledb_internal._hyper_1_1_chunk () inherits (conditions);
create table chunks._hyper_2_7_chunk () inherits (hits);
create table chunks.own (id int);
create table _timescaledb_internal._materialized_hypertable_3 (bucket timestamptz, avg float8);
create view hourly as select bucket, avg from _timescaledb_internal._materialized_hypertable_3;
create view daily as select bucket, avg from _timescaledb_internal._materialized_hypertable_3;
create view latest as select max(time) as time from conditions;
analyze;
`

onEveryPostgres((url) => {
  describe('TimescaleDB', () => {
    let database: SourceDatabase
    let reading: Reading
    before(async () => {
      database = await SourceDatabase.create(url(), EXTENSION + ESTATE)
      reading = await readSource(database.setup())
    })
    after(() => database.drop())

    const find = (name: string): SourceAsset =>
      reading.byPath.get(`${database.name}/public/${name}`) ?? assert.fail(`${name} is missing`)

    it('check › names the extension', async () => {
      const findings = await postgres.check(database.setup())
      assert.match(findings[2]?.what ?? '', /^PostgreSQL with TimescaleDB: /)
      assert.equal(findings[2]?.state, 'ok')
    })

    it('hides chunks and the schemas of the extension', () => {
      const names = reading.assets.map(({ path }) => path.slice(1).join('.'))
      assert.deepEqual(
        new Set(names.filter((name) => name !== '')),
        new Set([
          'chunks',
          'public',
          'chunks.own',
          'public.device',
          'public.conditions',
          'public.hits',
          'public.hourly',
          'public.daily',
          'public.latest',
        ]),
      )
    })

    it('marks hypertables and continuous aggregates; other tables are those of PostgreSQL', () => {
      const { custom, partitionColumns, platform, kind, statistic, primaryKey } = find('conditions')
      assert.deepEqual([platform, kind], ['timescaledb', 'table'])
      assert.deepEqual(partitionColumns, ['time', 'device'])
      assert.deepEqual([custom?.['hypertable'], custom?.['timeColumn']], [true, 'time'])
      // Its own row count is 0, those of the chunks are not known.
      assert.deepEqual([statistic, primaryKey], [{}, ['time', 'device']])
      for (const name of ['device', 'latest']) {
        assert.deepEqual(
          [find(name).platform, find(name).custom?.['hypertable']],
          [undefined, undefined],
        )
      }
      const hourly = find('hourly')
      assert.deepEqual([hourly.platform, hourly.kind], ['timescaledb', 'materialized_view'])
      assert.equal(hourly.viewDefinition, 'SELECT time_bucket(...) FROM conditions')
      assert.deepEqual(hourly.viewDependencies, [
        { references: [database.name, 'public', 'conditions'] },
      ])
      // The aggregate of an aggregate refers to a hidden table.
      assert.equal(find('daily').viewDependencies, undefined)
    })

    it('a second reading is identical, with one statement more than without the extension', async () => {
      const setup = database.setup()
      assert.deepEqual((await readSource(setup)).assets, reading.assets)
      const plain = await SourceDatabase.create(url(), 'create table t (id int)')
      const other = plain.setup()
      await readSource(other)
      await plain.drop()
      assert.deepEqual(
        setup.sentStatements.filter((name) => name !== 'describe hypertables').length,
        other.sentStatements.length,
      )
    })

    it('a schema of the extension that a filter names exactly › is read', async () => {
      const filters = { include: { schema: ['_timescaledb_internal'] }, exclude: {} }
      const { assets } = await readSource(database.setup({ filters }))
      assert.ok(assets.some(({ path }) => path[2] === '_hyper_1_1_chunk'))
    })

    it('views of the extension that are missing or denied › leave hypertables ordinary tables', async () => {
      for (const statement of [
        'revoke usage on schema timescaledb_information from public',
        'drop schema timescaledb_information cascade',
      ]) {
        await database.execute(statement)
        const setup = database.setup()
        const { byPath, outcomes } = await readSource(setup)
        const table = byPath.get(`${database.name}/public/conditions`)
        assert.deepEqual([table?.platform, table?.custom?.['hypertable']], [undefined, undefined])
        assert.ok(outcomes.every(({ failure }) => failure === undefined))
        assert.ok(setup.loggedLines.some((line) => line.includes('read as ordinary tables')))
      }
    })
  })
})
