import { spawn, type ChildProcess } from 'node:child_process'
import { clusterArgument, type ClusterPaths } from './cluster.ts'
import type { PostgresEndpoint } from './endpoint.ts'
import type { OsUser } from './os-user.ts'
import type { Programs } from './programs.ts'
import { programPath, runToEnd, spawnOptions } from './spawn.ts'

/** PostgreSQL as a child process. */
export interface Postmaster {
  /** Resolves to true when it accepts connections, or to false if it ended before. */
  ready: Promise<boolean>
  /** Resolves when it has ended. */
  ended: Promise<void>
  hasEnded(): boolean
  /** The last lines of its log. */
  lastLines(): readonly string[]
  /** Ends its sessions, writes a checkpoint and shuts it down. Kills it after ten seconds. */
  stop(): Promise<void>
}

/** The options to start PostgreSQL. */
interface PostmasterOptions {
  paths: ClusterPaths
  programs: Programs
  user: OsUser | undefined
  connectionsMax: number
  endpoint: PostgresEndpoint
  /** Called for every line of its log. */
  onLine: (line: string) => void
}

const LINES_KEPT = 20
const STOP_MS_MAX = 10_000
const CLOSE_MS_MAX = 500

/**
 * Starts PostgreSQL and ends it when the shell's standard input ends. The operating system closes the input when the
 * parent ends for any reason. Each line of the input is a signal to send. The shell runs in a separate session and
 * ignores the signals of a terminal, so that an interrupted server can still answer its last requests.
 */
const GUARD = `
trap '' HUP INT TERM
exec 3<&0
"$@" </dev/null &
postgres=$!
{
  while read -r signal; do kill -s "$signal" "$postgres"; done
  kill -s INT "$postgres"
  for i in 1 2 3 4 5; do sleep 1; kill -0 "$postgres" || exit; done
  kill -s QUIT "$postgres"
  for i in 1 2; do sleep 1; kill -0 "$postgres" || exit; done
  kill -s KILL "$postgres"
} <&3 >/dev/null 2>&1 &
watcher=$!
exec 3<&-
wait "$postgres"
kill -s KILL "$watcher"
`

/** Starts PostgreSQL on its data directory. It never outlives this process. */
export function startPostmaster(options: PostmasterOptions): Postmaster {
  const { paths, programs, user, onLine } = options
  const command = [programPath(programs.directory, 'postgres'), ...parameters(options)]
  const [program = '', ...rest] =
    process.platform === 'win32' ? command : ['sh', '-c', GUARD, 'portbook-postgres', ...command]
  const child = spawn(program, rest, {
    ...spawnOptions(user),
    cwd: paths.cluster,
    // On Windows the system ends a child with its parent unless the child is detached.
    detached: process.platform !== 'win32',
    stdio: ['pipe', 'ignore', 'pipe'],
  })
  // A write to a guard that has ended is not an error, because no process is left to signal.
  child.stdin?.on('error', () => undefined)
  const lines: string[] = []
  const { promise: ready, resolve: markReady } = Promise.withResolvers<boolean>()
  readLines(child, (line) => {
    lines.push(line)
    if (lines.length > LINES_KEPT) lines.shift()
    if (line.includes('ready to accept connections')) markReady(true)
    onLine(line)
  })
  let hasEnded = false
  const ended = new Promise<void>((done) => {
    child.once('error', (error) => {
      lines.push(error.message)
      hasEnded = true
      done()
    })
    child.once('exit', () => {
      hasEnded = true
      // The last lines of the log arrive before `close`, which surviving sessions would delay.
      const timer = setTimeout(done, CLOSE_MS_MAX)
      child.once('close', () => {
        clearTimeout(timer)
        done()
      })
    })
  })
  void ended.then(() => markReady(false))
  return {
    ready,
    ended,
    hasEnded: () => hasEnded,
    lastLines: () => lines,
    stop: () => stop(child, ended, options),
  }
}

async function stop(
  child: ChildProcess,
  ended: Promise<void>,
  { paths, programs, user }: PostmasterOptions,
): Promise<void> {
  const timer = setTimeout(() => {
    if (process.platform === 'win32') child.kill()
    else child.stdin?.write('KILL\n')
  }, STOP_MS_MAX)
  if (process.platform === 'win32') {
    const stopping = ['stop', '-D', paths.cluster, '-m', 'fast']
    await runToEnd(programPath(programs.directory, 'pg_ctl'), stopping, {
      user,
      directory: paths.root,
    })
  } else child.stdin?.write('INT\n')
  await ended
  clearTimeout(timer)
}

function readLines({ stderr }: ChildProcess, onLine: (line: string) => void): void {
  let rest = ''
  stderr?.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) if (line !== '') onLine(line)
  })
}

function parameters({
  paths,
  programs,
  user,
  connectionsMax,
  endpoint,
}: PostmasterOptions): string[] {
  const settings: Record<string, string> = {
    port: String(endpoint.port),
    listen_addresses: endpoint.isOnNetwork ? endpoint.host : '',
    // Relative to the data directory, because the path in a socket address must be short.
    unix_socket_directories: endpoint.isOnNetwork ? '' : '../socket',
    unix_socket_permissions: '0700',
    max_connections: String(connectionsMax),
    timezone: 'UTC',
    log_timezone: 'UTC',
    lc_messages: 'C',
    fsync: 'on',
    full_page_writes: 'on',
    synchronous_commit: 'on',
    autovacuum: 'on',
    // Tables that an ingestion run fills should not have the plans of empty tables for a minute.
    autovacuum_naptime: '15s',
    jit: 'off',
    shared_buffers: '64MB',
    // Parallel queries need more shared memory than a container gives by default.
    max_parallel_workers_per_gather: '0',
    // This server is not replicated.
    wal_level: 'minimal',
    max_wal_senders: '0',
    max_logical_replication_workers: '0',
    // This process reads the log. Clients already receive statement errors.
    log_destination: 'stderr',
    logging_collector: 'off',
    log_min_messages: 'log',
    log_min_error_statement: 'panic',
    log_checkpoints: 'off',
    log_line_prefix: '',
    // PostgreSQL 18 introduced I/O worker processes.
    ...(programs.major >= 18 ? { io_method: 'sync' } : {}),
  }
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  return ['-D', clusterArgument(paths.cluster, user), ...flags]
}
