/**
 * PostgreSQL 15 of Debian's packages for tests: on its own port and data directory, never the machine's
 * server. It runs as an ordinary user and never outlives the process that started it, however that process
 * ends. It requires passwords (SCRAM), and offers TLS.
 *
 * Without the package, the tests are skipped with a message; with `CI=true` they fail.
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
import { findFreePort, findUser, spawnOptions, startGuard, type User } from './database-server.ts'

/** A running PostgreSQL 15 of our own. */
export type TestPostgres15 = {
  /** Connects as superuser to the database `postgres`. */
  readonly url: string
  /** Contains everything of this server; removed by `stop`. */
  readonly directory: string
  /** PEM texts: the authority that signed the server's certificate, and one that signed nothing. */
  readonly certificates: { readonly authority: string; readonly stranger: string }
  /** Stops the server immediately and removes its directory. */
  stop(): Promise<void>
}

/** The folder of the programs. */
export const programs = '/usr/lib/postgresql/15/bin'
const startTimeoutMs = 30_000
const portAttemptsMax = 5
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

/** Returns what is missing for PostgreSQL 15 on this machine; undefined if nothing is. */
export function findMissing15(): string | undefined {
  const missing = ['postgres', 'initdb', 'pg_basebackup'].some(
    (name) => !existsSync(join(programs, name)),
  )
  return missing ? 'PostgreSQL 15 is not installed: `apt-get install postgresql-15`' : undefined
}

/** Defines tests with a running PostgreSQL 15, or skips them with a message. */
export function onPostgres15(define: (server: () => TestPostgres15) => void): void {
  const missing = findMissing15()
  if (missing !== undefined && process.env.CI === 'true') {
    test('PostgreSQL 15 is installed', () => {
      throw new Error(missing)
    })
  }
  describe('on PostgreSQL 15', { skip: missing ?? false }, () => {
    let server: TestPostgres15 | undefined
    before(async () => {
      server = await startPostgres15()
    })
    define(() => {
      if (server === undefined) throw new Error('the server runs only while tests do')
      return server
    })
    // Hooks run in order: the clean-up of tests needs the server.
    after(async () => server?.stop())
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
  const missing = findMissing15()
  if (missing !== undefined) throw new Error(missing)
  const user = findUser('PostgreSQL 15', 'postgres')
  const directory = await mkdtemp(join(tmpdir(), 'portbook-postgres-15-'))
  const guard = startGuard(directory)
  try {
    if (user) await chown(directory, user.uid, user.gid)
    await fill(directory, user)
    const certificates = await makeCertificates(directory, user)
    const { child, port } = await launchOnFreePort(directory, user, guard, more)
    return {
      url: `postgres://postgres:${password}@127.0.0.1:${port}/postgres`,
      directory,
      certificates,
      async stop() {
        child.ref()
        child.kill('SIGQUIT')
        if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
        guard.end()
        await rm(directory, { recursive: true, force: true, maxRetries: 5 })
      },
    }
  } catch (error) {
    guard.end()
    throw error
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

async function launchOnFreePort(
  directory: string,
  user: User | undefined,
  guard: Writable,
  more: Readonly<Record<string, string>>,
): Promise<{ child: ChildProcess; port: number }> {
  const files = {
    ssl_cert_file: join(directory, 'server.pem'),
    ssl_key_file: join(directory, 'server.key'),
  }
  const flags = Object.entries({ ...settings, ...files, ...more }).flatMap(([name, value]) => [
    '-c',
    `${name}=${value}`,
  ])
  for (let attempt = 1; ; attempt += 1) {
    const port = await findFreePort()
    const place = ['-D', join(directory, 'data'), '-p', String(port)]
    const child = spawn(
      join(programs, 'postgres'),
      [...place, ...flags],
      spawnOptions(directory, user),
    )
    if (child.pid !== undefined) guard.write(`${child.pid}\n`)
    const output = await readUntilReady(child)
    // The guard ends the server with this process, so the child need not keep this process alive.
    child.unref()
    if (output === undefined) return { child, port }
    guard.write('\n')
    // Another process may have taken the port between the search and the start.
    if (!output.includes('could not bind') || attempt === portAttemptsMax) {
      throw new Error(`PostgreSQL 15 did not start: ${output}`)
    }
  }
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
      if (/ready to accept (read-only )?connections/.test(output)) finish(true)
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

/** Creates two authorities, and a server signed by the first one. */
async function makeCertificates(
  directory: string,
  user: User | undefined,
): Promise<TestPostgres15['certificates']> {
  const authority = ['-subj', '/CN=authority', '-addext', 'basicConstraints=critical,CA:true']
  const signed = ['-CA', 'authority.pem', '-CAkey', 'authority.key', '-subj', '/CN=localhost']
  const wanted = {
    authority,
    stranger: authority,
    server: [...signed, '-addext', 'subjectAltName=DNS:localhost'],
  }
  for (const [name, flags] of Object.entries(wanted)) {
    const files = ['-keyout', `${name}.key`, '-out', `${name}.pem`]
    const { status, stderr, error } = spawnSync(
      'openssl',
      [
        'req',
        '-x509',
        '-newkey',
        'ec',
        '-pkeyopt',
        'ec_paramgen_curve:P-256',
        '-nodes',
        '-days',
        '2',
        ...flags,
        ...files,
      ],
      { cwd: directory, encoding: 'utf8' },
    )
    if (status !== 0) throw new Error(`openssl failed: ${error?.message ?? stderr}`)
  }
  if (user) await chown(join(directory, 'server.key'), user.uid, user.gid)
  const read = (name: string): Promise<string> => readFile(join(directory, name), 'utf8')
  return { authority: await read('authority.pem'), stranger: await read('stranger.pem') }
}

/** Runs one of the programs until it ends; throws an error with its output if it fails. */
export async function runProgram(
  name: string,
  flags: readonly string[],
  directory: string,
  user: User | undefined,
): Promise<void> {
  const child = spawn(join(programs, name), [...flags], spawnOptions(directory, user))
  let output = ''
  child.stderr?.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`${name} failed in ${directory}: ${output.trim()}`)
}
