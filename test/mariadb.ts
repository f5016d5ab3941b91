/**
 * A real MariaDB for tests and benchmarks: Debian's packages, on its own port and data directory, never the
 * machine's server. It runs as an ordinary user and never outlives the process that started it, however
 * that process ends.
 *
 * Without the packages, the tests are skipped with a message; with `CI=true` they fail.
 */

import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chown, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { Readable, Writable } from 'node:stream'
import mysql from 'mysql2/promise'
import { findFreePort, findUser, spawnOptions, startGuard, type User } from './database-server.ts'

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
  /** PEM texts, if the server was started with TLS. */
  readonly certificates: Certificates | undefined
  /** Sends statements as its own user, several with `;` between them; returns the rows of the last. */
  execute(statements: string): Promise<Row[]>
  /** Kills the server and removes its directory. */
  stop(): Promise<void>
}

/** A row by the names of its columns. */
export type Row = Record<string, unknown>

/** The certificates of a server and its clients, all of one authority. */
export type Certificates = {
  readonly authority: string
  /** The certificate of another authority, which signed none of the others. */
  readonly stranger: string
  readonly client: string
  readonly clientKey: string
}

type Options = {
  /** Whether the server offers TLS, with a certificate for `localhost` and 127.0.0.1. */
  readonly tls?: boolean
  /** Settings of my.cnf, for example `{ 'lower-case-table-names': '1' }`. */
  readonly settings?: Readonly<Record<string, string>>
}

const startTimeoutMs = 60_000
const portAttemptsMax = 5
const programFolders = ['/usr/sbin', '/usr/bin', '/usr/local/sbin', '/usr/local/bin']
const quick = {
  'innodb-flush-log-at-trx-commit': '0',
  'innodb-log-file-size': '32M',
  'innodb-buffer-pool-size': '128M',
  'innodb-doublewrite': 'off',
  'sync-frm': 'off',
}

/** Defines tests with a running MariaDB, or skips them with a message. */
export function onMariadb(
  define: (server: () => TestMariadb) => void,
  options: Options = {},
): void {
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
      server = await startMariadb(options)
    })
    after(async () => server?.stop())
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
export async function startMariadb(options: Options = {}): Promise<TestMariadb> {
  const missing = findMissing()
  if (missing !== undefined) throw new Error(missing)
  const user = findUser('MariaDB', 'mysql')
  const directory = await mkdtemp(join(tmpdir(), 'portbook-mariadb-'))
  const guard = startGuard(directory, 'KILL')
  try {
    if (user) await chown(directory, user.uid, user.gid)
    await initialize(directory, user)
    const password = randomBytes(16).toString('hex')
    await writeInitialStatements(directory, user, password)
    const certificates = options.tls ? await makeCertificates(directory) : undefined
    return await serve({ directory, user, guard, password, certificates, options })
  } catch (error) {
    guard.end()
    throw error
  }
}

type Making = {
  readonly directory: string
  readonly user: User | undefined
  readonly guard: Writable
  readonly password: string
  readonly certificates: Certificates | undefined
  readonly options: Options
}

