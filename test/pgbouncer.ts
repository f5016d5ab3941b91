/**
 * PgBouncer for tests: in front of a PostgreSQL server, on its own port and in its own directory. It runs
 * as an ordinary user and never outlives the process that started it. Clients need no password.
 *
 * Without the package, the tests are skipped with a message; with `CI=true` they fail.
 */

import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chown, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import type { Readable } from 'node:stream'
import { findFreePort, findUser, spawnOptions, startGuard } from './database-server.ts'

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
const startTimeoutMs = 20_000
const portAttemptsMax = 5

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
  const directory = await mkdtemp(join(tmpdir(), 'portbook-pgbouncer-'))
  const guard = startGuard(directory)
  const launch = async (port: number): Promise<ChildProcess | string> => {
    const file = join(directory, 'pgbouncer.ini')
    await writeFile(file, settingsText(serverUrl, port, settings), { mode: 0o600 })
    if (user) for (const path of [directory, file]) await chown(path, user.uid, user.gid)
    const child = spawn(program, [file], spawnOptions(directory, user))
    if (child.pid !== undefined) guard.write(`${child.pid}\n`)
    const output = await readUntilReady(child)
    // The guard ends it with this process, so the child need not keep this process alive.
    child.unref()
    return output ?? child
  }
  for (let attempt = 1; ; attempt += 1) {
    const port = await findFreePort()
    const child = await launch(port)
    if (typeof child !== 'string') {
      return {
        version,
        through: (databaseUrl) => {
          const url = new URL(databaseUrl)
          return `postgres://${url.username}@127.0.0.1:${port}${url.pathname}`
        },
        async stop() {
          child.ref()
          child.kill('SIGQUIT')
          if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
          guard.end()
          await rm(directory, { recursive: true, force: true, maxRetries: 5 })
        },
      }
    }
    guard.write('\n')
    // Another process may have taken the port between the search and the start.
    if (!/address already in use/i.test(child) || attempt === portAttemptsMax) {
      guard.end()
      throw new Error(`PgBouncer did not start: ${child}`)
    }
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

/**
 * Reads the log of a starting PgBouncer; returns undefined when it is ready, and its output if it ended.
 */
async function readUntilReady(child: ChildProcess): Promise<string | undefined> {
  const log = child.stderr as Readable & { unref(): void }
  let output = ''
  const isReady = await new Promise<boolean>((settle) => {
    const timer = setTimeout(() => child.kill('SIGKILL'), startTimeoutMs)
    const finish = (ready: boolean): void => {
      clearTimeout(timer)
      settle(ready)
    }
    log.on('data', (chunk: Buffer) => {
      // The log is read while PgBouncer runs, but only its beginning is used.
      if (output.length < 20_000) output += chunk.toString()
      if (output.includes('process up')) finish(true)
    })
    child.once('error', (error) => {
      output += error.message
      finish(false)
    })
    child.once('close', () => finish(false))
  })
  log.unref()
  return isReady ? undefined : output.trim()
}
