import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { escapeIdentifier } from 'pg'
import type { TableMeasures } from '../../../formats/reality/measure/measure.ts'
import { ANSWER, HOSTILE, MEASURES, ROWS } from '../../../test/measure-cases.ts'
import { onEveryPostgres, SourceDatabase } from '../../../test/postgres-source.ts'
import type { Setup } from '../connector.ts'
import { postgres } from './connector.ts'

const COLUMNS = `id bigint, state varchar(40), price numeric(10, 2), open boolean, day date, ${escapeIdentifier(HOSTILE)} text`

const one = (column: string): TableMeasures => ({ counts: [{ count: 'nulls', column }] })

onEveryPostgres((url) => {
  describe('measures of tables', () => {
    let database: SourceDatabase
    before(async () => {
      database = await SourceDatabase.create(
        url(),
        `
        create table m (${COLUMNS});
        insert into m values ${ROWS};
        create schema ${escapeIdentifier(HOSTILE)};
        create table ${escapeIdentifier(HOSTILE)}.${escapeIdentifier(HOSTILE)} (${COLUMNS});
        create view v as select * from m;
        create table hidden (id int, secret text);
        create table times (at timestamptz, local timestamp, day date);
        insert into times values ('infinity', '2026-01-01 10:00:00.5', '-infinity'),
          ('1969-12-31 23:59:59+00', '250000-01-01', '9999-12-31'), (null, null, null);
        create table big (id int);
        create table written (id int);
        create function write() returns int volatile language plpgsql
          as $$ begin insert into public.written values (1); return 1; end $$;
        create view writing as select write() as id;
        create view leaking as select ('secret ' || state)::int as id from m;
        create view slow as select id, pg_sleep(60)::text as pg_sleep from m;
        create table locked (id int)`,
      )
      const user = database.user
      await database.execute(`
        grant usage on schema public, ${escapeIdentifier(HOSTILE)} to ${user};
        grant select on all tables in schema public to ${user};
        grant select on all tables in schema ${escapeIdentifier(HOSTILE)} to ${user};
        revoke select on hidden from ${user};
        grant select (id) on hidden to ${user};
        grant insert, update, delete, truncate on m, written to ${user};
        update pg_class set reltuples = 60000000, relpages = 1 where relname = 'big'`)
    })
    after(() => database.drop())

    const measure = async (
      path: readonly string[],
      measures: TableMeasures,
      more: Partial<Setup> = {},
    ) => {
      const session = await postgres.open(database.setup(more))
      try {
        return await session.measure?.({ path: [database.name, ...path], measures })
      } finally {
        await session.close()
      }
    }
    const newest = async (column: string) => {
      const answer = await measure(['public', 'times'], { counts: [], newest: column })
      assert.ok(answer !== undefined && 'newestMs' in answer)
      return answer.newestMs
    }
    const ROWS_ONLY: TableMeasures = { counts: [] }

    test('counts everything of a table in one statement', async () => {
      const setup = database.setup()
      const session = await postgres.open(setup)
      const before = setup.sentStatements.length
      const path = [database.name, 'public', 'm']
      assert.deepEqual(await session.measure?.({ path, measures: MEASURES }), ANSWER)
      assert.deepEqual(setup.sentStatements.slice(before), [
        'begin',
        'one process',
        'estimate rows',
        'count',
        'rollback',
      ])
      await session.close()
    })

    test('counts in views, in empty tables, and under hostile names', async () => {
      assert.deepEqual(await measure(['public', 'v'], MEASURES), ANSWER)
      assert.deepEqual(await measure([HOSTILE, HOSTILE], MEASURES), {
        rowCount: 0,
        counts: ANSWER.counts.map(() => 0),
        newestMs: null,
      })
    })

    test('reads the newest instant of each type of time; infinite ones do not count', async () => {
      assert.equal(await newest('at'), -1000)
      assert.equal(await newest('local'), Date.parse('2026-01-01T10:00:00.500Z'))
      assert.equal(await newest('day'), Date.parse('9999-12-31T00:00:00Z'))
    })

    test('an account that may write changes nothing', async () => {
      assert.deepEqual(await measure(['public', 'writing'], one('id')), { failure: 'rejected' })
      assert.deepEqual(await database.execute('select * from written'), [])
    })

    test('names why a table cannot be counted, without a text of the server', async () => {
      assert.deepEqual(await measure(['public', 'hidden'], one('secret')), { failure: 'denied' })
      assert.deepEqual(await measure(['public', 'gone'], ROWS_ONLY), { failure: 'missing' })
      assert.deepEqual(await measure(['gone', 'm'], ROWS_ONLY), { failure: 'missing' })
      assert.deepEqual(await measure(['public', 'm'], one('gone')), { failure: 'missing' })
      assert.deepEqual(await measure(['public', 'leaking'], one('id')), { failure: 'rejected' })
    })

    test('refuses a table of more than 50 million rows by estimate', async () => {
      await database.execute('insert into big select generate_series(1, 300)')
      assert.deepEqual(await measure(['public', 'big'], ROWS_ONLY), { failure: 'too_many_rows' })
    })

    test('ends a statement that takes too long', async () => {
      const configuration = { statementTimeoutMs: 1000 }
      assert.deepEqual(await measure(['public', 'slow'], one('pg_sleep'), { configuration }), {
        failure: 'too_slow',
      })
    })

    test('does not wait for a locked table', async () => {
      const client = await database.connect()
      await client.query('begin; lock table locked in access exclusive mode')
      assert.deepEqual(await measure(['public', 'locked'], ROWS_ONLY), { failure: 'locked' })
      await client.end()
    })

    test('a cancelled test ends its statement at the source', async () => {
      const controller = new AbortController()
      const measuring = measure(['public', 'slow'], one('pg_sleep'), {
        signal: controller.signal,
        sent: (name) => name === 'estimate rows' && controller.abort(),
      })
      await assert.rejects(measuring)
      const running = `state = 'active' and query like '%pg_sleep%'`
      while ((await database.countSessions(running)) > 0) await new Promise(setImmediate)
    })
  })
})
