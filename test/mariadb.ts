/**
 * A real MariaDB for tests and benchmarks: Debian's packages, on its own port and data directory, never the
 * machine's server. The tests of a process share one server.
 *
 * Without the packages, the tests are skipped with a message; with `CI=true` they fail.
 */

import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chown, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { before, describe, test } from 'node:test'
import mysql from 'mysql2/promise'
import {
  findUser,
  makeCertificates,
  runProgram,
  startServer,
  type Certificates,
  type User,
} from './database-server.ts'

/** A running MariaDB of our own. */
export type TestMariadb = {
  readonly host: string
  readonly port: number
  /** A user with all privileges. */
  readonly user: string
  readonly password: string
  readonly pid: number
  /** Contains everything of this server; removed by `stop`. */
  readonly directory: string
  /** The certificate of the server is valid for `localhost` and 127.0.0.1. */
  readonly certificates: Certificates
  /** Sends statements as its own user, several with `;` between them; returns the rows of the last. */
  execute(statements: string): Promise<Row[]>
  /** Kills the server and removes its directory. */
  stop(): Promise<void>
}

/** A row by the names of its columns. */
export type Row = Record<string, unknown>

type Options = {
  /** Settings of my.cnf, for example `{ 'lower-case-table-names': '1' }`. */
  readonly settings?: Readonly<Record<string, string>>
}

const programFolders = ['/usr/sbin', '/usr/bin', '/usr/local/sbin', '/usr/local/bin']
const certificateNames = 'DNS:localhost,IP:127.0.0.1'
const quick = {
  'innodb-flush-log-at-trx-commit': '0',
  'innodb-log-file-size': '32M',
  'innodb-buffer-pool-size': '128M',
  'innodb-doublewrite': 'off',
  'sync-frm': 'off',
}

let shared: Promise<TestMariadb> | undefined

/** Defines tests with a running MariaDB, or skips them with a message. The server ends with this process. */
export function onMariadb(define: (server: () => TestMariadb) => void): void {
  const missing = findMissing()
  if (missing !== undefined) {
    test('on MariaDB', { skip: process.env.CI === 'true' ? false : missing }, () => {
      throw new Error(missing)
    })
    return
  }
  describe('on MariaDB', () => {
    let server: TestMariadb | undefined
    before(async () => {
      server = await (shared ??= startMariadb())
    })
    define(() => {
      if (server === undefined) throw new Error('the server runs only while tests do')
      return server
    })
  })
}

/** Returns what is missing for MariaDB on this machine; undefined if nothing is. */
export function findMissing(): string | undefined {
  const programs = ['mariadbd', 'mariadb-install-db'].filter((name) => !findProgram(name))
  if (programs.length === 0) return undefined
  return `MariaDB is not installed (${programs.join(', ')}): \`apt-get install mariadb-server\``
}

/** Starts a MariaDB on a free port of 127.0.0.1; throws an error that names what is missing. */
export async function startMariadb({ settings = {} }: Options = {}): Promise<TestMariadb> {
  const missing = findMissing()
  if (missing !== undefined) throw new Error(missing)
  const user = findUser('MariaDB', 'mysql')
  const password = randomBytes(16).toString('hex')
  let certificates: Certificates | undefined
  const server = await startServer({
    name: 'MariaDB',
    folder: 'portbook-mariadb-',
    user,
    // The data is discarded, so the server need not shut down cleanly.
    stopSignal: 'KILL',
    ready: /ready for connections/,
    portTaken: /Can't start server: Bind/,
    async prepare(directory) {
      await initialize(directory, user)
      await writeInitialStatements(directory, user, password)
      certificates = await makeCertificates(directory, user, certificateNames)
    },
    command: (directory, port) => createCommand(directory, port, settings),
  })
  if (certificates === undefined) throw new Error('the server has no certificates')
  const { port, pid, directory } = server
  const access = { host: '127.0.0.1', port, user: 'portbook', password }
  return {
    ...access,
    pid,
    directory,
    certificates,
    execute: (statements) => execute(access, statements),
    stop: () => server.stop(),
  }
}

async function execute(access: mysql.ConnectionOptions, statements: string): Promise<Row[]> {
  const connection = await mysql.createConnection({ ...access, multipleStatements: true })
  try {
    const [results] = await connection.query<mysql.RowDataPacket[] | mysql.RowDataPacket[][]>(
      statements,
    )
    const last = Array.isArray(results) ? results.findLast((result) => Array.isArray(result)) : []
    return (last ?? results) as Row[]
  } finally {
    connection.destroy()
  }
}

function createCommand(
  directory: string,
  port: number,
  more: Readonly<Record<string, string>>,
): string[] {
  const settings = {
    datadir: join(directory, 'data'),
    port: String(port),
    'bind-address': '127.0.0.1',
    // Relative to the data directory: a path in a temporary directory may be too long for a socket.
    socket: 'mariadb.sock',
    'pid-file': join(directory, 'pid'),
    'init-file': join(directory, 'initial.sql'),
    'character-set-server': 'utf8mb4',
    'lc-messages-dir': '/usr/share/mysql',
    'ssl-ca': join(directory, 'authority.pem'),
    'ssl-cert': join(directory, 'server.pem'),
    'ssl-key': join(directory, 'server.key'),
    ...quick,
    ...more,
  }
  const flags = Object.entries(settings).map(([name, value]) => `--${name}=${value}`)
  return [findProgram('mariadbd') ?? 'mariadbd', '--no-defaults', '--skip-name-resolve', ...flags]
}

/** Creates the data directory; root must authenticate through the socket, so it has no access. */
async function initialize(directory: string, user: User | undefined): Promise<void> {
  const flags = [
    '--no-defaults',
    `--datadir=${join(directory, 'data')}`,
    '--auth-root-authentication-method=socket',
    '--skip-test-db',
    '--skip-name-resolve',
    ...Object.entries(quick).map(([name, value]) => `--${name}=${value}`),
  ]
  const program = findProgram('mariadb-install-db') ?? 'mariadb-install-db'
  await runProgram(program, flags, directory, user)
}

async function writeInitialStatements(
  directory: string,
  user: User | undefined,
  password: string,
): Promise<void> {
  const file = join(directory, 'initial.sql')
  await writeFile(
    file,
    `create user 'portbook'@'127.0.0.1' identified by '${password}';\n` +
      `grant all privileges on *.* to 'portbook'@'127.0.0.1' with grant option;\n`,
    { mode: 0o600 },
  )
  if (user) await chown(file, user.uid, user.gid)
}

function findProgram(name: string): string | undefined {
  return programFolders.map((folder) => join(folder, name)).find((path) => existsSync(path))
}
