import { statfsSync } from 'node:fs'
import { createServer } from 'node:http'
import { ERROR_CODES, getErrorKind } from './platform/error-codes.ts'
import type { Config } from './platform/config.ts'
import type { Log } from './platform/kit/log.ts'
import { newMetrics, type MetricDefinition, type Metrics } from './platform/kit/metrics.ts'
import { listMigrations } from './platform/kit/schema-version.ts'
import {
  DELIVERY_RESULTS,
  RUN_END_STATUSES,
  type WorkObserver,
} from './platform/kit/work-observer.ts'
import { VERSION } from './platform/version.ts'
import { getSecurityHeaders } from './requests/http/context.ts'
import type { Offload } from './requests/http/offload.ts'
import { MIGRATIONS, type Pools, type Store } from './store.ts'
import type { watchStore } from './store-guard.ts'

/** The parts of a process that its metrics describe. */
interface ProcessParts {
  config: Config
  store: Store
  pools: Pools
  guard: Pick<ReturnType<typeof watchStore>, 'isReadable' | 'isWritable'>
  /** Counts the lines of the log that could not be written. */
  countDroppedLines?: (() => number) | undefined
}

/** The metrics of a process, served on a port. */
interface ServedMetrics {
  port: number
  close(): void
}

const CONNECTIONS_MAX = 100

/** Creates the metrics that every process has. */
export function newProcessMetrics(parts: ProcessParts): Metrics {
  const metrics = newMetrics({ isWholeProcess: true })
  metrics.add([...listOwnMetrics(parts), ...listStoreMetrics(parts)])
  return metrics
}

function listOwnMetrics({ countDroppedLines = () => 0 }: ProcessParts): MetricDefinition[] {
  const schema = listMigrations(MIGRATIONS).at(-1)?.split('_')[0] ?? ''
  const build = [{ labels: { version: VERSION, schema }, value: 1 }]
  return [
    {
      name: 'portbook_build_info',
      help: 'The version of this process, and the number of its newest migration.',
      labelNames: ['version', 'schema'],
      read: () => build,
    },
    {
      name: 'portbook_log_lines_dropped_total',
      help: 'Lines of the log that could not be written.',
      read: countDroppedLines,
    },
  ]
}

function listStoreMetrics({ config, store, pools, guard }: ProcessParts): MetricDefinition[] {
  const every = Object.entries({ requests: store.pool, ...pools.pools })
  const readPools = (read: (pool: Store['pool']) => number) => () =>
    every.map(([pool, one]) => ({ labels: { pool }, value: read(one) }))
  const ofPools = { labelNames: ['pool'] }
  const ownDisk = config.databaseUrl === undefined ? listDiskMetrics(config.dataDirectory) : []
  return [
    {
      name: 'portbook_store_readable',
      help: '1 if this process can read from the store, otherwise 0.',
      read: () => Number(guard.isReadable()),
    },
    {
      name: 'portbook_store_writable',
      help: '1 if this process may write to the store, otherwise 0.',
      read: () => Number(guard.isWritable()),
    },
    {
      name: 'portbook_store_errors_total',
      help: 'Statements and connections that the store failed, by the kind of the failure; outcome_unknown = a change that may have been saved.',
      labelNames: ['kind'],
      read: () =>
        [...store.health.countFailures()].map(([kind, value]) => ({ labels: { kind }, value })),
    },
    {
      name: 'portbook_store_connections',
      help: 'Connections to the store, by the pool of this process.',
      ...ofPools,
      read: readPools(({ totalCount }) => totalCount),
    },
    {
      name: 'portbook_store_connections_idle',
      help: 'Idle connections to the store.',
      ...ofPools,
      read: readPools(({ idleCount }) => idleCount),
    },
    {
      name: 'portbook_store_connections_max',
      help: 'The most connections that a pool opens.',
      ...ofPools,
      read: readPools(({ options }) => options.max),
    },
    {
      name: 'portbook_store_waiting',
      help: 'Statements that wait for a connection.',
      ...ofPools,
      read: readPools(({ waitingCount }) => waitingCount),
    },
    ...ownDisk,
  ]
}

