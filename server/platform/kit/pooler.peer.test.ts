import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { eventually } from '../../../test/eventually.ts'
import { onPgbouncer, startPgbouncer, type PgbouncerSettings } from '../../../test/pgbouncer.ts'
import { onServer, onStore } from '../../../test/stores.ts'
import type { PoolLimits } from './connection.ts'
import { violatedConstraint } from './store-errors.ts'
import { openDatabase, type OpenDatabase, type PoolOptions } from './database.ts'
import { pollFor } from './listener.ts'
import { migrate } from './migrate.ts'
import { detectPooling, DIRECT, TRANSACTION_POOLING } from './pooler.ts'
import { readShort } from './short-reads.ts'
import { withStatementCancel } from './statement-cancel.ts'

const LIMITS: PoolLimits = {
  connectionsMax: 10,
  connectTimeoutMs: 20_000,
  queryTimeoutMs: 20_000,
}
const TABLE = `
  drop table if exists item;
  create table item (id int primary key, name text, parent int, at timestamptz,
    constraint item_parent foreign key (parent) references item deferrable initially deferred);
  insert into item select id, 'item ' || id, null, '2026-07-01T12:34:56.123456Z'
  from generate_series(1, 300) as id`

onStore((store) => {
  const direct = (): string => store().connection.connectionString ?? ''

  test('detectPooling › detects a direct connection', async () => {
    assert.deepEqual(await detectPooling(store().connection), DIRECT)
    const name = new URL(direct()).pathname.slice(1)
    await sql`alter database ${sql.id(name)} set random_page_cost = 1`.execute(store().db)
    assert.equal((await detectPooling(store().connection)).plansForDisks, false)
    await sql`alter database ${sql.id(name)} reset random_page_cost`.execute(store().db)
  })

  test('pollFor › continues after an error, and ends when stopped', async () => {
    const errors: unknown[] = []
    const heard = Promise.withResolvers<string>()
    let looks = 0
    const look = async (): Promise<string[]> => {
      looks += 1
      if (looks === 1) throw new Error('away')
      return ['run']
    }
    const listener = pollFor(look, 1, heard.resolve, (error) => errors.push(error))
    assert.equal(await heard.promise, 'run')
    await listener.stop()
    const looksAtEnd = looks
    assert.equal(errors.length, 1)
    await new Promise(setImmediate)
    assert.equal(looks, looksAtEnd)
  })

  async function isCancelMeRunning(): Promise<boolean> {
    const { rows } = await sql`
      select from pg_stat_activity
      where datname = current_database() and state = 'active' and query like '%cancel me%'
        and pid <> pg_backend_pid()
    `.execute(store().db)
    return rows.length > 0
  }

  function onPooledDatabase(title: string, settings: PgbouncerSettings): void {
    let pgbouncer: Awaited<ReturnType<typeof startPgbouncer>>
    let database: OpenDatabase<unknown>
    before(async () => {
      await onServer(direct(), TABLE)
      pgbouncer = await startPgbouncer(direct(), { default_pool_size: 4, ...settings })
      const connection = { connectionString: pgbouncer.through(direct()) }
      database = open(connection, { pooling: await detectPooling(connection) })
    })
    after(async () => {
      await database?.close()
      await pgbouncer?.stop()
    })

    const setting = async (name: string, db = database.db): Promise<string | undefined> => {
      const { rows } = await sql<{ value: string }>`
        select current_setting(${name}) as value`.execute(db)
      return rows[0]?.value
    }

    test(`${title} › returns the results and errors of concurrent statements of every kind`, async () => {
      await assertMixedStatements(database)
    })

    test(`${title} › plans for solid-state disks, without changing settings of the session`, async () => {
      assert.equal(await setting('random_page_cost'), '1.1')
      await database.db
        .transaction()
        .execute(async (db) => assert.equal(await setting('random_page_cost', db), '1.1'))
      const plain = open(
        { connectionString: pgbouncer.through(direct()) },
        {
          pooling: { ...TRANSACTION_POOLING, plansForDisks: false },
        },
      )
      assert.equal(await setting('random_page_cost', plain.db), '4')
      await plain.close()
    })

    test(`${title} › cancels the running statement of an aborted transaction`, async () => {
      const { db } = database
      const ending = new AbortController()
      const working = db.transaction().execute((transaction) =>
        withStatementCancel(transaction, db, ending.signal, async () => {
          await sql`select pg_sleep(600), 'cancel me'`.execute(transaction)
        }),
      )
      const failure = working.catch((error: unknown) => error)
      await eventually(5000, isCancelMeRunning, 'the statement runs')
      const reason = new Error('cancelled by a person')
      ending.abort(reason)
      assert.equal(await failure, reason)
      await eventually(5000, async () => !(await isCancelMeRunning()), 'the statement ends')
    })

    test(`${title} › rejects a statement that violates a deferred constraint`, async () => {
      const insert = sql`insert into item (id, parent) values (1000, 2000)`.execute(database.db)
      await assert.rejects(insert, (error) => violatedConstraint(error) === 'item_parent')
      const { rows } = await sql`select from item where id = 1000`.execute(database.db)
      assert.equal(rows.length, 0)
    })

    test(`${title} › parses a statement again if its columns change`, async () => {
      await onServer(direct(), 'drop table if exists changing; create table changing (one int)')
      await sql`insert into changing values (1)`.execute(store().db)
      for (let at = 0; at < 60; at += 1)
        assert.deepEqual(await readChanging(database), [{ one: 1 }])
      await sql`alter table changing add two text`.execute(store().db)
      for (let at = 0; at < 20; at += 1)
        assert.deepEqual(await readChanging(database), [{ one: 1, two: null }])
    })
  }

  onPgbouncer((version) => {
    // PgBouncer supports prepared statements since 1.21.
    const [major = 0, minor = 0] = version.split('.').map(Number)
    const canPrepare = major > 1 || minor >= 21
    const losing: PgbouncerSettings = canPrepare ? { max_prepared_statements: 0 } : {}

    async function through<T>(
      settings: PgbouncerSettings,
      use: (connection: { connectionString: string }) => Promise<T>,
    ): Promise<T> {
      const pgbouncer = await startPgbouncer(direct(), { ...losing, ...settings })
      try {
        return await use({ connectionString: pgbouncer.through(direct()) })
      } finally {
        await pgbouncer.stop()
      }
    }

    const modes: [string, PgbouncerSettings, object][] = [
      ['in session mode', { pool_mode: 'session' }, { ...DIRECT, mode: 'session' }],
      ['in transaction mode', {}, TRANSACTION_POOLING],
      ['in transaction mode with one backend', { default_pool_size: 1 }, TRANSACTION_POOLING],
    ]
    for (const [name, settings, expected] of modes) {
      test(`detectPooling › detects PgBouncer ${name}`, async () => {
        assert.deepEqual(await through(settings, detectPooling), expected)
      })
    }

    test('detectPooling › detects a PgBouncer that preserves prepared statements', async (t) => {
      if (!canPrepare) return t.skip(`PgBouncer ${version} cannot`)
      const settings = { max_prepared_statements: 100 }
      const expected = { ...TRANSACTION_POOLING, keepsPreparedStatements: true }
      assert.deepEqual(await through(settings, detectPooling), expected)
    })

    test('detectPooling › detects PgBouncer while other clients use all backends', async () => {
      await through({ default_pool_size: 3 }, async (connection) => {
        const others = open(connection, { pooling: TRANSACTION_POOLING })
        const stopped = new AbortController()
        const work = Array.from({ length: 8 }, async () => {
          while (!stopped.signal.aborted) await sql`select pg_sleep(0.001)`.execute(others.db)
        })
        assert.deepEqual(await detectPooling(connection), TRANSACTION_POOLING)
        stopped.abort()
        await Promise.all(work)
        await others.close()
      })
    })

    test('detectPooling › rejects PgBouncer in statement mode', async () => {
      await through({ pool_mode: 'statement' }, async (connection) => {
        await assert.rejects(detectPooling(connection), /transaction blocks not allowed/)
      })
    })

    const shapes = canPrepare
      ? [losing, { max_prepared_statements: 100 }]
      : ([{}] satisfies PgbouncerSettings[])
    for (const settings of shapes) {
      onPooledDatabase(`PgBouncer ${version} ${JSON.stringify(settings)}`, settings)
    }

    test('an undetected pooler › is reported once, and statements adapt to it', async () => {
      await onServer(direct(), TABLE)
      await through({ default_pool_size: 4 }, async (connection) => {
        const lost: unknown[] = []
        const database = open(connection, { onLostStatement: (error) => lost.push(error) })
        await assertMixedStatements(database)
        assert.equal(lost.length, 1)
        await database.close()
      })
    })

    test('a pooler › returns instants in UTC, even if the server has another time zone', async () => {
      const name = new URL(direct()).pathname.slice(1)
      await sql`alter database ${sql.id(name)} set timezone = 'Asia/Kathmandu'`.execute(store().db)
      await through({}, async (connection) => {
        const database = open(connection, { pooling: TRANSACTION_POOLING })
        for (const [given, expected] of [
          ['2026-07-01T12:34:56.12Z', '2026-07-01T12:34:56.120000Z'],
          ['1816-01-01T00:00:00Z', '1816-01-01T00:00:00.000000Z'],
        ]) {
          const { rows } = await sql<{ at: string }>`select ${given}::timestamptz as at`.execute(
            database.db,
          )
          assert.equal(rows[0]?.at, expected)
        }
        await database.close()
      })
      await sql`alter database ${sql.id(name)} reset timezone`.execute(store().db)
    })

    test('migrate › runs concurrent processes behind a pooler in turn', async () => {
      const directory = mkdtempSync(join(tmpdir(), 'portbook-migrations-'))
      await sql`drop table if exists schema_migration, one, two`.execute(store().db)
      for (const name of ['one', 'two']) {
        writeFileSync(join(directory, `${name}.sql`), `create table ${name} ()`)
      }
      const applied = await through({ default_pool_size: 3 }, (connection) =>
        Promise.all(Array.from({ length: 8 }, () => migrate(connection, directory))),
      )
      const names = applied.flatMap((each) => each.applied.map(({ name }) => name))
      assert.deepEqual(names.toSorted(), ['one.sql', 'two.sql'])
      rmSync(directory, { recursive: true })
    })
  })
})

