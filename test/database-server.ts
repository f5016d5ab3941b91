/**
 * Shared code of the servers that tests start: each runs on its own port and in its own directory, databases as
 * an ordinary user, and never outlives the process that started it.
 */

import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chown, mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'

/** The user of a server process. */
export type User = { readonly uid: number; readonly gid: number }

/** The differences between the servers. */
export type ServerPlan = {
  /** The name for messages. */
  readonly name: string
  /** The beginning of the name of the server's directory. */
  readonly folder: string
  readonly user: User | undefined
  /** The signal that stops the server. */
  readonly stopSignal: 'QUIT' | 'KILL'
  /** Fills the new directory. */
  prepare(directory: string): Promise<void>
  /** Returns the program and its arguments. */
  command(directory: string, port: number): string[]
  /** Returns further environment variables. */
  environment?(port: number, directory: string): Readonly<Record<string, string>>
  /** Matches the log of a server that accepts connections, or asks the server whether it does. */
  readonly ready: RegExp | ((port: number) => Promise<boolean>)
  /** Matches the log of a server whose port is in use. */
  readonly portTaken: RegExp
}

const startTimeoutMs = 240_000
const portAttemptsMax = 5
const pollPauseMs = 50
const logCharactersMax = 20_000
const readyCharactersMax = 1000
const endingSignals: readonly string[] = ['SIGINT', 'SIGTERM', 'SIGQUIT', 'SIGKILL', 'SIGABRT']

/** Starts a server on a free port of 127.0.0.1, in a new directory. */
export async function startServer(plan: ServerPlan): Promise<ServerProcess> {
  const directory = await mkdtemp(join(tmpdir(), plan.folder))
  const guard = startGuard(directory, plan.stopSignal)
  try {
    if (plan.user) await chown(directory, plan.user.uid, plan.user.gid)
    await plan.prepare(directory)
    const server = new ServerProcess(plan, directory, guard)
    await server.start()
    return server
  } catch (error) {
    guard.end()
    throw error
  }
}

/** A server in its directory. */
export class ServerProcess {
  readonly directory: string
  port = 0
  readonly #plan: ServerPlan
  readonly #guard: Writable
  #child: ChildProcess | undefined

  constructor(plan: ServerPlan, directory: string, guard: Writable) {
    this.#plan = plan
    this.directory = directory
    this.#guard = guard
  }

  /** The process id; 0 if it does not run. */
  get pid(): number {
    return this.#child?.pid ?? 0
  }

  /** Starts the server on a free port. */
  async start(): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      this.port = await findFreePort()
      const output = await this.#launch()
      if (output === undefined) return
      // Another process may have taken the port between the search and the start.
      if (!this.#plan.portTaken.test(output) || attempt === portAttemptsMax) {
        throw new Error(`${this.#plan.name} did not start: ${output}`)
      }
    }
  }

  /** Starts the server again after `kill`, with the same data and on the same port. */
  async restart(): Promise<void> {
    // After SIGKILL, the old server's children end with a delay, and lock the data until then.
    const deadline = Date.now() + startTimeoutMs
    for (;;) {
      const output = await this.#launch()
      if (output === undefined) return
      if (Date.now() > deadline) {
        throw new Error(`${this.#plan.name} did not start again: ${output}`)
      }
    }
  }

  /** Sends a signal to the server; if the signal ends it, resolves afterwards. */
  async kill(signal: NodeJS.Signals): Promise<void> {
    const child = this.#child
    if (!child) return
    child.ref()
    child.kill(signal)
    if (!endingSignals.includes(signal)) return child.unref()
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
    this.#forget()
  }

  /** Stops the server immediately and removes its directory. */
  async stop(): Promise<void> {
    await this.kill(`SIG${this.#plan.stopSignal}`)
    this.#guard.end()
    await rm(this.directory, { recursive: true, force: true, maxRetries: 5 })
  }

  /** Starts the process; returns undefined when it is ready, and its output if it ended. */
  async #launch(): Promise<string | undefined> {
    const [program = '', ...flags] = this.#plan.command(this.directory, this.port)
    const { user, ready } = this.#plan
    const environment = this.#plan.environment?.(this.port, this.directory)
    const child = spawn(program, flags, spawnOptions(this.directory, user, environment))
    this.#child = child
    if (child.pid !== undefined) this.#guard.write(`${child.pid}\n`)
    const isReady = typeof ready === 'function' ? () => ready(this.port) : ready
    const output = await readUntilReady(child, isReady)
    if (output !== undefined) this.#forget()
    // The guard ends the server with this process, so the child need not keep this process alive.
    child.unref()
    return output
  }

  #forget(): void {
    this.#child = undefined
    this.#guard.write('\n')
  }
}

/** Reads the log of a starting server; returns undefined when it is ready, and its output if it ended. */
async function readUntilReady(
  child: ChildProcess,
  ready: RegExp | (() => Promise<boolean>),
): Promise<string | undefined> {
  const log = child.stderr as Readable & { unref(): void }
  let output = ''
  let tail = ''
  const isReady = await new Promise<boolean>((settle) => {
    const timer = setTimeout(() => child.kill('SIGKILL'), startTimeoutMs)
    const finish = (isUp: boolean): void => {
      clearTimeout(timer)
      settle(isUp)
    }
    log.on('data', (chunk: Buffer) => {
      // The log is read while the server runs, but only its beginning is used. Early clients may fill it
      // before the server is ready.
      const text = chunk.toString()
      if (output.length < logCharactersMax) output += text
      tail = (tail + text).slice(-readyCharactersMax)
      if (ready instanceof RegExp && ready.test(tail)) finish(true)
    })
    if (!(ready instanceof RegExp)) void poll(child, ready, finish)
    child.once('error', (error) => {
      output += error.message
      finish(false)
    })
    child.once('close', () => finish(false))
  })
  log.unref()
  return isReady ? undefined : output.trim()
}

