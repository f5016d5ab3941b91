/**
 * The product as its operator runs it: `server/main.ts` in a process of its own, known only by its
 * settings, its two outputs, its port and its exit code.
 */

import { spawn, type ChildProcess } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { Socket } from 'node:net'
import type { Writable } from 'node:stream'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { StorePlace } from './stores.ts'

/** One line of the log. */
export interface LogLine {
  level: string
  time: string
  msg?: string
  [fact: string]: unknown
}

/** How a process ended. */
export interface Ended {
  /** The exit code; null when a signal ended it. */
  code: number | null
  signal: NodeJS.Signals | null
  stdout: string
  stderr: string
  /** From the start of the process to its end. */
  durationMs: number
}

/** The product, serving. */
export interface ProductProcess {
  /** Where it says that it listens. */
  url: string
  pid: number
  /** From the start of the process to its first line. */
  startMs: number
  stdout(): string
  stderr(): string
  /** The lines of the log so far; throws at one that is not JSON. */
  log(): LogLine[]
  /** Waits for a line of the log, one that is there already included. */
  logged(isWanted: (line: LogLine) => boolean): Promise<LogLine>
  /** Waits until the process has ended, however it did. */
  untilEnd(): Promise<Ended>
  /** Ends the process as an operator does; throws unless it exits with 0. */
  stop(): Promise<Ended>
  /** Sends a signal, and waits for the end when the signal is SIGKILL. */
  kill(signal: NodeJS.Signals): Promise<void>
}

/** The settings of an unattended first start. */
export interface UnattendedStart {
  environment: Record<string, string>
  /** Where the secret of the organization key comes to lie. */
  keyFile: string
  organization: string
  password: string
  /** The secret, once the first start has written it. */
  key(): string
}

const MAIN = fileURLToPath(new URL('../server/main.ts', import.meta.url))
// A demo is loaded before the server listens, which takes long beside other tests.
const START_MS_MAX = 90_000
const END_MS_MAX = 30_000
const LEFT_BEHIND_MS = 20_000
const LINES_SHOWN = 20

/** A process that works on runs and serves nothing. */
export type WorkerProcess = Omit<ProductProcess, 'url'>

/** Starts the product and waits until it listens; throws with all that it wrote when it ends before. */
export async function startProduct(
  environment: Record<string, string>,
  commandLine: readonly string[] = [],
  user?: { uid: number; gid: number },
): Promise<ProductProcess> {
  const child = new Child(environment, commandLine, user)
  const [, url = ''] = await ready(child, /^portbook listening on (http:\/\/\S+)$/)
  return { url, ...handleOf(child) }
}

/** Starts the command `work` and waits until it works; throws with all that it wrote when it ends before. */
export async function startWorker(environment: Record<string, string>): Promise<WorkerProcess> {
  const child = new Child(environment, ['work'])
  await ready(child, /^portbook working$/)
  return handleOf(child)
}

/** Waits for the first line, which must match. */
async function ready(child: Child, expected: RegExp): Promise<RegExpExecArray> {
  const firstLine = await within(
    START_MS_MAX,
    () => child.describe('did not start'),
    Promise.race([child.firstLine, child.ended.then(() => undefined)]),
  )
  const matched = expected.exec(firstLine ?? '')
  if (matched !== null) return matched
  child.signal('SIGKILL')
  throw new Error(child.describe('did not start'))
}

function handleOf(child: Child): WorkerProcess {
  return {
    pid: child.pid,
    startMs: child.ageMs(),
    stdout: () => child.stdout,
    stderr: () => child.stderr,
    log: () => child.log(),
    logged: (isWanted) => child.logged(isWanted),
    untilEnd: () => child.untilEnd(),
    async stop() {
      child.signal('SIGTERM')
      const ended = await child.untilEnd()
      if (ended.code !== 0) throw new Error(child.describe('did not stop in order'))
      return ended
    },
    async kill(signal) {
      child.signal(signal)
      if (signal === 'SIGKILL') await child.untilEnd()
    },
  }
}

/** Runs the product where it is expected to end by itself, and tells how it ended. */
export async function runProduct(
  environment: Record<string, string>,
  commandLine: readonly string[] = [],
): Promise<Ended> {
  return await new Child(environment, commandLine).untilEnd()
}

/** Starts the product where it is expected to end by itself, without waiting for that. */
export function startCommand(
  environment: Record<string, string>,
  commandLine: readonly string[],
  user?: { uid: number; gid: number },
): WorkerProcess {
  return handleOf(new Child(environment, commandLine, user))
}

/** Makes the settings of an unattended first start on a store. */
export function unattended(place: StorePlace): UnattendedStart {
  const directory = place.environment['PORTBOOK_DATA_DIR'] ?? tmpdir()
  const keyFile = join(directory, 'organization-key')
  const organization = 'Velmora Rail Cargo'
  const password = 'correct-horse-battery-staple'
  return {
    environment: {
      ...place.environment,
      PORTBOOK_ORGANIZATION: organization,
      PORTBOOK_OWNER_EMAIL: 'owner@velmora.example',
      PORTBOOK_OWNER_PASSWORD: password,
      PORTBOOK_API_KEY_FILE: keyFile,
    },
    keyFile,
    organization,
    password,
    key: () => readFileSync(keyFile, 'utf8').trim(),
  }
}