function open(
  connection: { connectionString: string },
  options: PoolOptions,
): OpenDatabase<unknown> {
  return openDatabase(connection, LIMITS, () => undefined, options)
}

async function readChanging({ db }: OpenDatabase<unknown>): Promise<unknown[]> {
  return (await sql`select * from changing where one = ${1}`.execute(db)).rows
}

/** Runs many concurrent reads, writes, transactions and failing statements, each with its own values. */
async function assertMixedStatements({ db }: OpenDatabase<unknown>): Promise<void> {
  const work = Array.from({ length: 300 }, async (_, at) => {
    const id = at + 1
    const [item] = await readShort(
      db,
      sql<{ name: string }>`select name from item where id = ${String(id)}::int`,
    )
    assert.equal(item?.name, `item ${id}`)
    const write = await sql<{ id: number }>`
      update item set parent = ${id} where id = ${id} returning id`.execute(db)
    assert.deepEqual(write.rows, [{ id }])
    const failing = sql`select 1 / (${id}::int - ${id}::int)`
    const failed = at % 2 === 0 ? readShort(db, failing) : failing.execute(db)
    await assert.rejects(failed, /division by zero/)
    if (at % 10 === 0) {
      await db.transaction().execute(async (transaction) => {
        await sql`update item set parent = null where id = ${id}`.execute(transaction)
        const { rows } = await sql<{ parent: number | null }>`
          select parent from item where id = ${id}`.execute(transaction)
        assert.deepEqual(rows, [{ parent: null }])
      })
    }
  })
  await Promise.all(work)
}
