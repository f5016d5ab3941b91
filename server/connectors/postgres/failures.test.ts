import assert from 'node:assert/strict'
import { Socket } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { eventually } from '../../../test/eventually.ts'
import { onPostgres15, startStandby15 } from '../../../test/postgres-15.ts'
import { onEveryPostgres, readSource, SourceDatabase } from '../../../test/postgres-source.ts'
import { catchFailure } from '../../../test/source-reading.ts'
import type { Batch, Scope, SourceFailure, SourceSession } from '../connector.ts'
import { postgres } from './connector.ts'

// More than the buffers between two processes hold, so that the server waits for the client to
// read. Few tables with long comments are created faster than many.
const TABLES = 100
const COMMENT_CHARACTERS = 200_000
const large = `
do $$ begin for i in 1..${TABLES} loop
  execute format('create table t%s (id int primary key)', i);
  execute format('comment on table t%s is %L', i, repeat('x', ${COMMENT_CHARACTERS}));
end loop; end $$`

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
        `${large}; create view last_view as select id from t${TABLES}`,
      )
      const session = await postgres.open(database.setup())
      const { reading, first } = await startReading(session, database.name)
      await database.execute(`drop view last_view; drop table t${TABLES}, t${TABLES - 1}`)
      const batches = [first, ...(await Array.fromAsync(reading))]
      const names = batches.flatMap(({ assets }) => assets.map(({ path }) => path[2]))
      assert.equal(names.filter((name) => name?.startsWith('t')).length, TABLES)
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
      database = await SourceDatabase.create(url(), large)
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
      const start = performance.now()
      await eventually(5000, async () => performance.now() - start > 1200, 'time has passed')
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
      /does not support TLS\. Enable TLS on the server, or set Encryption to “Off”/,
    )
    const [finding] = await postgres.check(database.setup({ configuration }))
    const fix = { title: 'Turn encryption off', field: 'sslMode', value: 'disable' }
    assert.deepEqual(finding?.fix, fix)
    const [, plain] = await postgres.check(database.setup({}))
    assert.equal(plain?.state, 'warning')
    assert.match(plain?.hint ?? '', /Set Encryption to “Require \(verify-full\)”/)
    await database.drop()
  })

  onPostgres15((server) => {
    let database: SourceDatabase
    before(async () => {
      database = await SourceDatabase.create(
        server().url,
        'create table t (id int, twice int generated always as (id * 2) stored)',
      )
    })
    after(() => database.drop())

    it('accepts the certificates that each mode allows', async () => {
      const { authority, stranger } = server().certificates
      const modes: [Record<string, string>, string | undefined][] = [
        [{ sslMode: 'require' }, undefined],
        [{ sslMode: 'require', ca: authority }, undefined],
        [{ sslMode: 'require', ca: stranger }, 'unreachable'],
        [{ sslMode: 'verify-ca' }, 'unreachable'],
        [{ sslMode: 'verify-ca', ca: authority }, undefined],
        [{ sslMode: 'verify-ca', ca: stranger }, 'unreachable'],
        // The certificate is only for localhost.
        [{ sslMode: 'verify-full', ca: authority }, 'unreachable'],
        [{ sslMode: 'verify-full', ca: authority, host: 'localhost' }, undefined],
      ]
      for (const [configuration, kind] of modes) {
        const setup = database.setup({ configuration })
        const outcome = await readSource(setup).then(
          () => undefined,
          (error: SourceFailure) => error.kind,
        )
        assert.equal(outcome, kind, JSON.stringify(configuration))
      }
    })

    it('cancels through TLS', async () => {
      const setup = database.setup({ configuration: { sslMode: 'require' } })
      await cancelWhileLocked(database, setup.configuration)
    })

    it('reports an invalid client key', async () => {
      const pem = '-----BEGIN CERTIFICATE-----\nnone\n-----END CERTIFICATE-----'
      const setup = database.setup({
        configuration: { sslMode: 'require', clientCertificate: pem },
        secrets: { password: database.password, clientKey: 'none' },
      })
      const failure = await catchFailure(postgres.open(setup))
      assert.equal(failure.kind, 'auth')
      assert.match(failure.message, /not valid PEM/)
    })
  })
})

