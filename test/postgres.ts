/**
 * A PostgreSQL server for tests and benchmarks: the programs of Portbook's own PostgreSQL, on a TCP port
 * and by default without durability.
 */

import { spawn, type ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chown, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { chooseOsUser, type OsUser } from '../server/postgres/os-user.ts'
import { findPrograms, type Programs } from '../server/postgres/programs.ts'
import { programPath, runToEnd } from '../server/postgres/spawn.ts'
import { findFreePort, spawnOptions, startGuard } from './database-server.ts'

/** A running PostgreSQL of our own. */
export type TestPostgres = {
  /** Connects as superuser to the database `postgres`. */
  readonly url: string
  readonly port: number
  /** Contains everything of this server; removed by `stop`. */
  readonly directory: string
  /** The process id of the postmaster; 0 if it does not run. */
  readonly pid: number
  /** Stops the server immediately, aborts running statements, and removes its directory. */
  stop(): Promise<void>
  /** Sends a signal to the postmaster; if the signal ends it, resolves afterwards. */
  kill(signal: NodeJS.Signals): Promise<void>
  /** Starts the server again after `kill`, with the same data and on the same port. */
  restart(): Promise<void>
}

type Options = {
  /** Whether the server survives a crash; the default (false) is faster. */
  readonly durable?: boolean
  /** Settings of postgresql.conf, for example `{ max_connections: '20' }`. */
  readonly settings?: Readonly<Record<string, string>>
  /** The folder of other PostgreSQL programs: Debian's can compile statements (JIT). */
  readonly programs?: string | undefined
}

const startTimeoutMs = 30_000
const portAttemptsMax = 5
const endingSignals: readonly string[] = ['SIGINT', 'SIGTERM', 'SIGQUIT', 'SIGKILL', 'SIGABRT']
const notDurable = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }

/** Starts a PostgreSQL on a free port of 127.0.0.1; throws an error that names what is missing. */
export async function startPostgres(options: Options = {}): Promise<TestPostgres> {
  const user = chooseOsUser([])
  const programs = findPrograms(
    { configured: options.programs, searchPath: process.env.PATH ?? '' },
    user,
    undefined,
  )
  const directory = await mkdtemp(join(tmpdir(), 'portbook-postgres-'))
  const guard = startGuard(directory)
  try {
    if (user) await chown(directory, user.uid, user.gid)
    const password = randomBytes(16).toString('hex')
    await initialize(programs, directory, user, password)
    return await serve(new Server(programs, directory, user, guard, options), password)
  } catch (error) {
    guard.end()
    throw error
  }
}

/** Starts a server on a free port and wraps it. */
async function serve(server: Server, password: string): Promise<TestPostgres> {
  await server.start()
  return {
    url: `postgres://postgres:${password}@127.0.0.1:${server.port}/postgres`,
    port: server.port,
    directory: server.directory,
    get pid() {
      return server.pid
    },
    stop: () => server.stop(),
    kill: (signal) => server.kill(signal),
    restart: () => server.restart(),
  }
}

/** The postmaster of one data directory. */
class Server {
  readonly directory: string
  port = 0
  readonly #programs: Programs
  readonly #user: OsUser | undefined
  readonly #guard: Writable
  readonly #settings: Readonly<Record<string, string>>
  #process: ChildProcess | undefined

  constructor(
    programs: Programs,
    directory: string,
    user: OsUser | undefined,
    guard: Writable,
    options: Options,
  ) {
    this.#programs = programs
    this.directory = directory
    this.#user = user
    this.#guard = guard
    this.#settings = {
      max_connections: '200',
      listen_addresses: '127.0.0.1',
      // A path in a temporary directory may be too long for a socket.
      unix_socket_directories: '',
      log_min_messages: 'log',
      ...(options.durable ? {} : notDurable),
      ...options.settings,
    }
  }

  get pid(): number {
    return this.#process?.pid ?? 0
  }

  async start(): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      this.port = await findFreePort()
      const output = await this.#launch()
      if (output === undefined) return
      // Another process may have taken the port between the search and the start.
      if (!output.includes('could not bind') || attempt === portAttemptsMax) {
        throw new Error(`PostgreSQL did not start: ${output}`)
      }
    }
  }

  async restart(): Promise<void> {
    // After SIGKILL, the old server's children end with a delay, and lock the data until then.
    const deadline = Date.now() + startTimeoutMs
    for (;;) {
      const output = await this.#launch()
      if (output === undefined) return
      if (Date.now() > deadline) throw new Error(`PostgreSQL did not start again: ${output}`)
    }
  }

  async kill(signal: NodeJS.Signals): Promise<void> {
    const child = this.#process
    if (!child) return
    child.ref()
    child.kill(signal)
    if (!endingSignals.includes(signal)) return child.unref()
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
    this.#forget()
  }

  async stop(): Promise<void> {
    await this.kill('SIGQUIT')
    this.#guard.end()
    await rm(this.directory, { recursive: true, force: true, maxRetries: 5 })
  }

  /** Starts the postmaster; resolves to undefined when it is ready, or to its output if it ended. */
  async #launch(): Promise<string | undefined> {
    const flags = Object.entries(this.#settings).flatMap(([name, value]) => [
      '-c',
      `${name}=${value}`,
    ])
    const child = spawn(
      programPath(this.#programs.directory, 'postgres'),
      ['-D', join(this.directory, 'data'), '-p', String(this.port), ...flags],
      spawnOptions(this.directory, this.#user),
    )
    this.#process = child
    if (child.pid !== undefined) this.#guard.write(`${child.pid}\n`)
    const output = await readUntilReady(child)
    if (output !== undefined) this.#forget()
    // The guard ends the server with this process, so the child need not keep this process alive.
    child.unref()
    return output
  }

  #forget(): void {
    this.#process = undefined
    this.#guard.write('\n')
  }
}

/**
 * Reads the log of a starting postmaster; returns undefined when it is ready, and its output if it ended.
 */
async function readUntilReady(child: ChildProcess): Promise<string | undefined> {
  const log = child.stderr as Readable & { unref(): void }
  let output = ''
  let tail = ''
  const ready = await new Promise<boolean>((settle) => {
    const timer = setTimeout(() => child.kill('SIGKILL'), startTimeoutMs)
    const finish = (isReady: boolean): void => {
      clearTimeout(timer)
      settle(isReady)
    }
    log.on('data', (chunk: Buffer) => {
      // The log is read while the server runs, but only its beginning is used. Early clients may fill it
      // before the server is ready.
      const text = chunk.toString()
      if (output.length < 10_000) output += text
      tail = (tail + text).slice(-1000)
      if (tail.includes('ready to accept connections')) finish(true)
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

/** Creates the data directory. */
async function initialize(
  programs: Programs,
  directory: string,
  user: OsUser | undefined,
  password: string,
): Promise<void> {
  const passwordFile = join(directory, 'password')
  await writeFile(passwordFile, `${password}\n`, { mode: 0o600 })
  if (user) await chown(passwordFile, user.uid, user.gid)
  const { code, output } = await runToEnd(
    programPath(programs.directory, 'initdb'),
    [
      `--pgdata=${join(directory, 'data')}`,
      '--username=postgres',
      '--auth=password',
      `--pwfile=${passwordFile}`,
      '--encoding=UTF8',
      '--locale=C',
      '--no-sync',
      '--no-instructions',
    ],
    { user, directory },
  )
  if (code === 0) return
  throw new Error(
    `PostgreSQL's initdb failed in ${directory} (TMPDIR sets another place): ${output}`,
  )
}
