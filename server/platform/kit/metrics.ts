import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { QueueObserver } from './fair-queue.ts'

/** The metrics of a process. */
export interface Metrics {
  /** Records an answered request. */
  observe(method: string, route: string, status: number, seconds: number): void
  /** Counts an error that was answered. */
  countProblem(code: string, count?: number): void
  /** Records the waiting of requests by lane. */
  lanes: QueueObserver
  /** Adds metrics whose values are read at each scrape. */
  add(definitions: readonly MetricDefinition[]): void
  /** Adds a counter that is increased as things happen. Returns the function that adds to the counts of labels. */
  addCounter(definition: CounterDefinition): (labels: Labels, count?: number) => void
  /** Returns the text in the Prometheus exposition format, with its media type. */
  render(): Promise<{ text: string; mediaType: string }>
}

type Labels = Readonly<Record<string, string>>

/** A value of a metric. */
interface Sample {
  labels: Labels
  value: number
}

/** A counter; its labels have few values, and none names an organization, a person, a key or a document. */
interface CounterDefinition {
  name: string
  help: string
  labelNames: readonly string[]
}

/** A metric whose values are read at each scrape, which sends no statement. */
export interface MetricDefinition {
  /** A gauge unless the name ends in `_total`. */
  name: string
  help: string
  labelNames?: readonly string[]
  /** Returns the only value, or one for each set of labels; undefined = the metric has no value now. */
  read(): number | readonly Sample[] | undefined
}

const DURATION_BUCKETS_SECONDS = [
  0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5,
]

/** Metrics of prom-client about the inside of Node, of little use to operators. */
const OMITTED = /^nodejs_(active_|heap_space_)/

// A sample of the event loop's delay every 20 ms costs half as much as the default.
const EVENT_LOOP_RESOLUTION_MS = 20

/**
 * Creates the metrics of a process. With `isWholeProcess`, they include those of Node and the operating system, which
 * observe the process as long as it runs.
 */
export function newMetrics({ isWholeProcess = false } = {}): Metrics {
  const registry = new Registry()
  if (isWholeProcess) addProcessMetrics(registry)
  const requests = new Histogram({
    name: 'portbook_http_request_duration_seconds',
    help: 'Requests by method, route and status, with their durations.',
    labelNames: ['method', 'route', 'status'],
    buckets: DURATION_BUCKETS_SECONDS,
    registers: [registry],
  })
  const countProblem = addCounter(registry, {
    name: 'portbook_http_problems_total',
    help: 'Answers that are errors, by their code.',
    labelNames: ['code'],
  })
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
    countProblem: (code, count) => countProblem({ code }, count),
    add(definitions) {
      for (const definition of definitions) addRead(registry, definition)
    },
    addCounter: (definition) => addCounter(registry, definition),
    render: async () => ({ text: await registry.metrics(), mediaType: registry.contentType }),
  }
}

function addProcessMetrics(registry: Registry): void {
  collectDefaultMetrics({
    register: registry,
    eventLoopMonitoringPrecision: EVENT_LOOP_RESOLUTION_MS,
  })
  for (const { name } of registry.getMetricsAsArray()) {
    if (OMITTED.test(name)) registry.removeSingleMetric(name)
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
    const count = counts.get(lane)
    // A counter that begins at 1 would hide its first rejection.
    if (count === undefined) rejections.inc({ lane }, 0)
    counts.set(lane, (count ?? 0) + change)
  }
  addRead(registry, {
    name: 'portbook_lane_waiting',
    help: 'Requests that wait for their turn, by lane.',
    labelNames: ['lane'],
    read: () => [...counts].map(([lane, value]) => ({ labels: { lane }, value })),
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

function addCounter(
  registry: Registry,
  definition: CounterDefinition,
): (labels: Labels, count?: number) => void {
  const counter = new Counter({ ...definition, registers: [registry] })
  return (labels, count = 1) => counter.inc(labels, count)
}

function addRead(registry: Registry, definition: MetricDefinition): void {
  const { name, help, labelNames = [], read } = definition
  const options = { name, help, labelNames, registers: [registry] }
  const write = (metric: Gauge | Counter, set: (sample: Sample) => void): void => {
    metric.reset()
    const value = read()
    if (typeof value === 'number') set({ labels: {}, value })
    else for (const sample of value ?? []) set(sample)
    // A metric without labels begins at 0, which would look like its value.
    if (value === undefined && labelNames.length === 0) metric.remove()
  }
  if (name.endsWith('_total')) {
    const counter: Counter = new Counter({
      ...options,
      collect: () => write(counter, ({ labels, value }) => counter.inc(labels, value)),
    })
    return
  }
  const gauge: Gauge = new Gauge({
    ...options,
    collect: () => write(gauge, ({ labels, value }) => gauge.set(labels, value)),
  })
}