describe('a standby', () => {
  onPostgres15((server) => {
    it('that cancels for its primary: continues the reading where it was', async () => {
      const primary = await SourceDatabase.create(server().url, large)
      const standby = await startStandby15(server(), { max_standby_streaming_delay: '0' })
      const copy = primary.elsewhere(standby.url)
      const setup = copy.setup()
      const session = await postgres.open(setup)
      const { reading, first } = await startReading(session, primary.name)
      await primary.execute('drop table t1, t2, t3')
      for (const table of ['pg_class', 'pg_attribute']) await primary.execute(`vacuum ${table}`)
      // While the client does not read, the standby cannot cancel, and closes the connection.
      const isGone = async (): Promise<boolean> => (await copy.countSessions()) === 0
      await eventually(20_000, isGone, 'the standby closes the connection')
      const batches = [first, ...(await Array.fromAsync(reading))]
      assert.ok(setup.loggedLines.some((line) => line.includes('retrying')))
      const paths = batches.flatMap(({ assets }) => assets.map(({ path }) => path.join('/')))
      assert.equal(new Set(paths).size, paths.length)
      for (let at = 4; at <= TABLES; at += 1) {
        assert.ok(paths.includes(`${primary.name}/public/t${at}`))
      }
      const findings = await postgres.check(setup)
      assert.ok(findings.some(({ what }) => what.includes('a standby')))
      await session.close()
      await standby.stop()
      await primary.drop()
    })
  })
})

/** Aborts a reading whose statement waits for a lock; the statement must not outlive it. */
async function cancelWhileLocked(
  database: SourceDatabase,
  configuration: Record<string, unknown>,
): Promise<void> {
  const other = await database.connect()
  try {
    await other.query('begin; lock table t in access exclusive mode')
    await cancelWaiting(database, configuration)
  } finally {
    await other.end()
  }
}

async function cancelWaiting(
  database: SourceDatabase,
  configuration: Record<string, unknown>,
): Promise<void> {
  const controller = new AbortController()
  const setup = database.setup({ configuration, signal: controller.signal })
  const sockets: Socket[] = []
  const socket = (): Socket => {
    sockets.push(setup.dialer.socket())
    return sockets.at(-1) ?? assert.fail()
  }
  const session = await postgres.open({ ...setup, dialer: { ...setup.dialer, socket } })
  const scopes = await listHere(session, database.name)
  const failing = catchFailure(Array.fromAsync(session.read(scopes)))
  const countWaiting = async (): Promise<number> =>
    await database.countSessions(`wait_event_type = 'Lock'`)
  await eventually(5000, async () => (await countWaiting()) === 1, 'the statement waits')
  controller.abort()
  await session.close()
  // The process that reads the source ends when its session is closed.
  assert.ok(sockets.every(({ destroyed }) => destroyed))
  // Without a cancel request, the server would wait two seconds for the lock.
  await eventually(1500, async () => (await countWaiting()) === 0, 'the statement ends')
  assert.equal((await failing).kind, 'cancelled')
}

/** Starts reading a database: its first batch has arrived, and the server waits with the rest. */
async function startReading(
  session: SourceSession,
  database: string,
): Promise<{ reading: AsyncIterableIterator<Batch>; first: Batch }> {
  const scopes = await listHere(session, database)
  const iterator = session.read(scopes)[Symbol.asyncIterator]()
  const { value } = (await iterator.next()) as { value: Batch }
  const reading = {
    next: () => iterator.next(),
    return: () => iterator.return?.() ?? Promise.resolve({ done: true as const, value: undefined }),
    [Symbol.asyncIterator]: () => reading,
  }
  return { reading, first: value }
}

async function listHere(session: SourceSession, database: string): Promise<Scope[]> {
  const scopes = await Array.fromAsync(session.scopes())
  return scopes.filter(({ path, decision }) => path[0] === database && decision === 'included')
}
