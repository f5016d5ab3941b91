import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import type { ClientConfig, PoolClient } from 'pg'
import { eventually } from '../../../test/eventually.ts'
import { onStore } from '../../../test/stores.ts'
import type { PoolLimits } from './connection.ts'
import { StoreUnavailable, violatedConstraint } from './store-errors.ts'
import { openDatabase, type OpenDatabase } from './database.ts'
import { asOneRequest } from './request-wait.ts'

interface Tables {
  sample: { id: number; at: string | null; day: string | null }
}

const LIMITS: PoolLimits = {
  connectionsMax: 1,
  connectTimeoutMs: 10_000,
  queryTimeoutMs: 10_000,
}

function open(
  connection: ClientConfig,
  limits: Partial<PoolLimits> = {},
  onIdleError: (error: Error) => void = () => undefined,
): OpenDatabase<Tables> {
  return openDatabase<Tables>(connection, { ...LIMITS, ...limits }, onIdleError)
}

onStore((store) => {
  let database: OpenDatabase<Tables>
  before(async () => {
    database = open(store().connection)
    await sql`create table sample (id int primary key, at timestamptz, day date)`.execute(
      database.db,
    )
  })
  after(() => database.close())

  async function one<T>(query: string, of = database): Promise<T> {
    const { rows } = await sql.raw<{ value: T }>(query).execute(of.db)
    const [row] = rows
    assert.ok(row)
    return row.value
  }

  const toFailure = async (query: string): Promise<unknown> =>
    await sql
      .raw(query)
      .execute(database.db)
      .catch((error: unknown) => error)

  test('openDatabase › turns off JIT in sessions, even if the server enables it', async () => {
    const options = { ...store().connection, options: '-c jit=on' }
    const other = open(options)
    try {
      assert.equal(await one(`select current_setting('jit') as value`, other), 'off')
    } finally {
      await other.close()
    }
  })

  test('openDatabase › returns instants in UTC with microseconds, and days as days', async () => {
    assert.equal(
      await one(`select '2026-07-01T12:34:56.123456+02'::timestamptz as value`),
      '2026-07-01T10:34:56.123456Z',
    )
    assert.equal(
      await one(`select '2026-01-01'::timestamptz as value`),
      '2026-01-01T00:00:00.000000Z',
    )
    assert.equal(await one(`select '2026-12-31'::date as value`), '2026-12-31')
    assert.equal(await one('select null::timestamptz as value'), null)
    assert.equal(await one('select 9007199254740991::bigint as value'), Number.MAX_SAFE_INTEGER)
    assert.equal(await one(TIME_ZONE), 'UTC')
  })

  test('openDatabase › commits a transaction completely or not at all', async () => {
    const { db } = database
    const insert = (id: number): Promise<unknown> =>
      db.insertInto('sample').values({ id, at: null, day: null }).execute()
    await assert.rejects(
      db.transaction().execute(async (transaction) => {
        await transaction.insertInto('sample').values({ id: 1, at: null, day: null }).execute()
        throw new Error('changed my mind')
      }),
      /changed my mind/,
    )
    await insert(2)
    await assert.rejects(
      db.transaction().execute(async (transaction) => {
        await transaction.insertInto('sample').values({ id: 3, at: null, day: null }).execute()
        await transaction.insertInto('sample').values({ id: 2, at: null, day: null }).execute()
      }),
      (error) => violatedConstraint(error) === 'sample_pkey',
    )
    await db.transaction().execute(async (transaction) => {
      await transaction.insertInto('sample').values({ id: 4, at: null, day: null }).execute()
    })
    const rows = await db.selectFrom('sample').select('id').orderBy('id').execute()
    assert.deepEqual(
      rows.map(({ id }) => id),
      [2, 4],
    )
  })

  test('violatedConstraint › returns the name of the violated constraint, and undefined for other errors', async () => {
    assert.equal(
      violatedConstraint(await toFailure('insert into sample values (9), (9)')),
      'sample_pkey',
    )
    assert.equal(violatedConstraint(await toFailure('insert into sample values (null)')), '')
    for (const query of ['select 1 / 0', 'select from nowhere', 'nonsense']) {
      assert.equal(violatedConstraint(await toFailure(query)), undefined, query)
    }
    assert.equal(violatedConstraint(new Error('x')), undefined)
  })

  test('openDatabase › prepares a statement once per connection, and again on a later connection', async () => {
    const prepared = `select count(*) as value from pg_prepared_statements where statement like 'select $1::int + 1 as twin%'`
    const first = open(store().connection)
    for (const value of [1, 2, 3]) assert.equal(await ask(first, value), value + 1)
    assert.equal(await one(prepared, first), 1)
    await first.close()
    const second = open(store().connection)
    assert.equal(await ask(second, 4), 5)
    await second.close()
  })

  test('openDatabase › runs further statements unnamed after a thousand', async () => {
    const many = open(store().connection)
    for (let at = 0; at < 1005; at += 1) assert.equal(await one(`select ${at} as value`, many), at)
    const named = await one<number>(
      `select count(*) as value from pg_prepared_statements where statement ~ '^select [0-9]+ as value$'`,
      many,
    )
    assert.ok(named >= 900 && named <= 1000, String(named))
    await many.close()
  })

  test('openDatabase › limits the time that statements wait for a connection, which is not an outage', async () => {
    const narrow = open(store().connection, { connectTimeoutMs: 300 })
    const held = Promise.withResolvers<void>()
    const begun = Promise.withResolvers<void>()
    const holding = narrow.db.transaction().execute(async (transaction) => {
      await sql`select 1`.execute(transaction)
      begun.resolve()
      await held.promise
    })
    await begun.promise
    const waiting = Promise.allSettled([1, 2].map(() => sql`select 1`.execute(narrow.db)))
    for (const outcome of await waiting) {
      assert.ok(outcome.status === 'rejected' && outcome.reason instanceof StoreUnavailable)
      assert.equal(outcome.reason.rule.answer, 'overloaded')
    }
    held.resolve()
    await holding
    await sql`select 1`.execute(narrow.db)
    await narrow.close()
  })

  test('openDatabase › does not report connections that end with their pool', async () => {
    const reported: Error[] = []
    const ending = open(store().connection, {}, (error) => reported.push(error))
    await one('select 1 as value', ending)
    const idle = await ending.pool.connect()
    idle.release()
    ending.pool.emit('error', new Error('while it is open'), idle)
    await ending.close()
    ending.pool.emit('error', new Error('terminating connection'), idle)
    assert.deepEqual(
      reported.map(({ message }) => message),
      ['while it is open'],
    )
  })

  test('openDatabase › sets sessions to UTC, even if the database and its URL set another time zone', async () => {
    const { connectionString = '' } = store().connection
    const name = new URL(connectionString).pathname.slice(1)
    await sql`alter database ${sql.id(name)} set timezone = 'Asia/Kathmandu'`.execute(database.db)
    const url = `${connectionString}?options=-c%20statement_timeout%3D12345`
    for (const connection of [{ connectionString }, { connectionString: url }]) {
      const zoned = open(connection)
      assert.equal(await one(TIME_ZONE, zoned), 'UTC')
      const timeout = `select current_setting('statement_timeout') as value`
      assert.equal(await one(timeout, zoned), connection.connectionString === url ? '12345ms' : '0')
      assert.match(await one('select now() as value', zoned), /Z$/)
      await zoned.close()
    }
  })

  test('openDatabase › throws StoreUnavailable once for a terminated backend, then uses a new connection', async () => {
    const victim = open(store().connection)
    const pid = await one<number>('select pg_backend_pid() as value', victim)
    const asleep = assert.rejects(one('select pg_sleep(60) as value', victim), StoreUnavailable)
    const isAsleep = `select count(*) as value from pg_stat_activity where pid = ${pid} and wait_event = 'PgSleep'`
    await eventually(5000, async () => (await one(isAsleep)) === 1, 'it sleeps')
    await one(`select pg_terminate_backend(${pid}) as value`)
    await asleep
    assert.notEqual(await one('select pg_backend_pid() as value', victim), pid)
    await victim.close()
  })

  test('openDatabase › throws StoreUnavailable and writes nothing if the backend of a transaction is terminated', async () => {
    const victim = open(store().connection)
    await assert.rejects(
      victim.db.transaction().execute(async (transaction) => {
        await transaction.insertInto('sample').values({ id: 50, at: null, day: null }).execute()
        await sql`select pg_terminate_backend(pg_backend_pid())`.execute(transaction)
      }),
      StoreUnavailable,
    )
    assert.equal(await one('select count(*) as value from sample where id = 50', victim), 0)
    await victim.close()
  })

  test('openDatabase › throws StoreUnavailable if a connection is lost between two statements of a transaction', async () => {
    const victim = open(store().connection)
    await assert.rejects(
      victim.db.transaction().execute(async (transaction) => {
        const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(
          transaction,
        )
        await one(`select pg_terminate_backend(${rows[0]?.pid}) as value`)
        const isThere = `select count(*) as value from pg_stat_activity where pid = ${rows[0]?.pid}`
        await eventually(5000, async () => (await one(isThere)) === 0, 'it ends')
        await sql`select 1`.execute(transaction)
      }),
      StoreUnavailable,
    )
    assert.equal(await one('select 1 as value', victim), 1)
    await victim.close()
  })

  test('openDatabase › reports a lost idle connection, and runs the next statement on another', async () => {
    const reported = Promise.withResolvers<Error>()
    const victim = open(store().connection, {}, reported.resolve)
    const pid = await one<number>('select pg_backend_pid() as value', victim)
    await one(`select pg_terminate_backend(${pid}) as value`)
    assert.match((await reported.promise).message, /terminat/)
    assert.notEqual(await one('select pg_backend_pid() as value', victim), pid)
    await victim.close()
  })

  test('openDatabase › throws StoreUnavailable for a statement that times out, and does not reuse its connection', async () => {
    const hasty = open(store().connection, { queryTimeoutMs: 200 })
    const pid = await one<number>('select pg_backend_pid() as value', hasty)
    await assert.rejects(one('select pg_sleep(60) as value', hasty), StoreUnavailable)
    assert.notEqual(await one('select pg_backend_pid() as value', hasty), pid)
    assert.equal(hasty.pool.totalCount, 1)
    await hasty.close()
  })

  test('openDatabase › throws StoreUnavailable for a request that times out, even if its statement may run longer', async () => {
    const patient = open(store().connection, { requestTimeoutMs: 1 })
    const pid = await one<number>('select pg_backend_pid() as value', patient)
    const waited = {
      name: 'StoreUnavailable',
      message: 'the request waited too long for the database',
    }
    await assert.rejects(
      asOneRequest(() => one('select pg_sleep(60) as value', patient)),
      waited,
    )
    assert.notEqual(await one('select pg_backend_pid() as value', patient), pid)
    const holder = await patient.pool.connect()
    const late = asOneRequest(() => one('select 1 as value', patient))
    // Another user has the only connection, so this is not an outage.
    await assert.rejects(late, { name: 'StoreUnavailable', message: 'all connections were in use' })
    holder.release()
    assert.equal(await one('select 1 as value', patient), 1)
    assert.equal(patient.pool.totalCount, 1)
    await patient.close()
  })

  test('openDatabase › does not wait for a rollback after a transaction timed out', async () => {
    const hasty = open(store().connection, { queryTimeoutMs: 200 })
    const sent: string[] = []
    hasty.pool.on('connect', (client) => noteStatements(client, sent))
    await assert.rejects(
      hasty.db
        .transaction()
        .execute((transaction) => sql`select pg_sleep(60)`.execute(transaction)),
      StoreUnavailable,
    )
    assert.deepEqual(sent, ['begin', 'select pg_sleep(60)'])
    await hasty.close()
  })

  test('openDatabase › throws the error of the server for an invalid statement, not StoreUnavailable', async () => {
    await assert.rejects(
      one('select from nowhere'),
      (error) => !(error instanceof StoreUnavailable),
    )
  })
})