/** Polls a server and calls `finish` when it is ready, unless it ends first. */
async function poll(
  child: ChildProcess,
  isReady: () => Promise<boolean>,
  finish: (isUp: boolean) => void,
): Promise<void> {
  while (child.pid !== undefined && child.exitCode === null && child.signalCode === null) {
    if (await isReady()) return finish(true)
    await wait(pollPauseMs)
  }
}

/** Runs a program until it ends; throws an error with its output if it fails. */
export async function runProgram(
  program: string,
  flags: readonly string[],
  directory: string,
  user: User | undefined,
): Promise<void> {
  const child = spawn(program, [...flags], spawnOptions(directory, user))
  let output = ''
  child.stderr?.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const [code] = await once(child, 'close')
  if (code === 0) return
  throw new Error(`${program} failed in ${directory} (TMPDIR sets another place): ${output.trim()}`)
}

/** The certificates of a server and its clients, as PEM texts. */
export type Certificates = {
  /** The authority of all others. */
  readonly authority: string
  /** Another authority, which signed none of the others. */
  readonly stranger: string
  readonly client: string
  readonly clientKey: string
}

/**
 * Writes two authorities to a directory, and a server and a client signed by the first one. `names` are the
 * names of the server: `DNS:localhost,IP:127.0.0.1`.
 */
export async function makeCertificates(
  directory: string,
  user: User | undefined,
  names: string,
): Promise<Certificates> {
  const authority = ['-subj', '/CN=authority', '-addext', 'basicConstraints=critical,CA:true']
  const signed = ['-CA', 'authority.pem', '-CAkey', 'authority.key']
  const wanted = {
    authority,
    stranger: authority,
    server: [...signed, '-subj', '/CN=localhost', '-addext', `subjectAltName=${names}`],
    client: [...signed, '-subj', '/CN=client'],
  }
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes']
  for (const [name, flags] of Object.entries(wanted)) {
    const files = ['-keyout', `${name}.key`, '-out', `${name}.pem`]
    const all = ['req', '-x509', ...key, '-days', '2', ...flags, ...files]
    await runProgram('openssl', all, directory, undefined)
  }
  if (user) await chown(join(directory, 'server.key'), user.uid, user.gid)
  const read = (name: string): Promise<string> => readFile(join(directory, name), 'utf8')
  return {
    authority: await read('authority.pem'),
    stranger: await read('stranger.pem'),
    client: await read('client.pem'),
    clientKey: await read('client.key'),
  }
}

/**
 * Finds the user for a server: undefined for the current user. Under root, which servers reject, it is the
 * first existing user of the names, or `nobody`.
 */
export function findUser(server: string, name: string): User | undefined {
  if (process.platform === 'win32') {
    throw new Error(`The test ${server} needs a Unix system; on Windows, use WSL.`)
  }
  if (userInfo().uid !== 0) return undefined
  for (const candidate of [name, 'nobody']) {
    const [uid, gid] = ['-u', '-g'].map((flag) =>
      Number(spawnSync('id', [flag, candidate], { encoding: 'utf8' }).stdout || Number.NaN),
    )
    if (uid && gid && uid > 0 && gid > 0) return { uid, gid }
  }
  throw new Error(
    `${server} refuses to run as root, and no user \`${name}\` or \`nobody\` exists: ` +
      `create one (\`useradd --system ${name}\`) or run the tests as another user.`,
  )
}

/** Finds a free port. */
async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('No free port found.')
  return address.port
}

/**
 * Starts a shell that slightly outlives this process. It reads the server's process id from its standard
 * input (an empty line: none now). When the input closes, because this process stopped the server or ended
 * in any way, it kills the server and removes the directory. So no signal handler is needed, and even
 * SIGKILL leaves nothing behind.
 */
function startGuard(directory: string, signal: ServerPlan['stopSignal']): Writable {
  const script = `
    while read -r line; do pid=$line; done
    if [ -n "$pid" ]; then
      kill -${signal} "$pid"
      for i in 1 2 3 4 5 6 7 8 9 10; do kill -0 "$pid" && sleep 0.2; done
      kill -KILL "$pid"
    fi
    rm -rf "$1"`
  const guard = spawn('sh', ['-c', script, 'portbook-server-guard', directory], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  guard.unref()
  const input = guard.stdin as Writable & { unref(): void }
  input.unref()
  return input
}

/** Returns the options to start a server's programs in its directory. */
function spawnOptions(
  directory: string,
  user: User | undefined,
  environment: Readonly<Record<string, string>> = {},
) {
  return {
    // The user may be unable to enter the current directory.
    cwd: directory,
    // A separate process group, so that Ctrl-C reaches only the tests and not their servers.
    detached: true,
    // A starting MariaDB removes temporary files of others in its folder.
    env: { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC', TMPDIR: directory, ...environment },
    stdio: ['ignore', 'ignore', 'pipe'] as ['ignore', 'ignore', 'pipe'],
    ...user,
  }
}
