/**
 * PostgreSQL 15 of Debian's packages for tests: on its own port and data directory, never the machine's
 * server. It requires passwords (SCRAM), and offers TLS. The tests of a process share one server.
 *
 * Without the package, the tests are skipped with a message; with `CI=true` they fail.
 */

import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chown, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { before, describe, test } from 'node:test'
import {
  findUser,
  makeCertificates,
  runProgram as runAny,
  startServer,
  type Certificates,
  type User,
} from './database-server.ts'

/** A running PostgreSQL 15 of our own. */
export type TestPostgres15 = {
  /** Connects as superuser to the database `postgres`. */
  readonly url: string
  /** Contains everything of this server; removed by `stop`. */
  readonly directory: string
  /** The certificate of the server is only valid for `localhost`. */
  readonly certificates: Certificates
  /** Stops the server immediately and removes its directory. */
  stop(): Promise<void>
}

/** The folder of the programs. */
export const programs = '/usr/lib/postgresql/15/bin'
const settings = {
  listen_addresses: '127.0.0.1',
  // A path in a temporary directory may be too long for a socket.
  unix_socket_directories: '',
  log_min_messages: 'log',
  max_wal_senders: '5',
  // Several copies may be made at once.
  wal_keep_size: '256MB',
  hot_standby: 'on',
  ssl: 'on',
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
}

let shared: Promise<TestPostgres15> | undefined

function findMissing(): string | undefined {
  const missing = ['postgres', 'initdb', 'pg_basebackup'].some(
    (name) => !existsSync(join(programs, name)),
  )
  return missing ? 'PostgreSQL 15 is not installed: `apt-get install postgresql-15`' : undefined
}

/**
 * Defines tests with a running PostgreSQL 15, or skips them with a message. The server ends with this
 * process.
 */
export function onPostgres15(define: (server: () => TestPostgres15) => void): void {
  const missing = findMissing()
  if (missing !== undefined && process.env.CI === 'true') {
    test('PostgreSQL 15 is installed', () => {
      throw new Error(missing)
    })
  }
  describe('on PostgreSQL 15', { skip: missing ?? false }, () => {
    let server: TestPostgres15 | undefined
    before(async () => {
      server = await (shared ??= startPostgres15())
    })
    define(() => {
      if (server === undefined) throw new Error('the server runs only while tests do')
      return server
    })
  })
}

/** Starts a PostgreSQL 15 on a free port of 127.0.0.1; throws an error that names what is missing. */
export async function startPostgres15(): Promise<TestPostgres15> {
  const password = randomBytes(16).toString('hex')
  return await start(password, (directory, user) => initialize(directory, user, password))
}

/** Starts a standby that follows a server, on its own port. */
export async function startStandby15(
  primary: TestPostgres15,
  more: Readonly<Record<string, string>>,
): Promise<TestPostgres15> {
  const url = new URL(primary.url)
  const copy = async (directory: string, user: User | undefined): Promise<void> => {
    const flags = ['--write-recovery-conf', '--checkpoint=fast', '--no-sync', '-d', url.href]
    await runProgram('pg_basebackup', ['-D', join(directory, 'data'), ...flags], directory, user)
  }
  return await start(url.password, copy, more)
}

/**
 * Starts a server on the data that `fill` writes to the folder `data` of a new directory; the superuser
 * `postgres` must have the given password.
 */
export async function start(
  password: string,
  fill: (directory: string, user: User | undefined) => Promise<void>,
  more: Readonly<Record<string, string>> = {},
): Promise<TestPostgres15> {
  const missing = findMissing()
  if (missing !== undefined) throw new Error(missing)
  const user = findUser('PostgreSQL 15', 'postgres')
  let certificates: Certificates | undefined
  const server = await startServer({
    name: 'PostgreSQL 15',
    folder: 'portbook-postgres-15-',
    user,
    stopSignal: 'QUIT',
    ready: /ready to accept (read-only )?connections/,
    portTaken: /could not bind/,
    async prepare(directory) {
      await fill(directory, user)
      certificates = await makeCertificates(directory, user, 'DNS:localhost')
    },
    command(directory, port) {
      const files = {
        ssl_cert_file: join(directory, 'server.pem'),
        ssl_key_file: join(directory, 'server.key'),
      }
      const flags = Object.entries({ ...settings, ...files, ...more })
      return [
        join(programs, 'postgres'),
        '-D',
        join(directory, 'data'),
        '-p',
        String(port),
        ...flags.flatMap(([name, value]) => ['-c', `${name}=${value}`]),
      ]
    },
  })
  if (certificates === undefined) throw new Error('the server has no certificates')
  return {
    url: `postgres://postgres:${password}@127.0.0.1:${server.port}/postgres`,
    directory: server.directory,
    certificates,
    stop: () => server.stop(),
  }
}

/** Creates an empty cluster in the folder `data` of a directory. */
export async function initialize(
  directory: string,
  user: User | undefined,
  password: string,
): Promise<void> {
  const file = join(directory, 'password')
  await writeFile(file, `${password}\n`, { mode: 0o600 })
  if (user) await chown(file, user.uid, user.gid)
  const flags = ['--username=postgres', '--auth=scram-sha-256', `--pwfile=${file}`]
  const form = ['--encoding=UTF8', '--locale=C.UTF-8', '--no-sync', '--no-instructions']
  await runProgram('initdb', ['-D', join(directory, 'data'), ...flags, ...form], directory, user)
}

/** Runs one of the programs until it ends; throws an error with its output if it fails. */
export async function runProgram(
  name: string,
  flags: readonly string[],
  directory: string,
  user: User | undefined,
): Promise<void> {
  await runAny(join(programs, name), flags, directory, user)
}
