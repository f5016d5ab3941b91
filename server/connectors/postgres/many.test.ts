import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { onEveryPostgres, readSource, SourceDatabase } from '../../../test/postgres-source.ts'
import { postgres } from './connector.ts'

onEveryPostgres((url) => {
  describe('many and wide', () => {
    it('a thousand partitions are one asset, and 1,600 columns one table', async () => {
      const columns = Array.from({ length: 1600 }, (_, index) => `c${index} int default ${index}`)
      const database = await SourceDatabase.create(
        url(),
        `create table referrer_target (id int primary key) partition by range (id);
        create table referrer (id int references referrer_target);
        create table plain (id int) partition by range (id);
        do $$ begin for i in 1..1000 loop
          execute format('create table plain_%s partition of plain for values from (%s) to (%s)', i, i, i + 1);
        end loop; end $$;
        create table target_1 partition of referrer_target for values from (1) to (2);
        create table wide (${columns.join(', ')})`,
      )
      const { byPath, assets } = await readSource(database.setup())
      const path = `${database.name}/public`
      assert.deepEqual(sorted(assets.slice(2).map((asset) => asset.path[2])), [
        'plain',
        'referrer',
        'referrer_target',
        'wide',
      ])
      assert.deepEqual(byPath.get(`${path}/plain`)?.partitionColumns, ['id'])
      assert.equal(byPath.get(`${path}/referrer`)?.foreignKeys?.length, 1)
      const wide = byPath.get(`${path}/wide`)?.columns ?? []
      assert.equal(wide.length, 1600)
      assert.deepEqual(wide[1599], { name: 'c1599', type: 'integer', default: '1599' })
      await database.drop()
    })

    it('as many statements for 10 tables as for 1,000, in bounded batches', async () => {
      const database = await SourceDatabase.create(url(), createTables(1, 10, 10))
      const few = database.setup()
      await readSource(few)
      await database.execute(createTables(11, 1000, 10))
      const many = database.setup()
      const { batches, assets } = await readSource(many)
      assert.equal(assets.length, 1002)
      assert.deepEqual(many.sentStatements, few.sentStatements)
      assert.ok(few.sentStatements.length <= 12, few.sentStatements.join(', '))
      assert.ok(batches.every(({ length }) => length <= 1000))
      await database.execute(createTables(1001, 1100, 50_000))
      const large = await readSource(database.setup())
      assert.equal(large.assets.length, 1102)
      for (const batch of large.batches) assert.ok(JSON.stringify(batch).length < 1_100_000)
      await database.drop()
    })

    it('more views than one statement reads, without keeping their locks', async () => {
      const database = await SourceDatabase.create(
        url(),
        `do $$ begin for i in 1..2100 loop
          execute format('create view v%s as select %s as id', i, i);
        end loop; end $$`,
      )
      const setup = database.setup()
      const session = await postgres.open(setup)
      const scopes = await Array.fromAsync(session.scopes())
      const texts = new Set<string | undefined>()
      const included = scopes.filter(({ decision }) => decision === 'included')
      for await (const { assets } of session.read(included)) {
        for (const { viewDefinition } of assets) texts.add(viewDefinition)
        const [row] = await database.execute(`
          select count(*)::int from pg_locks l join pg_stat_activity a using (pid)
          where a.datname = current_database() and a.application_name = 'portbook'`)
        assert.ok(Number(row?.['count']) < 600, JSON.stringify(row))
      }
      assert.equal(texts.size, 2101)
      assert.equal(setup.sentStatements.filter((name) => name === 'read views').length, 5)
      await session.close()
      await database.drop()
    })
  })

  describe('two databases', () => {
    it('are read separately, and the others are excluded', async () => {
      const first = await SourceDatabase.create(url(), 'create table here (id int)')
      const second = await SourceDatabase.create(url(), 'create table there (id int)')
      const configuration = { database: [first.name, second.name] }
      const reading = await readSource(first.setup({ configuration }))
      const kept = reading.scopes.filter(({ decision }) => decision === 'included')
      assert.deepEqual(
        sorted(kept.map(({ path }) => path.join('/'))),
        sorted([first.name, second.name].flatMap((name) => [name, `${name}/public`])),
      )
      assert.ok(reading.byPath.has(`${first.name}/public/here`))
      assert.ok(reading.byPath.has(`${second.name}/public/there`))
      const other = reading.scopes.find(({ path }) => path[0] === 'postgres')
      assert.equal(other?.decision, 'excluded')
      const excluded = await readSource(
        first.setup({
          configuration,
          filters: { include: {}, exclude: { database: [second.name] } },
        }),
      )
      assert.ok(!excluded.byPath.has(`${second.name}/public/there`))
      await first.drop()
      await second.drop()
    })
  })
})

/** Returns statements for tables with these numbers, each with a comment of this length. */
function createTables(from: number, to: number, commentCharacters: number): string {
  return `do $$ begin for i in ${from}..${to} loop
    execute format('create table t%s (id int primary key, note text default 0)', i);
    execute format('comment on table t%s is %L', i, repeat('x', ${commentCharacters}));
  end loop; end $$`
}

function sorted(names: readonly (string | undefined)[]): string[] {
  return names.map(String).toSorted((a, b) => (a < b ? -1 : 1))
}