describe('an unreachable database', () => {
  test('openDatabase › throws StoreUnavailable if the port is closed', async () => {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    await new Promise((done) => server.close(done))
    const away = open({ host: '127.0.0.1', port, user: 'u', database: 'd' })
    await assert.rejects(sql`select 1`.execute(away.db), StoreUnavailable)
    await away.close()
  })

  test('openDatabase › throws StoreUnavailable if the server never responds', async () => {
    const server = createServer(() => undefined).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const connection = { host: '127.0.0.1', port, user: 'u', database: 'd' }
    const mute = open(connection, { connectTimeoutMs: 200 })
    await assert.rejects(sql`select 1`.execute(mute.db), StoreUnavailable)
    await mute.close()
    server.close()
  })

  test('openDatabase › throws StoreUnavailable if the Unix socket does not exist', async () => {
    const away = open({ host: '/nowhere', user: 'u', database: 'd' })
    await assert.rejects(sql`select 1`.execute(away.db), StoreUnavailable)
    await away.close()
  })
})

const TIME_ZONE = `select current_setting('timezone') as value`

/** Records the statements that are sent over a connection. */
function noteStatements(client: PoolClient, sent: string[]): void {
  const query = client.query.bind(client) as (...parameters: unknown[]) => unknown
  Object.assign(client, {
    query(...parameters: unknown[]) {
      sent.push((parameters[0] as { text: string }).text)
      return query(...parameters)
    },
  })
}

async function ask(of: OpenDatabase<Tables>, value: number): Promise<number> {
  const { rows } = await sql<{ twin: number }>`select ${value}::int + 1 as twin`.execute(of.db)
  return rows[0]?.twin ?? 0
}
