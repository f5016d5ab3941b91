import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { DatabasePlace } from './database-place.ts'

/** A measured server, in a separate process. */
export interface RunningServer {
  url: string
  port: number
  /** Its process id. */
  pid: number
  /** Stops it with SIGTERM and waits until it has ended. */
  stop(): Promise<void>
}

const MAIN = fileURLToPath(new URL('../server/main.ts', import.meta.url))
const BARE = fileURLToPath(new URL('bare-process.ts', import.meta.url))

const running = new Set<() => void>()
// Stops servers when a run fails or is interrupted.
process.on('exit', () => {
  for (const kill of running) kill()
})
process.once('SIGINT', () => process.exit(130))
process.once('SIGTERM', () => process.exit(143))

// The launcher sets these for the benchmark as for the product.
const INHERITED = /^(?:PATH|HOME|TMPDIR|NODE_OPTIONS|NODE_COMPILE_CACHE|MALLOC_\w+)$/

/** Options for the start of a server. */
export interface StartOptions {
  /** The Node to run; undefined = the Node of the benchmark. */
  node?: string
  parameters?: readonly string[]
}

/** Starts the product like an operator, on a free port, with its log in a file. */
export async function startProduct(
  environment: Record<string, string>,
  options: StartOptions = {},
): Promise<RunningServer> {
  return await startServer(MAIN, { ...environment, PORT: '0' }, options)
}

/** Starts the bare server on a database. */
export async function startBare(
  place: DatabasePlace,
  options: StartOptions = {},
): Promise<RunningServer> {
  const environment: Record<string, string> =
    'databaseUrl' in place
      ? { BARE_DATABASE_URL: place.databaseUrl }
      : { BARE_DATA_DIRECTORY: place.dataDirectory }
  return await startServer(BARE, environment, options)
}

/** Starts a server and waits for the line with its address. */
async function startServer(
  entry: string,
  environment: Record<string, string>,
  { node = process.execPath, parameters = [] }: StartOptions,
): Promise<RunningServer> {
  const inherited = Object.entries(process.env).filter(([name]) => INHERITED.test(name))
  const given = Object.entries({ ...Object.fromEntries(inherited), ...environment })
  const directory = mkdtempSync(join(tmpdir(), 'portbook-bench-log-'))
  const logFile = join(directory, 'log')
  const log = openSync(logFile, 'w')
  const child = spawn(node, [entry, ...parameters], {
    env: Object.fromEntries(given.filter(([, value]) => value !== undefined)),
    stdio: ['ignore', 'pipe', log, 'ipc'],
  })
  closeSync(log)
  const kill = (): void => {
    child.kill('SIGKILL')
    rmSync(directory, { recursive: true, force: true })
  }
  running.add(kill)
  const ended = once(child, 'exit').then(() => {
    running.delete(kill)
    rmSync(directory, { recursive: true, force: true })
  })
  const url = await new Promise<string>((done, fail) => {
    let output = ''
    child.stdout?.on('data', (chunk: Buffer) => {
      output += chunk.toString()
      const found = /listening on (http:\S+)/.exec(output)?.[1]
      if (found !== undefined) done(found)
    })
    child.prependOnceListener('exit', () => {
      fail(
        new Error(`${entry} ended before it served: ${readFileSync(logFile, 'utf8').slice(-2000)}`),
      )
    })
  })
  return {
    url,
    port: Number(new URL(url).port),
    pid: child.pid ?? 0,
    async stop() {
      child.kill('SIGTERM')
      await ended
    },
  }
}

const TICK_MICROSECONDS = 10_000

/** Returns the processor time of a process in microseconds; undefined outside Linux. */
export function readProcessorTime(pid: number): number | undefined {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
    return (Number(fields[11]) + Number(fields[12])) * TICK_MICROSECONDS
  } catch {
    return undefined
  }
}
