import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { Client } from 'pg'
import pino from 'pino'
import { eventually } from '../../../test/eventually.ts'
import { clusterPaths } from './cluster.ts'
import { LocalPostgresError } from './local-postgres-error.ts'
import { openLocalServer, type LocalServer, type LocalServerOptions } from './local-server.ts'
import { chooseOsUser } from './os-user.ts'

const isRoot = process.getuid?.() === 0
const scratch = mkdtempSync(join(tmpdir(), 'portbook-local-'))
after(() => rmSync(scratch, { recursive: true, force: true, maxRetries: 5 }))

let directories = 0
function newDirectory(): string {
  directories += 1
  return join(scratch, String(directories))
}

async function open(
  dataDirectory: string,
  more: Partial<LocalServerOptions> = {},
): Promise<LocalServer> {
  return await openLocalServer({
    dataDirectory,
    programs: { configured: undefined, searchPath: process.env.PATH ?? '' },
    purpose: 'working',
    connectionsMax: 10,
    log: pino({ level: 'silent' }),
    ...more,
  })
}

async function query(server: LocalServer, text: string): Promise<Record<string, unknown>[]> {
  const client = new Client(server.connection)
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

const setting = async (server: LocalServer, name: string): Promise<unknown> =>
  (await query(server, `select current_setting('${name}') as value`))[0]?.['value']

const answers = (server: LocalServer): Promise<boolean> =>
  query(server, 'select id from kept').then(
    () => true,
    () => false,
  )

/** Reads the process ID of the server of a data directory; 0 if there is none. */
function postmasterPid(directory: string): number {
  try {
    const { cluster } = clusterPaths(directory)
    return Number.parseInt(readFileSync(join(cluster, 'postmaster.pid'), 'utf8'), 10)
  } catch {
    return 0
  }
}

// Most tests share a directory, because initializing one takes as long as ten starts.
const shared = newDirectory()

test('openLocalServer › initializes a durable, private server in the data directory', async () => {
  const server = await open(shared)
  try {
    for (const [name, value] of Object.entries({
      fsync: 'on',
      synchronous_commit: 'on',
      full_page_writes: 'on',
      data_checksums: 'on',
      autovacuum: 'on',
      jit: 'off',
      TimeZone: 'UTC',
      listen_addresses: '',
      server_encoding: 'UTF8',
      is_superuser: 'off',
    })) {
      assert.equal(await setting(server, name), value, name)
    }
    const [database] = await query(
      server,
      `select datcollate, datctype from pg_database where datname = current_database()`,
    )
    assert.deepEqual(database, { datcollate: 'C', datctype: 'C' })
    const paths = clusterPaths(shared)
    for (const path of [paths.root, paths.cluster, paths.socket]) {
      assert.equal(statSync(path).mode & 0o777, 0o700, path)
    }
    assert.equal(statSync(paths.password).mode & 0o777, 0o600)
    const wrong = new Client({ ...server.connection, password: 'wrong' })
    await assert.rejects(wrong.connect(), { code: '28P01' })
    await query(server, 'create table kept (id int); insert into kept values (7)')
  } finally {
    await server.close()
  }
  assert.equal(postmasterPid(shared), 0, 'the server ended')
})

test('openLocalServer › keeps the data across a stop and a start', async () => {
  const server = await open(shared)
  assert.deepEqual(await query(server, 'select id from kept'), [{ id: 7 }])
  await server.close()
})

test('openLocalServer › uses the server that another process runs, and takes it over when that ends', async () => {
  const owner = await open(shared, { purpose: 'serving' })
  const pid = postmasterPid(shared)
  const worker = await open(shared)
  const command = await open(shared, { purpose: 'command' })
  assert.equal(postmasterPid(shared), pid)
  await command.close()
  assert.deepEqual(await query(worker, 'select id from kept'), [{ id: 7 }])
  await owner.close()
  await eventually(10_000, async () => await answers(worker), 'the worker started the server again')
  assert.notEqual(postmasterPid(shared), pid)
  await worker.close()
  assert.equal(postmasterPid(shared), 0)
})

test('openLocalServer › shares one server between concurrent starts', async () => {
  const fresh = newDirectory()
  const servers = await Promise.all([open(fresh), open(fresh), open(fresh)])
  const counts = await Promise.all(servers.map((one) => query(one, 'select 1 as one')))
  assert.equal(counts.length, 3)
  for (const server of servers) await server.close()
  assert.equal(postmasterPid(fresh), 0)
})

test('openLocalServer › rejects a second serving process, in one line that names DATABASE_URL', async () => {
  const first = await open(shared, { purpose: 'serving' })
  await assert.rejects(open(shared, { purpose: 'serving' }), (error) => {
    assert.ok(error instanceof LocalPostgresError)
    assert.match(error.message, /^Another process is serving [^\n]*DATABASE_URL[^\n]*$/)
    return true
  })
  assert.deepEqual(await query(first, 'select id from kept'), [{ id: 7 }])
  await first.close()
})

for (const signal of ['SIGKILL', 'SIGQUIT', 'SIGTERM'] as const) {
  test(`openLocalServer › starts the server again after ${signal}`, async () => {
    const server = await open(shared)
    const pid = postmasterPid(shared)
    process.kill(pid, signal)
    await eventually(
      10_000,
      async () => (await answers(server)) && postmasterPid(shared) !== pid,
      'the server answers again',
    )
    await server.close()
  })
}

test('openLocalServer › starts again while a session of the killed server is still busy', async () => {
  const server = await open(shared)
  const busy = new Client(server.connection)
  busy.on('error', () => undefined)
  await busy.connect()
  // A statement without a pause in which the session could notice the end of its parent.
  busy.query('select count(*) from generate_series(1, 1000000000)').catch(() => undefined)
  const pid = postmasterPid(shared)
  process.kill(pid, 'SIGKILL')
  await eventually(
    10_000,
    async () => (await answers(server)) && postmasterPid(shared) !== pid,
    'the server answers again',
  )
  await server.close()
})

test('openLocalServer › ignores a lock file whose process ID belongs to another program', async () => {
  const user = chooseOsUser([clusterPaths(shared).cluster])
  const other = spawn('sleep', ['60'], { ...user, stdio: 'ignore' })
  await once(other, 'spawn')
  const { cluster } = clusterPaths(shared)
  const lock = join(cluster, 'postmaster.pid')
  writeFileSync(lock, `${other.pid}\n${cluster}\n1700000000\n5432\n../socket\n\n`)
  if (user !== undefined) chownSync(lock, user.uid, user.gid)
  try {
    const server = await open(shared)
    assert.deepEqual(await query(server, 'select id from kept'), [{ id: 7 }])
    await server.close()
    assert.equal(other.exitCode, null, 'the other program still runs')
  } finally {
    other.kill()
  }
})

test('openLocalServer › works in a directory whose path is longer than the address of a socket', async () => {
  const long = join(scratch, 'a-folder-with-a-long-name'.repeat(4), 'ä'.repeat(60))
  mkdirSync(long, { recursive: true })
  renameSync(join(shared, 'postgres'), join(long, 'postgres'))
  const server = await open(long)
  assert.ok(Buffer.byteLength(server.connection.host ?? '') < 100)
  assert.deepEqual(await query(server, 'select id from kept'), [{ id: 7 }])
  await server.close()
  renameSync(join(long, 'postgres'), join(shared, 'postgres'))
})

test('openLocalServer › listens on the loopback address without Unix sockets', async () => {
  const server = await open(shared, { transport: 'loopback' })
  assert.equal(server.address?.host, '127.0.0.1')
  assert.deepEqual(await query(server, 'select id from kept'), [{ id: 7 }])
  const joined = await open(shared, { transport: 'loopback', purpose: 'command' })
  assert.deepEqual(joined.address, server.address)
  await joined.close()
  await server.close()
})

test('openLocalServer › rejects data of another major version and explains how to move', async () => {
  const other = newDirectory()
  mkdirSync(clusterPaths(other).cluster, { recursive: true })
  writeFileSync(join(clusterPaths(other).cluster, 'PG_VERSION'), '14\n')
  await assert.rejects(open(other), (error) => {
    assert.ok(error instanceof LocalPostgresError)
    assert.match(error.message, /written by PostgreSQL 14.*PORTBOOK_POSTGRES_BIN.*export.*import/)
    return true
  })
})

test('openLocalServer › rejects the database of an earlier version and explains how to move', async () => {
  const former = newDirectory()
  mkdirSync(join(former, 'postgres'), { recursive: true })
  writeFileSync(join(former, 'postgres', 'PG_VERSION'), '18\n')
  await assert.rejects(open(former), /embedded database of an earlier Portbook.*[Ee]xport.*import/)
})

test('openLocalServer › reports damage of the data in one line', async () => {
  const { cluster } = clusterPaths(shared)
  const file = join(cluster, 'global', 'pg_control')
  renameSync(file, `${file}.away`)
  await assert.rejects(open(shared), (error) => {
    assert.ok(error instanceof LocalPostgresError)
    assert.match(
      error.message,
      /^The database in [^\n]* is damaged [^\n]*pg_control[^\n]* restore [^\n]*$/,
    )
    return true
  })
  renameSync(`${file}.away`, file)
  renameSync(join(cluster, 'PG_VERSION'), join(cluster, 'PG_VERSION.away'))
  await assert.rejects(open(shared), /PG_VERSION is missing/)
  renameSync(join(cluster, 'PG_VERSION.away'), join(cluster, 'PG_VERSION'))
  await (await open(shared)).close()
})

test(
  'openLocalServer › as root, runs below a directory that only root can enter',
  { skip: !isRoot },
  async () => {
    const closed = newDirectory()
    mkdirSync(closed, { mode: 0o700 })
    const inside = join(closed, 'data')
    const server = await open(inside)
    assert.notEqual(statSync(clusterPaths(inside).root).uid, 0)
    assert.deepEqual(await query(server, 'select 1 as one'), [{ one: 1 }])
    await server.close()
    // The owner of the data directory takes precedence over the system users.
    const owned = newDirectory()
    mkdirSync(owned)
    chownSync(owned, 65_534, 65_534)
    assert.deepEqual(chooseOsUser([join(owned, 'missing'), owned]), { uid: 65_534, gid: 65_534 })
  },
)

test(
  'openLocalServer › rejects a user without a name, with advice',
  { skip: !isRoot },
  async () => {
    const nameless = newDirectory()
    mkdirSync(nameless)
    chmodSync(scratch, 0o711)
    chownSync(nameless, 54_321, 54_321)
    await assert.rejects(open(nameless), (error) => {
      assert.ok(error instanceof LocalPostgresError)
      assert.match(error.message, /user ID 54321 has no entry in \/etc\/passwd.*DATABASE_URL/)
      return true
    })
  },
)
