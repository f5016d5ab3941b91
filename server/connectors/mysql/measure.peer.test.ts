import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { before, describe, test } from 'node:test'
import mysql from 'mysql2/promise'
import type { TableMeasures } from '../../../formats/reality/measure/measure.ts'
import { onMariadb } from '../../../test/mariadb.ts'
import { ANSWER, HOSTILE, MEASURES, ROWS } from '../../../test/measure-cases.ts'
import { newSetup } from '../../../test/source-reading.ts'
import type { Setup } from '../connector.ts'
import { mariadb } from './connector.ts'
import { quoteName } from './statements.ts'

const SHOP = `measured_${randomBytes(4).toString('hex')}`
const COLUMNS = `id bigint, state varchar(40), price decimal(10, 2), open boolean, day date, ${quoteName(HOSTILE)} varchar(10)`

const one = (column: string): TableMeasures => ({ counts: [{ count: 'nulls', column }] })

onMariadb((server) => {
  describe('measures of tables', () => {
    const user = `u_${randomBytes(4).toString('hex')}`
    before(async () => {
      await server().execute(`
        create database ${SHOP}; use ${SHOP};
        create table m (${COLUMNS});
        insert into m values ${ROWS.replace(String.raw`\ ?`, String.raw`\\ ?`)};
        create table ${quoteName(HOSTILE)} (${COLUMNS});
        create view v as select * from m;
        create view shown as select * from m;
        create table hidden (id int, secret varchar(10));
        create table times (at timestamp null, local datetime(3), day date);
        insert into times values ('2026-01-01 10:00:00', '1969-12-31 23:59:59.500', '9999-12-31'), (null, null, null);
        create table written (id int);
        create function ${SHOP}.writes() returns int modifies sql data
          begin insert into ${SHOP}.written values (1); return 1; end;
        create view writing as select writes() as id from m;
        create view slow as select id, nullif(sleep(60), 1) as slept from m;
        create user ${user}@'127.0.0.1' identified by 'secret';
        grant select on ${SHOP}.m to ${user}@'127.0.0.1';
        grant select on ${SHOP}.${quoteName(HOSTILE)} to ${user}@'127.0.0.1';
        grant select, show view on ${SHOP}.v to ${user}@'127.0.0.1';
        grant select on ${SHOP}.shown to ${user}@'127.0.0.1';
        grant select (id) on ${SHOP}.hidden to ${user}@'127.0.0.1';
        grant select on ${SHOP}.times to ${user}@'127.0.0.1';
        grant select, insert on ${SHOP}.written to ${user}@'127.0.0.1';
        grant select, show view on ${SHOP}.writing to ${user}@'127.0.0.1';
        grant select, show view on ${SHOP}.slow to ${user}@'127.0.0.1'`)
    })

    const measure = async (table: string, measures: TableMeasures, more: Partial<Setup> = {}) => {
      const { host, port } = server()
      const configuration = { host, port, user, ssl: 'off', ...more.configuration }
      const secrets = { password: 'secret' }
      const session = await mariadb.open(newSetup({ ...more, configuration, secrets }))
      try {
        return await session.measure?.({ path: [SHOP, table], measures })
      } finally {
        await session.close()
      }
    }
    const newest = async (column: string) => {
      const answer = await measure('times', { counts: [], newest: column })
      assert.ok(answer !== undefined && 'newestMs' in answer)
      return answer.newestMs
    }
    const ROWS_ONLY: TableMeasures = { counts: [] }

    test('counts everything of a table, in views, in empty tables, and under hostile names', async () => {
      assert.deepEqual(await measure('m', MEASURES), ANSWER)
      assert.deepEqual(await measure('v', MEASURES), ANSWER)
      assert.deepEqual(await measure(HOSTILE, MEASURES), {
        rowCount: 0,
        counts: ANSWER.counts.map(() => 0),
        newestMs: null,
      })
    })

    test('reads the newest instant of each type of time', async () => {
      assert.equal(await newest('at'), Date.parse('2026-01-01T10:00:00Z'))
      assert.equal(await newest('local'), -500)
      assert.equal(await newest('day'), Date.parse('9999-12-31T00:00:00Z'))
    })

    test('an account that may write changes nothing', async () => {
      assert.deepEqual(await measure('writing', one('id')), { failure: 'rejected' })
      assert.deepEqual(await server().execute(`select * from ${SHOP}.written`), [])
    })

    test('names why a table cannot be counted, without a text of the server', async () => {
      assert.deepEqual(await measure('hidden', one('secret')), { failure: 'denied' })
      assert.deepEqual(await measure('gone', ROWS_ONLY), { failure: 'denied' })
      assert.deepEqual(await measure('m', one('gone')), { failure: 'missing' })
      assert.deepEqual(await measure('shown', ROWS_ONLY), { failure: 'unestimated' })
    })

    test('ends a statement that takes too long', async () => {
      const configuration = { statementTimeoutMs: 1000 }
      assert.deepEqual(await measure('slow', one('slept'), { configuration }), {
        failure: 'too_slow',
      })
    })

    test('does not wait for a locked table', async () => {
      const { host, port, user: root, password } = server()
      const other = await mysql.createConnection({ host, port, user: root, password })
      await other.query(`lock tables ${SHOP}.m write`)
      assert.deepEqual(await measure('m', ROWS_ONLY), { failure: 'locked' })
      await other.end()
    })
  })
})
