import assert from 'node:assert/strict'
import { Socket } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { eventually } from '../../../test/eventually.ts'
import {
  cancelWhileLocked,
  LARGE_ESTATE,
  LARGE_TABLES,
  startReading,
} from '../../../test/postgres-readings.ts'
import { onEveryPostgres, readSource, SourceDatabase } from '../../../test/postgres-source.ts'
import { catchFailure } from '../../../test/source-reading.ts'
import { postgres } from './connector.ts'

onEveryPostgres((url) => {
  describe('meanwhile', () => {
    it('tables and views are dropped and a schema renamed while listing', async () => {
      const database = await SourceDatabase.create(
        url(),
        'create schema old_name; create table old_name.kept (id int); create table gone (id int)',
      )
      const { byPath, outcomes } = await readSource(database.setup(), () =>
        database.execute('drop table gone; alter schema old_name rename to new_name'),
      )
      assert.ok(!byPath.has(`${database.name}/public/gone`))
      const failed = outcomes.filter(({ failure }) => failure !== undefined)
      assert.deepEqual(
        failed.map(({ path, failure }) => [path[1], failure?.kind]),
        [['old_name', 'protocol']],
      )
      await database.drop()
    })

    it('ignores a table that is dropped during the reading', async () => {
      const database = await SourceDatabase.create(
        url(),
        `${LARGE_ESTATE}; create view last_view as select id from t${LARGE_TABLES}`,
      )
      const session = await postgres.open(database.setup())
      const { reading, first } = await startReading(session, database.name)
      await database.execute(
        `drop view last_view; drop table t${LARGE_TABLES}, t${LARGE_TABLES - 1}`,
      )
      const batches = [first, ...(await Array.fromAsync(reading))]
      const names = batches.flatMap(({ assets }) => assets.map(({ path }) => path[2]))
      assert.equal(names.filter((name) => name?.startsWith('t')).length, LARGE_TABLES)
      assert.ok(batches.at(-1)?.outcomes?.every(({ failure }) => failure === undefined))
      await session.close()
      await database.drop()
    })

    it('marks a broken view, and reads the definitions of the others', async () => {
      const database = await SourceDatabase.create(
        url(),
        `create function f() returns int language sql as 'select 1';
        create view before_it as select 1 as a; create view broken as select f() as a;
        create view after_it as select 2 as a;
        delete from pg_proc where proname = 'f' and pronamespace = 'public'::regnamespace`,
      )
      const setup = database.setup()
      const { byPath, outcomes } = await readSource(setup)
      const find = (name: string) => byPath.get(`${database.name}/public/${name}`)
      assert.equal(find('broken')?.custom?.['viewDefinitionUnreadable'], true)
      assert.deepEqual(find('broken')?.columns, [{ name: 'a', type: 'integer' }])
      assert.equal(find('broken')?.viewDefinition, undefined)
      for (const name of ['before_it', 'after_it']) assert.ok(find(name)?.viewDefinition, name)
      assert.ok(outcomes.every(({ failure }) => failure === undefined))
      assert.ok(setup.loggedLines.some((line) => line.includes('broken')))
      await database.drop()
    })

    it('keeps a table whose description is too long, and reads the others', async () => {
      const database = await SourceDatabase.create(
        url(),
        `create table a (id int); create table long (id int); create table z (id int);
        create view long_view as select id from a;
        do $$ begin
          execute format('comment on column long.id is %L', repeat('x', 17000000));
          execute format('comment on view long_view is %L', repeat('x', 70000000));
        end $$`,
      )
      const { unreadable, byPath, outcomes } = await readSource(database.setup())
      assert.deepEqual(
        unreadable.map(({ path, kind }) => [path[2], kind]),
        [
          ['long', 'table'],
          ['long_view', 'view'],
        ],
      )
      assert.match(unreadable[0]?.message ?? '', /more than 16 MiB/)
      for (const name of ['a', 'z']) assert.ok(byPath.has(`${database.name}/public/${name}`), name)
      assert.ok(outcomes.every(({ failure }) => failure === undefined))
      await database.drop()
    })

    it('keeps what comes after many views that the server cannot describe', async () => {
      const database = await SourceDatabase.create(
        url(),
        `create function f() returns int language sql as 'select 1';
        create table of_table (id int);
        create view before_them as select 1 as a;
        do $$ begin for i in 1..60 loop
          execute format('create view broken_%s as select f() as a', i);
        end loop; end $$;
        create view after_them as select 2 as a;
        delete from pg_proc where proname = 'f' and pronamespace = 'public'::regnamespace`,
      )
      const setup = database.setup()
      const { unreadable, byPath, outcomes } = await readSource(setup)
      assert.deepEqual(
        unreadable.map(({ path }) => path[2]),
        [...Array.from({ length: 10 }, (_, at) => `broken_${at + 51}`), 'after_them'],
      )
      assert.match(unreadable[0]?.message ?? '', /more than 50 objects/)
      const find = (name: string) => byPath.get(`${database.name}/public/${name}`)
      assert.ok(find('of_table') && find('before_them')?.viewDefinition)
      assert.equal(find('broken_50')?.custom?.['viewDefinitionUnreadable'], true)
      assert.ok(outcomes.every(({ failure }) => failure === undefined))
      assert.ok(setup.loggedLines.some((line) => line.includes('more than 50 objects')))
      await database.drop()
    })

    it('fails if the server cannot describe any of many views', async () => {
      const database = await SourceDatabase.create(
        url(),
        `create function f() returns int language sql as 'select 1';
        do $$ begin for i in 1..51 loop
          execute format('create view broken_%s as select f() as a', i);
        end loop; end $$;
        delete from pg_proc where proname = 'f' and pronamespace = 'public'::regnamespace`,
      )
      const failure = await catchFailure(readSource(database.setup()))
      assert.equal(failure.kind, 'protocol')
      await database.drop()
    })

    it('reports a locked table as unreadable and reads the others', async () => {
      const database = await SourceDatabase.create(
        url(),
        `create table a (id int); create table locked (id int, twice int generated always as (id) stored);
        create table z (id int); create table default_locked (id int default 1 + 1); create view of_locked as select id from locked`,
      )
      const other = await database.connect()
      await other.query('begin; lock table locked, default_locked in access exclusive mode')
      const { unreadable, byPath, outcomes } = await readSource(database.setup())
      await other.end()
      assert.deepEqual(
        unreadable.map(({ path, kind }) => [path[2], kind]),
        [
          ['locked', 'table'],
          ['of_locked', 'view'],
        ],
      )
      const read = (name: string) => byPath.get(`${database.name}/public/${name}`)
      assert.ok(read('a') && read('z'))
      assert.equal(read('default_locked')?.columns?.[0]?.default, '(1 + 1)')
      assert.ok(outcomes.every(({ failure }) => failure === undefined))
      await database.drop()
    })
  })

  describe('while the server waits for the client to read', () => {
    let database: SourceDatabase
    before(async () => {
      database = await SourceDatabase.create(url(), LARGE_ESTATE)
    })
    after(() => database.drop())

    it('connection closed by the server › fails with unreachable, without outcomes', async () => {
      const session = await postgres.open(database.setup())
      const { reading } = await startReading(session, database.name)
      await database.execute(
        `select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and application_name = 'portbook'`,
      )
      const failure = await catchFailure(Array.fromAsync(reading))
      assert.equal(failure.kind, 'unreachable')
      await session.close()
    })

    it('reports a statement over its time limit as too large', async () => {
      const configuration = { statementTimeoutMs: 1000 }
      const session = await postgres.open(database.setup({ configuration }))
      const { reading } = await startReading(session, database.name)
      // Nothing is read, so that the server waits until the time limit.
      await database.execute('select pg_sleep(1.2)')
      const failure = await catchFailure(Array.fromAsync(reading))
      assert.equal(failure.kind, 'too_large')
      assert.match(failure.message, /longer than 1 s/)
      await session.close()
    })

    it('cancelled › stops the statement on the server', async () => {
      const controller = new AbortController()
      const session = await postgres.open(database.setup({ signal: controller.signal }))
      const { reading } = await startReading(session, database.name)
      controller.abort()
      const failure = await catchFailure(Array.fromAsync(reading))
      assert.equal(failure.kind, 'cancelled')
      await session.close()
      await eventually(2000, async () => (await database.countSessions()) === 0, 'no session')
    })

    it('cancelled › reads no further, even if the cancel request is not delivered', async () => {
      const controller = new AbortController()
      const setup = database.setup({ signal: controller.signal })
      const undelivered = new Socket()
      undelivered.connect = () => undelivered
      const socket = (): Socket => (controller.signal.aborted ? undelivered : setup.dialer.socket())
      const session = await postgres.open({ ...setup, dialer: { ...setup.dialer, socket } })
      const { reading } = await startReading(session, database.name)
      controller.abort()
      // Reading ends when the connection is closed, which waits for the request.
      const failing = catchFailure(Array.fromAsync(reading))
      await eventually(1000, async () => undelivered.listenerCount('close') > 0, 'a request')
      undelivered.destroy()
      assert.equal((await failing).kind, 'cancelled')
      await session.close()
    })

    it('stopping early leaves nothing behind', async () => {
      const session = await postgres.open(database.setup())
      const { reading } = await startReading(session, database.name)
      await reading.return?.(undefined)
      await session.close()
      await eventually(2000, async () => (await database.countSessions()) === 0, 'no session')
    })
  })

  describe('cancelled', () => {
    it('stops a running statement on the server immediately', async () => {
      const database = await SourceDatabase.create(
        url(),
        'create table t (id int, twice int generated always as (id * 2) stored)',
      )
      await cancelWhileLocked(database, database.setup().configuration)
      await database.drop()
    })

    it('before it begins', async () => {
      const database = await SourceDatabase.create(url(), 'select 1')
      const signal = AbortSignal.abort()
      const failure = await catchFailure(postgres.open(database.setup({ signal })))
      assert.equal(failure.kind, 'cancelled')
      await database.drop()
    })
  })
})

describe('TLS', () => {
  it('reports required but missing TLS as unreachable and sends no password', async () => {
    const url = process.env.PORTBOOK_TEST_POSTGRES ?? ''
    const database = await SourceDatabase.create(url, 'select 1')
    const configuration = { sslMode: 'require' }
    const failure = await catchFailure(postgres.open(database.setup({ configuration })))
    assert.equal(failure.kind, 'unreachable')
    assert.match(
      failure.message,
      /does not support TLS\. Enable TLS on the server, or set Encryption to "Off"/,
    )
    const [finding] = await postgres.check(database.setup({ configuration }))
    const fix = { title: 'Turn encryption off', field: 'sslMode', value: 'disable' }
    assert.deepEqual(finding?.fix, fix)
    const [, plain] = await postgres.check(database.setup({}))
    assert.equal(plain?.state, 'warning')
    assert.match(plain?.hint ?? '', /Set Encryption to "Require \(verify-full\)"/)
    await database.drop()
  })
})
