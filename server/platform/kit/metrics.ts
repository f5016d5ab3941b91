import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { Pool } from 'pg'
import { Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { QueueObserver } from './fair-queue.ts'

/** The metrics of a process. */
export interface Metrics {
  /** Records an answered request. */
  observe(method: string, route: string, status: number, seconds: number): void
  /** Records the waiting of requests by lane. */
  lanes: QueueObserver
  /** Returns the text in the Prometheus exposition format, with its media type. */
  render(): Promise<{ text: string; mediaType: string }>
}

/** The states of a process that are read at each scrape. */
interface MetricSources {
  /** Counts the connections of clients. */
  countConnections?: () => number
  /** Returns whether this process may write to the database. */
  isWritable?: () => boolean
  /** Counts the lines of the log that could not be written. */
  countDroppedLines?: (() => number) | undefined
}

const DURATION_BUCKETS_SECONDS = [
  0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5,
]

/**
 * Creates the metrics of a process. The state of the pool and the sources are read at each scrape.
 */
export function newMetrics(pool: Pool, sources: MetricSources = {}): Metrics {
  const { countConnections = () => 0, isWritable = () => true } = sources
  const { countDroppedLines = () => 0 } = sources
  const registry = new Registry()
  const requests = new Histogram({
    name: 'portbook_http_request_duration_seconds',
    help: 'Requests by method, route and status, with their durations.',
    labelNames: ['method', 'route', 'status'],
    buckets: DURATION_BUCKETS_SECONDS,
    registers: [registry],
  })
  gauge(registry, 'portbook_http_connections', 'Connections of clients.', countConnections)
  gauge(registry, 'portbook_store_connections', 'Connections to the store.', () => pool.totalCount)
  gauge(registry, 'portbook_store_connections_idle', 'Idle connections.', () => pool.idleCount)
  gauge(
    registry,
    'portbook_store_writable',
    '1 if this process may write to the store, otherwise 0.',
    () => Number(isWritable()),
  )
  gauge(
    registry,
    'portbook_store_waiting',
    'Statements waiting for a connection.',
    () => pool.waitingCount,
  )
  gauge(registry, 'process_resident_memory_bytes', 'Resident memory in bytes.', () =>
    process.memoryUsage.rss(),
  )
  counter(
    registry,
    'portbook_log_lines_dropped_total',
    'Lines of the log that could not be written.',
    countDroppedLines,
  )
  const delay = monitorEventLoopDelay({ resolution: 20 })
  delay.enable()
  gauge(
    registry,
    'nodejs_eventloop_lag_p99_seconds',
    'Event loop lag since the last scrape, 99th percentile.',
    () => {
      const seconds = delay.percentile(99) / 1e9
      delay.reset()
      return seconds
    },
  )
  // A histogram looks up its observer by all labels at each use; there are few, so they are cached.
  const observers = new Map<string, { observe(seconds: number): void }>()
  return {
    lanes: newLaneMetrics(registry),
    observe(method, route, status, seconds) {
      const name = `${method} ${status} ${route}`
      const cached = observers.get(name)
      const observer = cached ?? requests.labels(method, route, String(status))
      if (cached === undefined) observers.set(name, observer)
      observer.observe(seconds)
    },
    render: async () => ({ text: await registry.metrics(), mediaType: registry.contentType }),
  }
}

function newLaneMetrics(registry: Registry): QueueObserver {
  const options = { labelNames: ['lane'], registers: [registry] }
  const waits = new Histogram({
    name: 'portbook_lane_wait_seconds',
    help: 'Times for which requests waited for their turn, by lane.',
    buckets: DURATION_BUCKETS_SECONDS,
    ...options,
  })
  const rejections = new Counter({
    name: 'portbook_lane_rejected_total',
    help: 'Requests that were rejected because too many waited, by lane.',
    ...options,
  })
  const counts = new Map<string, number>()
  const add = (lane: string, change: 1 | -1): void => {
    counts.set(lane, (counts.get(lane) ?? 0) + change)
  }
  const waiting = new Gauge({
    name: 'portbook_lane_waiting',
    help: 'Requests that wait for their turn, by lane.',
    ...options,
    collect() {
      for (const [lane, count] of counts) waiting.set({ lane }, count)
    },
  })
  const observers = new Map<string, { observe(seconds: number): void }>()
  return {
    arrived: (lane) => add(lane, 1),
    started(lane, waitedMs) {
      add(lane, -1)
      const observer = observers.get(lane) ?? waits.labels(lane)
      observers.set(lane, observer)
      observer.observe(waitedMs / 1000)
    },
    rejected(lane) {
      add(lane, -1)
      rejections.inc({ lane })
    },
  }
}

function counter(registry: Registry, name: string, help: string, read: () => number): void {
  const registered = new Counter({
    name,
    help,
    registers: [registry],
    collect() {
      registered.reset()
      registered.inc(read())
    },
  })
}

function gauge(registry: Registry, name: string, help: string, read: () => number): void {
  const registered = new Gauge({
    name,
    help,
    registers: [registry],
    collect() {
      registered.set(read())
    },
  })
}