/** Starts a server on a free port and wraps it. */
async function serve(making: Making): Promise<TestMariadb> {
  const { directory, guard, password, certificates } = making
  const { port, child } = await launchOnFreePort(making)
  const access = { host: '127.0.0.1', port, user: 'portbook', password }
  return {
    ...access,
    directory,
    certificates,
    pid: child.pid ?? 0,
    async execute(statements) {
      const connection = await mysql.createConnection({ ...access, multipleStatements: true })
      try {
        const [results] = await connection.query<mysql.RowDataPacket[] | mysql.RowDataPacket[][]>(
          statements,
        )
        const last = Array.isArray(results)
          ? results.findLast((result) => Array.isArray(result))
          : []
        return (last ?? results) as Row[]
      } finally {
        connection.destroy()
      }
    },
    async stop() {
      child.ref()
      // The data is discarded, so the server need not shut down cleanly.
      child.kill('SIGKILL')
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
      guard.end()
      await rm(directory, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

async function launchOnFreePort(making: Making): Promise<{ port: number; child: ChildProcess }> {
  for (let attempt = 1; ; attempt += 1) {
    const port = await findFreePort()
    const child = launch(making, port)
    const output = await readUntilReady(child)
    // The guard ends the server with this process, so the child need not keep this process alive.
    child.unref()
    if (output === undefined) return { port, child }
    making.guard.write('\n')
    // Another process may have taken the port between the search and the start.
    if (!output.includes("Can't start server: Bind") || attempt === portAttemptsMax) {
      throw new Error(`MariaDB did not start: ${output}`)
    }
  }
}

function launch({ directory, user, guard, options }: Making, port: number): ChildProcess {
  const tls = {
    'ssl-ca': join(directory, 'authority.pem'),
    'ssl-cert': join(directory, 'server.pem'),
    'ssl-key': join(directory, 'server.key'),
  }
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
    ...quick,
    ...(options.tls ? tls : {}),
    ...options.settings,
  }
  const flags = Object.entries(settings).map(([name, value]) => `--${name}=${value}`)
  const child = spawn(
    findProgram('mariadbd') ?? 'mariadbd',
    ['--no-defaults', '--skip-name-resolve', ...flags],
    optionsOf(directory, user),
  )
  if (child.pid !== undefined) guard.write(`${child.pid}\n`)
  return child
}

/** Reads the log of a starting server; returns undefined when it is ready, and its output if it ended. */
async function readUntilReady(child: ChildProcess): Promise<string | undefined> {
  const log = child.stderr as Readable & { unref(): void }
  let output = ''
  const ready = await new Promise<boolean>((settle) => {
    const timer = setTimeout(() => child.kill('SIGKILL'), startTimeoutMs)
    const finish = (isReady: boolean): void => {
      clearTimeout(timer)
      settle(isReady)
    }
    log.on('data', (chunk: Buffer) => {
      // The log is read while the server runs, but only its beginning is used.
      if (output.length < 20_000) output += chunk.toString()
      if (output.includes('ready for connections')) finish(true)
    })
    child.once('error', (error) => {
      output += error.message
      finish(false)
    })
    child.once('close', () => finish(false))
  })
  log.unref()
  return ready ? undefined : output.trim()
}

/** Creates the data directory; root must authenticate through the socket, so it has no access. */
async function initialize(directory: string, user: User | undefined): Promise<void> {
  const child = spawn(
    findProgram('mariadb-install-db') ?? 'mariadb-install-db',
    [
      '--no-defaults',
      `--datadir=${join(directory, 'data')}`,
      '--auth-root-authentication-method=socket',
      '--skip-test-db',
      '--skip-name-resolve',
      ...Object.entries(quick).map(([name, value]) => `--${name}=${value}`),
    ],
    optionsOf(directory, user),
  )
  let output = ''
  child.stderr?.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const [code] = await once(child, 'close')
  if (code === 0) return
  throw new Error(
    `mariadb-install-db failed in ${directory} (TMPDIR sets another place): ${output.trim()}`,
  )
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

/** Creates two authorities, and a server and a client signed by the first one. */
async function makeCertificates(directory: string): Promise<Certificates> {
  const authority = [
    '-x509',
    '-subj',
    '/CN=authority',
    '-addext',
    'basicConstraints=critical,CA:true',
  ]
  const signed = ['-x509', '-CA', 'authority.pem', '-CAkey', 'authority.key']
  const names = 'subjectAltName=DNS:localhost,IP:127.0.0.1'
  const wanted = {
    authority,
    stranger: authority,
    server: [...signed, '-subj', '/CN=localhost', '-addext', names],
    client: [...signed, '-subj', '/CN=client'],
  }
  for (const [name, flags] of Object.entries(wanted)) {
    const files = ['-keyout', `${name}.key`, '-out', `${name}.pem`]
    const { status, stderr, error } = spawnSync(
      'openssl',
      ['req', '-newkey', 'rsa:2048', '-nodes', '-days', '2', ...flags, ...files],
      { cwd: directory, encoding: 'utf8' },
    )
    if (status !== 0) throw new Error(`openssl failed: ${error?.message ?? stderr}`)
  }
  const user = findUser('MariaDB', 'mysql')
  if (user) await chown(join(directory, 'server.key'), user.uid, user.gid)
  const read = (name: string): Promise<string> => readFile(join(directory, name), 'utf8')
  return {
    authority: await read('authority.pem'),
    stranger: await read('stranger.pem'),
    client: await read('client.pem'),
    clientKey: await read('client.key'),
  }
}

function findProgram(name: string): string | undefined {
  return programFolders.map((folder) => join(folder, name)).find((path) => existsSync(path))
}

function optionsOf(directory: string, user: User | undefined) {
  const options = spawnOptions(directory, user)
  // A starting server removes temporary files of others in its folder.
  return { ...options, env: { ...options.env, TMPDIR: directory } }
}
