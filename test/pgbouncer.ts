/**
 * PgBouncer for tests: in front of a PostgreSQL server, on its own port and in its own directory. It runs
 * as an ordinary user and never outlives the process that started it. Clients need no password.
 *
 * Without the package, the tests are skipped with a message; with `CI=true` they fail.
 */

import { spawnSync } from 'node:child_process'
import { chownSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { findUser, startServer } from './database-server.ts'

/** A running PgBouncer. */
export type TestPgbouncer = {
  /** Its version, such as `1.18.0`. */
  readonly version: string
  /** Returns the URL that reaches a database of the server through this PgBouncer. */
  through(databaseUrl: string): string
  /** Stops it immediately and removes its directory. */
  stop(): Promise<void>
}

/** Settings of `pgbouncer.ini` by name; `pool_mode` is `transaction` unless given. */
export type PgbouncerSettings = Readonly<Record<string, string | number>>

// PORTBOOK_TEST_PGBOUNCER=/path/to/pgbouncer tests another version than the installed one.
const program = process.env.PORTBOOK_TEST_PGBOUNCER ?? '/usr/sbin/pgbouncer'

/** Returns the version of the PgBouncer on this machine; undefined if there is none. */
export function findPgbouncer(): string | undefined {
  const { status, stdout } = spawnSync(program, ['--version'], { encoding: 'utf8' })
  return status === 0 ? /PgBouncer (\S+)/i.exec(stdout)?.[1] : undefined
}

/** Defines tests that need PgBouncer, or skips them with a message. */
export function onPgbouncer(define: (version: string) => void): void {
  const version = findPgbouncer()
  const missing = 'PgBouncer is not installed: `apt-get install pgbouncer`'
  if (version === undefined && process.env.CI === 'true') {
    test('PgBouncer is installed', () => {
      throw new Error(missing)
    })
  }
  describe('behind PgBouncer', { skip: version === undefined ? missing : false }, () =>
    define(version ?? ''),
  )
}

/** Starts PgBouncer on a free port of 127.0.0.1, in front of the server of a URL. */
export async function startPgbouncer(
  serverUrl: string,
  settings: PgbouncerSettings = {},
): Promise<TestPgbouncer> {
  const version = findPgbouncer()
  if (version === undefined) throw new Error('PgBouncer is not installed')
  const user = findUser('PgBouncer', 'postgres')
  const server = await startServer({
    name: 'PgBouncer',
    folder: 'portbook-pgbouncer-',
    user,
    stopSignal: 'QUIT',
    ready: /process up/,
    portTaken: /address already in use/i,
    prepare: async () => undefined,
    command(directory, port) {
      const file = join(directory, 'pgbouncer.ini')
      writeFileSync(file, settingsText(serverUrl, port, settings), { mode: 0o600 })
      if (user) chownSync(file, user.uid, user.gid)
      return [program, file]
    },
  })
  return {
    version,
    through(databaseUrl) {
      const url = new URL(databaseUrl)
      return `postgres://${url.username}@127.0.0.1:${server.port}${url.pathname}`
    },
    stop: () => server.stop(),
  }
}

function settingsText(serverUrl: string, port: number, settings: PgbouncerSettings): string {
  const { hostname, port: serverPort, username, password } = new URL(serverUrl)
  const lines = Object.entries({
    listen_addr: '127.0.0.1',
    listen_port: port,
    // A socket path has a limit of about a hundred bytes.
    unix_socket_dir: '',
    auth_type: 'any',
    pool_mode: 'transaction',
    default_pool_size: 5,
    max_client_conn: 500,
    log_connections: 0,
    log_disconnections: 0,
    log_stats: 0,
    ...settings,
  }).map(([name, value]) => `${name} = ${value}`)
  const server = `host=${hostname} port=${serverPort} user=${username} password=${password}`
  return ['[databases]', `* = ${server}`, '[pgbouncer]', ...lines, ''].join('\n')
}