/** The disk of Portbook's own PostgreSQL. */
function listDiskMetrics(directory: string): MetricDefinition[] {
  const measure = (read: (disk: { bsize: number; bavail: number; blocks: number }) => number) => {
    return (): number | undefined => {
      try {
        return read(statfsSync(directory))
      } catch {
        return undefined
      }
    }
  }
  return [
    {
      name: 'portbook_store_disk_free_bytes',
      help: "Free space on the disk of Portbook's own PostgreSQL.",
      read: measure(({ bavail, bsize }) => bavail * bsize),
    },
    {
      name: 'portbook_store_disk_size_bytes',
      help: "Size of the disk of Portbook's own PostgreSQL.",
      read: measure(({ blocks, bsize }) => blocks * bsize),
    },
  ]
}

/** Adds the metrics of a process that answers requests. */
export function addServingMetrics(
  metrics: Metrics,
  server: { countConnections(): number },
  offload: Offload,
): void {
  metrics.add([
    {
      name: 'portbook_http_connections',
      help: 'Connections of clients.',
      read: () => server.countConnections(),
    },
    {
      name: 'portbook_threads',
      help: 'Threads that read documents.',
      read: () => offload.countThreads(),
    },
    {
      name: 'portbook_thread_tasks_waiting',
      help: 'Documents that wait for a thread.',
      read: () => offload.countWaiting(),
    },
  ])
  // A counter that begins at 1 hides its first increase.
  for (const code of ERROR_CODES) {
    const { status } = getErrorKind(code)
    if (status >= 500 || status === 429) metrics.countProblem(code, 0)
  }
}

/** Creates the observer of the background work of a process. */
export function newWorkObserver(metrics: Metrics): WorkObserver {
  const failures = metrics.addCounter({
    name: 'portbook_follower_failures_total',
    help: 'Failures of a follower of the feed; it tries again.',
    labelNames: ['follower'],
  })
  const attempts = metrics.addCounter({
    name: 'portbook_delivery_attempts_total',
    help: 'Attempts at deliveries, by channel and result; retry = failed, and repeated later.',
    labelNames: ['channel', 'result'],
  })
  const ends = metrics.addCounter({
    name: 'portbook_runs_ended_total',
    help: 'Ingestion runs that this process ended, by their status.',
    labelNames: ['status'],
  })
  for (const status of RUN_END_STATUSES) ends({ status }, 0)
  return {
    started({ followers = [], channels = [] }) {
      for (const follower of followers) failures({ follower }, 0)
      for (const channel of channels) {
        for (const result of DELIVERY_RESULTS) attempts({ channel, result }, 0)
      }
    },
    followerFailed: (follower) => failures({ follower }),
    deliveryAttempted: (channel, result) => attempts({ channel, result }),
    runEnded: (status) => ends({ status }),
  }
}

/**
 * Serves the metrics on the configured port, if there is one. A process that only works may share its settings with a
 * serving one on the same machine: with `isOptional`, a port that is in use is logged.
 */
export async function serveMetrics(
  config: Config,
  metrics: Metrics,
  { log, isOptional }: { log: Log; isOptional: boolean },
): Promise<ServedMetrics | undefined> {
  const { metricsPort, host } = config
  if (metricsPort === undefined) return undefined
  const server = createServer((_, response) => {
    const answer = async (): Promise<void> => {
      const { text, mediaType } = await metrics.render()
      const headers = { ...getSecurityHeaders(undefined), 'content-type': mediaType }
      response.writeHead(200, headers).end(text)
    }
    answer().catch((error: unknown) => {
      log.error({ err: error }, 'the metrics could not be read')
      response.writeHead(500).end()
    })
  })
  server.maxConnections = CONNECTIONS_MAX
  try {
    await new Promise<void>((done, failed) => {
      server.once('error', failed)
      server.listen(metricsPort, host, done)
    })
  } catch (error) {
    if (!isOptional || !isInUse(error)) throw error
    log.warn(
      { metricsPort },
      'another process uses PORTBOOK_METRICS_PORT: the metrics of this process are not served',
    )
    return undefined
  }
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return { port, close: () => server.close() }
}

function isInUse(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EADDRINUSE'
}