const living = new Set<ChildProcess>()

// A product that a failed test left behind would hold its clients open, and so the test file. The
// file's own hooks come first: they may still be stopping theirs.
after(() => {
  setTimeout(killLiving, LEFT_BEHIND_MS).unref()
})

function killLiving(): void {
  for (const child of living) child.kill('SIGKILL')
}

/** One child process with what it wrote so far. */
class Child {
  stdout = ''
  stderr = ''
  readonly ended: Promise<Ended>
  readonly firstLine: Promise<string>
  readonly #process: ChildProcess
  readonly #startedAtMs = performance.now()
  readonly #listeners = new Set<() => void>()

  constructor(
    environment: Record<string, string>,
    commandLine: readonly string[],
    user?: { uid: number; gid: number },
  ) {
    this.#process = spawn(process.execPath, [MAIN, ...commandLine], {
      ...user,
      // Nothing of the tests' own environment may decide how the product runs.
      env: {
        PATH: process.env.PATH,
        TMPDIR: tmpdir(),
        // What Node compiled for the last start serves this one, as it does by `npm start`.
        NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
        PORT: '0',
        // The tests hold after the end of DPS as well.
        PORTBOOK_DPS_UNTIL: '9999-12-31',
        PORTBOOK_DCS_UNTIL: '9999-12-31',
        ...environment,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    guard(this.#process)
    living.add(this.#process)
    this.#process.once('exit', () => living.delete(this.#process))
    // Nor may it keep the test file from ending itself.
    this.#process.unref()
    for (const output of [this.#process.stdout, this.#process.stderr]) {
      if (output instanceof Socket) output.unref()
    }
    this.firstLine = new Promise((done) => {
      this.#process.stdout?.setEncoding('utf8').on('data', (text: string) => {
        this.stdout += text
        const end = this.stdout.indexOf('\n')
        if (end !== -1) done(this.stdout.slice(0, end))
      })
    })
    this.#process.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.stderr += text
      for (const listener of this.#listeners) listener()
    })
    this.ended = new Promise((done, failed) => {
      this.#process.once('error', failed)
      // Unlike `exit`, `close` comes after the last of what the process wrote.
      this.#process.once('close', (code, signal) =>
        done({
          code,
          signal,
          stdout: this.stdout,
          stderr: this.stderr,
          durationMs: this.ageMs(),
        }),
      )
    })
    this.ended.catch(() => undefined)
  }

  get pid(): number {
    return this.#process.pid ?? 0
  }

  ageMs(): number {
    return performance.now() - this.#startedAtMs
  }

  signal(signal: NodeJS.Signals): void {
    this.#process.kill(signal)
  }

  async untilEnd(): Promise<Ended> {
    try {
      return await within(END_MS_MAX, () => this.describe('did not end'), this.ended)
    } finally {
      this.signal('SIGKILL')
    }
  }

  log(): LogLine[] {
    const lines = this.stderr.split('\n')
    // What follows the last line break is a line that is still being written.
    return lines.slice(0, -1).map((line) => JSON.parse(line) as LogLine)
  }

  async logged(isWanted: (line: LogLine) => boolean): Promise<LogLine> {
    const found = new Promise<LogLine>((done, failed) => {
      const look = (): void => {
        try {
          const line = this.log().find(isWanted)
          if (line === undefined) return
          this.#listeners.delete(look)
          done(line)
        } catch (error) {
          failed(error)
        }
      }
      this.#listeners.add(look)
      look()
      void this.ended.then(() => failed(new Error(this.describe('ended without the line'))))
    })
    return await within(START_MS_MAX, () => this.describe('did not log the line'), found)
  }

  describe(what: string): string {
    const { exitCode, signalCode } = this.#process
    const end = signalCode ?? exitCode ?? 'none yet'
    const lines = this.stderr.trimEnd().split('\n').slice(-LINES_SHOWN)
    return [`the product ${what} (end: ${end})`, this.stdout.trimEnd(), ...lines].join('\n')
  }
}

async function within<T>(limitMs: number, message: () => string, awaited: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, failed) => {
    timer = setTimeout(() => failed(new Error(message())), limitMs)
  })
  try {
    return await Promise.race([awaited, late])
  } finally {
    clearTimeout(timer)
  }
}

let guardInput: Writable | undefined

/**
 * Sees to it that a child does not outlive this process, however this one ends: a shell knows all
 * living children, and when its standard input ends it ends them.
 */
function guard(child: ChildProcess): void {
  guardInput ??= startGuard()
  const input = guardInput
  const { pid } = child
  if (pid === undefined) return
  input.write(`start ${pid}\n`)
  child.once('exit', () => input.write(`end ${pid}\n`))
}

function startGuard(): Writable {
  const script = `
    live=' '
    while read -r action pid; do
      case $action in
        start) live="$live$pid " ;;
        end) live="\${live%% $pid *} \${live#* $pid }" ;;
      esac
    done
    for pid in $live; do kill -KILL "$pid"; done`
  const shell = spawn('sh', ['-c', script, 'portbook-process-guard'], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  shell.unref()
  const input = shell.stdin as Writable & { unref(): void }
  input.unref()
  return input
}
