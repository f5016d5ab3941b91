/**
 * The product as its operator runs it: `server/main.ts` in a separate process, controlled only through its
 * settings, its two outputs, its port and its exit code.
 */

import { spawn, type ChildProcess } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { atEnd } from './at-end.ts'
import { guardProcess } from './process-guard.ts'
import type { StorePlace } from './stores.ts'

/** One line of the log. */
export interface LogLine {
  level: string
  time: string
  msg?: string
  [fact: string]: unknown
}

/** The end of a process. */
export interface Ended {
  /** The exit code; null if a signal ended it. */
  code: number | null
  signal: NodeJS.Signals | null
  stdout: string
  stderr: string
  /** The lifetime of the process. */
  durationMs: number
}

/** The serving product. */
export interface ProductProcess {
  /** The address that it reports. */
  url: string
  pid: number
  /** The time from the start of the process to its first line. */
  startMs: number
  stdout(): string
  stderr(): string
  /** Returns the lines of the log so far; throws if one is not JSON. */
  log(): LogLine[]
  /** Waits for a line of the log; existing lines count. */
  logged(isWanted: (line: LogLine) => boolean): Promise<LogLine>
  /** Waits until the process has ended in any way. */
  untilEnd(): Promise<Ended>
  /** Stops the process like an operator; throws unless it exits with 0. */
  stop(): Promise<Ended>
  /** Sends a signal; for SIGKILL, waits for the end. */
  kill(signal: NodeJS.Signals): Promise<void>
}

/** The settings of an unattended first start. */
export interface UnattendedStart {
  environment: Record<string, string>
  /** The file for the secret of the organization key. */
  keyFile: string
  organization: string
  password: string
  /** Returns the secret after the first start has written it. */
  key(): string
}

// The runner bundles the server, which then starts with a third of the work (scripts/server-bundle.ts).
const BUNDLE = process.env.PORTBOOK_TEST_SERVER
/** The program of the product, for the pinned Node. */
export const PRODUCT =
  BUNDLE === undefined
    ? fileURLToPath(new URL('../server/main.ts', import.meta.url))
    : join(BUNDLE, 'main.mjs')
// A demo is loaded before the server listens, which is slow while other tests run.
const START_MS_MAX = 90_000
const END_MS_MAX = 30_000
const LINES_SHOWN = 20

/** A process that only works on runs. */
export type WorkerProcess = Omit<ProductProcess, 'url'>

/** Starts the product and waits until it listens; throws with its output if it ends first. */
export async function startProduct(
  environment: Record<string, string>,
  commandLine: readonly string[] = [],
  user?: { uid: number; gid: number },
  outputs: Outputs = {},
): Promise<ProductProcess> {
  const child = new Child(environment, commandLine, user, outputs)
  const [, url = ''] = await ready(child, /^portbook listening on (http:\/\/\S+)$/)
  return { url, ...newHandle(child) }
}

/** Starts the command `work` and waits until it works; throws with its output if it ends first. */
export async function startWorker(
  environment: Record<string, string>,
  outputs: Outputs = {},
): Promise<WorkerProcess> {
  const child = new Child(environment, ['work'], undefined, outputs)
  await ready(child, /^portbook working$/)
  return newHandle(child)
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

function newHandle(child: Child): WorkerProcess {
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
      if (ended.code !== 0) throw new Error(child.describe('did not stop cleanly'))
      return ended
    },
    async kill(signal) {
      child.signal(signal)
      if (signal === 'SIGKILL') await child.untilEnd()
    },
  }
}

/** Runs the product until it ends by itself; returns how it ended. */
export async function runProduct(
  environment: Record<string, string>,
  commandLine: readonly string[] = [],
  outputs: Outputs = {},
  user?: { uid: number; gid: number },
): Promise<Ended> {
  return await new Child(environment, commandLine, user, outputs).untilEnd()
}

/** Starts a command that ends by itself, without waiting. */
export function startCommand(
  environment: Record<string, string>,
  commandLine: readonly string[],
  user?: { uid: number; gid: number },
  outputs: Outputs = {},
): WorkerProcess {
  return newHandle(new Child(environment, commandLine, user, outputs))
}

/** Creates the settings of an unattended first start on a database. */
export function createUnattendedStart(place: StorePlace): UnattendedStart {
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

type WithPipes = Omit<Outputs, 'stdout' | 'stderr'> & {
  stdout?: number | 'pipe'
  stderr?: number | 'pipe'
}

/** The outputs and the program of a process. */
export interface Outputs {
  /** Descriptors of files that replace its pipes. */
  stdout?: number
  stderr?: number
  /** Its program; by default the server of this repository. */
  main?: string
  /** The Node that runs the program; by default the current one. */
  node?: string
}

const living = new Set<ChildProcess>()

// A product left behind by a failed test would keep its clients and the process of the tests open.
atEnd(() => {
  for (const child of living) child.kill('SIGKILL')
})

/** A child process with its output so far. */
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
    { stdout = 'pipe', stderr = 'pipe', main = PRODUCT, node = process.execPath }: WithPipes = {},
  ) {
    this.#process = spawn(node, [main, ...commandLine], {
      ...user,
      // The tests' own environment must not affect the product.
      env: {
        PATH: process.env.PATH,
        TMPDIR: tmpdir(),
        // Starts share Node's compile cache, as with `npm start`.
        NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
        PORT: '0',
        // Tests must also pass after the end of DPS.
        PORTBOOK_DPS_UNTIL: '9999-12-31',
        PORTBOOK_DCS_UNTIL: '9999-12-31',
        ...environment,
      },
      stdio: ['ignore', stdout, stderr],
    })
    guardProcess(this.#process)
    living.add(this.#process)
    this.#process.once('exit', () => living.delete(this.#process))
    // The process must not keep the test file open.
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
      // Unlike `exit`, `close` comes after all output of the process.
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
    // The text after the last line break is an incomplete line.
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
